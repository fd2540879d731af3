"""Orders that knowledge allows: every search keeps to them, and the exact one finds the cheapest of them."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import oracle_of, pag_cases, random_gaussian
from needs import needs
from rolearn import BIC, ROL, Exact, HillClimb, Knowledge, NeighborCount, PolicyGradient, StopReason
from rolearn.orders.cost import order_costs
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.precedence import allowed_order, is_allowed, may_leave, predecessors, successors
from rolearn.orders.start import STARTS, initial_order

QUIET = np.zeros(1, np.uint8)
EXACT = BIC(parents="exact")


def drawn_precedence(p, generator, density=0.3):
    """Some pairs of a random order, so that it can be kept to."""
    before = np.triu(generator.random((p, p)) < density, 1)
    mixed = generator.permutation(p)
    before = before[np.ix_(mixed, mixed)]
    return before.astype(np.int8) - before.T.astype(np.int8)


def drawn_knowledge(names, generator):
    """Tiers with some variables left out, and a required cause or two between tiers."""
    tier = generator.integers(-1, 3, len(names))
    tiers = [[names[i] for i in np.flatnonzero(tier == k)] for k in range(3)]
    required = [(a, b) for a in tiers[0][:1] for b in tiers[2][:1]]
    free = [names[i] for i in np.flatnonzero(tier < 0)]
    return Knowledge(tiers=tiers, required=required + [(a, b) for a in free[:1] for b in tiers[1][:1]])


def keeps_to(order, knowledge):
    place = {name: i for i, name in enumerate(order)}
    for earlier, names in enumerate(knowledge.tiers):
        for later in knowledge.tiers[earlier + 1 :]:
            if any(place[a] < place[b] for a in names for b in later):
                return False
    return all(place[b] < place[a] for a, b in knowledge.required)


@pytest.mark.pure
@given(p=st.integers(1, 12), seed=st.integers(0, 10**6))
def test_an_order_is_repaired_only_where_it_must_be(p, seed):
    generator = np.random.default_rng(seed)
    precedence, order = drawn_precedence(p, generator), generator.permutation(p)
    found = allowed_order(order, precedence)
    assert sorted(found) == list(range(p))
    assert is_allowed(found, precedence)
    assert allowed_order(found, precedence) is found
    assert is_allowed(order, 0 * precedence)
    pairs = [(i, j) for i in range(p) for j in range(i + 1, p)]
    assert is_allowed(order, precedence) == all(precedence[order[i], order[j]] >= 0 for i, j in pairs)


@pytest.mark.pure
@given(p=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_who_may_leave(p, seed):
    generator = np.random.default_rng(seed)
    precedence, remaining = drawn_precedence(p, generator), generator.random((4, p)) < 0.7
    for here, free in zip(remaining, may_leave(remaining, precedence), strict=True):
        mask = sum(1 << int(y) for y in np.flatnonzero(here))
        for x in range(p):
            assert free[x] == (here[x] and not any(here[y] and precedence[y, x] > 0 for y in range(p)))
            assert free[x] == (here[x] and predecessors(precedence)[x] & mask == 0)
            assert successors(precedence)[x] == sum(1 << y for y in range(p) if precedence[x, y] > 0)


@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 12), seed=st.integers(0, 10**6), start=st.sampled_from(STARTS))
def test_initial_orders_are_allowed(p, seed, start):
    generator = np.random.default_rng(seed)
    precedence = drawn_precedence(p, generator)
    costs = order_costs(random_gaussian(p, seed, 200), NeighborCount("rsl"), 0.05, QUIET, precedence)
    assert is_allowed(initial_order(costs, start, "auto", generator), precedence)


@settings(max_examples=20, deadline=None)
@given(p=st.integers(3, 12), seed=st.integers(0, 10**6))
def test_insertions_and_kicks_keep_to_precedence_and_to_costs(p, seed):
    generator = np.random.default_rng(seed)
    precedence = drawn_precedence(p, generator)
    gaussian = random_gaussian(p, seed, 200)
    costs = order_costs(gaussian, BIC(), 0.05, QUIET, precedence)
    order = allowed_order(generator.permutation(p), precedence)
    climb = InsertionClimb(BIC().score(gaussian), order, generator, QUIET, precedence)
    climb.descend()
    for _ in climb.kicks(6):
        assert is_allowed(climb.order, precedence)
        assert climb.cost == costs.branch().whole(climb.order)
    assert is_allowed(climb.drift(), precedence)
    x = int(generator.integers(p))  # no place that x may go to is cheaper
    climb.descend()
    for to in range(p):
        other = np.insert(np.delete(climb.order, climb.standing.place[x]), to, x)
        if is_allowed(other, precedence):
            assert costs.branch().whole(other) >= climb.cost - 1e-3


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")  # made-up knowledge contradicts the data
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"search": HillClimb(start="random"), "n_starts": 3},
        {"search": "recursive"},
        {"cost": "neighbors"},
        {"cost": NeighborCount("l-marvel"), "search": HillClimb(max_swap=4, max_iter=None)},
        {"cost": BIC(parents="exact")},
        {"search": "exact"},
        {"search": "exact", "cost": "neighbors"},
        {"latents": False},
    ],
    ids=str,
)
@settings(max_examples=5, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6))
def test_searches_keep_to_knowledge(parameters, p, seed):
    generator = np.random.default_rng(seed)
    gaussian = random_gaussian(p, seed, 200)
    knowledge = drawn_knowledge(gaussian.names, generator)
    model = ROL(knowledge=knowledge, **parameters).fit(gaussian)
    assert keeps_to(model.order_, knowledge)


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
@needs("torch")
@pytest.mark.parametrize("state", ["remaining", "statistics"])
def test_policies_keep_to_knowledge(state):
    gaussian = random_gaussian(6, 3, 200)
    knowledge = drawn_knowledge(gaussian.names, np.random.default_rng(3))
    search = PolicyGradient(state=state, polish=False, warm_start=False, max_iter=3, batch_size=8)
    assert keeps_to(ROL(search, knowledge=knowledge).fit(gaussian).order_, knowledge)


def check_exact(statistics, cost, precedence, knowledge):
    p = len(statistics.names)
    costs = order_costs(statistics, cost, 0.05, QUIET)
    allowed = [np.array(o) for o in permutations(range(p)) if is_allowed(np.array(o), precedence)]
    least = min(costs.branch().whole(order) for order in allowed)
    bounded = cost == EXACT or not statistics.n_samples
    for method in ("auto", "value-iteration", *(["best-first"] if bounded else [])):
        model = ROL(Exact(method), cost=cost, knowledge=knowledge).fit(statistics)
        assert model.cost_ == pytest.approx(least, abs=1e-6)
        assert model.stop_reason_ is StopReason.PROVED
        assert keeps_to(model.order_, knowledge)


def tiered(names, precedence):
    """Each pair of a precedence as a required cause."""
    return Knowledge(required=[(names[y], names[x]) for x, y in np.argwhere(precedence > 0)])


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
@pytest.mark.parametrize("cost", [EXACT, BIC(), NeighborCount("rsl")], ids=str)
@settings(max_examples=6, deadline=None)
@given(p=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_exact_search_finds_the_cheapest_order_allowed(cost, p, seed):
    gaussian = random_gaussian(p, seed, 100, density=0.7)
    gaussian = gaussian.arranged(gaussian.canonical_order())
    precedence = drawn_precedence(p, np.random.default_rng(seed))
    check_exact(gaussian, cost, precedence, tiered(gaussian.names, precedence))


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
@pytest.mark.parametrize("case", pag_cases()[::25], ids=lambda case: f"case {case['id']}")
def test_exact_search_with_an_oracle_that_knowledge_need_not_agree_with(case):
    oracle = oracle_of(case)
    oracle = oracle.arranged(oracle.canonical_order())
    precedence = drawn_precedence(case["n"], np.random.default_rng(case["id"]))
    if case["n"] <= 6:
        check_exact(oracle, NeighborCount("l-marvel"), precedence, tiered(oracle.names, precedence))
