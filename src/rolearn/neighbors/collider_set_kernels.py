"""Neighbors by sets of colliders, as MBCS* finds them (Pellet and Elisseeff 2008).

Two members of each other's Markov boundary that aren't adjacent are there because of common effects: they
become independent once some of what they share is left out of the condition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.independence.question_kernels import p_value, pairs_given_rest
from rolearn.neighbors.finder_kernels import closed_boundary, next_subset, resistance, separate
from rolearn.neighbors.ledger_kernels import halted, note_test, note_test_key, set_key
from rolearn.runtime.compile import kernel

__all__ = ["MbcsFinder", "collider_set"]


class MbcsFinder(NamedTuple):
    """Collider sets (Pellet and Elisseeff 2008) among x and its boundary; complete for MAGs.

    MBCS* looks at the boundaries of two variables, which are those of all. A local cost depends on x and its
    boundary alone, so boundaries are those within the two here: that of a member is then the smaller one, and
    all in it but x is shared with x. A member y isn't adjacent to x iff some subset of the boundary of y, in
    the MAG over x and its boundary, separates them (Akbari et al. 2021), so nothing is missed by that.
    """

    alpha: float


@kernel
def collider_set(statistics, ledger, alpha, x, y, members, size, may_leave, any_will_do, left_out):
    """Find the fewest members, of those that may leave, without which the others separate x and y.

    At least one leaves. Of several sets of that size the one with the largest p-value, unless any will do.
    Gives the p-value, -1.0 if there is no such set, and fills the mask `left_out` over the members.
    """
    free = np.empty(size, np.int64)
    n_free = 0
    for i in range(size):
        left_out[i] = False
        if may_leave[i]:
            free[n_free] = i
            n_free += 1
    subset = np.empty(size, np.int64)
    out = np.empty(size, np.bool_)
    given = np.empty(size, np.int64)
    largest = -1.0
    for count in range(1, n_free + 1):
        for i in range(count):
            subset[i] = i
        more = True
        while more:
            for i in range(size):
                out[i] = False
            for i in range(count):
                out[free[subset[i]]] = True
            total = 0
            for i in range(size):
                if not out[i]:
                    given[total] = members[i]
                    total += 1
            note_test(ledger, x, y, given, total)
            if halted(ledger):
                return -1.0
            p = p_value(statistics, x, y, given, total)
            if p > alpha and p > largest:
                largest = p
                for i in range(size):
                    left_out[i] = out[i]
                if any_will_do:
                    return largest
            more = next_subset(subset, count, n_free)
        if largest > alpha:
            return largest
    return largest


@kernel
def _moral_tests(statistics, ledger, members, size, tests):
    """Fill the p-values of all pairs given the other members, and note the tests."""
    pairs_given_rest(statistics, members, size, tests)
    whole = set_key(ledger, members, size)
    for i in range(size):
        for j in range(i):
            given = whole ^ ledger.keys[0, members[i]] ^ ledger.keys[0, members[j]]
            note_test_key(ledger, members[i], members[j], given)


@separate.register(MbcsFinder)
def separate_mbcs(finder, statistics, ledger, x, boundary, size, p_values, given):
    """Look for colliders in what each member depends on given all the others."""
    members = np.empty(size + 1, np.int64)
    at = closed_boundary(x, boundary, size, members)
    tests = np.empty((size + 1, size + 1))
    _moral_tests(statistics, ledger, members, size + 1, tests)
    shared = np.empty(size, np.int64)
    place = np.empty(size, np.int64)
    may_leave = np.ones(size, np.bool_)
    left_out = np.empty(size, np.bool_)
    neighbors = 0
    for i in range(size):
        y = i if i < at else i + 1
        count = 0
        for j in range(size):
            given[i, j] = False
            if j != i and tests[y, j if j < at else j + 1] <= finder.alpha:
                shared[count] = boundary[j]
                place[count] = j
                count += 1
        p_values[i] = collider_set(
            statistics, ledger, finder.alpha, x, boundary[i], shared, count, may_leave, False, left_out
        )
        if p_values[i] < 0.0:
            neighbors += 1
        else:
            for k in range(count):
                given[i, place[k]] = not left_out[k]
    return neighbors


@kernel
def _boundary_size(tests, alpha, i, j, size):
    """Count those that member i depends on, less member j."""
    count = 0
    for k in range(size):
        if k != i and k != j and tests[i, k] <= alpha:
            count += 1
    return count


@kernel
def _separable(statistics, ledger, alpha, tests, i, j, members, size, kept):
    """Whether the other members, less some set of colliders that hasn't `kept` (-1: none), separate i and j.

    The set is looked for in the smaller of their boundaries, which are read off the tests of pairs.
    """
    if tests[i, j] > alpha:
        return True
    if _boundary_size(tests, alpha, j, i, size) < _boundary_size(tests, alpha, i, j, size):
        i, j = j, i
    pool = np.empty(size, np.int64)
    may_leave = np.empty(size, np.bool_)
    left_out = np.empty(size, np.bool_)
    count = 0
    found = kept < 0
    for k in range(size):
        if k != i and k != j and tests[i, k] <= alpha:
            pool[count] = members[k]
            may_leave[count] = members[k] != kept
            found = found or members[k] == kept
            count += 1
    if not found:
        return False  # what the smaller boundary lacks doesn't help to separate
    p = collider_set(
        statistics, ledger, alpha, members[i], members[j], pool, count, may_leave, True, left_out
    )
    return p >= 0.0


@resistance.register(MbcsFinder)
def resistance_mbcs(finder, statistics, ledger, x, boundary, size):
    """Count the pairs that break the condition of Akbari et al. (2021), by sets of colliders.

    For each member y and each neighbor z of x: some set of other members separates y and z, or none does
    together with x.
    """
    p_values = np.empty(size)
    given = np.empty((size, size), np.bool_)
    separate(finder, statistics, ledger, x, boundary, size, p_values, given)
    members = np.empty(size + 1, np.int64)
    at = closed_boundary(x, boundary, size, members)
    with_x = np.empty((size + 1, size + 1))
    _moral_tests(statistics, ledger, members, size + 1, with_x)
    without_x = np.empty((size, size))
    _moral_tests(statistics, ledger, boundary, size, without_x)
    against = 0.0
    for i in range(size):
        for j in range(size):
            if i == j or p_values[j] >= 0.0 or (p_values[i] < 0.0 and i < j):
                continue
            if _separable(statistics, ledger, finder.alpha, without_x, i, j, boundary, size, -1):
                continue
            y = i if i < at else i + 1
            z = j if j < at else j + 1
            if _separable(statistics, ledger, finder.alpha, with_x, y, z, members, size + 1, x):
                against += 1.0
    return against
