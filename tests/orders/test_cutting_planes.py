"""Cutting planes: the inequalities hold for DAGs, families are all found, and what is proved holds."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import BIC, ROL, Exact, NeighborCount, ParameterError, StopReason
from rolearn.neighbors.subsets import new_subset_room
from rolearn.orders import cutting_planes, exact_search
from rolearn.orders.cost import order_costs
from rolearn.orders.cuts import Choice, Cluster, Covariance, broken_clusters, implied, sharpened, triangulated
from rolearn.orders.cutting_planes import CuttingPlanes
from rolearn.orders.family_kernels import CELLS, DONE, FOUND, FULL, Prices, list_families, reach
from rolearn.orders.family_program import FamilyProgram
from rolearn.orders.family_search import FamilySearch
from rolearn.orders.precedence import allowed_order, is_allowed
from rolearn.orders.progress import Trace
from rolearn.orders.value_iteration import ValueIteration
from rolearn.orders.warm_program import StuckError, WarmProgram, can_cut
from rolearn.runtime.budget import Budget

pytestmark = pytest.mark.skipif(not can_cut(), reason="highspy, the solver, is not installed")

QUIET = np.zeros(1, np.uint8)
EXACT = BIC(parents="exact")


def random_dag_masks(p, generator, density):
    order = generator.permutation(p)
    masks = np.zeros(p, np.int64)
    for i, v in enumerate(order):
        masks[v] = sum(1 << int(y) for y in order[:i] if generator.random() < density)
    return masks, order


def random_correlation(p, generator):
    deep = generator.standard_normal((p, p + 2))
    matrix = deep @ deep.T
    deviation = np.sqrt(np.diag(matrix))
    return matrix / np.outer(deviation, deviation)


def random_choice(p, generator):
    """Two random choices of parents, cyclic in general, in the mean."""
    variables, masks, weights = [], [], []
    for v in range(p):
        for weight in (0.3, 0.7):
            mask = int(generator.integers(1 << p)) & ~(1 << v)
            variables.append(v)
            masks.append(mask)
            weights.append(weight)
    return Choice(np.array(variables), np.array(masks, np.int64), np.array(weights))


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6), density=st.sampled_from([0.2, 0.5, 1.0]))
def test_every_dag_satisfies_every_cut(p, seed, density):
    generator = np.random.default_rng(seed)
    masks, _ = random_dag_masks(p, generator, density)
    everyone = np.arange(p)
    for mask in range(1, 1 << p):
        cut = Cluster(mask)
        assert cut.coefficients(everyone, masks).sum() >= cut.least
    cut = Covariance(random_correlation(p, generator))
    assert cut.coefficients(everyone, masks).sum() >= cut.least - 1e-9


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), density=st.sampled_from([0.3, 0.7]))
def test_the_covariance_that_a_dag_implies_is_sharp_at_it(p, seed, density):
    generator = np.random.default_rng(seed)
    masks, order = random_dag_masks(p, generator, density)
    parents = {v: [y for y in range(p) if masks[v] >> y & 1] for v in range(p)}
    cut = Covariance(implied(random_correlation(p, generator), parents, order.tolist()))
    assert cut.coefficients(np.arange(p), masks).sum() == pytest.approx(cut.least, abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6))
def test_clusters_said_to_be_broken_are_and_sharpening_breaks_more(p, seed):
    generator = np.random.default_rng(seed)
    choice = random_choice(p, generator)

    def lacking(cut):
        return cut.least - float(cut.coefficients(choice.variables, choice.masks) @ choice.weights)

    for cluster in broken_clusters(choice, p):
        assert lacking(cluster) > 0.0
    start = random_correlation(p, generator)
    matrix, broken = sharpened(choice, start)
    if matrix is not None:
        assert broken == pytest.approx(lacking(Covariance(matrix)), abs=1e-6)
        assert broken >= lacking(Covariance(start)) - 1e-9


@pytest.mark.pure
@settings(max_examples=20, deadline=None)
@given(p=st.integers(1, 9), seed=st.integers(0, 10**6), density=st.sampled_from([0.3, 0.8]))
def test_a_triangulated_moral_graph_has_no_open_collider(p, seed, density):
    generator = np.random.default_rng(seed)
    masks, _ = random_dag_masks(p, generator, density)
    parents, order = triangulated({v: [y for y in range(p) if masks[v] >> y & 1] for v in range(p)}, p)
    place = {v: i for i, v in enumerate(order)}
    joined = {frozenset((v, y)) for v, given_ in parents.items() for y in given_}
    for v, given_ in parents.items():
        assert all(place[y] < place[v] for y in given_)
        assert all(frozenset(pair) in joined for pair in combinations(given_, 2))
    for v in range(p):
        family = [v, *(y for y in range(p) if masks[v] >> y & 1)]
        assert all(frozenset(pair) in joined for pair in combinations(family, 2))


def useful_sets(score, x):
    """Give the cost of each parent set of x that is cheaper than all its subsets, from all subsets."""
    p = len(score.correlation)
    others, best, useful = [y for y in range(p) if y != x], {}, {}
    for size in range(p):
        for chosen in combinations(others, size):
            mask, members = sum(1 << y for y in chosen), [*chosen, x]
            share = np.linalg.inv(score.correlation[np.ix_(members, members)])[-1, -1]
            cost = score.threshold * size - score.n_samples * np.log(share)
            least = min((best[mask & ~(1 << y)] for y in chosen), default=np.inf)
            best[mask] = min(cost, least)
            if cost < least - 1e-6:
                useful[mask] = cost
    return useful


@settings(max_examples=25, deadline=None)
@given(
    p=st.integers(2, 8),
    seed=st.integers(0, 10**6),
    level=st.sampled_from([5.0, 60.0, 1e9]),
    room_for=st.sampled_from([3, 1000]),
    patience=st.sampled_from([2, -1]),
    knows=st.booleans(),
)
def test_families_up_to_a_reduced_cost_are_those_of_all_subsets(p, seed, level, room_for, patience, knows):
    generator = np.random.default_rng(seed)
    score = EXACT.score(random_gaussian(p, seed, 60 * p, density=0.6))
    paid = Prices(
        np.array([score.correlation, random_correlation(p, generator)]),
        np.array([0.6, 0.3]),
        np.array([3, (1 << p) - 1], np.int64),
        np.array([20.0, 7.0]),
    )
    x = int(generator.integers(p))
    before = int(generator.integers(1 << p)) & ~(1 << x) if knows else 0
    expected = {}
    for mask, cost in useful_sets(score, x).items():
        expected[mask] = cost - reach(paid, score.n_samples, x, mask | before)
    level += min(expected.values())
    cells, counts = np.zeros((200, 2), np.int64), np.zeros(2, np.int64)
    cells[0, 1], counts[CELLS] = 1 << x, 1
    found, why = {}, FULL
    while why == FULL:
        counts[FOUND] = 0
        masks, values = np.empty(room_for, np.int64), np.empty((room_for, 2))
        why = list_families(
            score,
            paid,
            x,
            before,
            level,
            patience,
            new_subset_room(score),
            QUIET,
            cells,
            masks,
            values,
            counts,
        )
        found.update(zip(masks[: counts[FOUND]].tolist(), values[: counts[FOUND], 1].tolist(), strict=True))
    assert why == DONE
    assert set(found) == {mask for mask, reduced in expected.items() if reduced <= level}
    assert all(found[mask] == pytest.approx(expected[mask], abs=1e-6) for mask in found)


@settings(max_examples=10, deadline=None)
@given(p=st.integers(8, 12), seed=st.integers(0, 10**6), n=st.sampled_from([60, 300, 2000]))
def test_cutting_planes_agree_with_value_iteration(p, seed, n):
    gaussian = random_gaussian(p, seed, n, density=0.3)
    first, second = (
        ROL(Exact(method), latents=False).fit(gaussian) for method in ("value-iteration", "cutting-planes")
    )
    assert second.optimal_
    assert first.cost_ == pytest.approx(second.cost_, abs=1e-4)


def search_of(gaussian, seed, memory=1e9, budget=None):
    """Start from a poor order."""
    budget = budget or Budget()
    costs = order_costs(gaussian, EXACT, 0.05, budget.signal)
    order = np.random.default_rng(seed).permutation(len(gaussian.names))
    return CuttingPlanes(costs, order, costs.branch().whole(order), memory, Trace(budget, None, ""))


@settings(max_examples=10, deadline=None)
@given(p=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_from_a_poor_order_the_cheapest_is_found(p, seed):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.5)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    search = search_of(gaussian, seed)
    assert search.run() is StopReason.PROVED
    assert search.cost == pytest.approx(least, abs=1e-4)
    assert search.costs.whole(search.order) == pytest.approx(search.cost, abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(p=st.integers(4, 9), seed=st.integers(0, 10**6))
def test_the_bound_holds_when_memory_is_up(p, seed):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.7)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    search = search_of(gaussian, seed, memory=1.0)
    assert search.run() in (StopReason.MEMORY_LIMIT, StopReason.PROVED)  # none new, and none is needed
    assert search.lower_bound <= least + 1e-4
    assert search.cost >= least - 1e-6


@settings(max_examples=10, deadline=None)
@given(p=st.integers(4, 9), seed=st.integers(0, 10**6), calls=st.integers(1, 30))
def test_the_bound_holds_whenever_time_is_up(p, seed, calls):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.7)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    budget, left = Budget(), [calls]
    search = search_of(gaussian, seed, budget=budget)

    def solve(self, families, solve=FamilyProgram.solve):
        left[0] -= 1
        if not left[0]:
            budget.raise_signal(StopReason.TIME_LIMIT)
        return solve(self, families)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FamilyProgram, "solve", solve)
        reason = search.run()
    assert reason is (StopReason.PROVED if left[0] > 0 else StopReason.TIME_LIMIT)
    assert search.lower_bound <= least + 1e-4
    assert search.cost >= least - 1e-6


def give_up(program):
    raise StuckError


def test_a_solver_that_gives_up_ends_the_search_with_a_bound(monkeypatch):
    monkeypatch.setattr(WarmProgram, "solve", give_up)
    gaussian = random_gaussian(8, 3, 500, density=0.5)
    model = ROL(Exact("cutting-planes"), latents=False).fit(gaussian)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian).cost_
    assert model.stop_reason_ is StopReason.SOLVER
    assert not model.optimal_
    assert model.lower_bound_ <= least + 1e-4


def test_value_iteration_follows_a_solver_that_gives_up(monkeypatch):
    monkeypatch.setattr(WarmProgram, "solve", give_up)
    monkeypatch.setattr(exact_search, "_FEW", 5)
    monkeypatch.setattr(exact_search.BestFirst, "run", lambda search, most: StopReason.MEMORY_LIMIT)
    model = ROL("exact", latents=False).fit(random_gaussian(8, 3, 500, density=0.5))
    assert model.optimal_


def test_a_raised_signal_ends_the_search_with_a_bound():
    gaussian = random_gaussian(10, 3, 500, density=0.5)
    budget = Budget()
    search = search_of(gaussian, 1, budget=budget)
    budget.raise_signal(StopReason.TIME_LIMIT)
    assert search.run() is StopReason.TIME_LIMIT
    assert search.lower_bound <= search.cost


@pytest.mark.slow
def test_columns_in_another_order_give_the_same():
    rows = np.random.default_rng(4).multivariate_normal(
        np.zeros(6), random_correlation(6, np.random.default_rng(5)), 400
    )
    order = np.random.default_rng(6).permutation(6)
    names = np.array([f"V{i}" for i in range(6)])
    first, second = (
        ROL(Exact("cutting-planes"), latents=False).fit(rows[:, columns]) for columns in (np.arange(6), order)
    )
    assert first.cost_ == second.cost_
    assert [names[int(name[1:]) - 1] for name in first.order_] == [
        names[order[int(name[1:]) - 1]] for name in second.order_
    ]


@pytest.mark.slow
def test_a_time_limit_is_kept():
    gaussian = random_gaussian(30, 2, 1500, density=0.1)
    ROL(Exact("cutting-planes"), latents=False, time_limit=60).fit(random_gaussian(6, 1, 300, density=0.5))
    started = time.monotonic()
    model = ROL(Exact("cutting-planes"), latents=False, time_limit=1.0).fit(gaussian)
    assert time.monotonic() - started < 5.0
    assert model.lower_bound_ <= model.cost_


@pytest.mark.slow
def test_auto_goes_on_with_cutting_planes(monkeypatch):
    gaussian = random_gaussian(7, 8, 700, density=0.4)
    least = ROL(Exact("value-iteration"), latents=False).fit(gaussian)
    monkeypatch.setattr(exact_search, "_FEW", 5)
    monkeypatch.setattr(exact_search.BestFirst, "run", lambda search, most: StopReason.MEMORY_LIMIT)
    ran = []
    monkeypatch.setattr(
        cutting_planes.CuttingPlanes,
        "_start",
        lambda self, start=CuttingPlanes._start: ran.append(start(self)),
    )
    model = ROL("exact", latents=False).fit(gaussian)
    assert ran
    assert model.optimal_
    assert model.cost_ == pytest.approx(least.cost_, abs=1e-4)


@settings(max_examples=15, deadline=None)
@given(p=st.integers(2, 9), seed=st.integers(0, 10**6), density=st.sampled_from([0.1, 0.4]))
def test_orders_that_knowledge_rules_out_are_not_among_those_compared(p, seed, density):
    generator = np.random.default_rng(seed)
    gaussian = random_gaussian(p, seed, 50 * p, density=0.5)
    place = generator.permutation(p)
    known = (generator.random((p, p)) < density) & (place[:, None] < place)
    precedence = known.astype(np.int8) - known.T.astype(np.int8)
    budget = Budget()
    costs = order_costs(gaussian, EXACT, 0.05, budget.signal, precedence=precedence)
    least = ValueIteration(costs, 1e9, Trace(budget, None, "")).run()
    order = allowed_order(generator.permutation(p), precedence)
    search = CuttingPlanes(costs, order, costs.branch().whole(order), 1e9, Trace(budget, None, ""))
    assert search.run() is StopReason.PROVED
    assert is_allowed(search.order, precedence)
    assert search.cost == pytest.approx(costs.branch().whole(least), abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6), threads=st.sampled_from([1, 3]))
def test_looking_in_turn_finds_what_looking_at_once_does(p, seed, threads):
    score = EXACT.score(random_gaussian(p, seed, 60 * p, density=0.6))
    paid = Prices(np.array([score.correlation]), np.array([0.8]), np.array([3], np.int64), np.array([9.0]))
    nobody, level = np.zeros(p, np.int64), np.full(p, 40.0)
    found = {}
    for cells in (3, 10**6):
        search = FamilySearch(score, QUIET, nobody, threads)
        found[cells] = set()
        for families in search.rounds(paid, level, nobody, cells):
            found[cells] |= set(zip(families.variables.tolist(), families.masks.tolist(), strict=True))
    assert found[3] == found[10**6]
    assert len(found[3]) >= p


def test_without_the_solver_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(exact_search, "can_cut", lambda: False)
    with pytest.raises(ParameterError, match=r"rolearn\[exact\]"):
        ROL(Exact("cutting-planes"), latents=False).fit(random_gaussian(5, 1, 300, density=0.5))


def test_cutting_planes_need_exact_parents():
    gaussian = random_gaussian(5, 1, 300, density=0.5)
    for cost in (NeighborCount("rsl"), BIC()):
        with pytest.raises(ParameterError, match="cutting-planes"):
            ROL(Exact("cutting-planes"), cost=cost).fit(gaussian)
