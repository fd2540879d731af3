from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rolearn.data import as_table, read_table
from rolearn.data.declaration import kinds_sentence, warn_of_few_levels
from rolearn.data.kinds import ColumnKind
from rolearn.runtime.errors import DataError, ParameterError, RolearnWarning

pytestmark = pytest.mark.pure

TOWNS = ["Oslo", "Bergen", "Oslo", "Voss", "Bergen", "Oslo"]
X = [1.5, 2, 3, 5, 4, 9]


def kind_of(column, **options):
    table = as_table(pd.DataFrame({"x": X, "d": column}), **options)
    assert table.kinds[0] == ColumnKind()
    return table.kinds[1]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_text_is_discrete(make):
    table = as_table(make({"x": X, "town": TOWNS}))
    assert table.kinds == (ColumnKind(), ColumnKind("discrete", ("Bergen", "Oslo", "Voss")))
    assert table.column("town").tolist() == [1, 0, 1, 2, 0, 1]
    assert table.n_levels.tolist() == [0, 3]


@pytest.mark.parametrize(
    "column",
    [
        TOWNS,
        np.array(TOWNS, dtype=object),
        pd.array(TOWNS, dtype="str"),  # what pandas 3 makes of text
        pd.array(TOWNS, dtype="string"),
        pd.array(TOWNS, dtype="string[pyarrow]"),
        pd.Categorical(TOWNS),
        pd.Categorical(TOWNS, categories=["Voss", "Oslo", "Bergen", "Bodø"], ordered=True),
    ],
)
def test_dtypes_of_text_in_pandas(column):
    """pgmpy#2546; levels are those that occur, sorted, whatever the dtype says of their order."""
    assert kind_of(column) == ColumnKind("discrete", ("Bergen", "Oslo", "Voss"))


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["Voss", "Oslo", "Bergen"]), pl.String])
def test_dtypes_of_text_in_polars(dtype):
    table = as_table(pl.DataFrame({"x": X, "d": pl.Series(TOWNS, dtype=dtype)}))
    assert table.kinds[1].levels == ("Bergen", "Oslo", "Voss")


def test_dictionaries_of_pyarrow():
    table = as_table(pa.table({"x": X, "d": pa.array(TOWNS).dictionary_encode()}))
    assert table.kinds[1].levels == ("Bergen", "Oslo", "Voss")


@pytest.mark.parametrize(
    "column",
    [
        [True, False, True, True, False, True],
        np.array([True, False, True, True, False, True], dtype=object),
        pd.array([True, False, True, True, False, True], dtype="boolean"),
        pd.array([True, False, True, True, False, True], dtype="bool[pyarrow]"),
    ],
)
def test_booleans_are_discrete(column):
    assert kind_of(column) == ColumnKind("discrete", ("False", "True"))


def test_an_array_of_booleans():
    assert as_table(np.array([[True, False]] * 3 + [[False, True]] * 3)).n_levels.tolist() == [2, 2]


def test_booleans_among_numbers_are_numbers():
    assert kind_of(np.array([True, 2.5, False, 1, 0, 3], dtype=object)) == ColumnKind()


def test_missing_cells_of_levels():
    frame = pd.DataFrame({"x": [*X, 7, 8], "d": [*TOWNS, None, np.nan]})
    table = as_table(frame, missing="pairwise")
    assert np.isnan(table.column("d")).tolist() == [False] * 6 + [True] * 2
    assert as_table(frame, missing="listwise").kinds[1].levels == ("Bergen", "Oslo", "Voss")


def test_levels_that_leave_with_their_rows():
    frame = pd.DataFrame({"x": [*X, np.nan], "d": [*TOWNS, "Bodø"]})
    table = as_table(frame, missing="listwise")
    assert table.kinds[1].levels == ("Bergen", "Oslo", "Voss")
    assert table.column("d").tolist() == [1, 0, 1, 2, 0, 1]


@pytest.mark.parametrize("numbers", [[3, 1, 10, 3, 1, 10], [3.0, 1.0, 10.0, 3.0, 1.0, 10.0]])
def test_declared_numbers(numbers):
    """py-causal#101: codes stored as 3.0."""
    assert kind_of(numbers) == ColumnKind()
    assert kind_of(numbers, discrete=["d"]) == ColumnKind("discrete", ("1", "3", "10"))


def test_categories_of_numbers_are_sorted_by_value():
    assert kind_of(pd.Categorical([3, 1, 10, 3, 1, 10])).levels == ("1", "3", "10")


def test_numerals_and_dates_may_be_declared():
    assert kind_of(list("313131"), discrete=["d"]).levels == ("1", "3")
    days = [datetime.date(2020, 1, 1 + k % 2) for k in range(6)]
    assert kind_of(days, discrete=["d"]).levels == ("2020-01-01", "2020-01-02")
    with pytest.raises(DataError, match="'d' holds numbers stored as text"):
        kind_of(list("313131"))
    with pytest.raises(DataError, match="'d' holds dates or times"):
        kind_of(["2020-01-01", "2020-01-02"] * 3)


def test_text_among_numbers_is_a_slip_unless_declared():
    column = ["1", "2", "2", "3+", "1", "3+"]
    with pytest.raises(
        DataError, match=r"'d' holds text \('3\+' in row 4\); turn it into numbers, declare it"
    ):
        kind_of(column)
    assert kind_of(column, discrete=["d"]).levels == ("1", "2", "3+")


def test_a_list_declares_no_more_than_it_names():
    frame = pd.DataFrame({"x": X, "k": [1, 2] * 3, "t": TOWNS})
    assert [k.kind for k in as_table(frame, discrete=["k"]).kinds] == ["continuous", "discrete", "discrete"]
    assert [k.kind for k in as_table(frame, discrete=[]).kinds] == ["continuous", "continuous", "discrete"]


def test_declarations_that_cannot_be():
    frame = pd.DataFrame({"x": X, "town": TOWNS})
    with pytest.raises(ParameterError, match="no column 'twon' to read as discrete; did you mean 'town'"):
        as_table(frame, discrete=["twon"])
    with pytest.raises(ParameterError, match=r"to read as discrete; there are 'x', 'town'$"):
        as_table(frame, discrete=["zzz"])
    for bad in ("town", 7, None):
        with pytest.raises(ParameterError, match="give 'auto' or a list of column names"):
            as_table(frame, discrete=bad)
    with pytest.raises(
        ParameterError, match="missing is 'drop'; allowed are 'error', 'listwise', 'pairwise'"
    ):
        as_table(frame, missing="drop")


def test_labels_that_are_numbers_can_be_declared():
    table = as_table(pd.DataFrame(np.array([X, [1, 2] * 3]).T), discrete=[1])
    assert table.kinds[1].levels == ("1", "2")


def test_a_table_can_be_declared_anew():
    table = as_table(pd.DataFrame({"x": X, "k": [1, 2] * 3}))
    again = as_table(table, discrete=["k"])
    assert again.kinds[1].levels == ("1", "2")
    assert as_table(again, discrete=["k"]) is again
    assert table.kinds[1] == ColumnKind()


def test_kinds_in_files(tmp_path):
    path = tmp_path / "data.csv"
    rows = "".join(
        f"{x},{town} ,{k % 2 == 0},{k % 3}\n" for k, (x, town) in enumerate(zip(X, TOWNS, strict=True))
    )
    path.write_text("x,town,flag,code\n" + rows)
    table = read_table(path, discrete=["code"])
    assert [kind.levels for kind in table.kinds] == [
        (),
        ("Bergen", "Oslo", "Voss"),
        ("False", "True"),
        ("0", "1", "2"),
    ]
    with pytest.raises(ParameterError, match=r"data\.csv has no column 'kode'.*did you mean 'code'"):
        read_table(path, discrete=["kode"])
    frame = pd.DataFrame({"x": X, "town": TOWNS})
    for suffix in ("parquet", "feather"):
        getattr(frame, f"to_{suffix}")(tmp_path / f"data.{suffix}")
        assert read_table(tmp_path / f"data.{suffix}").kinds[1].levels == ("Bergen", "Oslo", "Voss")


def test_spaces_alone_are_missing_in_files(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(
        "x,town\n" + "".join(f"{x},{t}\n" for x, t in zip([*X, 7], [*TOWNS, '"  "'], strict=True))
    )
    with pytest.raises(DataError, match=r"1 cell is missing, in 'town' \(1\), the first in line 8"):
        read_table(path)


@pytest.mark.parametrize("column", [[0, 1], [1.0, 2.0, 3.0, 4.0, 5.0], list(range(10))])
def test_few_whole_numbers_are_warned_of(column):
    frame = pd.DataFrame({"x": np.random.default_rng(0).standard_normal(100), "d": np.resize(column, 100)})
    with pytest.warns(RolearnWarning, match=r"'d' holds few .* read as continuous; .* discrete=\['d'\]"):
        warn_of_few_levels(as_table(frame))
    warn_of_few_levels(as_table(frame, discrete=["d"]))


@pytest.mark.parametrize("column", [[0.5, 1], list(range(11)), [7]])
def test_other_numbers_are_not(column):
    frame = pd.DataFrame({"x": np.random.default_rng(0).standard_normal(110), "d": np.resize(column, 110)})
    warn_of_few_levels(as_table(frame))


def test_several_columns_of_few_numbers_are_one_warning():
    frame = pd.DataFrame({name: np.resize([0, 1], 50) for name in "abcdefg"})
    with pytest.warns(RolearnWarning) as caught:
        warn_of_few_levels(as_table(frame))
    assert len(caught) == 1
    assert "columns 'a', 'b', 'c', 'd', 'e' and 2 more hold few" in str(caught[0].message)


def test_how_kinds_are_told():
    assert kinds_sentence({"a": "continuous"}, {"a": 0}) == "columns: 1 continuous"
    kinds = {"a": "continuous", "b": "discrete", "c": "discrete"}
    told = kinds_sentence(kinds, {"a": 0, "b": 2, "c": 3})
    assert told == "columns: 1 continuous, 2 discrete: 'b' (2 levels), 'c' (3 levels)"
    assert str(ColumnKind("discrete", ("u", "v"))) == "discrete, 2 levels"
