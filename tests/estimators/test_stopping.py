import _thread
import time

import numpy as np
import pytest

from ctrl_c import ctrl_c_after
from examples import random_gaussian, random_rows
from rolearn import ROL, CallableTest, HillClimb, NeighborCount, StopReason, learn
from rolearn.estimators import conclusion, learned
from rolearn.runtime.budget import Budget

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
