import numpy as np

from examples import random_gaussian
from rolearn.neighbors.ledger import asked, new_ledger
from rolearn.neighbors.ledger_kernels import note_test
from rolearn.orders.cost import Removal
from rolearn.separations.candidates import with_candidates


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
    for x, y, given in expected:
        note_test(ledger, x, y, np.array(given, np.int64), len(given))
    assert sorted(tests.keys) == sorted(asked(ledger).keys)
    assert len(tests.keys) == 8
    for removal in found:
        for y, given, p_value in removal.separations:
            names = [gaussian.names[v] for v in given]
            again = gaussian.p_value(gaussian.names[removal.variable], gaussian.names[y], names)
            assert p_value > 0.05
            assert abs(p_value - again) < 1e-8
