"""Starts in processes: the same fit, within its limits."""

from __future__ import annotations

import time

import joblib
import numpy as np
import pytest

from ctrl_c import ctrl_c_after
from examples import random_rows
from rolearn import ROL, CallableTest, HillClimb, NeighborCount, StopReason, learn
from rolearn.estimators import starts
from rolearn.runtime.parallel import Calls


@pytest.fixture
def sent(monkeypatch):
    """How many searches were sent away, and how many came back, a pair each time."""
    counts: list[tuple[int, int]] = []
    run = Calls.run

    def counted(self, work, items, shared, budget):
        results = run(self, work, items, shared, budget)
        counts.append((len(items), sum(result is not None for result in results)))
        return results

    monkeypatch.setattr(Calls, "run", counted)
    return counts


def check_same(one, two):
    assert one.graph_ == two.graph_
    assert (one.order_, one.cost_, one.n_tests_) == (two.order_, two.cost_, two.n_tests_)
    assert one.stop_reason_ is two.stop_reason_
    assert [cost for _, cost in one.trace_][-1] == [cost for _, cost in two.trace_][-1]
    for a in one.feature_names_in_:
        for b in one.feature_names_in_:
            assert a == b or one.separating_sets_[a, b] == two.separating_sets_[a, b]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"knowledge": {"tiers": [["X1", "X2"], ["X3"]]}},
        {"cost": "neighbors", "n_starts": 3},
        {"latents": False, "n_starts": 3},
        {"search": HillClimb(start="random"), "cost": NeighborCount("l-marvel"), "n_starts": 2},
    ],
    ids=str,
)
def test_processes_give_the_same(parameters, sent):
    rows = random_rows(9, 4, 300, density=0.4)
    here = learn(rows, **parameters)
    assert not sent
    with joblib.parallel_config(backend="loky", n_jobs=2):
        there = learn(rows, **parameters)
    assert sent
    assert all(number == came > 1 for number, came in sent)
    check_same(here, there)


def test_the_trace_is_on_one_clock():
    rows = random_rows(9, 4, 300, density=0.4)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        started = time.monotonic()
        trace = learn(rows).trace_
        took = time.monotonic() - started
    assert [seconds for seconds, _ in trace] == sorted(seconds for seconds, _ in trace)
    assert -0.05 < trace[0][0] <= trace[-1][0] < took + 0.05


def test_discrete_columns_and_a_test_of_ones_own(sent):
    rows = np.where(random_rows(5, 2, 300) > 0, "yes", "no")
    names = [f"V{i}" for i in range(5)]
    test = CallableTest(lambda x, y, given: 0.5 if {x, y} == {"V0", "V1"} else 0.001 * len(given), names)
    for data, parameters in ((rows, {"n_starts": 2}), (test, {"n_starts": 3})):
        here = learn(data, **parameters)
        with joblib.parallel_config(backend="loky", n_jobs=2):
            check_same(here, learn(data, **parameters))
    assert len(sent) >= 2


@pytest.mark.parametrize("settings", [{"n_jobs": 2}, {"backend": "threading", "n_jobs": 2}])
def test_what_names_no_other_place_stays_here(settings, sent):
    rows = random_rows(7, 1, 100)
    here = learn(rows)
    with joblib.parallel_config(**settings):
        check_same(here, learn(rows))
    assert not sent


def test_joblib_is_not_asked_for_where_nobody_has_it(monkeypatch):
    monkeypatch.setitem(starts.is_moved.__globals__["sys"].modules, "joblib.parallel", None)
    assert not starts.is_moved()


def endless(seconds):
    """A fit whose starts each take minutes."""
    test = CallableTest(lambda x, y, given: time.sleep(0.01) or 0.001, [f"V{i}" for i in range(30)])
    return ROL(cost=NeighborCount("l-marvel"), n_starts=4, time_limit=seconds), test


def test_the_time_limit_holds_there(sent):
    model, test = endless(4.0)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        learn(random_rows(5, 1, 50))  # workers have started
        sent.clear()
        started = time.monotonic()
        model.fit(test)
    assert time.monotonic() - started < 9
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert model.pag_.is_valid()
    assert sent[0][0] == 4


def test_ctrl_c_gives_up_what_has_not_come(sent):
    model, test = endless(None)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        learn(random_rows(5, 1, 50))
        sent.clear()
        with ctrl_c_after(1.0):
            model.fit(test)
    assert sent == [(4, 0)]
    assert model.stop_reason_ is StopReason.INTERRUPTED
    assert sorted(model.order_) == sorted(test.names)
    assert model.pag_.is_valid()


def test_errors_of_a_users_test_come_through():
    def broken(x, y, given):
        raise ZeroDivisionError("mine")

    with joblib.parallel_config(backend="loky", n_jobs=2), pytest.raises(ZeroDivisionError, match="mine"):
        learn(random_rows(4, 1, 50), test=broken, n_starts=2)
