"""Theorems 1 and 2 of the paper and what it claims of finders and costs, from the oracle alone."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import oracle_of, pag_cases, random_gaussian
from rolearn import MAG, NeighborCount, order_cost
from rolearn.neighbors.ledger import distinct
from rolearn.orders.cost import order_costs

SMALL = [case for case in pag_cases() if case["n"] <= 5]
LARGE = [case for case in pag_cases() if case["n"] > 5]


def graph_of(costs, order) -> np.ndarray:
    """Algorithm 1."""
    skeleton = np.zeros((len(order), len(order)), bool)
    for removal in costs.branch().removals(np.array(order)):
        neighbors = list(removal.neighbors)
        skeleton[removal.variable, neighbors] = skeleton[neighbors, removal.variable] = True
    return skeleton


def costs_of(case, finder):
    return order_costs(oracle_of(case), NeighborCount(finder), 0.05, np.zeros(1, np.uint8))


@pytest.mark.slow
@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"case {case['id']}")
def test_r_orders_give_the_skeleton_and_all_others_strict_supergraphs(case):
    skeleton = np.array(case["mag"]) != 0
    r_orders = set(map(tuple, case["r_orders"]))
    complete, rsl = costs_of(case, "l-marvel"), costs_of(case, "rsl")
    for order in permutations(range(case["n"])):
        found = graph_of(complete, order)
        assert not (skeleton & ~found).any()
        assert (found.sum() == skeleton.sum()) == (order in r_orders)
        if order in r_orders:
            assert not (skeleton & ~graph_of(rsl, order)).any(), "rsl misses no edge on an r-order"


@pytest.mark.slow
@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"case {case['id']}")
def test_the_cheapest_orders_are_the_r_orders(case):
    costs = costs_of(case, "l-marvel")
    by_cost: dict[float, set] = {}
    for order in permutations(range(case["n"])):
        by_cost.setdefault(costs.whole(np.array(order)), set()).add(order)
    assert by_cost[min(by_cost)] == set(map(tuple, case["r_orders"]))


@pytest.mark.parametrize("case", LARGE[::3], ids=lambda case: f"case {case['id']}")
def test_orders_of_larger_graphs_give_the_skeleton_exactly_if_they_are_r_orders(case):
    mag = MAG(case["mag"], [str(v) for v in range(case["n"])])
    costs = costs_of(case, "l-marvel")
    generator = np.random.default_rng(case["id"])
    for _ in range(15):
        order = generator.permutation(case["n"])
        found = graph_of(costs, order)
        assert not (mag.skeleton & ~found).any()
        is_r_order = mag.is_r_order([str(v) for v in order])
        assert np.array_equal(found, mag.skeleton) == is_r_order


@pytest.mark.pure
@settings(max_examples=20, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_local_costs_ask_no_more_tests_than_their_boundaries_allow(p, seed, data):
    """C.4, as the errata have it: |Mb| (|Mb| - 1) tests for rsl."""
    order = np.array(data.draw(st.permutations(range(p))))
    costs = order_costs(random_gaussian(p, seed), NeighborCount("rsl"), 0.05, np.zeros(1, np.uint8))
    sizes = [len(removal.boundary) for removal in costs.removals(order)]
    assert distinct([costs.asked()]) <= sum(size * (size - 1) for size in sizes)


@pytest.mark.pure
@settings(max_examples=20, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_the_cost_of_an_order_is_the_number_of_edges_of_its_graph(p, seed, data):
    gaussian = random_gaussian(p, seed)
    order = data.draw(st.permutations(gaussian.names))
    for finder in ("rsl", "l-marvel", "mbcs"):
        cost = NeighborCount(finder)
        costs = order_costs(gaussian, cost, 0.05, np.zeros(1, np.uint8))
        edges = graph_of(costs, [gaussian.names.index(name) for name in order]).sum() / 2
        assert order_cost(gaussian, order, cost) == edges
