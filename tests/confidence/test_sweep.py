from __future__ import annotations

import itertools
import math
import signal

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rolearn
from confidence.tables import chain, mixture
from rolearn import BIC
from rolearn.confidence.patterns import PATTERNS


def pattern(graph, a, b):
    """Give the edge's marks read from a to b."""
    seen = [edge for one in graph.edges() for edge in (one, one.reversed())]
    return next((edge.picture for edge in seen if (edge.source, edge.target) == (a, b)), "none")


def test_each_setting_is_a_fit_of_its_own():
    rows = mixture(150, 6, 4)
    found = rolearn.sweep(rows, alpha=[0.2, 0.01], penalty=[1.0, 3.0])
    assert found.alphas_ == (0.01, 0.2)
    assert found.penalties_ == (1.0, 3.0)
    models = {
        (a, b): rolearn.learn(rows, alpha=a, cost=BIC(penalty=b))
        for a, b in itertools.product(found.alphas_, found.penalties_)
    }
    for (a, b), model in models.items():
        assert found.graph(a, b) == model.pag_
    table = {(row.alpha, row.penalty): row for row in found.table()}
    assert list(table) == [(0.01, 1.0), (0.2, 1.0), (0.01, 3.0), (0.2, 3.0)]
    for setting, row in table.items():
        assert (row.n_edges, row.cost) == (models[setting].pag_.n_edges, models[setting].cost_)

    def changed(one, other):
        return int((models[one].pag_.marks != models[other].pag_.marks).sum())

    assert table[0.01, 1.0].changed_by_alpha is None
    assert table[0.2, 3.0].changed_by_alpha == changed((0.2, 3.0), (0.01, 3.0))
    assert table[0.2, 3.0].changed_by_penalty == changed((0.2, 3.0), (0.2, 1.0))
    around = [changed((0.2, 3.0), (0.01, 3.0)), changed((0.2, 3.0), (0.2, 1.0))]
    assert table[0.2, 3.0].stability == pytest.approx(1 - np.mean(around) / 30)
    adjacent = np.mean([model.skeleton_ for model in models.values()], axis=0)
    assert np.allclose(found.edge_frequencies_, adjacent)
    shares = {(row.source, row.target, row.pattern): row.frequency for row in found.pattern_table()}
    assert len(shares) == 15 * 10
    for a, b in itertools.combinations(found.feature_names_in_, 2):
        read = [pattern(model.pag_, a, b) for model in models.values()]
        assert all(shares[a, b, kind] == read.count(kind) / 4 for kind in PATTERNS)
    assert len(str(found).splitlines()) == 5
    assert len(pd.DataFrame(found.table())) == 4


def test_one_value_is_enough():
    found = rolearn.sweep(chain(), alpha=0.01)
    assert found.graph() == rolearn.learn(chain(), alpha=0.01).pag_
    assert math.isnan(found.table()[0].stability)
    assert found.penalties_ == (2.0,)


def test_levels_alone_where_the_cost_has_no_penalty():
    found = rolearn.sweep(chain(), alpha=np.array([0.01, 0.05]), cost="neighbors")
    assert found.penalties_ == (None,)
    assert found.graph(0.05) == rolearn.learn(chain(), alpha=0.05, cost="neighbors").pag_


def test_statistics_are_swept_too():
    covariance = np.cov(chain(400).T)
    found = rolearn.sweep(rolearn.Gaussian(covariance, 400), [0.01, 0.1], [1, 4])
    assert (
        found.graph(0.01, 4)
        == rolearn.learn(rolearn.Gaussian(covariance, 400), alpha=0.01, cost=BIC(penalty=4.0)).pag_
    )
    oracle = rolearn.Oracle(rolearn.DAG.from_edges([("A", "C"), ("B", "C")]))
    assert rolearn.sweep(oracle).graph().n_edges == 2


def test_the_table_is_read_once(monkeypatch):
    from rolearn.estimators import rol

    calls = []
    original = rol.read_input
    monkeypatch.setattr(rol, "read_input", lambda *given: calls.append(1) or original(*given))
    rolearn.sweep(chain(), [0.01, 0.02, 0.05], [1, 2], n_jobs=1)
    assert calls == [1]


@settings(max_examples=8, deadline=None)
@given(st.integers(2, 5), st.integers(15, 60), st.integers(0, 999))
def test_workers_and_the_order_of_columns_change_nothing(n_columns, n_rows, seed):
    frame = pd.DataFrame(mixture(n_rows, n_columns, seed), columns=[f"c{i}" for i in range(n_columns)])
    one = rolearn.sweep(frame, [0.01, 0.2], [1, 3], n_jobs=1)
    two = rolearn.sweep(frame[frame.columns[::-1]], [0.2, 0.01], [3, 1], n_jobs=2)
    assert all(
        one.graph(alpha, penalty) == two.graph(alpha, penalty) for alpha in (0.01, 0.2) for penalty in (1, 3)
    )
    assert str(one) == str(two)


def test_processes_give_the_same_and_take_python_tests():
    frame = pd.DataFrame(chain(60), columns=list("abcde"))

    def test(x, y, given):
        r = np.corrcoef(frame[x], frame[y])[0, 1]
        return math.erfc(abs(math.atanh(r)) * math.sqrt(57) / math.sqrt(2))

    here = rolearn.sweep(frame, [0.01, 0.1], test=test, n_jobs=1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        there = rolearn.sweep(frame, [0.01, 0.1], test=test)
    assert str(here) == str(there)
    assert here.graph(0.01) == there.graph(0.01)


def test_the_limit_of_time():
    found = rolearn.sweep(chain(), [0.01, 0.05], [1, 2], time_limit=0)
    assert (found.n_stopped_, found.table()) == (4, [])
    assert found.stop_reason_ is rolearn.StopReason.TIME_LIMIT
    with pytest.raises(rolearn.ParameterError, match=r"stopped before alpha=0\.01"):
        found.graph(0.01, 1)


def test_ctrl_c_keeps_those_done():
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = rolearn.sweep(
            chain(),
            [k / 100 for k in range(1, 40)],
            n_jobs=1,
            progress=lambda report: report.stage == "settings" and signal.raise_signal(signal.SIGINT),
        )
    finally:
        signal.signal(signal.SIGINT, handler)
    assert found.stop_reason_ is rolearn.StopReason.INTERRUPTED
    assert len(found.table()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"alpha": []}, "alpha is"),
        ({"alpha": [0.05, 0.05]}, "alpha has a number twice"),
        ({"alpha": [0.05, 1.5]}, "alpha is 1.5"),
        ({"alpha": "0.05"}, "alpha is '0.05'; give one or more numbers"),
        ({"penalty": [0]}, "penalty is 0"),
        ({"penalty": [1, 2], "cost": "neighbors"}, "leave penalty out"),
        ({"n_starts": 0}, "n_starts is 0"),
    ],
)
def test_what_is_not_allowed(arguments, sentence):
    with pytest.raises(rolearn.ParameterError, match=sentence):
        rolearn.sweep(chain(50), **arguments)


def test_settings_that_are_not_there():
    found = rolearn.sweep(chain(50), [0.01, 0.05])
    with pytest.raises(rolearn.ParameterError, match=r"alpha is None; the sweep has 0.01, 0.05"):
        found.graph()
    with pytest.raises(rolearn.ParameterError, match=r"alpha is 0.1"):
        found.graph(0.1)


def test_one_variable():
    swept = rolearn.sweep(np.random.default_rng(0).standard_normal((20, 1)), alpha=[0.01, 0.1])
    assert [(one.n_edges, one.stability) for one in swept.table()] == [(0, 1.0), (0, 1.0)]
    assert str(swept).count("\n") == 2
