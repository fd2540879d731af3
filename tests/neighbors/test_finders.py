from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import NeighborCount, ParameterError
from rolearn.neighbors.finders import finder_named
from rolearn.neighbors.ledger import distinct
from rolearn.orders.cost import order_costs

ALPHA = 0.05


def first_removal(gaussian, finder):
    costs = order_costs(gaussian, NeighborCount(finder), ALPHA, np.zeros(1, np.uint8))
    return costs.look(0, np.ones(len(gaussian.names), np.bool_)), costs


def p_value(gaussian, x, y, members):
    return gaussian.p_value(gaussian.names[x], gaussian.names[y], [gaussian.names[m] for m in members])


@pytest.mark.pure
@settings(max_examples=25, deadline=None)
@given(p=st.integers(3, 7), seed=st.integers(0, 10**6))
def test_rsl_leaves_one_other_member_out(p, seed):
    gaussian = random_gaussian(p, seed)
    removal, costs = first_removal(gaussian, "rsl")
    separated = {y: (members, p) for y, members, p in removal.separations}
    asked = set()
    for y in removal.boundary:
        tries = {}
        for z in removal.boundary:
            if z != y:
                given_ = tuple(v for v in removal.boundary if v not in (y, z))
                tries[given_] = p_value(gaussian, 0, y, given_)
                asked.add((y, given_))
        best = max(tries, key=tries.get, default=None)
        if best is not None and tries[best] > ALPHA:
            assert separated[y] == (best, pytest.approx(tries[best], abs=1e-9))
        else:
            assert y in removal.neighbors
    assert distinct([costs.asked()]) == len(asked) <= len(removal.boundary) * (len(removal.boundary) - 1)


@pytest.mark.pure
@settings(max_examples=20, deadline=None)
@given(p=st.integers(3, 6), seed=st.integers(0, 10**6))
def test_l_marvel_takes_the_smallest_set_that_separates(p, seed):
    gaussian = random_gaussian(p, seed)
    removal, _ = first_removal(gaussian, "l-marvel")
    separated = {y: (members, p) for y, members, p in removal.separations}
    for y in removal.boundary:
        others = [v for v in removal.boundary if v != y]
        expected = None
        for size in range(len(others) + 1):
            tries = {s: p_value(gaussian, 0, y, s) for s in combinations(others, size)}
            best = max(tries, key=tries.get)
            if tries[best] > ALPHA:
                expected = (best, pytest.approx(tries[best], abs=1e-9))
                break
        assert separated.get(y) == expected
        assert (y in removal.neighbors) == (expected is None)


@pytest.mark.pure
def test_unknown_finders_are_refused():
    with pytest.raises(ParameterError, match="'rsl', 'l-marvel'"):
        finder_named("pc", 0.05)
