import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import HillClimb, NeighborCount, ParameterError, StopReason
from rolearn.orders.cost import order_costs
from rolearn.orders.progress import Trace
from rolearn.orders.start import STARTS, initial_order
from rolearn.runtime.budget import Budget

pytestmark = pytest.mark.pure


def costs_of(gaussian, finder="rsl"):
    return order_costs(gaussian, NeighborCount(finder), 0.05, np.zeros(1, np.uint8))


def plain_hill_climb(costs, order, max_swap, max_iter):
    """Algorithm 2 word for word: whole costs, and all swaps from the first after each that helps."""
    order, cost = order.copy(), costs.whole(order)
    trail = [cost]
    for _ in range(max_iter):
        for a in range(len(order)):
            for b in range(a + 1, min(a + max_swap, len(order) - 1) + 1):
                swapped = order.copy()
                swapped[[a, b]] = swapped[[b, a]]
                if costs.whole(swapped) < cost:
                    break
            else:
                continue
            break
        else:
            break
        order, cost = swapped, costs.whole(swapped)
        trail.append(cost)
    return order, trail


@settings(max_examples=12, deadline=None)
@given(
    p=st.integers(2, 9),
    seed=st.integers(0, 10**6),
    max_swap=st.integers(1, 4),
    max_iter=st.integers(0, 12),
    start=st.sampled_from(STARTS),
)
def test_climbing_by_windows_makes_the_swaps_of_the_plain_algorithm(p, seed, max_swap, max_iter, start):
    costs = costs_of(random_gaussian(p, seed, density=0.7))
    search = HillClimb(max_swap, max_iter, start)
    first = initial_order(costs.branch(), start, "auto", np.random.default_rng(seed))
    found = search.run(costs, Trace(Budget(), None, ""), np.random.default_rng(seed))
    order, trail = plain_hill_climb(costs, first, max_swap, max_iter)
    assert found.order.tolist() == order.tolist()
    assert [cost for _, cost in found.trace] == trail
    assert found.cost == costs.whole(found.order) == trail[-1]


@pytest.mark.parametrize("seed", range(4))
def test_many_moves_go_back_past_the_positions_that_are_held(seed):
    """Moves one after another take the climb back further than it keeps boundaries for."""
    costs = costs_of(random_gaussian(24, seed, density=0.3))
    search = HillClimb(max_swap=3, max_iter=None, start="random")
    found = search.run(costs, Trace(Budget(), None, ""), np.random.default_rng(2))
    assert len(found.trace) > 8
    assert found.stop_reason is StopReason.CONVERGED
    order = initial_order(costs.branch(), "random", "auto", np.random.default_rng(2))
    order, trail = plain_hill_climb(costs, order, 3, 1000)
    assert found.order.tolist() == order.tolist()
    assert [cost for _, cost in found.trace] == trail


@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6), data=st.data())
def test_the_cost_of_a_window_is_that_part_of_the_whole(p, seed, data):
    """Algorithm 3, started from the variables still there."""
    costs = costs_of(random_gaussian(p, seed, density=0.7))
    order = np.array(data.draw(st.permutations(range(p))), np.int64)
    start = data.draw(st.integers(0, p - 1))
    whole = costs.window(0, order, np.ones(p, bool))
    branch = costs.branch(slots=2)
    remaining = np.ones(p, bool)
    from rolearn.neighbors.boundary_kernels import advance

    for t in range(start):
        advance(branch.arrays.boundaries, 1, 1, order[t])
        remaining[order[t]] = False
    left = remaining.copy()
    window = branch.window(1, order[start:], remaining)
    assert window.tolist() == whole[start:].tolist()
    assert remaining.tolist() == left.tolist()


@pytest.mark.parametrize(
    ("first", "further"),
    [
        ("recursive", "scattered"),
        ("scattered", "scattered"),
        ("boundary-size", "random"),
        ("random", "random"),
    ],
)
def test_further_starts_follow_the_first(first, further):
    searches = HillClimb(start=first, kicks=3).starts(3)
    assert [search.start for search in searches] == [first, further, further]
    assert {search.kicks for search in searches} == {3}


def test_why_it_stopped_is_said():
    costs = costs_of(random_gaussian(9, 4, density=0.7))
    one_move = HillClimb(max_iter=1, start="random")
    assert one_move.run(costs, Trace(Budget(), None, ""), np.random.default_rng(3)).stop_reason is (
        StopReason.MOVE_LIMIT
    )
    no_limit = HillClimb(max_iter=None, start="random")
    assert no_limit.run(costs, Trace(Budget(), None, ""), np.random.default_rng(3)).stop_reason is (
        StopReason.CONVERGED
    )


@pytest.mark.parametrize(
    "setting",
    [
        {"max_swap": 0},
        {"max_swap": 2.5},
        {"max_iter": -1},
        {"max_iter": "many"},
        {"start": "best"},
        {"removability": "pc"},
    ],
)
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(ParameterError, match=next(iter(setting))):
        HillClimb(**setting)
