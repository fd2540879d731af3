import _thread
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

from ctrl_c import ctrl_c_after
from examples import random_gaussian, random_rows
from rolearn import BIC, ROL, CallableTest, HillClimb, NeighborCount, RolearnWarning, StopReason, learn
from rolearn.data.kinds import CONTINUOUS, ColumnKind
from rolearn.data.table import Table
from rolearn.estimators import conclusion, learned
from rolearn.estimators.inputs import read_input
from rolearn.orders.cost import order_costs
from rolearn.runtime.budget import Budget
from rolearn.separations.candidates import with_candidates

ENDLESS = {"cost": NeighborCount("l-marvel", boundary_level=0.999)}  # subsets of boundaries of 23: for days


def check_best_so_far(model, rows, reason):
    assert model.stop_reason_ is reason
    assert model.stop_reason_.stopped_early
    assert sorted(model.order_) == sorted(model.feature_names_in_)
    assert model.pag_.problems() == []
    assert np.isfinite(model.cost_)


def test_a_time_limit_gives_the_best_so_far_in_time():
    rows = random_rows(24, 1, 400, density=0.9)
    learn(rows, alpha=1e-9, time_limit=0.1, **ENDLESS)  # compiled by now
    started = time.monotonic()
    model = learn(rows, alpha=1e-9, time_limit=0.5, **ENDLESS)
    check_best_so_far(model, rows, StopReason.TIME_LIMIT)
    assert time.monotonic() - started < 4  # half a second, one to finish, and a slow machine


def test_a_time_limit_holds_for_slow_tests_of_the_users():
    def slow(x, y, given):
        time.sleep(0.01)
        return 0.5 if len(given) % 2 else 0.001

    started = time.monotonic()
    model = ROL(time_limit=0.5).fit(CallableTest(slow, [f"V{i}" for i in range(40)]))
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert model.pag_.is_valid()
    assert time.monotonic() - started < 5  # asking all pairs once would be 8 seconds, all of it minutes


def test_no_time_at_all_still_gives_a_valid_graph():
    rows = random_rows(10, 1, 200, density=0.5)
    check_best_so_far(learn(rows, time_limit=0), rows, StopReason.TIME_LIMIT)


def test_ctrl_c_gives_the_best_so_far():
    rows = random_rows(24, 1, 400, density=0.9)
    learn(rows, alpha=1e-9, time_limit=0.1, **ENDLESS)  # compiled by now
    with ctrl_c_after(0.7):
        model = learn(rows, alpha=1e-9, **ENDLESS)
    check_best_so_far(model, rows, StopReason.INTERRUPTED)


def test_ctrl_c_while_a_test_of_the_users_runs():
    gaussian = random_gaussian(8, 3, density=0.8)

    def slow(x, y, given):
        time.sleep(0.002)
        return gaussian.p_value(x, y, given)

    test = CallableTest(slow, gaussian.names)
    search = HillClimb(start="random", max_iter=None)
    with ctrl_c_after(0.3):
        model = ROL(search, cost=NeighborCount("l-marvel"), n_starts=200).fit(test)
    check_best_so_far(model, None, StopReason.INTERRUPTED)


def test_after_a_ctrl_c_in_the_search_no_graphs_are_searched(monkeypatch):
    def press(progress):
        if progress.stage == "search" and not pressed:
            pressed.append(progress)
            _thread.interrupt_main()

    pressed: list = []
    monkeypatch.setattr(conclusion, "LastSearch", None)  # that would be an error
    model = learn(random_rows(40, 1, 400, density=0.5), progress=press)
    check_best_so_far(model, None, StopReason.INTERRUPTED)


def test_after_the_time_limit_no_graph_is_searched_on(monkeypatch):
    monkeypatch.setattr(learned, "searched", None)  # that would be an error
    check_best_so_far(learn(random_rows(12, 1, 400), time_limit=0), None, StopReason.TIME_LIMIT)


def test_a_second_ctrl_c_is_passed_on():
    budget = Budget()

    def stubborn():
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not done:
            time.sleep(0.01)

    done: list[int] = []
    with ctrl_c_after(0.2, 0.5), pytest.raises(KeyboardInterrupt):
        budget.watch([stubborn])
    done.append(1)
    assert budget.reason is StopReason.INTERRUPTED


def test_a_fit_finished_within_its_limit_says_nothing_of_it():
    assert not learn(random_rows(5, 1, 100), time_limit=300).stop_reason_.stopped_early


def test_errors_of_a_users_test_come_through():
    def broken(x, y, given):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        learn(random_rows(4, 1, 50), test=broken)


def test_errors_of_a_progress_callback_come_through():
    def broken(progress):
        if progress.stage == "search":
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        learn(random_rows(4, 1, 50), progress=broken)


def discrete_rows(p, n, seed=0, mixed=False):
    """Rows of levels, each column after one or two earlier ones."""
    generator = np.random.default_rng(seed)
    values = np.zeros((n, p))
    for j in range(p):
        parents = generator.choice(j, min(j, 2), replace=False) if j else []
        shaped = generator.standard_normal(n) + 0.9 * values[:, parents].sum(1)
        values[:, j] = shaped if mixed and j % 2 else np.digitize(shaped, np.quantile(shaped, [0.3, 0.7]))
    kinds = [CONTINUOUS if mixed and j % 2 else ColumnKind("discrete", tuple("abc")) for j in range(p)]
    return Table(tuple(f"V{j}" for j in range(p)), values, (), tuple(kinds))


def ask_after_the_signal(p, n, mixed):
    """Ask for costs, removals and separations when it is time to stop: they come empty. Give the seconds."""
    statistics = read_input(discrete_rows(p, n, mixed=mixed), "auto", None).statistics
    signal = np.zeros(1, np.uint8)
    costs = order_costs(statistics, BIC(), 0.05, signal)
    order = np.arange(p)
    signal[0] = 1
    started = time.process_time()
    branch = costs.branch()
    assert np.isnan(branch.whole(order))
    removals = list(branch.removals(order))
    assert [removal.boundary for removal in removals] == [()] * p
    found, _ = with_candidates(
        [replace(removal, boundary=tuple(range(removal.variable))) for removal in removals],
        statistics,
        0.05,
        costs.ledger.keys,
        signal,
    )
    assert not any(removal.separations for removal in found)
    return time.process_time() - started


@pytest.mark.parametrize("mixed", [False, True])
def test_local_costs_that_go_through_all_rows_stop_in_the_middle(mixed):
    ask_after_the_signal(6, 300, mixed)  # compiled by now
    assert ask_after_the_signal(24, 60_000, mixed) < 2  # all of it would take most of a minute
    # nothing of it is remembered
    small = read_input(discrete_rows(6, 300, mixed=mixed), "auto", None).statistics
    again = order_costs(small, BIC(), 0.05, np.zeros(1, np.uint8)).whole(np.arange(6))
    stopped = order_costs(small, BIC(), 0.05, np.ones(1, np.uint8))
    assert np.isnan(stopped.whole(np.arange(6)))
    assert stopped.branch(signal=np.zeros(1, np.uint8)).whole(np.arange(6)) == again


def test_what_there_was_no_time_for_is_said(monkeypatch):
    learn(discrete_rows(6, 300))  # compiled by now
    statistics = read_input(discrete_rows(30, 100_000), "auto", None).statistics
    monkeypatch.setattr(Budget, "extension", lambda budget: Budget(0.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learn(statistics, time_limit=0)  # kernels that only this way needs
    started = time.process_time()
    with pytest.warns(RolearnWarning, match="before all boundaries were found in 100000 rows"):
        model = learn(statistics, time_limit=0)
    took = time.process_time() - started
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert model.pag_.is_valid()
    assert np.isnan(model.cost_)
    assert took < 2


def test_ctrl_c_on_many_rows_of_levels():
    learn(discrete_rows(6, 300))  # compiled by now
    statistics = read_input(discrete_rows(16, 60_000), "auto", None).statistics
    with ctrl_c_after(0.3), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learn(statistics)
    assert model.stop_reason_ is StopReason.INTERRUPTED
    assert model.pag_.is_valid()
