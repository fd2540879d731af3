import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from ctrl_c import ctrl_c_after
from examples import oracle_of, random_gaussian, random_rows
from needs import needs
from rolearn import (
    BIC,
    MAG,
    ROL,
    NeighborCount,
    ParameterError,
    PolicyGradient,
    StopReason,
    learn,
    order_cost,
)
from rolearn.orders.cost import order_costs
from rolearn.orders.episodes import Episodes
from rolearn.orders.progress import Trace
from rolearn.runtime.budget import Budget

QUICK = PolicyGradient(batch_size=16, max_iter=12)
COLD = replace(QUICK, warm_start=False, copying=0.0, polish=False)


def run(search, costs, seed=0, budget=None):
    return search.run(costs, Trace(budget or Budget(), None, ""), np.random.default_rng(seed))


def costs_of(statistics, cost=None):
    return order_costs(statistics, cost or NeighborCount(), 0.05, np.zeros(1, np.uint8))


@pytest.mark.pure
@pytest.mark.parametrize("cost", [NeighborCount("rsl"), NeighborCount("l-marvel"), BIC()])
def test_costs_kept_over_episodes_are_those_of_each_order(cost):
    costs = costs_of(random_gaussian(7, 3, density=0.6), cost)
    generator = np.random.default_rng(0)
    episodes = Episodes(costs)
    for _ in range(3):
        orders = np.array([generator.permutation(7) for _ in range(9)])
        found = episodes.local_costs(orders)
        for order, local in zip(orders, found, strict=True):
            assert local == pytest.approx(costs.branch().window(0, order, np.ones(7, bool)), abs=1e-9)
        one_by_one = [episodes.remove(x) for x in orders[0]] if not episodes.reset() else []
        assert one_by_one == pytest.approx(found[0], abs=1e-9)


def test_each_local_cost_is_worked_out_once():
    asked = []

    def test(x, y, given):
        asked.append((x, y, given))
        return 0.5 if len(given) % 2 else 0.001

    from rolearn import CallableTest

    episodes = Episodes(costs_of(CallableTest(test, list("abcde"))))
    order = np.array([[3, 1, 0, 4, 2]])
    episodes.local_costs(order)
    before = len(asked), episodes.asked().keys.size
    episodes.local_costs(order)
    assert (len(asked), episodes.asked().keys.size) == before
    assert before[0] > 0


def test_a_signal_leaves_orders_out():
    costs = costs_of(random_gaussian(6, 1))
    episodes = Episodes(costs)
    episodes.costs.ledger.signal[0] = 1
    assert np.isnan(episodes.local_costs(np.arange(6)[None])).all()


@pytest.mark.parametrize(
    "setting",
    [
        {"warm_start": 1},
        {"polish": "yes"},
        {"batch_size": 1},
        {"batch_size": None},
        {"max_iter": -1},
        {"patience": 0},
        {"copying": -0.1},
        {"learning_rate": 0},
        {"entropy_bonus": float("nan")},
        {"state": "all"},
        {"device": 0},
        {"checkpoint": ""},
        {"policy": ""},
    ],
)
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(ParameterError, match=next(iter(setting))):
        PolicyGradient(**setting)


def test_without_torch_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    rows = random_rows(4, 1, 100)
    for search in ("policy-gradient", PolicyGradient()):
        with pytest.raises(ParameterError, match=r"pip install 'rolearn\[rl\]'"):
            learn(rows, search=search)
    assert learn(rows).pag_.is_valid()


@needs("torch")
class TestWithTorch:
    @pytest.mark.parametrize("search", [QUICK, COLD, replace(QUICK, state="statistics")])
    @pytest.mark.parametrize("cost", ["bic", "neighbors"])
    def test_cost_and_order_agree_and_runs_repeat(self, search, cost):
        rows = random_rows(8, 4, 400, density=0.5)
        model = ROL(search, cost=cost).fit(rows)
        assert sorted(model.order_) == sorted(model.feature_names_in_)
        assert order_cost(rows, model.order_, cost=cost) == model.cost_
        assert model.pag_.is_valid()
        again = ROL(search, cost=cost).fit(rows)
        assert (again.order_, again.cost_) == (model.order_, model.cost_)
        columns = np.random.default_rng(1).permutation(8)
        names = [f"X{i + 1}" for i in columns]
        import pandas as pd

        other = ROL(search, cost=cost).fit(pd.DataFrame(rows[:, columns], columns=names))
        assert other.pag_ == model.pag_
        assert other.order_ == model.order_

    def test_another_seed_is_another_policy(self):
        costs = costs_of(random_gaussian(12, 2, density=0.5), BIC())
        one_round = replace(COLD, max_iter=1)
        assert run(one_round, costs, 0).order.tolist() != run(one_round, costs, 1).order.tolist()

    @pytest.mark.parametrize("cost", [NeighborCount("rsl"), BIC()])
    @pytest.mark.parametrize("seed", range(3))
    def test_a_cold_policy_beats_as_many_random_orders(self, cost, seed):
        costs = costs_of(random_gaussian(24, seed, density=0.15), cost)
        search = replace(COLD, batch_size=32, max_iter=60, patience=None)
        found = run(search, costs)
        generator = np.random.default_rng(0)
        orders = np.array([generator.permutation(24) for _ in range(33 * 60)])
        least = Episodes(costs).local_costs(orders).sum(axis=1).min()
        assert found.cost < least

    def test_a_policy_learns_to_draw_cheap_orders(self):
        reports = []
        learn(
            random_rows(12, 0, 600, density=0.3), search=replace(COLD, max_iter=80), progress=reports.append
        )
        rounds = [report for report in reports if report.entropy is not None]
        assert [report.fraction for report in rounds][-1] == 1.0
        assert rounds[-1].mean_cost < rounds[0].mean_cost
        assert rounds[-1].entropy < rounds[0].entropy
        assert rounds[-1].likeliest_cost < rounds[0].mean_cost
        best = [report.cost for report in rounds]
        assert best == sorted(best, reverse=True)

    @pytest.mark.parametrize("cost", [NeighborCount("rsl"), BIC()])
    def test_a_warm_start_knows_what_climbing_found(self, cost):
        from rolearn import HillClimb

        costs = costs_of(random_gaussian(14, 5, density=0.4), cost)
        climbed = run(HillClimb(), costs)
        reports = []
        search = replace(QUICK, max_iter=5, polish=False)
        trace = Trace(Budget(), reports.append, "")
        found = search.run(costs, trace, np.random.default_rng(0))
        n = costs.statistics.n_samples
        margin = 2 * np.log(n) * 1.4 if isinstance(cost, BIC) else 0.02 * climbed.cost
        assert found.cost <= climbed.cost + margin
        likeliest = [report.likeliest_cost for report in reports if report.entropy is not None]
        assert min(likeliest) <= climbed.cost + margin  # the policy by itself, whatever it was shown

    def test_polish_never_costs_more(self):
        for cost in (NeighborCount("rsl"), BIC()):
            costs = costs_of(random_gaussian(12, 7, density=0.5), cost)
            rough = run(replace(COLD, max_iter=3), costs)
            polished = run(replace(COLD, max_iter=3, polish=True), costs)
            assert polished.cost <= rough.cost
            assert polished.stop_reason in (StopReason.CONVERGED, StopReason.MOVE_LIMIT)

    def test_an_oracle_gives_the_true_pag(self, cases):
        for case in cases[::12]:
            model = ROL(QUICK).fit(oracle_of(case))
            names = [str(v) for v in range(case["n"])]
            assert np.array_equal(model.pag_.reorder(names).marks, case["pag"])
            assert MAG(np.array(case["mag"]), names).is_r_order(model.order_)

    def test_why_it_stopped_is_said(self):
        costs = costs_of(random_gaussian(6, 4))
        assert run(replace(COLD, max_iter=2), costs).stop_reason is StopReason.ROUND_LIMIT
        assert run(replace(COLD, max_iter=None, patience=3), costs).stop_reason is StopReason.PLATEAU

    @pytest.mark.parametrize("p", [1, 2, 3])
    def test_few_variables(self, p):
        for search in (QUICK, COLD, replace(QUICK, state="statistics")):
            assert len(learn(random_gaussian(p, 1, 100), search=search).order_) == p

    def test_several_starts(self):
        rows = random_rows(8, 2, 300, density=0.5)
        one = ROL(QUICK, n_starts=1).fit(rows)
        three = ROL(QUICK, n_starts=3).fit(rows)
        assert three.cost_ <= one.cost_
        assert ROL(QUICK, n_starts=3, n_jobs=2).fit(rows).order_ == three.order_

    def test_fewer_rows_than_columns(self):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for search in (QUICK, replace(QUICK, state="statistics")):
                model = learn(random_rows(12, 1, 10), search=search)
                assert model.pag_.is_valid()

    def test_statistics_are_not_shown_where_there_are_none(self, cases):
        with pytest.raises(ParameterError, match="state='statistics' needs rows"):
            ROL(replace(QUICK, state="statistics")).fit(oracle_of(cases[40]))

    def test_a_device_that_isnt_there_is_refused(self):
        with pytest.raises(ParameterError, match="device is 'nowhere'"):
            learn(random_rows(4, 1, 100), search=replace(QUICK, device="nowhere"))

    def test_torch_has_its_threads_back(self):
        import torch

        before, state = torch.get_num_threads(), torch.random.get_rng_state()
        learn(random_rows(5, 1, 100), search=QUICK)
        assert torch.get_num_threads() == before
        assert torch.equal(torch.random.get_rng_state(), state)

    @pytest.mark.parametrize("cost", ["bic", "neighbors"])
    @pytest.mark.parametrize("state", ["remaining", "statistics"])
    def test_a_time_limit_gives_the_best_so_far_in_time(self, cost, state):
        rows = random_rows(40, 1, 2000, density=0.1)
        search = replace(COLD, max_iter=None, patience=None, state=state)
        ROL(replace(search, max_iter=1), cost=cost).fit(rows)  # compiled by now
        for limit in (0, 0.5):
            started = time.monotonic()
            model = ROL(search, cost=cost, time_limit=limit).fit(rows)
            assert time.monotonic() - started < limit + 4
            assert model.stop_reason_ is StopReason.TIME_LIMIT
            assert sorted(model.order_) == sorted(model.feature_names_in_)
            assert np.isfinite(model.cost_)
            assert model.pag_.is_valid()

    def test_ctrl_c_gives_the_best_so_far(self):
        rows = random_rows(30, 1, 2000, density=0.1)
        search = replace(QUICK, max_iter=None, patience=None)
        with ctrl_c_after(0.5):
            model = ROL(search).fit(rows)
        assert model.stop_reason_ is StopReason.INTERRUPTED
        assert model.pag_.is_valid()

    def test_the_papers_preset(self):
        import warnings

        from rolearn import RolearnWarning, paper

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RolearnWarning)
            model = paper.rol_pg(random_rows(6, 1, 300, density=0.5), time_limit=20)
        parameters = model.get_params()
        assert (parameters["alpha"], parameters["legal"], parameters["cost"].finder) == (0.01, False, "rsl")
        search = parameters["search"]
        assert (search.warm_start, search.copying, search.polish, search.state) == (
            False,
            0,
            False,
            "remaining",
        )
        assert model.pag_.n_edges == model.cost_
