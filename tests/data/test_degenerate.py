from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn.data import as_table
from rolearn.data.degenerate import prepared
from rolearn.runtime.errors import DataError

pytestmark = pytest.mark.pure

N = 200


def noise(p, n=N, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).standard_normal((n, p)), columns=list("abcdefgh"[:p]))


def broken():
    """One column of each trouble."""
    frame = noise(4)
    frame["flat"] = 3.0
    frame["copy"] = -2 * frame["a"] + 5
    frame["sum"] = frame["b"] + frame["c"]
    frame["row"] = np.arange(N)
    frame["when"] = [f"day {k}" for k in range(N)]
    return frame


def test_one_pass_names_all():
    with pytest.raises(DataError) as caught:
        prepared(as_table(broken()))
    sentence = str(caught.value)
    for part in (
        "column 'flat' is constant",
        "column 'row' numbers the rows",
        "column 'when' has another level in every row",
        "columns 'a' and 'copy' are copies of each other up to scale and shift",
        "is a linear combination of columns",
        "degenerate='drop' or 'isolate'",
        "--degenerate",
    ):
        assert part in sentence
    assert "\n" not in sentence


def test_drop_and_isolate_keep_the_same_columns():
    table = as_table(broken())
    dropped, report = prepared(table, "drop")
    kept, other = prepared(table, "isolate")
    assert dropped.names == kept.names
    np.testing.assert_array_equal(dropped.values, kept.values)
    assert report.dropped == other.isolated
    assert report.isolated == other.dropped == ()
    gone = set(report.dropped)
    assert {"flat", "row", "when"} < gone
    assert len(gone & {"a", "copy"}) == 1
    assert len(gone & {"b", "c", "sum"}) == 1
    assert "d" not in gone
    assert len(gone) == 5
    for name in gone:
        assert any(repr(name) in note for note in report.notes)
        assert any(repr(name) in note for note in other.notes)
    assert any(note.startswith("left out: column 'flat' is constant") for note in report.notes)
    assert any(note.startswith("without edges: column 'flat' is constant") for note in other.notes)


def test_what_is_left_passes():
    once, _ = prepared(as_table(broken()), "drop")
    again, report = prepared(once)
    assert again is once
    assert report.notes == ()


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(9)))
def test_what_goes_is_chosen_by_content(order):
    frame = broken()
    _, report = prepared(as_table(frame), "drop")
    _, other = prepared(as_table(frame.iloc[:, order]), "drop")
    assert set(other.dropped) == set(report.dropped)
    names = {name: f"n{9 - k}" for k, name in enumerate(frame.columns)}
    _, renamed = prepared(as_table(frame.rename(columns=names)), "drop")
    assert set(renamed.dropped) == {names[name] for name in report.dropped}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_set_that_determines_a_column_is_as_small_as_can_be(seed, size):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((60, 7))
    chosen = rng.choice(6, size, replace=False)
    values[:, 6] = values[:, chosen] @ rng.choice([-2.0, -1.0, 0.5, 3.0], size)
    with pytest.raises(DataError) as caught:
        prepared(as_table(values))
    sentence = str(caught.value)
    for j in range(7):
        assert (f"'X{j + 1}'" in sentence) == (j in {*chosen, 6})


def test_all_numbers_of_a_rank_one_table():
    """causal-learn#155."""
    x = np.random.default_rng(0).standard_normal(50)
    table = as_table(np.column_stack([x, 0.5 * x, 0.8 * x]))
    left, report = prepared(table, "drop")
    assert left.n_columns == 1
    assert len(report.dropped) == 2


def test_no_column_left():
    with pytest.raises(DataError, match="no column is left to learn from: columns 'X1', 'X2' are constant"):
        prepared(as_table(np.ones((9, 2))), "drop")


@pytest.mark.parametrize("ones", [1, 3])
def test_one_row_that_differs_is_said(ones):
    """tetrad#1119."""
    frame = noise(2)
    frame["rare"] = (np.arange(N) < ones).astype(float)
    table, report = prepared(as_table(frame))
    assert table.names == ("a", "b", "rare")
    assert report.notes == (
        "column 'rare' is nearly constant: tests of it say little"
        f" ('rare' is the same in all rows but {ones})",
    )
    assert prepared(as_table(frame), "drop")[1].dropped == ("rare",)
    assert prepared(as_table(frame), "isolate")[1].isolated == ("rare",)
    frame["rare"] = (np.arange(N) < 10).astype(float)
    assert prepared(as_table(frame))[1].notes == ()


@pytest.mark.parametrize("name", ["id", "ID", "patient_id", "patientId", "Unnamed: 0", "x id", "uuid"])
def test_ids_by_name(name):
    frame = noise(2)
    frame[name] = np.random.default_rng(1).choice(100_000, N, replace=False)
    with pytest.raises(DataError, match="numbers the rows"):
        prepared(as_table(frame))


@pytest.mark.parametrize("name", ["grid", "acid", "humid", "price", "idle"])
def test_names_that_only_end_like_ids(name):
    frame = noise(2)
    frame[name] = np.random.default_rng(1).choice(100_000, N, replace=False)
    prepared(as_table(frame))


def test_numbers_of_rows_need_no_name():
    frame = noise(2)
    frame["n"] = np.arange(N) + 1000.0
    with pytest.raises(DataError, match="'n' numbers the rows"):
        prepared(as_table(frame))
    with pytest.raises(DataError, match="'n' numbers the rows"):
        prepared(as_table(frame), transform="rank")


def test_too_many_levels():
    frame = noise(2)
    frame["town"] = [f"t{k % 150}" for k in range(N)]
    with pytest.raises(DataError, match=r"'town' has too many levels for so few rows \(150 in 200 rows\)"):
        prepared(as_table(frame))
    frame["town"] = [f"t{k % 20}" for k in range(N)]
    prepared(as_table(frame))


def test_discrete_columns_equal_up_to_the_names_of_levels():
    codes = np.random.default_rng(0).integers(0, 3, N)
    frame = noise(1)
    frame["u"], frame["v"] = np.array(["x", "y", "z"])[codes], np.array(["q", "c", "m"])[codes]
    frame["w"] = np.where(codes == 2, "x", "y")
    with pytest.raises(DataError, match="columns 'u' and 'v' are copies of each other up to the names of"):
        prepared(as_table(frame[["u", "v", "w"]]))
    table, report = prepared(as_table(frame), "drop")
    assert len(report.dropped) == 2  # w is a function of u, which matters beside a continuous column
    assert "is determined by" in " ".join(report.notes)
    assert table.n_columns == 2


def test_discrete_columns_equal_where_both_are_there():
    codes = np.random.default_rng(0).integers(0, 3, N)
    frame = noise(1)
    frame["u"], frame["v"] = np.array(["x", "y", "z"])[codes], np.array(["q", "c", "m"])[codes]
    frame.loc[:50, "u"], frame.loc[150:, "v"] = None, None
    with pytest.raises(DataError, match="'u' and 'v' are copies"):
        prepared(as_table(frame, missing="pairwise"))


def test_copies_where_both_are_there():
    """causal-learn#138."""
    frame = noise(3)
    frame["copy"] = 3 * frame["a"]
    frame.loc[:50, "a"], frame.loc[150:, "copy"] = None, None
    with pytest.raises(DataError, match="'a' and 'copy' are copies"):
        prepared(as_table(frame, missing="pairwise"))


def test_a_number_that_a_category_determines():
    town = np.random.default_rng(0).integers(0, 3, N)
    frame = noise(2)
    frame["town"], frame["height"] = np.array(["x", "y", "z"])[town], np.array([10.5, 30.25, 20.0])[town]
    with pytest.raises(DataError, match="is determined by column"):
        prepared(as_table(frame))


def test_a_sum_among_discrete_columns_is_none():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, N))
    either = np.where(a & b, 0, a + b)
    prepared(as_table(pd.DataFrame({"a": a > 0, "b": b > 0, "either": either > 0})))


def test_ranks_are_taken_before_columns_are_compared():
    frame = noise(2)
    frame["curve"] = np.exp(frame["a"])
    prepared(as_table(frame))
    with pytest.raises(DataError, match="'a' and 'curve' are copies"):
        prepared(as_table(frame), transform="rank")


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(4)))
def test_of_columns_with_equal_ranks_one_goes_by_content(order):
    frame = noise(2)
    frame["curve"], frame["cube"] = np.exp(frame["a"]), frame["a"] ** 3
    [kept] = {"a", "curve", "cube"} & set(prepared(as_table(frame), "drop", "rank")[0].names)
    names = {name: f"n{order[k]}" for k, name in enumerate(frame.columns)}
    renamed = as_table(frame.rename(columns=names).iloc[:, order])
    assert set(prepared(renamed, "drop", "rank")[0].names) == {names[kept], names["b"]}


def test_a_resample_is_judged_by_itself():
    frame = noise(2)
    frame["flag"] = np.arange(N) < 5
    table = as_table(frame)
    rows = np.arange(5, N)
    from dataclasses import replace

    part = replace(table, values=np.ascontiguousarray(table.values[rows]))
    with pytest.raises(DataError, match="'flag' is constant"):
        prepared(part)
    assert prepared(part, "isolate")[1].isolated == ("flag",)
    kept, _ = prepared(part, "drop")
    assert kept.names == ("a", "b")


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    values = rng.standard_normal((44, 200)) * (rng.random((44, 200)) < 0.2)
    prepared(as_table(values), "drop")
