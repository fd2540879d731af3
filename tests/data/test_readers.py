from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from rolearn.data import read_table
from rolearn.data.writers import table_text, write_table
from rolearn.independence import Gaussian
from rolearn.runtime.errors import DataError, ParameterError

pytestmark = pytest.mark.pure

VALUES = [[1, 2.5, -3], [2, 3.25, 5], [4, 1, 6], [8, 2, 1e-3], [16, 7, 2], [32, 0, 1]]
ROWS = "".join(",".join(map(str, row)) + "\n" for row in VALUES)
GOOD = "a,b,c\n" + ROWS


@pytest.fixture
def put(tmp_path):
    """Write a file and give its path."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refused(path, **options):
    with pytest.raises(DataError) as caught:
        read_table(path, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert str(path) in sentence
    return sentence.replace(str(path), "FILE")


def check_good(table, names=("a", "b", "c")):
    assert table.names == names
    np.testing.assert_array_equal(table.values, VALUES)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (GOOD, "data.csv"),
        (GOOD.rstrip("\n"), "data.csv"),
        (GOOD.replace("\n", "\r\n"), "data.csv"),
        (GOOD.replace("\n", "\r"), "data.csv"),
        ("\ufeff" + GOOD, "data.csv"),
        ("\n\n" + GOOD.replace("\n", "\n\n"), "data.csv"),
        (GOOD.replace(",", " , "), "data.csv"),
        (GOOD.replace(",", ";"), "data.csv"),
        (GOOD.replace(",", "|"), "data"),
        (GOOD.replace(",", "\t"), "data.tsv"),
        (GOOD.replace(",", "\t"), "data.txt"),
        (GOOD.replace("2.5", '"2.5"'), "data.csv"),
    ],
)
def test_text_of_many_shapes(put, content, name):
    check_good(read_table(put(content, name)))


def test_given_delimiter(put):
    path = put(GOOD.replace(",", ":"))
    check_good(read_table(path, delimiter=":"))
    check_good(read_table(put(GOOD.replace(",", "\t")), delimiter="tab"))
    for bad in ("", "::", '"', "\n"):
        with pytest.raises(ParameterError, match="not one character"):
            read_table(path, delimiter=bad)


@pytest.mark.parametrize("write", [parquet.write_table, feather.write_feather])
def test_columnar_files(tmp_path, write):
    path = tmp_path / ("data.parquet" if write is parquet.write_table else "data.feather")
    write(pa.table({name: [row[i] for row in VALUES] for i, name in enumerate("abc")}), str(path))
    check_good(read_table(path))


def test_the_index_that_pandas_stores_is_left_out(tmp_path):
    path = tmp_path / "data.parquet"
    pd.DataFrame(VALUES, columns=list("abc"), index=[10, 20, 30, 40, 50, 70]).to_parquet(path)
    table = read_table(path)
    check_good(table)
    assert "index" in table.notes[0]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(GOOD.encode())))
    check_good(read_table("-"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    with pytest.raises(DataError, match="standard input is empty"):
        read_table("-")


def test_booleans_and_integers_beyond_the_first_block(put):
    """Types are inferred from all rows: integers first, decimals a megabyte later."""
    lines = ["a,b"] + [f"{k % 97},true" for k in range(200_000)] + ["0.5,false"]
    table = read_table(put("\n".join(lines)))
    assert table.values[-1].tolist() == [0.5, 0.0]
    assert table.values[5].tolist() == [5.0, 1.0]


def test_names_keep_commas_quotes_and_letters(put):
    path = put('"a b","c,d","größe ""x"""\n' + ROWS)
    check_good(read_table(path), ("a b", "c,d", 'größe "x"'))


def test_integer_labels_are_names(put):
    check_good(read_table(put("0,1,2\n" + ROWS)), ("0", "1", "2"))


def test_drop(put):
    path = put("id,a,b,when,c\n" + "".join(f"x,{r[0]},{r[1]},2020-01-01,{r[2]}\n" for r in VALUES))
    check_good(read_table(path, drop=["id", "when"]))
    assert "FILE has no column 'wen' to drop; did you mean 'when'?" in refused(path, drop=["id", "wen"])


@pytest.mark.parametrize("end", ["", ","])
def test_trailing_delimiter_in_the_header(put, end):
    """py-tetrad#36."""
    check_good(read_table(put("a,b,c,\n" + ROWS.replace("\n", end + "\n"))))


def test_trailing_delimiter_in_the_rows(put):
    table = read_table(put("a,b,c\n" + ROWS.replace("\n", ",\n")))
    check_good(table)
    assert "end in a delimiter" in table.notes[0]


def test_missing_file_and_its_neighbor(put):
    path = put(GOOD, "cells.csv")
    sentence = refused(path.with_name("cell.csv"))
    assert sentence == "FILE: there is no such file; did you mean 'cells.csv'?"
    assert "there is no such file" in refused(path.parent / "nowhere" / "data.csv")


def test_folder(tmp_path):
    assert "is a folder" in refused(tmp_path)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "FILE is empty"),
        (b"\n  \n", "FILE is empty"),
        (b"a,b,c\n", "a header line and no rows"),
        (b"a,b,c", "a header line and no rows"),
        (b"a,b\n1,2\n2,1\n4,3\n", "FILE has only 3 rows"),
        (b"PK\x03\x04\x00\x00", "spreadsheet"),
        (b"\x1f\x8b\x08", "compressed"),
        (b"PAR1\x00", "Parquet"),
        ("a,b\n".encode("utf-16"), "UTF-16"),
        (b"\x89PNG\x00\x01", "not a text file"),
        ("a,b\n1,2\n2,é\n".encode("latin-1"), "FILE, line 3: the text is not UTF-8"),
        (b"1.5,2,3\n1,2,3\n", "the first line holds numbers"),
        (b"1,1,2\n1,2,3\n", "the first line holds numbers"),
    ],
)
def test_what_is_no_table(put, content, part):
    assert part in refused(put(content))


@pytest.mark.parametrize("name", ["data.parquet", "data.feather"])
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1garbage" * 10])
def test_damaged_columnar_files(put, name, content):
    assert "FILE is" in refused(put(content, name))


def test_ragged_rows(put):
    assert refused(put(GOOD + "1,2\n")).startswith("FILE, line 8: 2 cells where the header has 3")
    assert "FILE, line 3: 4 cells where" in refused(put("a,b,c\n1,2,3\n1,2,3,4\n" + ROWS))
    assert "FILE, line 2: 4 cells where" in refused(put("a,b,c\n" + ROWS.replace("\n", ",9\n")))


def test_lines_are_counted_across_blanks_and_quotes(put):
    head = '"a\nb",c\n\n1,2\n'
    assert "'x' in line 9" in refused(put(head + "1,2\n" * 4 + "x,2\n"))
    assert "FILE, line 6: 3 cells" in refused(put(head + '"1",2\n1,2,3\n'))


def test_text_in_a_column(put):
    sentence = refused(put(GOOD + "1,two,3\n"))
    assert "column 'b' holds text ('two' in line 8)" in sentence
    assert "--drop b" in sentence
    assert '--drop "my town"' in refused(put("a,b,my town\n" + "1,2,1\n" * 6 + "1,2,Oslo\n"))


@pytest.mark.parametrize("marker", ["-99", "-99.0", "-99.00"])
@pytest.mark.parametrize("cell", ["-99", "-99.0", "-99.000"])
def test_a_number_marks_missing_cells_however_it_is_written(put, marker, cell):
    path = put(f"a,b\n{cell},1\n" + "".join(f"{k}.5,{k * k % 7}\n" for k in range(9)))
    assert "1 cell is missing, in 'a' (1), the first in line 2" in refused(path, missing_marker=marker)
    assert read_table(path, missing_marker=marker, missing="listwise").n_rows == 9
    assert read_table(path, missing_marker="-98").n_rows == 10


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_a_marker_is_not_ignored_where_cells_are_no_text(tmp_path, suffix):
    path = tmp_path / f"table.{suffix}"
    getattr(pd.DataFrame(VALUES, columns=list("abc")), f"to_{suffix}")(path)
    for read in (read_table, Gaussian.from_file):
        with pytest.raises(ParameterError, match="'-99' is for CSV and TSV"):
            read(path, missing_marker="-99")


def test_a_marker_of_missing_cells(put):
    """causal-cmd#68."""
    path = put(GOOD + "1,*,3\n*,2,3\n")
    assert "say --missing-marker '*'" in refused(path)
    sentence = refused(path, missing_marker="*")
    assert "2 cells are missing, in 'a' (1), 'b' (1), the first in line 8" in sentence


@pytest.mark.parametrize("cell", ["", "NA", "nan", "null", '""'])
def test_missing_cells(put, cell):
    assert "1 cell is missing, in 'b' (1), the first in line 8" in refused(put(GOOD + f"1,{cell},3\n"))


def test_a_column_without_any_cell(put):
    sentence = refused(put("a,b,c,d\n" + ROWS.replace("\n", ",\n")))
    assert "6 cells are missing, in 'd' (6), the first in line 2" in sentence


@pytest.mark.parametrize("cell", ["inf", "-inf", "Infinity"])
def test_infinity(put, cell):
    assert "column 'c' is infinite in line 8" in refused(put(GOOD + f"1,2,{cell}\n"))


def test_dates(put):
    path = put("when,a,b\n" + "".join(f"2020-01-0{k + 1},{k},{k * k}\n" for k in range(6)))
    assert "column 'when' holds dates or times" in refused(path)


def test_decimal_commas(put):
    path = put("a;b\n" + "".join(f"{k},5;{k * k},25\n" for k in range(6)))
    assert "write decimals with a point" in refused(path)


def test_duplicated_and_empty_names(put):
    assert "FILE: more than one column is named 'a'" in refused(put("a,b,a\n" + ROWS))
    assert "column 2 has no name" in refused(put("a,,c\n" + ROWS))
    assert "index=False" in refused(put(",a,b\n" + ROWS))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".feather"])
def test_written_tables_read_back_bit_for_bit(tmp_path, suffix):
    source = tmp_path / "source.csv"
    source.write_text(
        'a,"b, c",d\n' + "".join(f"{x!r},{x / 3!r},{-x * 1e-30!r}\n" for x in (0.1, 2, 3, 7, 1e22))
    )
    table = read_table(source)
    path = tmp_path / f"data{suffix}"
    write_table(table, path)
    again = read_table(path)
    assert again.names == table.names
    np.testing.assert_array_equal(again.values, table.values)


def test_tables_are_not_written_anywhere(tmp_path):
    path = tmp_path / "source.csv"
    path.write_text(GOOD)
    table = read_table(path)
    assert table_text(table).splitlines()[1] == "1.0,2.5,-3.0"
    with pytest.raises(ParameterError, match=r"\.parquet"):
        write_table(table, tmp_path / "data.xlsx")
    with pytest.raises(ParameterError, match="can't be written"):
        write_table(table, tmp_path / "nowhere" / "data.csv")
