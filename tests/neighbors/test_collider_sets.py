"""Neighbors by sets of colliders: by definition on data, and all of them with an oracle."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import oracle_of, random_gaussian, random_oracle
from rolearn import MAG, ROL, CallableTest, Exact, HillClimb, NeighborCount
from rolearn.orders.cost import order_costs

ALPHA = 0.05
MBCS = NeighborCount("mbcs")


def removals_of(statistics, order, finder="mbcs"):
    costs = order_costs(statistics, NeighborCount(finder), ALPHA, np.zeros(1, np.uint8))
    return list(costs.removals(np.array(order)))


def p_value(statistics, x, y, members):
    names = statistics.names
    return statistics.p_value(names[x], names[y], [names[m] for m in members])


def fewest_colliders(gaussian, x, y, boundary):
    """By the definition: the smallest set of what y depends on, given all others, that has to be left out."""
    closed = {x, *boundary}
    shared = [z for z in boundary if z != y and p_value(gaussian, y, z, sorted(closed - {y, z})) <= ALPHA]
    for count in range(1, len(shared) + 1):
        tries = {}
        for colliders in combinations(shared, count):
            kept = tuple(z for z in shared if z not in colliders)
            tries[kept] = p_value(gaussian, x, y, kept)
        best = max(tries, key=tries.get)
        if tries[best] > ALPHA:
            return best, tries[best]
    return None


@pytest.mark.pure
@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6))
def test_the_fewest_colliders_are_left_out(p, seed):
    gaussian = random_gaussian(p, seed, density=0.6)
    removal = removals_of(gaussian, range(p))[0]
    separated = {y: (members, p) for y, members, p in removal.separations}
    for y in removal.boundary:
        expected = fewest_colliders(gaussian, 0, y, removal.boundary)
        assert (y in removal.neighbors) == (expected is None)
        if expected is not None:
            assert separated[y] == (expected[0], pytest.approx(expected[1], abs=1e-9))


def separable(oracle, x, y, others):
    return any(
        p_value(oracle, x, y, given) == 1.0
        for count in range(len(others) + 1)
        for given in combinations(others, count)
    )


@pytest.mark.pure
@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 5), hidden=st.integers(0, 4), seed=st.integers(0, 10**6), data=st.data())
def test_with_an_oracle_neighbors_are_those_that_nothing_among_what_remains_separates(p, hidden, seed, data):
    """Whatever the order: none is missed and none too many, hidden variables or not."""
    oracle, _, _ = random_oracle(p, hidden, seed, density=0.5)
    order = data.draw(st.permutations(range(p)))
    for t, removal in enumerate(removals_of(oracle, order)):
        remaining = order[t + 1 :]
        x = removal.variable
        expected = {y for y in remaining if not separable(oracle, x, y, [z for z in remaining if z != y])}
        assert set(removal.neighbors) == expected
        for y, members, _ in removal.separations:
            assert p_value(oracle, x, y, members) == 1.0
            assert set(members) <= set(removal.boundary) - {y}


@pytest.mark.pure
@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 7), hidden=st.integers(0, 3), seed=st.integers(0, 10**6))
def test_its_recursive_order_is_an_r_order_and_gives_the_pag(p, hidden, seed):
    oracle, dag, unseen = random_oracle(p, hidden, seed)
    mag = dag.project(hidden=unseen)
    model = ROL("recursive", cost=MBCS).fit(oracle)
    assert mag.is_r_order(model.order_)
    assert model.pag_ == mag.pag()
    assert model.cost_ == mag.n_edges


def test_compiled_it_gives_the_same(cases):
    for case in cases[::9]:
        oracle = oracle_of(case)
        order = np.random.default_rng(case["id"]).permutation(case["n"])
        assert [r.neighbors for r in removals_of(oracle, order)] == [
            r.neighbors for r in removals_of(oracle, order, "l-marvel")
        ]
        model = ROL(HillClimb(max_iter=None), cost=MBCS).fit(oracle)
        assert np.array_equal(model.pag_.marks, case["pag"])
        assert MAG(case["mag"], [str(v) for v in range(case["n"])]).is_r_order(model.order_)


@pytest.mark.parametrize("search", ["hill-climb", "recursive", Exact("value-iteration")], ids=str)
def test_a_callable_that_answers_as_fisher_z_gives_the_same_model(search):
    gaussian = random_gaussian(6, 11, density=0.6)
    gaussian = gaussian.arranged(gaussian.canonical_order())  # that of a callable is the one given
    asked = CallableTest(gaussian.p_value, gaussian.names)
    ours, theirs = (ROL(search, cost=MBCS).fit(statistics) for statistics in (gaussian, asked))
    assert theirs.graph_ == ours.graph_
    assert theirs.cost_ == ours.cost_
    assert theirs.order_ == ours.order_
