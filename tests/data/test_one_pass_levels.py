"""Tables with levels in one pass: whatever the batches, what the same table in memory gives."""

from __future__ import annotations

import decimal
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rolearn
from needs import needs
from rolearn.data import distinct_rows, sums
from rolearn.data.batches import file_batches
from rolearn.data.distinct_rows import DistinctRows, RowCounts
from rolearn.data.level_book import LevelBook
from rolearn.data.origin import Origin
from rolearn.data.readers import read_table
from rolearn.estimators.inputs import read_input
from rolearn.independence import DegenerateGaussian, Discrete

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "feather": lambda frame, path: frame.to_feather(path),
}
POLICIES = st.sampled_from(["error", "listwise"])


def levels_of(rng, n, k, kind):
    """Levels of a column of any kind, some rare."""
    codes = np.minimum(rng.geometric(0.5, n), k) - 1
    if kind == "text":
        return np.array(["b", "a", "é c", "10", "d"], object)[codes]
    if kind == "bool":
        return (codes > 0).astype(object)
    if kind == "category":
        return pd.Categorical(np.array(["z", "y", "x", "w", "v"])[codes], categories=list("vwxyz"))
    return codes + 7  # numbers, to be declared


def frame_of(seed, n, kinds, holes=0.0):
    """Columns of these kinds that depend on each other, with cells missing."""
    rng = np.random.default_rng(seed)
    columns, base = {}, rng.standard_normal(n)
    for j, kind in enumerate(kinds):
        name = f"{kind} {j}"
        if kind == "number":
            values = rng.standard_normal(n) + base
            columns[name] = np.where(rng.random(n) < holes, np.nan, values * 10.0 ** rng.integers(-3, 4))
        else:
            column = pd.Series(levels_of(rng, n, 5, kind))
            if kind == "declared":
                column = column.astype(float)
            columns[name] = column.where(rng.random(n) >= holes)
    return pd.DataFrame(columns)


def parts_of(frame, cuts):
    edges = sorted({0, len(frame), *(cut % (len(frame) + 1) for cut in cuts)})
    return [frame.iloc[a:b] for a, b in itertools.pairwise(edges)]


def declared_of(frame):
    return [name for name in frame.columns if name.startswith("declared")]


def in_memory(frame, missing, test="auto"):
    """Give the statistics and the error of a table in memory, one of them None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read_input(frame, test, None, declared_of(frame), missing), None
        except rolearn.DataError as error:
            return None, error


def in_one_pass(make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make()


KINDS = st.lists(st.sampled_from(["text", "bool", "category", "declared"]), min_size=1, max_size=5)
CUTS = st.lists(st.integers(0, 10**6), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(5, 120),
    KINDS,
    st.sampled_from([0.0, 0.02, 0.3]),
    st.sampled_from(["error", "listwise", "pairwise"]),
    CUTS,
    st.data(),
)
def test_distinct_rows_are_those_of_the_table_bit_for_bit(seed, n, kinds, holes, missing, cuts, data):
    frame = frame_of(seed, n, kinds, holes)
    whole, error = in_memory(frame, missing)
    shuffled = frame[data.draw(st.permutations(list(frame.columns)))]
    make = lambda: Discrete.from_batches(parts_of(shuffled, cuts), None, missing, declared_of(frame))
    if error is not None:
        with pytest.raises(rolearn.DataError):
            in_one_pass(make)
        return
    found = in_one_pass(make)
    arranged = found.arranged(found.canonical_order())
    assert arranged.names == whole.statistics.names
    assert arranged.n_samples == whole.statistics.n_samples
    for here, there in zip(arranged.arrays, whole.statistics.arrays, strict=True):
        assert np.array_equal(here, there)
        assert type(here) is type(there)
    kinds_there = {name: kind.levels for name, kind in whole.kinds.items()}
    assert dict(zip(found.names, found.levels, strict=True)) == kinds_there


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(30, 150), KINDS, POLICIES, st.sampled_from([0.0, 0.05]), CUTS)
def test_moments_of_indicators_are_those_of_the_table(seed, n, kinds, missing, holes, cuts):
    frame = frame_of(seed, n, ["number", *kinds, "number"], holes)
    whole, error = in_memory(frame, missing)
    make = lambda: DegenerateGaussian.from_batches(parts_of(frame, cuts), None, missing, declared_of(frame))
    if error is not None:
        with pytest.raises(rolearn.DataError):
            in_one_pass(make)
        return
    found = in_one_pass(make)
    there = whole.statistics
    found = found.arranged(np.array(found.positions(there.names)))
    assert (found.arrays.starts == there.arrays.starts).all()
    assert np.abs(found.arrays.correlation - there.arrays.correlation).max() < 1e-12
    assert (found.arrays.rows == there.arrays.rows).all()
    assert found.n_samples == there.n_samples
    x, y, *rest = there.names
    assert found.p_value(x, y, rest[:1]) == pytest.approx(there.p_value(x, y, rest[:1]), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), KINDS, CUTS, st.data())
def test_batches_and_the_order_of_columns_change_no_bit_of_moments(seed, kinds, cuts, data):
    frame = frame_of(seed, 200, ["number", "number", *kinds])
    declared = declared_of(frame)
    try:
        whole = in_one_pass(lambda: DegenerateGaussian.from_batches([frame], discrete=declared))
    except rolearn.DataError:
        assume(False)
    shuffled = frame[data.draw(st.permutations(list(frame.columns)))]
    other = in_one_pass(lambda: DegenerateGaussian.from_batches(parts_of(shuffled, cuts), discrete=declared))
    other = other.arranged(np.array(other.positions(whole.names)))
    assert (other.arrays.correlation == whole.arrays.correlation).all()


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_of_more_than_one_batch(tmp_path, suffix):
    frame = frame_of(0, 100_000, ["number", "number", "text", "category", "bool"])
    path = tmp_path / f"table.{suffix}"
    WRITERS[suffix](frame, path)
    found = rolearn.DegenerateGaussian.from_file(path)
    there = read_input(read_table(path), "auto", None).statistics
    arranged = found.arranged(np.array(found.positions(there.names)))
    assert np.abs(arranged.arrays.correlation - there.arrays.correlation).max() < 1e-12
    model = rolearn.learn(found)
    assert model.pag_ == rolearn.learn(read_table(path)).pag_
    assert model.column_kinds_["text 2"] == "discrete"
    assert model.column_kinds_["number 0"] == "continuous"


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_of_levels(tmp_path, suffix):
    frame = frame_of(1, 100_000, ["text", "category", "bool", "declared"])
    path = tmp_path / f"table.{suffix}"
    WRITERS[suffix](frame, path)
    told = []
    found = rolearn.Discrete.from_file(path, discrete=["declared 3"], test="chi-square", progress=told.append)
    table = read_table(path, discrete=["declared 3"])
    there = read_input(table, "chi-square", None).statistics
    arranged = found.arranged(found.canonical_order())
    assert arranged.names == there.names
    assert all(np.array_equal(a, b) for a, b in zip(arranged.arrays, there.arrays, strict=True))
    assert told[-1] == 100_000
    one, other = rolearn.learn(found), rolearn.learn(table, test="chi-square")
    assert one.pag_ == other.pag_
    assert one.cost_ == other.cost_


def test_a_model_of_what_was_summed_up_is_saved_whole(tmp_path):
    frame = frame_of(1, 500, ["text", "category", "bool"])
    model = rolearn.learn(rolearn.Discrete.from_batches([frame]))
    model.save(tmp_path / "model.json")
    again = rolearn.load(tmp_path / "model.json")
    assert again.separating_sets_.statistics is not None
    assert again.column_kinds_ == model.column_kinds_


def sorted_by_level(n=4000):
    """A column whose batches look like numbers, then like text; another that begins without a cell."""
    grades = np.repeat(["0", "1-2", "3+"], [n // 2, n // 4, n - n // 2 - n // 4])
    rng = np.random.default_rng(0)
    late = np.where(np.arange(n) < n // 3, None, rng.choice(["x", "y"], n))
    return pd.DataFrame({"grade": grades, "late": late, "u": rng.choice(["s", "t"], n)})


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_text_is_judged_by_all_its_levels(missing):
    frame = sorted_by_level()
    whole, error = in_memory(frame, missing)
    assert error is None
    parts = [frame.iloc[i : i + 100] for i in range(0, len(frame), 100)]
    found = in_one_pass(lambda: Discrete.from_batches(parts, missing=missing))
    arranged = found.arranged(found.canonical_order())
    assert all(np.array_equal(a, b) for a, b in zip(arranged.arrays, whole.statistics.arrays, strict=True))


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (["1", "2", "x", "3"] * 10, r"'c' holds text \('x' in row 3\)"),
        (["1", "2", "3", "4"] * 10, r"'c' holds numbers stored as text \('1' in row 1\)"),
        (["2020-01-01", "2020-01-02"] * 20, "'c' holds dates or times"),
        (["only"] * 40, "'c' is constant"),
        ([f"row {i}" for i in range(40)], "'c' has another level in every row"),
        ([f"pair {i // 2}" for i in range(38)] + ["p", "q"], r"too many levels for so few rows \(21 in 40"),
        (["u", "v"] * 20, "'c' and 'd' are copies of each other up to the names"),
        ([1.5] * 20 + ["text"] * 20, r"'c' holds text \('text' in row 21\)"),
        (["text"] * 20 + [1.5] * 20, r"'c' holds text \('text' in row 15?\)"),
        ([None] * 40, "column 'c' has no cell that isn't missing"),
    ],
)
@pytest.mark.parametrize("size", [7, 20, 40])
def test_columns_that_cannot_be_used(column, says, size):
    frame = pd.DataFrame(
        {"c": pd.Series(column, dtype=object), "d": ["1-2", "3-4"] * 20, "e": ["x", "x", "y", "z"] * 10}
    )
    parts = [frame.iloc[i : i + size] for i in range(0, 40, size)]
    missing = "pairwise" if column[0] is None else "error"
    for kind in (Discrete, DegenerateGaussian):
        with pytest.raises(rolearn.DataError, match=says):
            kind.from_batches(parts, missing="listwise" if missing == "pairwise" else missing)
    with pytest.raises(rolearn.DataError, match=says):
        Discrete.from_batches(parts, missing=missing)


def test_numbers_among_levels():
    frame = frame_of(0, 60, ["text", "number", "declared"])
    with pytest.raises(
        rolearn.DataError, match=r"'number 1', 'declared 2' hold numbers, and contingency tables"
    ):
        Discrete.from_batches([frame])
    frame.loc[30, "declared 2"] = np.inf
    for kind in (Discrete, DegenerateGaussian):
        with pytest.raises(rolearn.DataError, match="'declared 2' is infinite in row 31"):
            kind.from_batches([frame.drop(columns="number 1")], discrete=["declared 2"])
        with pytest.raises(rolearn.ParameterError, match="no column 'nowhere' to read as discrete"):
            kind.from_batches([frame], discrete=["nowhere"])
    with pytest.raises(rolearn.ParameterError, match="missing is 'pairwise'"):
        DegenerateGaussian.from_batches([frame], missing="pairwise")
    with pytest.raises(rolearn.ParameterError, match=r"allowed are 'error', 'listwise', 'pairwise'$"):
        Discrete.from_batches([frame], missing="x")
    with pytest.raises(rolearn.ParameterError, match="there are 'g-square' and 'chi-square'"):
        Discrete.from_batches([frame], test="fisher-z")


def test_columns_that_determine_each_other():
    frame = frame_of(0, 200, ["number", "text"])
    frame["sum"] = frame["number 0"] + 3.0 * (frame["text 1"] == "a")
    with pytest.raises(rolearn.DataError, match="'number 0', 'text 1', 'sum' determine each other"):
        DegenerateGaussian.from_batches([frame])


def test_too_many_distinct_rows_are_refused(monkeypatch):
    monkeypatch.setattr(sums, "most_rows", lambda _: 5000)
    monkeypatch.setattr(distinct_rows, "most_rows", lambda _: 5000)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{j}": rng.choice(list("abcdefgh"), 40_000) for j in range(6)})
    says = "rows hold 5000 different ones.*'c0' has 8.*'degenerate-gaussian'.*or a sample of the rows"
    with pytest.raises(rolearn.DataError, match=says):
        Discrete.from_batches([frame])
    assert DegenerateGaussian.from_batches([frame]).n_samples == 40_000
    assert Discrete.from_batches([frame[["c0", "c1", "c2"]]]).n_samples == 40_000


def test_too_many_levels_are_refused(monkeypatch):
    rng = np.random.default_rng(0)
    names = pd.Series([f"s{i}" for i in rng.integers(0, 30_000, 80_000)])
    frame = pd.DataFrame({"s": names, "t": rng.choice(["u", "v"], 80_000)})
    with pytest.raises(rolearn.DataError, match=r"more than 1500 levels in all, most of them 's'"):
        DegenerateGaussian.from_batches([frame])
    frame["s"] = [f"s{i}" for i in range(80_000)]
    for kind in (Discrete, DegenerateGaussian):
        with pytest.raises(
            rolearn.DataError, match="'s' has another level in nearly every row; at most 32000"
        ):
            kind.from_batches([frame[i : i + 1000] for i in range(0, 80_000, 1000)])


def test_nearly_constant_levels_are_told():
    frame = frame_of(0, 500, ["text", "bool"])
    frame["odd"] = ["yes"] * 2 + ["no"] * 498
    with pytest.warns(rolearn.RolearnWarning, match="'odd' is nearly constant.*in all rows but 2"):
        Discrete.from_batches([frame])


@pytest.mark.parametrize("row", [3, 60_000])
@pytest.mark.parametrize(("cell", "missing"), [("", False), ("abc", True), ("inf", True)])
def test_what_is_wrong_is_said_as_of_a_table_in_memory(tmp_path, row, cell, missing):
    frame = frame_of(0, 80_000, ["text", "number", "number"])
    lines = frame.to_csv(index=False).split("\n")
    cells = lines[row].split(",")
    cells[2 if missing else 0] = cell
    lines[row] = ",".join(cells)
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines))
    with pytest.raises(rolearn.DataError) as there:
        read_table(path)
    with pytest.raises(rolearn.DataError) as here:
        DegenerateGaussian.from_file(path)
    assert str(here.value) == str(there.value)
    assert f"line {row + 1}" in str(here.value)


@needs("dask")
@pytest.mark.parametrize("missing", ["error", "listwise", "pairwise"])
def test_a_dask_frame_of_levels(missing):
    dd = pytest.importorskip("dask.dataframe")
    frame = frame_of(3, 3000, ["text", "bool", "category", "declared"], 0.0 if missing == "error" else 0.05)
    frame = frame.sort_values("text 0", ignore_index=True)  # partitions don't have the same levels
    parts = dd.from_pandas(frame, npartitions=7)
    declared = declared_of(frame)
    whole, _ = in_memory(frame, missing)
    found = in_one_pass(lambda: Discrete.from_dask(parts, missing, declared))
    arranged = found.arranged(found.canonical_order())
    assert all(np.array_equal(a, b) for a, b in zip(arranged.arrays, whole.statistics.arrays, strict=True))
    one = in_one_pass(lambda: rolearn.learn(parts, missing=missing, discrete=declared))
    other = in_one_pass(lambda: rolearn.learn(frame, missing=missing, discrete=declared))
    assert one.pag_ == other.pag_
    assert one.column_kinds_ == other.column_kinds_
    assert one.cost_ == other.cost_


@needs("dask")
def test_a_dask_frame_of_both_kinds():
    dd = pytest.importorskip("dask.dataframe")
    frame = frame_of(4, 3000, ["number", "text", "number", "bool", "category"])
    frame = frame.sort_values("text 1", ignore_index=True)
    parts = dd.from_pandas(frame, npartitions=5)
    found, there = DegenerateGaussian.from_dask(parts), read_input(frame, "auto", None).statistics
    found = found.arranged(np.array(found.positions(there.names)))
    assert np.abs(found.arrays.correlation - there.arrays.correlation).max() < 1e-12
    assert rolearn.learn(parts).pag_ == rolearn.learn(frame).pag_
    assert rolearn.learn(parts, test="degenerate-gaussian").pag_ == rolearn.learn(frame).pag_
    with pytest.raises(rolearn.DataError, match="'number 0', 'number 2' hold numbers, and contingency"):
        rolearn.learn(parts, test="g-square")
    frame["dates"] = [f"2020-01-{1 + i % 28:02}" for i in range(3000)]
    with pytest.raises(rolearn.DataError, match="'dates' holds dates or times"):
        DegenerateGaussian.from_dask(dd.from_pandas(frame, npartitions=5))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 300), st.integers(1, 4), st.integers(1, 4), st.integers(1, 50))
def test_distinct_rows_by_hashing(seed, n, p, k, size):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, k, (n, p)).astype(np.int16)
    found = DistinctRows(p)
    for start in range(0, n, size):
        found.add(codes[start : start + size])
    rows, first, counts = np.unique(codes, axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    assert np.array_equal(found.rows, rows[order])
    assert np.array_equal(found.counts, counts[order])


def test_many_distinct_rows_and_their_joins():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 300, (50_000, 3)).astype(np.int16)
    names, levels = ("a", "b", "c"), (tuple(map(str, range(300))),) * 3
    whole = DistinctRows(3)
    whole.add(codes)
    parts = []
    for piece in np.array_split(codes, 7):
        part = DistinctRows(3)
        part.add(piece)
        parts.append(RowCounts(names, levels, part.rows, part.counts))
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.joined(part)
    assert np.array_equal(joined.rows, whole.rows)
    assert np.array_equal(joined.counts, whole.counts)
    assert joined.n_rows == 50_000


def test_a_book_keeps_numbers_apart_from_levels():
    book = LevelBook(["a"], Origin())
    assert np.isnan(book.array([np.array([np.nan, np.nan])], 0)).all()
    assert book.discrete == [False]


@needs("dask")
def test_levels_of_all_partitions_are_counted():
    dd = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame({"s": [f"s{i // 2}" for i in range(66_000)], "t": ["u", "v", "v"] * 22_000})
    with pytest.raises(
        rolearn.DataError, match=r"column 's' has 33000 levels; at most 32000 .*leave 's' out"
    ):
        Discrete.from_dask(dd.from_pandas(frame, npartitions=4))
    few = frame[:4000].assign(number=np.random.default_rng(0).standard_normal(4000))
    with pytest.raises(rolearn.DataError, match=r"more than 1500 levels in all, most of them 's' \(2000\)"):
        DegenerateGaussian.from_dask(dd.from_pandas(few, npartitions=2))


@needs("dask")
def test_objects_and_decimals_of_a_dask_frame_are_numbers():
    dask, dd = pytest.importorskip("dask"), pytest.importorskip("dask.dataframe")
    rows = np.random.default_rng(0).standard_normal((200, 3)).round(3)
    frame = pd.DataFrame(rows, columns=list("abc")).astype({"a": object})
    frame["b"] = [decimal.Decimal(str(cell)) for cell in rows[:, 1]]
    with dask.config.set({"dataframe.convert-string": False}):
        model = rolearn.learn(dd.from_pandas(frame, npartitions=3))
    assert set(model.column_kinds_.values()) == {"continuous"}
    assert model.pag_ == rolearn.learn(pd.DataFrame(rows, columns=list("abc"))).pag_


def test_decimals_of_a_file_are_numbers(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = np.random.default_rng(0).standard_normal((200, 2)).round(3)
    cells = pa.array([decimal.Decimal(f"{cell:.3f}") for cell in rows[:, 0]], pa.decimal128(8, 3))
    parquet.write_table(pa.table({"a": cells, "b": rows[:, 1]}), tmp_path / "table.parquet")
    assert file_batches(tmp_path / "table.parquet").discrete == (False, False)
    found = rolearn.Gaussian.from_file(tmp_path / "table.parquet")
    assert found.correlation[0, 1] == pytest.approx(np.corrcoef(rows.T)[0, 1], abs=1e-12)


def test_copies_of_many_levels_are_found_by_their_pairs():
    levels = np.array([f"s{i}" for i in range(1500)])
    frame = pd.DataFrame({"s": np.tile(levels, 3), "t": np.tile(levels[::-1], 3)})
    with pytest.raises(rolearn.DataError, match="'s' and 't' are copies of each other"):
        Discrete.from_batches([frame])
    frame["t"] = np.random.default_rng(0).permutation(frame["t"])
    assert Discrete.from_batches([frame]).n_samples == 4500


@needs("dask")
def test_declared_columns_of_a_dask_frame_are_no_numbers():
    dd = pytest.importorskip("dask.dataframe")
    parts = dd.from_pandas(frame_of(0, 60, ["number", "declared"]), npartitions=2)
    with pytest.raises(rolearn.ParameterError, match="column 'declared 1' is declared discrete; leave discr"):
        rolearn.learn(parts, test="fisher-z", discrete=["declared 1"])


@pytest.mark.parametrize("late", ["x", "y, z"])
def test_a_declared_column_of_a_text_file_that_becomes_text(tmp_path, late):
    path = tmp_path / "table.csv"
    lines = ["grade,u,v", *(f"{i % 3},{i % 7 / 4},{i % 5}" for i in range(150_000))]
    lines[140_000] = f'"{late}",1,2'
    path.write_text("\n".join(lines) + "\n")
    says = (
        rf"column 'grade' begins with numbers and holds text \('{late}' in line 140001\).*write it as Parquet"
    )
    with pytest.raises(rolearn.DataError, match=says):
        DegenerateGaussian.from_file(path, discrete=["grade"])
