"""Grow-shrink by a penalized likelihood; for a Gaussian, from a correlation matrix alone.

Growing leaves a *trace*: what was taken at each step and the gain that chose it. A variable that was never
taken changes nothing when it goes, and one that comes changes nothing unless some step would have taken it,
which its trace tells in a few operations: that is what makes searches over orders fast. The arithmetic of
`would_take` is, operation for operation, that of `grow`, so that the answers agree to the last bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import NEGLIGIBLE, invert_factored, leave_out
from rolearn.runtime.compile import kernel, lean_kernel, lean_open_kernel, part

__all__ = [
    "GrowShrink",
    "Room",
    "Traces",
    "boundary_of",
    "evaluate",
    "grow",
    "grow_shrink",
    "shrink",
    "takes",
    "would_take",
]


class GrowShrink(NamedTuple):
    """What growing and shrinking go by.

    A variable must lower the log variance of x by more than ``threshold`` over its degrees of freedom; at
    most ``cap`` are taken.
    """

    correlation: np.ndarray
    n_samples: float
    threshold: float
    cap: int


class Traces(NamedTuple):
    """How the sets of several variables grew, one row each; ``members`` (rows, depth) has the depth there is.

    Step k of a row took ``members[k]`` for its ``gain[k]``, the largest squared covariance over variance
    given what was taken before, when ``left[k]`` was the variance of x. ``factor`` (rows, depth (depth + 1)
    / 2) holds the Cholesky factor of all taken, row after row, and ``own[k]`` the entry of x in it.
    ``blocked`` rows ended at a variable that determines x. Where the depth doesn't do growing stops and
    ``full[0]`` turns 1. ``scratch`` (depth) is for `would_take`.
    """

    size: np.ndarray
    members: np.ndarray
    factor: np.ndarray
    own: np.ndarray
    gain: np.ndarray
    left: np.ndarray
    blocked: np.ndarray
    scratch: np.ndarray
    full: np.ndarray


class Room(NamedTuple):
    """Where growing works: a row of the factor for each variable taken, and what follows all candidates."""

    factor: np.ndarray
    shared: np.ndarray
    variance: np.ndarray
    gain: np.ndarray
    parents: np.ndarray


@lean_open_kernel
def grow(score, x, remaining, room, traces, row):
    """Take the variable that tells most of x among the remaining, while that is worth it; fills a row."""


@lean_open_kernel
def would_take(score, traces, row, x, y):
    """Whether growing the set of x, whose trace is that row, would come out otherwise were y there too."""


@lean_open_kernel
def shrink(score, x, out, size, traces, row):
    """Drop the least informative while it isn't worth its place; gives the size, and the bic cost of x.

    The first `size` of `out` are what growing took, and left the trace of that row.
    """


@part
def _open(score, x, remaining, room):
    """Set covariances and variances of the candidates; an infinite variance keeps a variable out."""
    for y in range(len(remaining)):
        room.shared[y] = score.correlation[x, y]
        room.variance[y] = 1.0 if remaining[y] else np.inf
    room.variance[x] = np.inf


@part
def _best(room):
    """Give the candidate with the largest gain, the first of equals; -1 if there is none."""
    p = len(room.gain)
    for y in range(p):
        known = room.variance[y] > NEGLIGIBLE
        room.gain[y] = room.shared[y] * room.shared[y] / room.variance[y] if known else 0.0
    best = -1
    largest = 0.0
    for y in range(p):
        if room.gain[y] > largest:
            largest = room.gain[y]
            best = y
    return best


@part
def _take(score, x, room, best, size):
    """Condition all candidates on one more; gives the entry of x in the new row of the factor."""
    p = len(room.gain)
    row = room.factor[size]
    root = math.sqrt(room.variance[best])
    for y in range(p):
        row[y] = score.correlation[best, y]
    for k in range(size):
        before = room.factor[k]
        weight = before[best]
        for y in range(p):
            row[y] -= weight * before[y]
    for y in range(p):
        row[y] /= root
    own = row[x]
    for y in range(p):
        room.shared[y] -= own * row[y]
        room.variance[y] -= row[y] * row[y]
    room.variance[best] = np.inf
    return own


@part
def _is_worth(score, share, size):
    """Whether a squared partial correlation given `size` variables is worth one more."""
    rows = score.n_samples - size - 2.0
    if not (share < 1.0 and rows > 0.0):
        return False
    # share < -log(1 - share) < share / (1 - share): nearly always that tells, and a logarithm takes longer
    if rows * share > score.threshold:
        return True
    if rows * share < score.threshold * (1.0 - share):
        return False
    return -rows * math.log1p(-share) > score.threshold


@grow.register(GrowShrink)
def grow_gaussian(score, x, remaining, room, traces, row):
    """Take the variable that lowers log var(x | taken) most."""
    _open(score, x, remaining, room)
    left = 1.0
    size = 0
    traces.blocked[row] = False
    while size < score.cap:
        best = _best(room)
        if best < 0:
            break
        gain = room.gain[best]
        if not _is_worth(score, gain / left, size):
            traces.blocked[row] = gain / left >= 1.0
            break
        if size == traces.members.shape[1]:
            traces.full[0] = 1
            break
        at = size * (size + 1) // 2
        for k in range(size):
            traces.factor[row, at + k] = room.factor[k, best]
        traces.factor[row, at + size] = math.sqrt(room.variance[best])
        own = _take(score, x, room, best, size)
        traces.members[row, size] = best
        traces.gain[row, size] = gain
        traces.left[row, size] = left
        traces.own[row, size] = own
        left -= own * own
        size += 1
    traces.size[row] = size
    traces.left[row, size] = left


@lean_kernel
def takes(traces, row, y):
    """Whether growing the set of that row would come out otherwise were y not there."""
    if traces.blocked[row]:
        return True
    found = False
    for k in range(traces.size[row]):
        found = found or traces.members[row, k] == y
    return found


@would_take.register(GrowShrink)
def would_take_gaussian(score, traces, row, x, y):
    """Compare the gains of y with those of what was taken, on the stored factor."""
    size = traces.size[row]
    if traces.blocked[row]:
        return True
    correlation = score.correlation
    shared = correlation[x, y]
    variance = 1.0
    at = 0
    for k in range(size):
        member = traces.members[row, k]
        gain = shared * shared / variance if variance > NEGLIGIBLE else 0.0
        if gain > traces.gain[row, k] or (gain == traces.gain[row, k] and y < member):
            return True
        entry = correlation[member, y]
        for i in range(k):
            entry -= traces.factor[row, at + i] * traces.scratch[i]
        entry /= traces.factor[row, at + k]
        at += k + 1
        traces.scratch[k] = entry
        shared -= traces.own[row, k] * entry
        variance -= entry * entry
    if size >= score.cap:
        return False
    gain = shared * shared / variance if variance > NEGLIGIBLE else 0.0
    share = gain / traces.left[row, size]
    return share >= 1.0 or _is_worth(score, share, size)


@part
def _least_needed(precision, size):
    """Give the member whose removal raises log var(x | members) least, and by how much; x is last."""
    least = -1
    raised = 0.0
    for i in range(size):
        squared = precision[size, i] ** 2 / (precision[size, size] * precision[i, i])
        if squared < 1.0:
            rise = -math.log1p(-squared)
            if least < 0 or rise < raised:
                least = i
                raised = rise
    return least, raised


@part
def _all_are_worth(score, traces, row, size, left):
    """Whether each of those taken is worth its place beside the others, by the factor that growing left.

    With v the column of a member in the factor's inverse, its coefficient b is the product of v and the
    entries of x, and leaving it out raises var(x | others) by b^2 / v^2. The last was worth it when it came.
    """
    least = left * math.expm1(score.threshold / (score.n_samples - size - 1.0))
    column = traces.scratch
    for i in range(size - 1):
        squares = 0.0
        coefficient = 0.0
        for k in range(i, size):
            at = k * (k + 1) // 2
            entry = 1.0 if k == i else 0.0
            for j in range(i, k):
                entry -= traces.factor[row, at + j] * column[j]
            entry /= traces.factor[row, at + k]
            column[k] = entry
            squares += entry * entry
            coefficient += entry * traces.own[row, k]
        if not coefficient * coefficient > least * squares:
            return False
    return True


@part
def _delete(precision, i, size):
    """Take a member out of a precision matrix whose last variable is x; the last member takes its place."""
    leave_out(precision, i, size + 1)
    for target, source in ((i, size - 1), (size - 1, size)):
        for k in range(size + 1):
            precision[target, k] = precision[source, k]
        for k in range(size + 1):
            precision[k, target] = precision[k, source]


@kernel
def _shrunk(score, out, size, traces, row):
    """Drop by the precision matrix; gives the size and the variance of x given what stays."""
    factor = np.empty((size + 1, size + 1))
    precision = np.empty((size + 1, size + 1))
    for i in range(size):
        for j in range(i + 1):
            factor[i, j] = traces.factor[row, i * (i + 1) // 2 + j]
        factor[size, i] = traces.own[row, i]
    factor[size, size] = math.sqrt(traces.left[row, size])
    invert_factored(factor, size + 1, precision)
    while True:
        least, raised = _least_needed(precision, size)
        if least < 0 or (score.n_samples - size - 1.0) * raised > score.threshold:
            return size, 1.0 / precision[size, size]
        _delete(precision, least, size)
        size -= 1
        out[least] = out[size]


@shrink.register(GrowShrink)
def shrink_gaussian(score, x, out, size, traces, row):
    """Drop nobody where each is worth its place, as most often.

    The cost is n log var(x | set) + threshold |set|.
    """
    left = max(traces.left[row, size], NEGLIGIBLE)
    if size > 1 and left > NEGLIGIBLE and not _all_are_worth(score, traces, row, size, left):
        size, left = _shrunk(score, out, size, traces, row)
    return size, score.threshold * size + score.n_samples * math.log(left)


@lean_kernel
def evaluate(score, x, remaining, room, traces, row):
    """Grow and shrink the set of x; gives the bic cost of x."""
    grow(score, x, remaining, room, traces, row)
    size = traces.size[row]
    for k in range(size):
        room.parents[k] = traces.members[row, k]
    _, cost = shrink(score, x, room.parents, size, traces, row)
    return cost


@lean_kernel
def boundary_of(score, x, remaining, room, traces, row, out):
    """Grow and shrink the set of x into `out`, in ascending order; gives its size."""
    grow(score, x, remaining, room, traces, row)
    size = traces.size[row]
    for k in range(size):
        out[k] = traces.members[row, k]
    size, _ = shrink(score, x, out, size, traces, row)
    for k in range(1, size):  # few members; the library's sort takes a second and more to compile
        member = out[k]
        at = k
        while at > 0 and out[at - 1] > member:
            out[at] = out[at - 1]
            at -= 1
        out[at] = member
    return size


@kernel
def grow_shrink(score, x, remaining, out):
    """Fill `out` with a boundary of x within `remaining` in ascending order; gives its size.

    Growing takes the most informative variable each time, shrinking drops the least informative that falls
    under the threshold (Margaritis and Thrun 1999, with a score in place of tests). What one more variable
    lowers log var by counts n - 2 times less one a variable taken: its degrees of freedom, since with few
    rows n times would let chance pass.
    """
    p = len(remaining)
    rows = len(remaining[:1])  # one, but no literal: of those the compiler makes a copy each
    room = Room(np.empty((score.cap, p)), np.empty(p), np.empty(p), np.empty(p), np.empty(p, np.int64))
    traces = Traces(
        np.zeros(rows, np.int64),
        np.empty((rows, score.cap), np.int64),
        np.empty((rows, score.cap * (score.cap + 1) // 2)),
        np.empty((rows, score.cap)),
        np.empty((rows, score.cap)),
        np.empty((rows, score.cap + 1)),
        np.zeros(rows, np.bool_),
        np.empty(score.cap),
        np.zeros(rows, np.int64),
    )
    return boundary_of(score, x, remaining, room, traces, rows - 1, out)
