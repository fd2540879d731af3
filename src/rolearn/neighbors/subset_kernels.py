"""The best set of parents: branch and bound over subsets, and what it found, kept in a tree.

For a variable x and a set A of candidates the best set is the S within A, of at most ``cap`` members, with
the least n log var(x | S) + threshold |S|. It is also that of every A' between S and A, so few sets serve
many A': a tree holds, from all candidates on, the best set and for each member the best set without it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import leave_out, precision_of, with_last
from rolearn.neighbors.grow_shrink_kernels import evaluate
from rolearn.runtime.compile import kernel, part

__all__ = ["BestSubsets", "SubsetRoom", "best_subset", "best_superset", "find_node"]

UNKNOWN = -1
_FREE, _OUT, _IN = 0, 1, 2
_NODES_BETWEEN_LOOKS = 1024


class BestSubsets(NamedTuple):
    """Best sets found so far, one row each; row x < p is that of x among all the others.

    ``members`` (rows, width) in ascending order, the first ``size`` of them; a size of `UNKNOWN` where not
    worked out. ``child[row, k]`` is the row where the k-th member may not be taken, `UNKNOWN` at first.
    ``used[0]`` rows are in use; ``full[0]`` turns 1 when one more was wanted, or more width for a set.
    """

    members: np.ndarray
    size: np.ndarray
    cost: np.ndarray
    child: np.ndarray
    used: np.ndarray
    full: np.ndarray


class SubsetRoom(NamedTuple):
    """Where a search for one best set works, by depth: precision matrices, and what is taken or out.

    ``first`` and ``traces`` are the room of growing and shrinking, where the search starts from.
    """

    precision: np.ndarray
    state: np.ndarray
    size: np.ndarray
    branch: np.ndarray
    candidates: np.ndarray
    allowed: np.ndarray
    parents: np.ndarray
    first: Any
    traces: Any


@part
def _tighten(score, room, depth, m, limit):
    """Take what every set under the limit has; gives the bound of the rest, and where to branch, -1: nowhere.

    With I taken and U open, n log var(x | I and U) + threshold |I| is a lower bound, since more variables
    explain no less. Leaving out one of U raises it by what that one explains beyond all the others: where
    that is too much, it has to be taken.
    """
    matrix = room.precision[depth]
    state = room.state[depth]
    last = m - 1
    while True:
        bound = score.threshold * room.size[depth] - score.n_samples * math.log(matrix[last, last])
        forced = -1
        best = -1
        most = -1.0
        for i in range(last):
            if state[i] == _FREE:
                share = matrix[last, i] ** 2 / (matrix[last, last] * matrix[i, i])
                rise = -score.n_samples * math.log1p(-share) if share < 1.0 else np.inf
                if bound + rise > limit:
                    forced = i
                if rise > most:
                    most = rise
                    best = i
        if forced < 0 or bound > limit:
            return bound, best
        state[forced] = _IN
        room.size[depth] += 1


@part
def _start(score, x, allowed, room):
    """Set up the candidates and their precision matrix, x last; gives its size."""
    m = 0
    for y in range(len(allowed)):
        if allowed[y] and y != x:
            room.candidates[m] = y
            room.state[0, m] = _FREE
            m += 1
    room.candidates[m] = x
    room.size[0] = 0
    return m + 1


@kernel
def best_subset(score, x, allowed, room, signal, out):
    """Fill `out` with the best set of x within the allowed, ascending; gives its size, -1 when halted.

    Depth first from the set that growing and shrinking find, which bounds all others.
    """
    limit = evaluate(score, x, allowed, room.first, room.traces, 0)
    limit += 1e-9 * score.n_samples  # so that this very set is met again in spite of rounding
    m = _start(score, x, allowed, room)
    if not precision_of(score.correlation, room.candidates, m, room.precision[0]):
        return -1
    return _search(score, room, m, limit, signal, out)


@kernel
def best_superset(score, x, required, allowed, limit, room, signal, out):
    """Fill `out` with the best set of x between the required, a subset of the allowed, and the allowed.

    Gives its size; -1 when halted, -2 where none costs `limit` at most.
    """
    m = _start(score, x, allowed, room)
    if not precision_of(score.correlation, room.candidates, m, room.precision[0]):
        return -1
    for i in range(m - 1):
        if required[room.candidates[i]]:
            room.state[0, i] = _IN
            room.size[0] += 1
    return _search(score, room, m, limit, signal, out)


@part
def _search(score, room, m, limit, signal, out):
    """Go on from depth 0; gives the size of the best set, -1 when halted, -2 where none keeps the limit.

    Each node takes or leaves out the variable that explains most beyond the others.
    """
    depth = 0
    found = -2
    nodes = 0
    new = True
    while depth >= 0:
        nodes += 1
        if nodes % _NODES_BETWEEN_LOOKS == 0 and signal[0] != 0:
            return -1
        if not new:  # back from taking the branch variable: leave it out
            i = room.branch[depth]
            leave_out(room.precision[depth], i, m)
            room.state[depth, i] = _OUT
        bound, branch = _tighten(score, room, depth, m, limit)
        new = False
        if bound > limit or room.size[depth] > score.cap:
            depth -= 1
        elif branch < 0:
            limit = bound
            found = 0
            for i in range(m - 1):
                if room.state[depth, i] == _IN:
                    out[found] = room.candidates[i]
                    found += 1
            depth -= 1
        else:
            room.branch[depth] = branch
            if bound + score.threshold <= limit and room.size[depth] < score.cap:
                _descend(room, depth, m)
                room.state[depth + 1, branch] = _IN
                room.size[depth + 1] += 1
                depth += 1
                new = True
    return found


@part
def _descend(room, depth, m):
    """Copy a node to the next depth."""
    for a in range(m):
        room.state[depth + 1, a] = room.state[depth, a]
        for b in range(m):
            room.precision[depth + 1, a, b] = room.precision[depth, a, b]
    room.size[depth + 1] = room.size[depth]


@kernel
def _work_out(score, known, row, x, room, signal):
    """Fill a row of the tree with the best set of x within ``room.allowed``; gives whether that was done."""
    size = best_subset(score, x, room.allowed, room, signal, room.parents)
    if size < 0:
        return False
    if size > known.members.shape[1]:
        known.full[0] = 1
        return False
    m = size + 1
    precision = np.empty((m, m))
    for k in range(size):
        known.members[row, k] = room.parents[k]
        known.child[row, k] = UNKNOWN
    precision_of(score.correlation, with_last(room.parents, size, x), m, precision)
    known.cost[row] = score.threshold * size - score.n_samples * math.log(precision[size, size])
    known.size[row] = size
    return True


@kernel
def _first_gone(known, row, remaining):
    """Give the place of the first member of a set that doesn't remain, the set's size if all do."""
    k = 0
    while k < known.size[row] and remaining[known.members[row, k]]:
        k += 1
    return k


@part
def _allow_along(known, x, remaining, row, allowed):
    """Allow all but what is left out on the way to a row."""
    for y in range(len(allowed)):
        allowed[y] = True
    at = x
    while at != row:
        k = _first_gone(known, at, remaining)
        allowed[known.members[at, k]] = False
        at = known.child[at, k]


@kernel
def find_node(score, known, room, x, remaining, signal):
    """Give the row of the best set of x within the remaining; -1 when halted or out of room.

    From all candidates on, leaves out the first member of the best set that doesn't remain, until all do.
    That sequence depends on x and what remains alone, and so does the set it ends at, also among equals.
    """
    row = x
    while True:
        if known.size[row] == UNKNOWN:
            _allow_along(known, x, remaining, row, room.allowed)
            if not _work_out(score, known, row, x, room, signal):
                return -1
        k = _first_gone(known, row, remaining)
        if k == known.size[row]:
            return row
        if known.child[row, k] == UNKNOWN:
            if known.used[0] == len(known.size):
                known.full[0] = 1
                return -1
            known.child[row, k] = known.used[0]
            known.size[known.used[0]] = UNKNOWN
            known.used[0] += 1
        row = known.child[row, k]
