from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rolearn.data import Table, as_table, columns
from rolearn.data.columns import Refusal
from rolearn.data.refusals import ADVICE_FOR_SEVERAL
from rolearn.runtime.errors import DataError, ParameterError

pytestmark = pytest.mark.pure

NUMBERS = {"a": [1.5, 2, 3, 5, 4, 9], "b": [3, 1, 2, 7, 5, 6], "c": [True, False, True, True, False, False]}
EXPECTED = np.array([NUMBERS["a"], NUMBERS["b"], NUMBERS["c"]], dtype=float).T


def refused(data, names=None):
    with pytest.raises(DataError) as caught:
        as_table(data, names)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def with_column(name, cells):
    return pd.DataFrame({**NUMBERS, name: cells})


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_dataframes_of_any_library(make):
    table = as_table(make(NUMBERS))
    assert table.names == ("a", "b", "c")
    assert table.values.dtype == np.float64
    assert table.values.flags.c_contiguous
    np.testing.assert_array_equal(table.values, EXPECTED)


def test_arrays_and_nested_lists_get_numbered_names():
    for data in (EXPECTED, EXPECTED.tolist(), EXPECTED.astype(object), EXPECTED.astype(np.float32)):
        table = as_table(data)
        assert table.names == ("X1", "X2", "X3")
        np.testing.assert_array_equal(table.values, EXPECTED)


def test_values_are_a_read_only_copy():
    original = EXPECTED.copy()
    table = as_table(original)
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 7
    original[0, 0] = 99
    assert table.values[0, 0] == 1.5


def test_a_table_passes_through_and_can_be_renamed():
    table = as_table(EXPECTED)
    assert as_table(table) is table
    assert as_table(table, ["x", "y", "z"]).names == ("x", "y", "z")


def test_given_names_replace_those_of_the_data():
    assert as_table(pd.DataFrame(NUMBERS), ["x", 1, "z"]).names == ("x", "1", "z")
    with pytest.raises(ParameterError, match="2 labels and the data 3 columns"):
        as_table(EXPECTED, ["x", "y"])
    with pytest.raises(ParameterError, match="named 'x'"):
        as_table(EXPECTED, ["x", "y", "x"])


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, 2, 3, 4, 5, 7], dtype="Int64"),
        pd.array([1, 2, 3, 4, 5, 7], dtype="float32"),
        pd.array([1, 2, 3, 4, 5, 7], dtype="int64[pyarrow]"),
        pd.array([1, 2, 3, 4, 5, 7], dtype="uint8"),
        np.array([1, 2, 3.0, 4, 5, 7], dtype=object),
        [decimal.Decimal(k) for k in (1, 2, 3, 4, 5, 7)],
    ],
    ids=lambda column: str(getattr(column, "dtype", "decimal")),
)
def test_number_dtypes(column):
    assert as_table(with_column("d", column)).column("d").tolist() == [1, 2, 3, 4, 5, 7]


def test_objects_that_mix_numbers_and_booleans():
    """causal-learn#139: no complaint from isnan."""
    column = np.array([1.5, True, False, 2, np.float32(0.5), np.bool_(True)], dtype=object)
    assert as_table(with_column("d", column)).column("d").tolist() == [1.5, 1, 0, 2, 0.5, 1]


def test_labels_that_are_not_strings():
    assert as_table(pd.DataFrame(EXPECTED)).names == ("0", "1", "2")
    frame = pd.DataFrame(EXPECTED, columns=[1, "1", "x"])
    assert "labels 1 and '1' are both '1'" in refused(frame)


def test_hostile_names_survive():
    names = ["a b", 'say "x"', "größe, αβ/4.5 & ;"]
    assert as_table(pd.DataFrame(EXPECTED, columns=names)).names == tuple(names)


@pytest.mark.parametrize("labels", [["x", "x", "y"], ["y", "x", "x"]])
def test_duplicated_names(labels):
    arrow = pa.Table.from_arrays([pa.array(NUMBERS["a"])] * 3, names=labels)
    assert "more than one column is named 'x'" in refused(arrow)
    assert "more than one column is named 'x'" in refused(pd.DataFrame(EXPECTED, columns=labels))


def test_text_among_numbers_names_the_first_cell():
    assert "column 'd' holds text ('x' in row 3)" in refused(with_column("d", [1, 2, "x", 3, "y", 5]))


def test_numbers_stored_as_text():
    assert "column 'd' holds numbers stored as text" in refused(with_column("d", list("123456")))


def test_several_text_columns_are_named_together():
    frame = pd.DataFrame({**NUMBERS, "d": [1, 2, "u", 3, 4, 5], "e": [1, 2, "v", 3, 4, 5]})
    assert (
        "columns 'd', 'e' hold text ('u' in row 3 of 'd'); turn them into numbers, declare them discrete"
        " or leave them out" in refused(frame)
    )


@pytest.mark.parametrize(
    ("column", "holds"),
    [
        (pd.to_datetime(["2020-01-01"] * 6), "dates or times"),
        (pd.to_timedelta([1, 2, 3, 4, 5, 6], unit="s"), "dates or times"),
        ([datetime.date(2020, 1, k + 1) for k in range(6)], "dates or times"),
        (np.arange(6) + 1j, "complex numbers"),
        ([f"2020-01-0{k % 3 + 1}" for k in range(6)], "dates or times"),
        ([[1], [2], [3], [4], [5], [6]], "cells of type list"),
    ],
)
def test_columns_that_are_not_numbers(column, holds):
    assert f"column 'd' holds {holds}" in refused(with_column("d", column))


SEVERAL = {
    "text": ([1, 2, 3, "u", 5, 6], "turn them into numbers, declare them discrete or leave them out"),
    "numbers stored as text": (
        list("123456"),
        "turn them into numbers, declare them discrete or leave them out",
    ),
    "cells of type list": ([[k] for k in range(6)], "turn them into numbers or leave them out"),
    "dates or times": (
        [datetime.date(2020, 1, k + 1) for k in range(6)],
        "turn them into numbers, such as days since a start or leave them out",
    ),
    "complex numbers": (np.arange(6) + 1j, "split them into real and imaginary parts or leave them out"),
}


@pytest.mark.parametrize("holds", SEVERAL)
def test_advice_for_several_columns(holds):
    cells, advice = SEVERAL[holds]
    sentence = refused(pd.DataFrame({**NUMBERS, "d": cells, "e": cells}))
    assert f"columns 'd', 'e' hold {holds}" in sentence
    assert sentence.endswith(f"; {advice}")


def test_every_refusal_has_advice_for_several_columns():
    every = [found for found in vars(columns).values() if isinstance(found, Refusal)]
    assert len(every) == 4
    every.append(Refusal("cells of type list"))
    assert {refusal.advice for refusal in every} == set(ADVICE_FOR_SEVERAL)
    assert {refusal.holds for refusal in every} <= set(SEVERAL)


@pytest.mark.parametrize(
    ("array", "part"),
    [
        (np.arange(6), "1 dimension;"),
        (np.zeros((2, 3, 4)), "3 dimensions"),
        (np.zeros(6, dtype=[("a", float), ("b", float)]), "structured array"),
        (EXPECTED + 1j, "'X1', 'X2', 'X3' hold complex numbers"),
        (EXPECTED.astype(str), "hold numbers stored as text"),
        (np.full((6, 2), np.datetime64("2020-01-01")), "hold dates or times"),
        ([1, 2, 3], "row 1 of the data is not a list"),
        ([[1, 2], [3]], "row 2 of the data has 1 cells where row 1 has 2"),
        ([], "no rows"),
        ("data.csv", "the data is a str"),
        (None, "the data is a NoneType"),
        (pd.Series([1, 2, 3]), "the data is a Series"),
        (pl.DataFrame(NUMBERS).lazy(), "collect it first"),
    ],
)
def test_what_is_no_table(array, part):
    assert part in refused(array)


def test_sparse_matrix():
    from scipy.sparse import csr_matrix

    assert "toarray()" in refused(csr_matrix(EXPECTED))


@pytest.mark.parametrize(
    ("shape", "part"),
    [
        ((0, 3), "no rows"),
        ((6, 0), "no columns"),
        ((1, 3), "only one row; at least 5"),
        ((4, 3), "only 4 rows; at least 5"),
    ],
)
def test_too_small(shape, part):
    assert part in refused(np.arange(np.prod(shape), dtype=float).reshape(shape))
    frame = pd.DataFrame(np.arange(np.prod(shape), dtype=float).reshape(shape))
    assert part in refused(frame)


def test_five_rows_and_two_columns_are_enough():
    table = as_table(np.arange(10.0).reshape(5, 2))
    assert (table.n_rows, table.n_columns) == (5, 2)


@pytest.mark.parametrize(
    "cells",
    [
        [1, None, 3, 4, np.nan, 6],
        pd.array([1, None, 3, 4, None, 6], dtype="Int64"),
        pd.array([True, None, True, False, None, True], dtype="boolean"),
        np.array([1, None, 3, 4, pd.NA, 6], dtype=object),
    ],
    ids=["float", "Int64", "boolean", "object"],
)
def test_missing_cells(cells):
    assert "2 cells are missing, in 'd' (2), the first in row 2" in refused(with_column("d", cells))


def test_missing_cells_of_several_columns_come_sorted_by_count():
    frame = pd.DataFrame({**NUMBERS, "d": [1, 2, 3, 4, 5, None], "e": [1, 2, None, 3, None, 4]})
    assert "3 cells are missing, in 'e' (2), 'd' (1), the first in row 3" in refused(frame)


def test_masked_arrays_are_missing():
    masked = np.ma.masked_array(EXPECTED, mask=np.zeros(EXPECTED.shape, bool))
    np.testing.assert_array_equal(as_table(masked).values, EXPECTED)
    masked[1, 2] = np.ma.masked
    assert "1 cell is missing, in 'X3' (1), the first in row 2" in refused(masked)


def test_pyarrow_columns_in_slices_and_chunks():
    numbers = pa.chunked_array([pa.array([0, 1, None, 3]), pa.array([], pa.int64()), pa.array(range(4, 12))])
    flags = pa.array([None, None, *[k % 3 == 0 for k in range(2, 12)]])
    table = pa.table({"a": numbers, "b": flags}).slice(3, 8)
    values = as_table(table).values
    assert values[:, 0].tolist() == [3, 4, 5, 6, 7, 8, 9, 10]
    assert values[:, 1].tolist() == [k % 3 == 0 for k in range(3, 11)]
    assert "3 cells are missing, in 'b' (2), 'a' (1), the first in row 1" in refused(
        pa.table({"a": numbers, "b": flags})
    )


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_integers_beyond_the_doubles_are_rounded(make):
    cells = [2**60 + k for k in (1, 300, 2, 4, 5, 6)]
    assert as_table(make({**NUMBERS, "d": cells})).column("d").tolist() == [float(c) for c in cells]


def test_polars_and_pyarrow_nulls():
    cells = {**NUMBERS, "d": [1, None, 3, 4, 5, 6]}
    for make in (pl.DataFrame, pa.table):
        assert "1 cell is missing, in 'd' (1), the first in row 2" in refused(make(cells))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity(value):
    assert "column 'd' is infinite in row 4" in refused(with_column("d", [1, 2, 3, value, 5, 6]))


def test_long_cells_are_cut():
    assert len(refused(with_column("d", [1, 2, 3, "x" * 1000, 5, 6]))) < 200


def test_column_by_unknown_name():
    table = Table(("a", "b"), np.zeros((5, 2)))
    with pytest.raises(ParameterError, match="no column 'z'"):
        table.column("z")
    assert repr(table) == "Table(5 rows, 2 columns)"
