"""Which edges of an order's DAG a test would take away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rolearn.independence import Statistics
from rolearn.independence.question_kernels import leave_two_out
from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import Removal
from rolearn.runtime.compile import kernel

__all__ = ["with_candidates"]


@kernel
def _leave_two_out(statistics, x, parents, size, p_values):
    leave_two_out(statistics, x, parents, size, p_values)


def with_candidates(
    removals: Sequence[Removal], statistics: Statistics, alpha: float, keys: np.ndarray, signal: np.ndarray
) -> tuple[list[Removal], Asked]:
    """Look for separations among the edges of the DAG that joins each variable to its boundary.

    For x and a member y of its boundary S the sets are S without y and without one z of S that is joined to
    y: if a set separates x and y in the MAG, such a z closes a path by being left out (FindNeighbors of RSL
    restricted to such z).

    Parameters
    ----------
    removals : sequence of Removal
        Of the whole order.
    statistics : Statistics
    alpha : float
        The level beyond which a p-value separates.
    keys : int64 array, shape (3, p)
        Of a ledger, by which tests are told apart.
    signal : uint8 array, shape (1,)
        Once it is up, tests that take long are no more asked: what they would separate stays joined.

    Returns
    -------
    removals
        The same with a separation for each edge that has one: the set with the largest p-value.
    asked : Asked
        The tests asked.
    """
    p, arrays = len(removals), statistics.heeding(signal)
    joined = np.zeros((p, p), np.bool_)
    for removal in removals:
        joined[removal.variable, list(removal.boundary)] = True
    joined |= joined.T
    found, asked = [], [np.zeros(0, np.int64)]
    for removal in removals:
        parents = np.array(removal.boundary, np.int64)
        among = joined[np.ix_(parents, parents)]
        asked.append(_keys_of_tests(removal.variable, parents, among, keys))
        if among.any():
            p_values = np.zeros((len(parents), len(parents)))
            run = statistics.kernel(_leave_two_out)
            run(arrays, removal.variable, parents, len(parents), p_values)
            p_values[~among] = 0.0
            removal = _with_candidates(removal, p_values, alpha)
        found.append(removal)
    return found, Asked(np.unique(np.concatenate(asked)), 0)


def _keys_of_tests(x: int, parents: np.ndarray, among: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Give the keys that `note_test` gives the tests of x and y given the parents without y and z."""
    member, tested = keys[0, parents], keys[1, parents]
    y, z = np.nonzero(among)
    all_parents = np.bitwise_xor.reduce(member)
    return keys[1, x] ^ tested[y] ^ all_parents ^ member[y] ^ member[z]


def _with_candidates(removal: Removal, p_values: np.ndarray, alpha: float) -> Removal:
    separations = []
    for i in range(len(p_values)):
        j = int(p_values[i].argmax())
        if p_values[i, j] > alpha:
            given = tuple(v for k, v in enumerate(removal.boundary) if k not in (i, j))
            separations.append((removal.boundary[i], given, float(p_values[i, j])))
    return replace(removal, separations=tuple(separations))
