from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rolearn
from needs import needs
from rolearn.data.accumulation import Moments, Stack, moments_of
from rolearn.data.moments import correlation_matrix
from rolearn.data.readers import read_table
from rolearn.data.seen import seen_of

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "feather": lambda frame, path: frame.to_feather(path),
}


def frame_of(n_rows=100_000, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n_rows, 4))
    frame = pd.DataFrame(values, columns=["a", "b c", "d", "e"])
    frame["b c"] += frame["a"]
    frame["e"] = (frame["e"] * 100).astype(int)
    frame["f"] = np.floor(2 * frame["a"])
    return frame


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_is_as_the_table_in_memory(tmp_path, suffix):
    frame, path = frame_of(), tmp_path / f"table.{suffix}"
    WRITERS[suffix](frame, path)
    told = []
    statistics = rolearn.Gaussian.from_file(path, progress=told.append)
    table = read_table(path)
    assert statistics.names == table.names
    assert statistics.n_samples == 100_000 == told[-1]
    assert np.abs(statistics.correlation - correlation_matrix(table.values)).max() < 1e-12
    assert rolearn.learn(statistics).pag_ == rolearn.learn(table).pag_


def exact(values):
    """Correlations in extended precision."""
    wide = values.astype(np.longdouble)
    wide = wide - wide[0]
    wide = wide - wide.mean(0)
    wide = wide / np.sqrt((wide * wide).sum(0))
    return np.array([[float((x * y).sum()) for y in wide.T] for x in wide.T])


def summed(values, size):
    stack = Stack()
    for start in range(0, len(values), size):
        stack.add(moments_of(values[start : start + size]))
    return stack.total()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5),
    st.integers(6, 300),
    st.integers(1, 60),
    st.lists(st.sampled_from([0.0, 1.0, -1e6, 1e9]), min_size=5, max_size=5),
    st.lists(st.sampled_from([1.0, 1e-3, 1e120, 1e-120]), min_size=5, max_size=5),
    st.integers(0, 999),
)
def test_sums_are_right_whatever_the_blocks_means_and_units(p, n, size, means, units, seed):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, p)) @ rng.standard_normal((p, p))
    values = (values + np.array(means[:p])) * np.array(units[:p])
    total = summed(values, size)
    assert total.n_rows == n
    assert np.abs(total.correlation() - exact(values)).max() < 1e-12
    assert (total.low == values.min(0)).all()
    assert (total.high == values.max(0)).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 80), st.integers(1, 30), st.integers(0, 999))
def test_what_is_no_number_is_counted(n, size, seed):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, 3))
    values[rng.random((n, 3)) < 0.1] = np.nan
    values[rng.random((n, 3)) < 0.05] = np.inf
    total, complete = seen_of(values[:0])[0], []
    for start in range(0, n, size):
        part, there = seen_of(values[start : start + size])
        total = total.joined(part)
        complete.extend(there)
    assert (total.missing == np.isnan(values).sum(0)).all()
    assert (total.infinite == np.isinf(values).sum(0)).all()
    rows = np.flatnonzero(np.isnan(values).any(1))
    assert total.first_missing == (rows[0] if rows.size else -1)
    rows = np.flatnonzero(np.isinf(values).any(1))
    assert total.first_infinite == (rows[0] if rows.size else -1)
    assert complete == np.isfinite(values).all(1).tolist()
    assert (total.n_complete, total.n_rows) == (sum(complete), n)


def test_joining_is_the_same_from_either_side():
    rng = np.random.default_rng(0)
    a, b = (moments_of(rng.standard_normal((k, 3)) * [1, 1e90, 1e-90]) for k in (50, 70))
    empty = moments_of(np.zeros((0, 3)))
    assert np.allclose(Moments.joined(a, b).correlation(), b.joined(a).correlation(), atol=1e-14)
    assert (empty.joined(a).comoment == a.comoment).all()
    assert (a.joined(empty).comoment == a.comoment).all()


@settings(max_examples=20, deadline=None)
@given(st.permutations(["a", "b c", "d", "e", "f"]), st.integers(300, 5000), st.integers(0, 99))
def test_batches_and_the_order_of_columns_change_no_bit(order, size, seed):
    frame = frame_of(5000, seed)
    whole = rolearn.Gaussian.from_batches([frame])
    parts = (frame[order].iloc[start : start + size] for start in range(0, len(frame), size))
    other = rolearn.Gaussian.from_batches(parts)
    assert (other.arranged(np.array(other.positions(whole.names))).correlation == whole.correlation).all()


def test_arrays_and_names():
    values = np.random.default_rng(0).standard_normal((40, 3))
    assert rolearn.Gaussian.from_batches([values[:20], values[20:]]).names == ("X1", "X2", "X3")
    named = rolearn.Gaussian.from_batches([values], names=["u", "v", 3])
    assert named.names == ("u", "v", "3")


def put(path, row, cell, text, n_rows=60_000):
    """Write a text of more than one batch, with one cell replaced."""
    frame = frame_of(n_rows)
    lines = frame.to_csv(index=False).split("\n")
    cells = lines[row].split(",")
    cells[cell] = text
    lines[row] = ",".join(cells)
    path.write_text("\n".join(lines))


@pytest.mark.parametrize("row", [3, 50_000])
@pytest.mark.parametrize("text", ["abc", "", "nan", "inf", "1,5", "2020-01-01"])
def test_what_is_wrong_is_said_as_of_a_table_in_memory(tmp_path, row, text):
    path = tmp_path / "table.csv"
    put(path, row, 2, text)
    with pytest.raises(rolearn.DataError) as there:
        read_table(path)
    with pytest.raises(rolearn.DataError) as here:
        rolearn.Gaussian.from_file(path)
    assert str(here.value) == str(there.value)
    assert f"line {row + 1}" in str(here.value)


def test_rows_that_lack_cells_may_be_left_out(tmp_path):
    path = tmp_path / "table.csv"
    put(path, 50_000, 2, "?")
    with pytest.warns(rolearn.RolearnWarning, match="1 of 60000 rows have missing cells and are left out"):
        statistics = rolearn.Gaussian.from_file(path, missing="listwise", missing_marker="?")
    assert statistics.n_samples == 59_999
    frame = pd.read_csv(path, na_values="?").dropna()
    assert np.abs(statistics.correlation - np.corrcoef(frame.to_numpy().T)).max() < 1e-12


@pytest.mark.parametrize("suffix", WRITERS)
def test_columns_may_be_left_out(tmp_path, suffix):
    frame, path = frame_of(500), tmp_path / f"table.{suffix}"
    frame["id"] = [f"row {i}" for i in range(500)]
    WRITERS[suffix](frame, path)
    with pytest.raises(
        rolearn.DataError,
        match="'id' holds text, booleans or categories, and Gaussian statistics are of numbers alone",
    ):
        rolearn.Gaussian.from_file(path)
    assert rolearn.Gaussian.from_file(path, drop=["id", "d"]).names == ("a", "b c", "e", "f")


def test_numbers_that_begin_whole_and_columns_that_begin_empty(tmp_path):
    path = tmp_path / "table.csv"
    n = 200_000
    rows = [
        f"{k % 7 if k < 150_000 else k % 7 + 0.25},{'' if k < 150_000 else k % 11},{k % 5}" for k in range(n)
    ]
    path.write_text("a,b,c\n" + "\n".join(rows) + "\n")
    with pytest.warns(rolearn.RolearnWarning, match="150000 of 200000 rows"):
        statistics = rolearn.Gaussian.from_file(path, missing="listwise")
    assert statistics.n_samples == 50_000


@pytest.mark.parametrize(
    ("batches", "sentence"),
    [
        ([], "no batches"),
        (None, "batches is of type NoneType"),
        ([np.zeros((0, 3))], "no rows"),
        ([np.eye(3)], "only 3 rows"),
        ([np.column_stack([np.arange(9.0), np.ones(9)])], "'X2' is constant"),
        ([np.column_stack([np.arange(9.0), 2 * np.arange(9.0)])], "linearly dependent"),
        ([np.eye(5), np.eye(4)], "batch 2 has columns X1, X2, X3, X4, and the first has"),
        ([np.array([[1, np.inf], [2, 3], [4, 1], [3, 3], [2, 8.0]])], "'X2' is infinite in row 1"),
    ],
)
def test_rows_that_cannot_be_used(batches, sentence):
    with pytest.raises(rolearn.DataError, match=sentence):
        rolearn.Gaussian.from_batches(batches)


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(rolearn.DataError, match="no such file"):
        rolearn.Gaussian.from_file(tmp_path / "none.parquet")
    (tmp_path / "empty.parquet").touch()
    with pytest.raises(rolearn.DataError, match="is empty"):
        rolearn.Gaussian.from_file(tmp_path / "empty.parquet")
    for suffix, kind in (("parquet", "Parquet"), ("feather", "Feather")):
        (tmp_path / f"wrong.{suffix}").write_text("a,b\n1,2\n")
        with pytest.raises(rolearn.DataError, match=f"is not a {kind} file, or is damaged"):
            rolearn.Gaussian.from_file(tmp_path / f"wrong.{suffix}")
    with pytest.raises(rolearn.DataError, match="is a folder"):
        rolearn.Gaussian.from_file(tmp_path)
    frame_of(50).to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(rolearn.ParameterError, match="missing is 'pairwise'"):
        rolearn.Gaussian.from_file(tmp_path / "table.csv", missing="pairwise")
    with pytest.raises(rolearn.ParameterError, match="give a Dask DataFrame"):
        rolearn.Gaussian.from_dask(frame_of(50))


@needs("dask")
def test_a_dask_frame_is_checked_as_a_table():
    dd = pytest.importorskip("dask.dataframe")
    frame = frame_of(1000)
    parts = dd.from_pandas(frame, npartitions=7)
    statistics = rolearn.Gaussian.from_dask(parts)
    assert np.abs(statistics.correlation - np.corrcoef(frame.to_numpy(float).T)).max() < 1e-12
    assert rolearn.learn(parts).pag_ == rolearn.learn(frame).pag_
    frame.loc[700, "d"] = np.nan
    with pytest.raises(rolearn.DataError, match=r"1 cell is missing, in 'd' \(1\), the first in row 701"):
        rolearn.Gaussian.from_dask(dd.from_pandas(frame, npartitions=7))
    with pytest.raises(rolearn.DataError, match=r"say missing='listwise'$"):
        rolearn.learn(dd.from_pandas(frame, npartitions=7))
    with pytest.raises(rolearn.ParameterError, match="pairs of columns need all rows at once"):
        rolearn.learn(dd.from_pandas(frame, npartitions=7), missing="pairwise")
    with pytest.warns(rolearn.RolearnWarning, match="1 of 1000 rows"):
        lacking = rolearn.Gaussian.from_dask(dd.from_pandas(frame, npartitions=7), missing="listwise")
    assert lacking.n_samples == 999
    frame.loc[10, "a"] = np.inf
    with pytest.raises(rolearn.DataError, match="'a' is infinite in row 11"):
        rolearn.Gaussian.from_dask(dd.from_pandas(frame, npartitions=7), missing="listwise")
    frame["t"] = "x"
    with pytest.raises(rolearn.DataError, match="'t' holds text, booleans"):
        rolearn.Gaussian.from_dask(dd.from_pandas(frame, npartitions=7))
    with pytest.raises(rolearn.DataError, match="compute it first"):
        rolearn.learn(parts, transform="rank")


MEASURED = """
import json, resource, sys
import rolearn
from rolearn.data.batches import file_batches
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
statistics = rolearn.Gaussian.from_file(sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([before, after, statistics.n_samples, statistics.correlation[0, 1]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="peak memory")
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_memory_stays_small(tmp_path, suffix):
    """240 MB of floats, in one row group where the format has such."""
    pa = pytest.importorskip("pyarrow")
    n_rows, p = (1_500_000, 20) if suffix == "parquet" else (300_000, 20)
    path = tmp_path / f"table.{suffix}"
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.standard_normal(n_rows) for i in range(p)}
    columns["c1"] += columns["c0"]
    if suffix == "parquet":
        from pyarrow import parquet

        parquet.write_table(pa.table(columns), path, row_group_size=n_rows)
    else:
        from pyarrow import csv

        csv.write_csv(pa.table(columns), path)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True
    )
    before, after, n, correlation = json.loads(done.stdout)
    assert n == n_rows
    assert correlation == pytest.approx(np.corrcoef(columns["c0"], columns["c1"])[0, 1], abs=1e-12)
    assert (after - before) / 1024 < 150  # MB
