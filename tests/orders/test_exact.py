"""Exact search: from all orders, and its two methods from each other."""

import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrl_c import ctrl_c_after
from examples import oracle_of, pag_cases, random_gaussian, random_rows
from rolearn import (
    BIC,
    DAG,
    MAG,
    ROL,
    CallableTest,
    Exact,
    HillClimb,
    NeighborCount,
    Oracle,
    ParameterError,
    StopReason,
    learn,
    order_cost,
    paper,
)
from rolearn.orders import blocks, exact_search
from rolearn.orders.best_first import BestFirst
from rolearn.orders.best_first_kernels import relaxed_between_blocks, survey_likelihood
from rolearn.orders.cost import order_costs
from rolearn.orders.lattice_kernels import members_of
from rolearn.orders.progress import Trace
from rolearn.orders.value_iteration import ValueIteration, bytes_needed, most_variables
from rolearn.orders.warm_program import can_cut
from rolearn.runtime.budget import Budget

QUIET = np.zeros(1, np.uint8)
EXACT = BIC(parents="exact")
COSTS = [EXACT, BIC(), NeighborCount("rsl"), NeighborCount("l-marvel"), NeighborCount("mbcs")]


def methods_for(statistics, cost):
    bounded = isinstance(statistics, Oracle) or cost == EXACT
    scored = cost == EXACT and not isinstance(statistics, Oracle)
    return [
        "auto",
        "value-iteration",
        *(["best-first"] if bounded else []),
        *(["cutting-planes"] if scored and can_cut() else []),
    ]


def check_against_all_orders(statistics, cost, names):
    costs = order_costs(statistics, cost, 0.05, QUIET)
    least = min(costs.branch().whole(np.array(order)) for order in permutations(range(len(names))))
    for method in methods_for(statistics, cost):
        model = ROL(Exact(method), cost=cost).fit(statistics)
        assert model.cost_ == pytest.approx(least, abs=1e-6)
        assert model.optimal_
        assert model.lower_bound_ == model.cost_ == order_cost(statistics, model.order_, cost=cost)
        assert model.stop_reason_ is StopReason.PROVED


@pytest.mark.parametrize("cost", COSTS, ids=str)
@settings(max_examples=8, deadline=None)
@given(p=st.integers(1, 6), seed=st.integers(0, 10**6), density=st.sampled_from([0.3, 0.8]))
def test_no_order_of_data_is_cheaper(cost, p, seed, density):
    gaussian = random_gaussian(p, seed, 40 * p, density)
    check_against_all_orders(gaussian, cost, gaussian.names)


@pytest.mark.slow
@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_no_order_of_seven_variables_is_cheaper(cost):
    gaussian = random_gaussian(7, 11, 250, density=0.6)
    check_against_all_orders(gaussian, cost, gaussian.names)


@pytest.mark.slow
@pytest.mark.parametrize("finder", ["l-marvel", "rsl", "mbcs"])
def test_no_order_of_an_oracle_is_cheaper(finder):
    for case in pag_cases()[::6]:
        if case["n"] <= 6:
            names = [str(v) for v in range(case["n"])]
            check_against_all_orders(oracle_of(case), NeighborCount(finder), names)


def test_a_complete_finder_and_an_oracle_give_an_r_order_and_the_pag(cases):
    for case in cases[::5]:
        mag = MAG(case["mag"], [str(v) for v in range(case["n"])])
        for method in ("value-iteration", "best-first"):
            model = ROL(Exact(method)).fit(oracle_of(case))
            assert model.cost_ == mag.n_edges
            assert mag.is_r_order(model.order_)
            assert np.array_equal(model.pag_.marks, case["pag"])


@settings(max_examples=12, deadline=None)
@given(p=st.integers(8, 12), seed=st.integers(0, 10**6), n=st.sampled_from([60, 300, 2000]))
def test_the_two_methods_agree_on_data(p, seed, n):
    gaussian = random_gaussian(p, seed, n, density=0.4)
    first, second = (
        ROL(Exact(method), latents=False).fit(gaussian) for method in ("value-iteration", "best-first")
    )
    assert first.cost_ == pytest.approx(second.cost_, abs=1e-6)


@pytest.mark.slow
def test_the_two_methods_agree_on_fifteen_variables():
    gaussian = random_gaussian(15, 5, 800, density=0.3)
    models = [ROL(Exact(method), latents=False).fit(gaussian) for method in ("value-iteration", "best-first")]
    assert models[0].cost_ == pytest.approx(models[1].cost_, abs=1e-6)
    oracle = oracle_with(15, 7)
    fewest = [
        ROL(Exact(method), cost=NeighborCount("rsl")).fit(oracle).cost_
        for method in ("value-iteration", "best-first")
    ]
    assert fewest[0] == fewest[1]


def oracle_with(p, seed, hidden=0):
    generator = np.random.default_rng(seed)
    names = [f"V{i}" for i in range(p + hidden)]
    edges = [
        (names[i], names[j])
        for j in range(p + hidden)
        for i in range(j)
        if generator.random() < 2.0 / (p + hidden)
    ]
    gone = generator.choice(names, hidden, replace=False)
    return Oracle(DAG.from_edges(edges, nodes=names), hidden=[str(name) for name in gone])


def test_an_oracle_of_many_variables_is_committed_to_removable_ones():
    oracle = oracle_with(40, 3, hidden=5)
    costs = order_costs(oracle, NeighborCount("l-marvel"), 0.5, QUIET)
    order = np.random.default_rng(0).permutation(40)
    search = BestFirst(costs, order, 1e9, 1e9, Trace(Budget(), None, ""))
    assert search.run() is StopReason.PROVED
    assert search.n_subsets == 41  # one after each removal, and all at the start
    assert costs.branch().whole(search.order) == search.cost == search.lower_bound


@pytest.mark.pure
@settings(max_examples=10, deadline=None)
@given(p=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_the_lower_bound_holds_whenever_the_search_stops(p, seed):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.7)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    costs = order_costs(gaussian, EXACT, 0.05, QUIET)
    order = np.random.default_rng(seed).permutation(p)
    search = BestFirst(costs, order, costs.branch().whole(order), 1.0, Trace(Budget(), None, ""))
    assert search.lower_bound <= least + 1e-6
    search.run()
    assert search.lower_bound <= least + 1e-6
    assert search.cost >= least - 1e-6


@settings(max_examples=12, deadline=None)
@given(
    p=st.integers(6, 10),
    seed=st.integers(0, 10**6),
    density=st.sampled_from([0.2, 0.5]),
    largest=st.integers(1, 4),
)
def test_subsets_are_searched_where_blocks_are_too_small(p, seed, density, largest):
    """In larger blocks nothing would be left to search."""
    gaussian = random_gaussian(p, seed, 50 * p, density)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    costs = order_costs(gaussian, EXACT, 0.05, QUIET)
    order = np.random.default_rng(seed).permutation(p)
    first = costs.branch().whole(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LARGEST", largest)
        search = BestFirst(costs, order, first, 1e9, Trace(Budget(), None, ""))
        assert np.bincount(search.bound.block).max() <= largest
    assert search.lower_bound <= least + 1e-6
    assert search.run() is StopReason.PROVED
    assert search.cost == pytest.approx(least, abs=1e-6)
    assert costs.branch().whole(search.order) == pytest.approx(least, abs=1e-6)


@pytest.mark.pure
@settings(max_examples=12, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), largest=st.integers(1, 4), data=st.data())
def test_bounds_are_consistent_and_below_the_cost_of_every_subset(p, seed, largest, data):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.7)
    costs = order_costs(gaussian, EXACT, 0.05, QUIET).branch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LARGEST", largest)
        bound = blocks.Blocks(costs, 1e9).bound()
    within = np.array(sorted(data.draw(st.sets(st.integers(0, p - 1), min_size=1))))
    remaining = np.isin(np.arange(p), within)
    least = min(costs.window(0, np.array(order), remaining).sum() for order in permutations(within))
    n = gaussian.arrays.n_samples

    def bounds(members):
        saturated = n * np.linalg.slogdet(gaussian.correlation[np.ix_(members, members)])[1]
        return np.array([saturated, relaxed_between_blocks(bound, members, len(members))])

    here = bounds(within)
    assert (here <= least + 1e-6).all()
    steps = np.empty(len(within))
    beyond = survey_likelihood(
        bound, costs.arrays, gaussian.arrays, costs.ledger, within, len(within), remaining, steps
    )
    assert here[0] + beyond <= least + 1e-6
    for i, x in enumerate(within):
        rest = within[within != x]
        cost = costs.window(0, np.array([x]), remaining)[0]
        assert (here <= cost + bounds(rest) + 1e-6).all()
        assert steps[i] == pytest.approx(cost + bounds(rest)[0] - here[0], abs=1e-6)


def test_value_iteration_takes_over_where_the_bound_rules_little_out(monkeypatch):
    gaussian = random_gaussian(16, 2, 800, density=0.5)
    proved = ROL("exact", latents=False).fit(gaussian)
    monkeypatch.setattr(blocks, "_LARGEST", 2)
    monkeypatch.setattr(exact_search, "_SLOWER", 1 << 10)
    taken_over = []
    run = ValueIteration.run
    monkeypatch.setattr(ValueIteration, "run", lambda self: taken_over.append(1) or run(self))
    again = ROL("exact", latents=False).fit(gaussian)
    assert taken_over == [1]
    assert again.optimal_
    assert again.cost_ == pytest.approx(proved.cost_, abs=1e-6)


def test_sparse_networks_of_many_variables_are_proved_without_a_search():
    for seed in range(3):
        gaussian = random_gaussian(40, seed, 2000, density=0.02)
        model = ROL("exact", latents=False, time_limit=120).fit(gaussian)
        assert model.optimal_
        assert model.cost_ <= ROL(HillClimb(), cost=EXACT, latents=False).fit(gaussian).cost_ + 1e-6


@pytest.mark.pure
def test_layers_go_through_all_subsets_of_their_size():
    p = 7
    costs = order_costs(random_gaussian(p, 0, 200), BIC(), 0.05, QUIET)
    iteration = ValueIteration(costs, 1e9, Trace(Budget(), None, "", 2))
    order = iteration.run()
    assert sorted(order) == list(range(p))
    members, remaining = np.empty(p, np.int64), np.zeros(p, bool)
    for mask in range(1 << p):
        size = members_of(mask, p, members, remaining)
        assert (
            members[:size].tolist()
            == [i for i in range(p) if mask >> i & 1]
            == np.flatnonzero(remaining).tolist()
        )


def test_threads_columns_and_names_change_nothing():
    rows = random_rows(9, 3, 300, density=0.6)
    first = learn(rows, search="exact")
    shuffled = np.random.default_rng(1).permutation(9)
    for method in ("value-iteration", "best-first"):
        for cost in ("bic", "neighbors")[: 1 if method == "best-first" else 2]:
            one, two = (learn(rows, search=Exact(method), cost=cost, n_jobs=jobs) for jobs in (1, 2))
            assert (one.order_, one.cost_, one.pag_) == (two.order_, two.cost_, two.pag_)
    again = learn(rows[:, shuffled], search="exact")
    assert again.cost_ == first.cost_
    assert np.array_equal(again.pag_.marks, first.pag_.marks[np.ix_(shuffled, shuffled)])


@pytest.mark.pure
def test_a_users_test_is_taken_too():
    gaussian = random_gaussian(5, 3, 300, density=0.8)
    test = CallableTest(lambda x, y, given: gaussian.p_value(x, y, given), gaussian.names, 300)
    ours = ROL("exact", cost="neighbors").fit(gaussian)
    theirs = ROL("exact").fit(test)
    assert theirs.optimal_
    assert theirs.cost_ == ours.cost_


def test_the_presets_are_the_papers_settings():
    rows = random_rows(6, 1, 300, density=0.5)
    model = paper.rol_vi(rows, legal=True)
    assert model.search == Exact("value-iteration")
    assert (model.alpha, model.cost.finder, model.optimal_) == (0.01, "rsl", True)
    assert model.cost_ <= paper.rol_hc(rows, legal=True).cost_


def test_what_does_not_fit_is_refused_before_it_starts():
    rows = random_rows(34, 1, 200, density=0.1)
    started = time.monotonic()
    with pytest.raises(ParameterError, match=r"over 34 variables needs .* and may take 4 GB, enough for 29"):
        learn(rows, search="exact", cost="neighbors")
    with pytest.raises(ParameterError, match=r"enough for 29 .* use BIC\(parents='exact'\)"):
        learn(rows, search="exact", cost=BIC())
    assert time.monotonic() - started < 30
    with pytest.raises(ParameterError, match="at most 62 variables, and there are 63"):
        learn(random_rows(63, 1, 200, density=0.0), search="exact")
    with pytest.raises(ParameterError, match="method='best-first' needs a lower bound"):
        learn(rows, search=Exact("best-first"), cost="neighbors")
    for most in range(1, 30):
        assert most_variables(bytes_needed(most) / 0.75) == most


@pytest.mark.parametrize(
    "setting", [{"method": "dijkstra"}, {"memory": 0}, {"memory": "8 GB"}, {"memory": True}]
)
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(ParameterError, match=next(iter(setting))):
        Exact(**setting)


def check_unfinished(model, reason):
    assert model.stop_reason_ is reason
    assert not model.optimal_
    assert sorted(model.order_) == sorted(model.feature_names_in_)
    assert model.pag_.problems() == []


@pytest.fixture(scope="module")
def compiled():
    """Compile all that the tests of limits run, on a problem that leaves something to search."""
    rows = random_rows(8, 1, 300, density=0.5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LARGEST", 2)
        learn(rows, search=Exact("best-first"))
    for cost in ("bic", "neighbors"):
        learn(rows, search=Exact("value-iteration"), cost=cost)


def test_limits_give_the_best_order_so_far_and_what_is_proved(compiled):
    rows = random_rows(26, 1, 1000, density=0.3)
    started = time.monotonic()
    model = learn(rows, search="exact", time_limit=1.0)
    check_unfinished(model, StopReason.TIME_LIMIT)
    assert time.monotonic() - started < 5
    assert model.lower_bound_ < model.cost_ == order_cost(rows, model.order_, cost=EXACT)
    model = learn(rows, search=Exact(memory=0.004))
    check_unfinished(model, StopReason.MEMORY_LIMIT)
    assert model.lower_bound_ < model.cost_
    model = learn(rows, search=Exact("value-iteration"), cost="neighbors", time_limit=0.5)
    check_unfinished(model, StopReason.TIME_LIMIT)
    assert model.lower_bound_ is None


def test_ctrl_c_gives_the_best_order_so_far(compiled):
    rows = random_rows(26, 1, 1000, density=0.3)
    for method in ("best-first", "value-iteration"):
        with ctrl_c_after(1.0):
            model = learn(rows, search=Exact(method))
        check_unfinished(model, StopReason.INTERRUPTED)
