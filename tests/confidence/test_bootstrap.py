from __future__ import annotations

import math
import signal
import time
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rolearn
from confidence.tables import chain, mixture
from rolearn.confidence import PATTERNS
from rolearn.confidence.refit import drawn_rows
from rolearn.data.networks import load_sachs
from rolearn.estimators import inputs
from rolearn.graphs.marks import picture


def same(one, other):
    """Whether two bootstraps say the same, whatever the order of their columns."""
    names = list(one.feature_names_in_)
    assert sorted(names) == sorted(other.feature_names_in_)
    return one.consensus_ == other.consensus_ and all(
        one.frequencies(a, b) == other.frequencies(a, b) for a in names for b in names if a != b
    )


def test_frequencies_are_those_of_the_graphs():
    found = rolearn.bootstrap(mixture(120, 5, 3), n=30)
    assert (found.n_resamples_, found.n_fitted_, found.n_degenerate_, found.n_stopped_) == (30, 30, 0, 0)
    graphs = found.graphs_
    assert len({graph.marks.tobytes() for graph in graphs}) > 3
    names = list(found.feature_names_in_)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            if a == b:
                continue
            drawn = [
                picture(int(g.mark(b, a)), int(g.mark(a, b))) if g.adjacent(a, b) else "none" for g in graphs
            ]
            frequencies = found.frequencies(a, b)
            assert list(frequencies) == list(PATTERNS)
            assert frequencies == {pattern: drawn.count(pattern) / 30 for pattern in PATTERNS}
            assert found.edge_frequencies_[i, j] == pytest.approx(1 - frequencies["none"])


def test_the_table_is_tidy():
    found = rolearn.bootstrap(chain(), n=10)
    frame = pd.DataFrame(found.table())
    assert list(frame.columns) == ["source", "target", "pattern", "frequency"]
    assert len(frame) == 10 * len(PATTERNS)
    assert np.allclose(frame.groupby(["source", "target"])["frequency"].sum(), 1.0)
    wanted = frame.query("source == 'X1' and target == 'X3' and pattern == 'o->'")["frequency"].item()
    assert wanted == found.frequencies("X1", "X3")["o->"] == found.frequencies("X3", "X1")["<-o"]


def test_what_is_plain_comes_always():
    found = rolearn.bootstrap(chain(1000), n=20)
    assert found.frequencies("X1", "X3")["o->"] >= 0.9
    assert found.frequencies("X3", "X4")["-->"] >= 0.9
    assert found.frequencies("X1", "X5")["none"] >= 0.9
    assert found.consensus_ == found.model_.pag_
    assert "X1 o-> X3" in str(found)


@pytest.mark.parametrize("resample", ["half", "bootstrap"])
def test_a_resample_goes_the_way_of_all_rows(resample):
    """Its graph is that of a fit to its rows alone, searched as long as need be."""
    rows = chain(400)
    found = rolearn.bootstrap(rows, n=5, resample=resample, transform="rank", alpha=0.01)
    for number, graph in enumerate(found.graphs_):
        drawn = drawn_rows(len(rows), resample, 0, number)
        assert graph == rolearn.learn(rows[drawn], transform="rank", alpha=0.01).pag_


def test_resamples_are_drawn_as_named():
    half, whole = drawn_rows(11, "half", 5, 2), drawn_rows(11, "bootstrap", 5, 2)
    assert len(half) == len(set(half)) == 6
    assert len(whole) == 11
    assert set(half) | set(whole) <= set(range(11))
    assert (drawn_rows(11, "half", 5, 3) != half).any()
    assert (drawn_rows(11, "half", 6, 2) != half).any()


@pytest.mark.filterwarnings("ignore:.*resamples could not be fitted")
@settings(max_examples=15, deadline=None)
@given(st.integers(2, 6), st.integers(12, 60), st.integers(0, 999), st.sampled_from(["half", "bootstrap"]))
def test_workers_and_the_order_of_columns_change_nothing(n_columns, n_rows, seed, resample):
    rows = mixture(n_rows, n_columns, seed)
    frame = pd.DataFrame(rows, columns=[f"c{i}" for i in range(n_columns)])
    first = rolearn.bootstrap(frame, n=6, resample=resample, random_state=seed, n_jobs=1)
    assert first.consensus_.is_valid()
    assert same(first, rolearn.bootstrap(frame, n=6, resample=resample, random_state=seed, n_jobs=2))
    shuffled = frame[list(np.random.default_rng(seed).permutation(frame.columns))]
    assert same(first, rolearn.bootstrap(shuffled, n=6, resample=resample, random_state=seed))
    # the first resamples of many are those of few
    more = rolearn.bootstrap(frame, n=9, resample=resample, random_state=seed)
    assert more.graphs_[: first.n_fitted_] == first.graphs_ or first.n_degenerate_


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(20, 80), st.integers(0, 999))
def test_the_consensus_has_the_fewest_wrong_marks(n_columns, n_rows, seed):
    found = rolearn.bootstrap(mixture(n_rows, n_columns, seed), n=8, n_jobs=1)
    graphs = [graph.marks for graph in found.graphs_]
    candidates = [*graphs, found.model_.graph_.marks]
    wrong = [sum(int((marks != other).sum()) for other in graphs) for marks in candidates]
    chosen = sum(int((found.consensus_.marks != other).sum()) for other in graphs)
    assert chosen == min(wrong)
    assert any((found.consensus_.marks == marks).all() for marks in candidates)


def test_processes_give_the_same():
    frame = pd.DataFrame(chain(100), columns=list("abcde"))
    here = rolearn.bootstrap(frame, n=8, n_jobs=1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert same(here, rolearn.bootstrap(frame, n=8))


class Correlated:
    """A test of the user's: correlation, without the set, over rows of its own."""

    def __init__(self, rows):
        self.rows = rows

    def __call__(self, x, y, given):
        r = np.corrcoef(self.rows[x], self.rows[y])[0, 1]
        return math.erfc(abs(math.atanh(r)) * math.sqrt(len(self.rows) - 3) / math.sqrt(2))

    def of_rows(self, rows):
        return Correlated(self.rows.iloc[rows])


def test_a_test_of_ones_own_is_made_over_the_resample():
    frame = pd.DataFrame(chain(60), columns=list("abcde"))
    one = rolearn.bootstrap(frame, n=4, test=Correlated(frame), n_jobs=1)
    two = rolearn.bootstrap(frame, n=4, test=Correlated(frame), n_jobs=2)  # processes
    assert one.n_fitted_ == 4
    assert same(one, two)


def test_what_of_rows_gives_is_checked():
    frame = pd.DataFrame(chain(60), columns=list("abcde"))
    test = Correlated(frame)
    test.of_rows = lambda rows: frame.iloc[rows]
    with pytest.raises(rolearn.ParameterError, match="of_rows of the test gave a DataFrame; it has to"):
        rolearn.bootstrap(frame, n=4, test=test, n_jobs=1)


def test_what_only_warns_is_not_looked_for_in_resamples(monkeypatch):
    """It would be told to nobody, and takes as long as the statistics."""
    asked = []
    for name in ("warn_of_few_levels", "warn_of_copied_rows", "warn_of_poor_fit"):
        monkeypatch.setattr(inputs, name, asked.append)
    rolearn.bootstrap(chain(60), n=3, n_jobs=1)
    assert len(asked) == 3  # of all rows


def test_a_column_that_is_constant_in_resamples():
    """tetrad#1119: a single 1 among zeros."""
    rows = chain(200)
    rows[:, 4] = 0.0
    rows[17, 4] = 1.0
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = rolearn.bootstrap(rows, n=50, resample="bootstrap")
    assert any(
        "resamples could not be fitted" in str(note.message) and "'X5' is constant" in str(note.message)
        for note in told
    )
    lacking = sum(17 not in drawn_rows(200, "bootstrap", 0, k) for k in range(50))
    assert found.n_degenerate_ == lacking > 5
    assert found.n_fitted_ == 50 - lacking
    assert sum(found.frequencies("X1", "X3").values()) == pytest.approx(1.0)
    assert "'X5' is constant" in found.problems_[0]


def test_no_resample_can_be_fitted():
    rows = chain(9)
    rows[:, 4] = [1.0] + 8 * [0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rolearn.bootstrap(
            rows,
            n=1,
            random_state=next(seed for seed in range(99) if 0 not in drawn_rows(9, "half", seed, 0)),
        )
    assert found.n_fitted_ == 0
    assert math.isnan(found.frequencies("X1", "X2")["none"])
    assert found.consensus_ == found.model_.pag_
    assert str(found).startswith("0 of 1 resamples")


def test_what_is_done_with_bad_columns_is_done_in_resamples():
    rows = chain(30)
    rows[:, 4] = 0.0
    rows[[7, 17], 4] = 1.0
    lacking = sum(not {7, 17} & set(drawn_rows(30, "half", 0, k)) for k in range(20))
    assert 0 < lacking < 20
    for how, n_variables in (("isolate", 5), ("drop", 4)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = rolearn.bootstrap(rows, n=20, degenerate=how)
        assert (found.n_fitted_, found.n_degenerate_) == (20, 0)
        assert found.model_.graph_.names == ("X1", "X2", "X3", "X4", "X5")
        without = [graph for graph in found.graphs_ if "X5" not in graph.names or "X5" in graph.isolated()]
        assert sum(len(graph.names) == n_variables for graph in without) >= lacking
        assert sum(found.frequencies("X1", "X5").values()) == pytest.approx(1.0)
        assert found.consensus_.is_valid()


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_of_copies_the_same_one_goes_in_all_resamples(missing):
    frame = pd.DataFrame(chain(100), columns=list("abcde"))
    frame.iloc[::9, 0] = np.nan
    frame["copy"], frame["level"] = frame["c"] * 2, 1
    settings = {"missing": missing, "discrete": ["level"], "knowledge": {"tiers": [["a", "copy"], ["level"]]}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drop = rolearn.bootstrap(frame, n=12, degenerate="drop", **settings)
        isolate = rolearn.bootstrap(frame, n=12, degenerate="isolate", **settings)
    [kept] = {"c", "copy"} & set(drop.model_.pag_.names)
    [gone] = {"c", "copy"} - {kept}
    assert all(set(graph.names) == {"a", "b", kept, "d", "e"} for graph in drop.graphs_)
    assert all({gone, "level"} <= set(graph.isolated()) for graph in isolate.graphs_)
    assert isolate.frequencies(gone, "a")["none"] == isolate.frequencies("level", "a")["none"] == 1
    names = list(drop.feature_names_in_)
    for a in names:
        for b in names:
            assert a == b or drop.frequencies(a, b) == isolate.frequencies(a, b)


def test_a_test_by_positions_knows_all_columns_in_resamples():
    class ByPosition:
        def __init__(self, rows):
            self.data = rows

        def __call__(self, x, y, given=()):
            return 0.0 if {x, y} == {3, 4} else 1.0

        def of_rows(self, rows):
            return ByPosition(self.data[rows])

    table = np.column_stack([np.zeros(50), chain(50)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rolearn.bootstrap(table, n=3, test=ByPosition(table), degenerate="isolate", n_jobs=1)
    assert [str(edge) for edge in found.consensus_.edges()] == ["X4 o-o X5"]
    assert found.frequencies("X4", "X5")["none"] == 0


def test_kinds_missing_cells_and_knowledge_go_along():
    frame = pd.DataFrame(chain(300), columns=list("abcde"))
    frame["g"] = np.where(frame["a"] > 0, "yes", "no")
    mixed = rolearn.bootstrap(frame, n=6)
    assert mixed.n_fitted_ == 6
    assert mixed.frequencies("a", "g")["none"] == 0
    frame = frame.drop(columns="g")
    frame.iloc[::7, 0] = np.nan
    with pytest.warns(rolearn.RolearnWarning, match="cells are missing"):
        pairwise = rolearn.bootstrap(frame, n=4, missing="pairwise")
    assert pairwise.n_fitted_ == 4
    known = rolearn.bootstrap(chain(300), n=4, knowledge={"forbidden": [["X4", "X1"]]})
    assert known.n_fitted_ == 4


def test_the_time_limit_keeps_those_done():
    rolearn.bootstrap(chain(), n=2)  # compiled by now
    started = time.monotonic()
    found = rolearn.bootstrap(chain(), n=100_000, time_limit=1.0)
    assert time.monotonic() - started < 2.5  # a second's more than promised, for machines at work
    assert found.stop_reason_ is rolearn.StopReason.TIME_LIMIT
    assert 0 < found.n_fitted_ == found.n_resamples_ - found.n_stopped_
    assert sum(found.frequencies("X1", "X3").values()) == pytest.approx(1.0)


def test_no_time_at_all():
    found = rolearn.bootstrap(chain(), n=5, time_limit=0)
    assert (found.n_fitted_, found.n_stopped_) == (0, 5)
    assert found.consensus_.is_valid()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_keeps_those_done(n_jobs):
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(report):
        if report.stage == "resamples" and report.fraction > 0.04:
            signal.raise_signal(signal.SIGINT)

    try:
        found = rolearn.bootstrap(chain(), n=100, n_jobs=n_jobs, progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert found.stop_reason_ is rolearn.StopReason.INTERRUPTED
    assert 4 <= found.n_fitted_ < 20
    assert found.n_fitted_ + found.n_stopped_ == 100


def test_progress_is_told():
    told = []
    rolearn.bootstrap(chain(), n=7, n_jobs=2, progress=told.append)
    fractions = [report.fraction for report in told if report.stage == "resamples"]
    assert fractions == [k / 7 for k in range(1, 8)]


def test_latents_may_be_ruled_out():
    found = rolearn.bootstrap(chain(), n=6, latents=False)
    assert isinstance(found.consensus_, rolearn.CPDAG)
    assert found.frequencies("X1", "X3")["-->"] > 0.5


def test_other_costs_and_searches():
    found = rolearn.bootstrap(chain(), n=4, cost="neighbors", search="recursive")
    assert found.n_fitted_ == 4
    assert found.consensus_.is_valid()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2.5}, "n is 2.5"),
        ({"resample": "jackknife"}, "resample is 'jackknife'; allowed are 'half', 'bootstrap'"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"alpha": 2}, "alpha is 2"),
        ({"level": 0.1}, "no parameter 'level'"),
        (
            {"test": lambda x, y, given: 0.5},
            r"keeps rows of its own, which .* a method of_rows\(rows\), which",
        ),
    ],
)
def test_what_is_not_allowed(arguments, sentence):
    with pytest.raises(rolearn.ParameterError, match=sentence):
        rolearn.bootstrap(chain(50), **arguments)


def test_statistics_have_no_rows():
    with pytest.raises(rolearn.ParameterError, match="Gaussian has none"):
        rolearn.bootstrap(rolearn.Gaussian(np.eye(3), 100))
    with pytest.raises(rolearn.ParameterError, match="Oracle has none"):
        rolearn.bootstrap(rolearn.Oracle(rolearn.DAG.from_edges([("A", "B")])))


def test_names_are_checked():
    found = rolearn.bootstrap(chain(50), n=2)
    with pytest.raises(rolearn.ParameterError, match="no variable 'Y'"):
        found.frequencies("X1", "Y")
    with pytest.raises(rolearn.ParameterError, match="named twice"):
        found.frequencies("X1", "X1")


@pytest.mark.slow
def test_the_demo_table():
    found = rolearn.bootstrap(load_sachs(), n=40, transform="rank")
    assert found.frequencies("raf", "mek")["none"] == 0
    assert found.consensus_.is_valid()
