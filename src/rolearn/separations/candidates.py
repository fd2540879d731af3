"""Which edges of an order's DAG a test would take away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rolearn.independence import Statistics
from rolearn.independence.question_kernels import leave_two_out
from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import Removal
from rolearn.runtime.compile import kernel
from rolearn.separations.evidence import joined_by

__all__ = ["with_candidates"]


@kernel
def _leave_two_out(statistics, variables, parents, p_values):
    for i in range(len(variables)):
        leave_two_out(statistics, variables[i], parents[i], parents.shape[1], p_values[i])


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
    found, asked = list(removals), [np.zeros(0, np.int64)]
    joined, run = joined_by(removals), statistics.kernel(_leave_two_out)
    for places in _by_size(removals):
        variables = np.array([removals[i].variable for i in places], np.int64)
        parents = np.array([removals[i].boundary for i in places], np.int64)
        among = joined[parents[:, :, None], parents[:, None, :]]
        asked.append(_keys_of_tests(variables, parents, among, keys))
        some = np.flatnonzero(among.any(axis=(1, 2)))
        if not len(some):
            continue
        p_values = np.zeros((len(some), *among.shape[1:]))
        run(statistics.heeding(signal), variables[some], parents[some], p_values)
        p_values[~among[some]] = 0.0
        for i, of_pairs in zip(some.tolist(), p_values, strict=True):
            found[places[i]] = _with_candidates(removals[places[i]], of_pairs, alpha)
    return found, Asked(np.concatenate(asked), 0)


def _by_size(removals: Sequence[Removal]) -> Iterator[list[int]]:
    """Give the places of the removals with equally large boundaries, where these have pairs."""
    groups: dict[int, list[int]] = {}
    for i, removal in enumerate(removals):
        groups.setdefault(len(removal.boundary), []).append(i)
    return (places for size, places in groups.items() if size > 1)


def _keys_of_tests(
    variables: np.ndarray, parents: np.ndarray, among: np.ndarray, keys: np.ndarray
) -> np.ndarray:
    """Give the keys that `note_test` gives the tests of x and y given the parents without y and z."""
    member, tested = keys[0, parents], keys[1, parents]
    k, y, z = np.nonzero(among)
    all_parents = np.bitwise_xor.reduce(member, axis=1)
    return keys[1, variables[k]] ^ tested[k, y] ^ all_parents[k] ^ member[k, y] ^ member[k, z]


def _with_candidates(removal: Removal, p_values: np.ndarray, alpha: float) -> Removal:
    separations = []
    for i in np.flatnonzero(p_values.max(axis=1) > alpha).tolist():
        j = int(p_values[i].argmax())
        given = tuple(v for k, v in enumerate(removal.boundary) if k not in (i, j))
        separations.append((removal.boundary[i], given, float(p_values[i, j])))
    return replace(removal, separations=tuple(separations))
