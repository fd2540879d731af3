"""Branch and bound over listed families: it finds the cheapest DAG, and drops no family of a cheaper one."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import BIC
from rolearn.orders import family_branching, family_program
from rolearn.orders.cost import order_costs
from rolearn.orders.cutting_planes import CuttingPlanes
from rolearn.orders.family_branching import branch
from rolearn.orders.progress import Trace
from rolearn.orders.value_iteration import ValueIteration
from rolearn.orders.warm_program import can_cut
from rolearn.runtime.budget import Budget

pytestmark = pytest.mark.skipif(not can_cut(), reason="highspy, the solver, is not installed")


def listed(gaussian, seed):
    """Start from a poor order, with the first cuts and all families."""
    budget, p = Budget(), len(gaussian.names)
    costs = order_costs(gaussian, BIC(parents="exact"), 0.05, budget.signal)
    order = np.random.default_rng(seed).permutation(p)
    planes = CuttingPlanes(costs, order, costs.branch().whole(order), 1e9, Trace(budget, None, ""))
    planes._start()
    program = planes.program
    there = set(zip(program.variables.tolist(), program.masks.tolist(), strict=True))
    families = [
        (v, sum(1 << y for y in chosen))
        for v in range(p)
        for size in range(p)
        for chosen in combinations([y for y in range(p) if y != v], size)
    ]
    more = [family for family in families if family not in there]
    if more:
        variables, masks = np.array(more, np.int64).T
        program.add_families(variables, masks, np.array([planes._cost_of(v, mask) for v, mask in more]))
    return planes


def cheapest_with_each(program):
    """Give the cost of the cheapest DAG that each family is in, from all orders."""
    cheapest = np.full(len(program.costs), np.inf)
    for order in permutations(range(program.p)):
        fits = np.zeros(len(program.costs), bool)
        least, earlier = np.zeros(program.p), 0
        for v in order:
            of_v = (program.variables == v) & (program.masks & ~np.int64(earlier) == 0)
            least[v] = program.costs[of_v].min()
            fits |= of_v
            earlier |= 1 << v
        with_it = least.sum() - least[program.variables] + program.costs
        cheapest[fits] = np.minimum(cheapest, with_it)[fits]
    return cheapest


def families_along(program, order):
    """Give each variable's cheapest family of who comes before it, causes first."""
    earlier = 0
    for v in order[::-1]:
        of_v = (program.variables == v) & (program.masks & ~np.int64(earlier) == 0)
        yield int(np.argmin(np.where(of_v, program.costs, np.inf)))
        earlier |= 1 << int(v)


@settings(max_examples=15, deadline=None)
@given(p=st.integers(2, 5), seed=st.integers(0, 10**6), rounds=st.integers(1, 3))
def test_under_an_inherited_bound_no_family_of_a_cheaper_dag_is_dropped(p, seed, rounds):
    planes = listed(random_gaussian(p, seed, 50 * p, density=0.6), seed)
    cheapest = cheapest_with_each(planes.program)
    planes.try_order = lambda solution: None  # the poor order stays
    everyone = np.arange(len(planes.program.costs))
    _, kept, _ = family_branching._bounded(planes, planes.cost - 1.1 * planes.tolerance, everyone, rounds)
    assert set(np.flatnonzero(cheapest < planes.cost - 1e-6)) <= set(kept)


@settings(max_examples=15, deadline=None)
@given(
    p=st.integers(1, 7),
    seed=st.integers(0, 10**6),
    patience=st.sampled_from([0, 8]),
    rounds=st.sampled_from([(20, 4), (1, 1)]),
)
def test_branching_from_the_first_cuts_ends_at_the_cheapest(p, seed, patience, rounds):
    gaussian = random_gaussian(p, seed, 50 * p, density=0.6)
    planes = listed(gaussian, seed)
    least = planes.costs.branch().whole(ValueIteration(planes.costs, 1e9, Trace(Budget(), None, "")).run())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_program, "_PATIENCE", patience)
        patch.setattr(family_branching, "_FIRST_ROUNDS", rounds[0])
        patch.setattr(family_branching, "_ROUNDS", rounds[1])
        branch(planes)
    assert planes.cost == pytest.approx(least, abs=1e-4)
    assert planes.costs.whole(planes.order) == pytest.approx(planes.cost, abs=1e-6)
    assert planes.bound <= least + 1e-4


def test_the_one_dag_that_is_left_is_tried():
    """Pruning after the last solution may leave a DAG that no solution was."""
    planes = listed(random_gaussian(5, 7, 300, density=0.7), 3)
    program, poor = planes.program, planes.cost
    order = ValueIteration(planes.costs, 1e9, Trace(Budget(), None, "")).run()
    chosen = np.array(list(families_along(program, order)))
    bounded = family_branching._bounded

    def pruned(*arguments):
        kept, planes.try_order = planes.try_order, lambda solution: None
        bound, _, solution = bounded(*arguments)
        planes.try_order = kept
        return bound, chosen, solution

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_branching, "_bounded", pruned)
        branch(planes)
    assert planes.cost < poor
    assert planes.cost == pytest.approx(planes.costs.branch().whole(order), abs=1e-6)
