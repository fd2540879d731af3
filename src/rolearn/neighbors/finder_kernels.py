"""Which members of a boundary are neighbors, and what separated the rest; which variables are removable.

A *finder* is a NamedTuple and two texts, `separate` and `resistance`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.independence.question_kernels import leave_two_out, p_value, pairs_given_rest
from rolearn.neighbors.ledger_kernels import halted, note_test, note_test_key, set_key
from rolearn.runtime.compile import kernel, open_kernel, part

__all__ = [
    "LMarvelFinder",
    "RslFinder",
    "best_subset",
    "closed_boundary",
    "next_subset",
    "resistance",
    "separate",
]


class RslFinder(NamedTuple):
    """Recursive structure learning, diamond-free (Mokhtarian et al. 2022): one test a pair of the boundary.

    A superset of the neighbors on an r-order; exactly them in diamond-free DAGs.
    """

    alpha: float


class LMarvelFinder(NamedTuple):
    """L-MARVEL (Akbari et al. 2021): all subsets of the boundary, smallest first; complete for MAGs."""

    alpha: float


@open_kernel
def separate(finder, statistics, ledger, x, boundary, size, p_values, given):
    """Look for a set that separates x from each member of its boundary.

    Fills ``p_values[i]`` with the largest p-value found for member i where it exceeds the level, else with
    -1.0: a neighbor; and ``given[i, :]``, a mask over the boundary, with the set. Gives how many neighbors.
    """


@open_kernel
def resistance(finder, statistics, ledger, x, boundary, size):
    """Say how much speaks against removing x, with its boundary: below 1.0 if it tests removable.

    The number of pairs whose separation would change, plus the largest p-value among the pairs that should
    depend: of two that test removable, the one with the lower value does so more surely.
    """


@separate.register(RslFinder)
def separate_rsl(finder, statistics, ledger, x, boundary, size, p_values, given):
    """Leave each other member out in turn."""
    tests = np.empty((size, size))
    leave_two_out(statistics, x, boundary, size, tests)
    whole = set_key(ledger, boundary, size)
    neighbors = 0
    for i in range(size):
        p_values[i] = -1.0
        without = whole ^ ledger.keys[0, boundary[i]]
        left_out = -1
        for j in range(size):
            if j != i:
                note_test_key(ledger, x, boundary[i], without ^ ledger.keys[0, boundary[j]])
                if tests[i, j] > finder.alpha and tests[i, j] > p_values[i]:
                    p_values[i] = tests[i, j]
                    left_out = j
        for j in range(size):
            given[i, j] = left_out >= 0 and j != i and j != left_out
        if left_out < 0:
            neighbors += 1
    return neighbors


@part
def closed_boundary(x, boundary, size, members):
    """Fill the members with the boundary of x and x itself, ascending; gives the place of x.

    Another variable with the same closed boundary then sees the same p-values to the last bit, and a tie
    between the two is one.
    """
    at = size
    for i in range(size - 1, -1, -1):
        if boundary[i] > x:
            at = i
    for i in range(size):
        members[i if i < at else i + 1] = boundary[i]
    members[at] = x
    return at


@resistance.register(RslFinder)
def resistance_rsl(finder, statistics, ledger, x, boundary, size):
    """Every two members of the boundary should depend given x and the other members."""
    members = np.empty(size + 1, np.int64)
    at = closed_boundary(x, boundary, size, members)
    tests = np.empty((size + 1, size + 1))
    pairs_given_rest(statistics, members, size + 1, tests)
    whole = set_key(ledger, members, size + 1)
    against = 0.0
    largest = 0.0
    for i in range(size + 1):
        for j in range(i):
            if i != at and j != at:
                given = whole ^ ledger.keys[0, members[i]] ^ ledger.keys[0, members[j]]
                note_test_key(ledger, members[i], members[j], given)
                largest = max(largest, tests[i, j])
                if tests[i, j] > finder.alpha:
                    against += 1.0
    return against + largest


@part
def next_subset(subset, count, size):
    """Advance to the next `count` of `size` positions in lexicographic order; False after the last."""
    i = count - 1
    while i >= 0 and subset[i] == size - count + i:
        i -= 1
    if i < 0:
        return False
    subset[i] += 1
    for j in range(i + 1, count):
        subset[j] = subset[j - 1] + 1
    return True


@kernel
def best_subset(statistics, ledger, alpha, x, y, pool, size, extra, any_will_do, best):
    """Find the smallest subset of the pool that, with `extra` (-1: none), separates x and y.

    Of the smallest ones that with the largest p-value, unless any will do. Gives the p-value, -1.0 if none,
    and fills the mask `best` over the pool.
    """
    subset = np.empty(size + 1, np.int64)
    given = np.empty(size + 1, np.int64)
    largest = -1.0
    for count in range(size + 1):
        for i in range(count):
            subset[i] = i
        more = True
        while more:
            for i in range(count):
                given[i] = pool[subset[i]]
            total = count
            if extra >= 0:
                given[count] = extra
                total += 1
            note_test(ledger, x, y, given, total)
            if halted(ledger):
                return -1.0
            p = p_value(statistics, x, y, given, total)
            if p > alpha and p > largest:
                largest = p
                for i in range(size):
                    best[i] = False
                for i in range(count):
                    best[subset[i]] = True
                if any_will_do:
                    return largest
            more = next_subset(subset, count, size)
        if largest > alpha:
            return largest
    return largest


@kernel
def _pool(boundary, size, y, z, pool):
    """Fill `pool` with the boundary less y and z; gives its size."""
    count = 0
    for i in range(size):
        if boundary[i] != y and boundary[i] != z:
            pool[count] = boundary[i]
            count += 1
    return count


@separate.register(LMarvelFinder)
def separate_l_marvel(finder, statistics, ledger, x, boundary, size, p_values, given):
    """Search the subsets of the boundary for each member."""
    pool = np.empty(size, np.int64)
    best = np.zeros(size, np.bool_)
    neighbors = 0
    for i in range(size):
        count = _pool(boundary, size, boundary[i], -1, pool)
        p_values[i] = best_subset(
            statistics, ledger, finder.alpha, x, boundary[i], pool, count, -1, False, best
        )
        for j in range(size):  # the pool is the boundary with a gap at i
            given[i, j] = p_values[i] >= 0.0 and j != i and best[j if j < i else j - 1]
        if p_values[i] < 0.0:
            neighbors += 1
    return neighbors


@resistance.register(LMarvelFinder)
def resistance_l_marvel(finder, statistics, ledger, x, boundary, size):
    """Count the pairs that break the condition of Akbari et al. (2021), by subsets of the boundary.

    For each member y and each neighbor z of x: some subset separates y and z, or none does together with x.
    """
    against = 0.0
    p_values = np.empty(size)
    given = np.empty((size, size), np.bool_)
    separate(finder, statistics, ledger, x, boundary, size, p_values, given)
    pool = np.empty(size, np.int64)
    best = np.empty(size, np.bool_)
    for i in range(size):
        for j in range(size):
            if i == j or p_values[j] >= 0.0 or (p_values[i] < 0.0 and i < j):
                continue
            y = boundary[i]
            z = boundary[j]
            count = _pool(boundary, size, y, z, pool)
            if best_subset(statistics, ledger, finder.alpha, y, z, pool, count, -1, True, best) >= 0.0:
                continue
            if best_subset(statistics, ledger, finder.alpha, y, z, pool, count, x, True, best) >= 0.0:
                against += 1.0
    return against
