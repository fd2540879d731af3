import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn.neighbors.ledger import asked, new_ledger
from rolearn.neighbors.ledger_kernels import note_test
from rolearn.orders.bic import BIC
from rolearn.orders.cost import Removal, order_costs
from rolearn.separations.candidates import with_candidates
from rolearn.separations.evidence import BOUNDARY, PairEvidence

QUIET = np.zeros(1, np.uint8)


def test_the_tests_asked_are_those_of_neighbors_that_are_joined():
    gaussian = random_gaussian(6, 4, 300)
    boundaries = [(1, 2, 3), (2, 3, 5), (3,), (), (5,), ()]
    removals = [Removal(x, boundary, boundary, ()) for x, boundary in enumerate(boundaries)]
    ledger = new_ledger(6, np.zeros(1, np.uint8))
    found, tests = with_candidates(removals, gaussian, 0.05, ledger.keys, np.zeros(1, np.uint8))
    edges = {frozenset((x, y)) for x, boundary in enumerate(boundaries) for y in boundary}
    expected = [
        (x, y, [v for v in boundary if v not in (y, z)])
        for x, boundary in enumerate(boundaries)
        for y in boundary
        for z in boundary
        if frozenset((y, z)) in edges
    ]
    for x, y, others in expected:
        note_test(ledger, x, y, np.array(others, np.int64), len(others))
    assert sorted(tests.keys) == sorted(asked(ledger).keys)
    assert len(tests.keys) == 8
    for removal in found:
        for y, others, p_value in removal.separations:
            names = [gaussian.names[v] for v in others]
            again = gaussian.p_value(gaussian.names[removal.variable], gaussian.names[y], names)
            assert p_value > 0.05
            assert abs(p_value - again) < 1e-8


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 9), seed=st.integers(0, 10**6), density=st.floats(0.2, 0.9))
def test_each_edge_gets_the_separation_with_the_largest_p_value(p, seed, density):
    gaussian = random_gaussian(p, seed, density=density)
    order = np.random.default_rng(seed).permutation(p)
    costs = order_costs(gaussian, BIC(0.5), 0.05, QUIET)
    removals = list(costs.removals(order))
    found, _ = with_candidates(removals, gaussian, 0.05, costs.ledger.keys, QUIET)
    edges = {frozenset((removal.variable, y)) for removal in removals for y in removal.boundary}
    for removal, result in zip(removals, found, strict=True):
        assert result.variable == removal.variable
        expected = {}
        for y in removal.boundary:
            for z in removal.boundary:
                if frozenset((y, z)) in edges:
                    others = [gaussian.names[v] for v in removal.boundary if v not in (y, z)]
                    p_value = gaussian.p_value(gaussian.names[removal.variable], gaussian.names[y], others)
                    expected[y] = max(p_value, expected.get(y, 0.0))
        separated = {y: p_value for y, _, p_value in result.separations}
        for y, p_value in expected.items():
            if abs(p_value - 0.05) > 1e-6:
                assert (p_value > 0.05) == (y in separated)
            assert abs(separated.get(y, p_value) - p_value) < 1e-6
        assert separated.keys() <= expected.keys()


@settings(max_examples=40, deadline=None)
@given(p=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_what_is_not_joined_was_separated_by_the_boundary_of_whom_left_first(p, seed):
    gaussian = random_gaussian(p, seed)
    order = np.random.default_rng(seed).permutation(p)
    removals = list(order_costs(gaussian, BIC(), 0.05, QUIET).removals(order))
    evidence = PairEvidence(removals)
    boundary = {removal.variable: removal.boundary for removal in removals}
    for later, y in enumerate(order):
        for x in order[:later]:
            joined = y in boundary[x]
            assert evidence.adjacent[x, y] == evidence.adjacent[y, x] == joined
            expected = None if joined else (tuple(sorted(boundary[x])), BOUNDARY)
            assert evidence.found(x, y) == evidence.found(y, x) == expected
    assert not evidence.adjacent.diagonal().any()
