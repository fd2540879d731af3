"""Markov boundaries among the variables that remain, and their change when one leaves.

A *kind* of boundary is a NamedTuple and seven short texts. Searches go through an order by *windows*: they
load the rows of a window's variables once, then read a boundary and let its variable leave, in turn.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import precision_of
from rolearn.independence.question_kernels import p_value
from rolearn.neighbors.grow_shrink_kernels import GrowShrink, boundary_of, grow_shrink, takes
from rolearn.neighbors.ledger_kernels import note_test
from rolearn.neighbors.local_score_kernels import LocalScore
from rolearn.runtime.compile import kernel, open_kernel

__all__ = [
    "PrecisionBoundaries",
    "TestedBoundaries",
    "TracedBoundaries",
    "advance",
    "boundary_at",
    "copy_position",
    "leave_rows",
    "load_rows",
    "place_at",
    "read_boundary",
]


class PrecisionBoundaries(NamedTuple):
    """Total conditioning in a Gaussian, all pairs from one precision matrix.

    ``stack`` (slots, p, p) holds the precision matrix of the variables that remain at several positions of
    an order; ``critical`` is the z beyond which a pair is dependent.
    """

    stack: np.ndarray
    n_samples: float
    critical: float


class TestedBoundaries(NamedTuple):
    """Total conditioning by one test a pair, at the given level; for an oracle or a user's test."""

    level: float


class TracedBoundaries(NamedTuple):
    """Grow-shrink along one order, from its start: rows of ``traces`` tell when a boundary changes.

    Those marked ``stale`` (p) are worked out when asked for; the others are the first ``sizes`` (p) of the
    ``members`` (p, depth).
    """

    score: Any
    traces: Any
    room: Any
    stale: np.ndarray
    sizes: np.ndarray
    members: np.ndarray


@open_kernel
def advance(boundaries, source, target, x):
    """Let x leave for good: from the position kept in slot `source` to that in slot `target`."""


@open_kernel
def place_at(boundaries, statistics, slot, members, size, remaining):
    """Bring a slot to the position where the members remain, from nothing."""


@open_kernel
def copy_position(boundaries, source, target):
    """Copy the position kept in slot `source` to slot `target`."""


@open_kernel
def load_rows(boundaries, slot, members, count, rows, diagonal):
    """Load what the boundaries of `count` members need at the position in `slot`: their rows."""


@open_kernel
def read_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out):
    """Fill `out` with the boundary of x, the i-th loaded member, in `remaining`; gives its size."""


@open_kernel
def leave_rows(boundaries, i, members, count, rows, diagonal):
    """Let the i-th loaded member leave the rows of the later ones."""


@kernel
def boundary_at(boundaries, statistics, ledger, slot, x, remaining, out):
    """Fill `out` with the boundary of x in `remaining`, at the position in `slot`; gives its size."""
    count = len(remaining[:1])  # one, but no literal: of those the compiler makes a copy each
    rows = np.empty((count, len(remaining)))
    diagonal = np.empty(len(remaining))
    members = np.empty(count, np.int64)
    size = 0
    for i in range(count):
        members[i] = x
        load_rows(boundaries, slot, members, count, rows, diagonal)
        size = read_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out)
    return size


# Gaussian, total conditioning. Removing R from a precision matrix K leaves K - K[:, R] K[R, R]^-1 K[R, :].


@advance.register(PrecisionBoundaries)
def advance_precision(boundaries, source, target, x):
    """One Schur complement."""
    old = boundaries.stack[source]
    new = boundaries.stack[target]
    p = old.shape[0]
    row = np.empty(p)
    for a in range(p):
        row[a] = old[x, a]
    for a in range(p):
        share = row[a] / row[x]
        if share != 0.0 or source != target:
            for b in range(p):
                new[a, b] = old[a, b] - share * row[b]
    for a in range(p):
        new[x, a] = 0.0
        new[a, x] = 0.0
    new[x, x] = 1.0


@place_at.register(PrecisionBoundaries)
def place_precision(boundaries, statistics, slot, members, size, remaining):
    """Invert the correlations of what remains."""
    matrix = boundaries.stack[slot]
    precision = np.empty((size, size))
    precision_of(statistics.correlation, members, size, precision)
    for a in range(matrix.shape[0]):
        for b in range(matrix.shape[0]):
            matrix[a, b] = 0.0
        matrix[a, a] = 1.0
    for i in range(size):
        for j in range(size):
            matrix[members[i], members[j]] = precision[i, j]


@copy_position.register(PrecisionBoundaries)
def copy_precision(boundaries, source, target):
    """Copy the matrix."""
    old = boundaries.stack[source]
    new = boundaries.stack[target]
    for a in range(old.shape[0]):
        for b in range(old.shape[0]):
            new[a, b] = old[a, b]


@load_rows.register(PrecisionBoundaries)
def load_precision_rows(boundaries, slot, members, count, rows, diagonal):
    """Copy rows and the diagonal."""
    matrix = boundaries.stack[slot]
    for a in range(matrix.shape[0]):
        diagonal[a] = matrix[a, a]
        for i in range(count):
            rows[i, a] = matrix[members[i], a]


@read_boundary.register(PrecisionBoundaries)
def read_precision_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out):
    """Keep those whose partial correlation given all others passes Fisher's z at the critical value."""
    count = 0
    for y in range(len(remaining)):
        if remaining[y]:
            count += 1
    degrees = boundaries.n_samples - (count - 2.0) - 3.0
    least = math.tanh(boundaries.critical / math.sqrt(degrees)) ** 2
    size = 0
    for y in range(len(remaining)):
        if remaining[y] and y != x and rows[i, y] ** 2 > least * diagonal[x] * diagonal[y]:
            out[size] = y
            size += 1
    return size


@leave_rows.register(PrecisionBoundaries)
def leave_precision_rows(boundaries, i, members, count, rows, diagonal):
    """Take the same Schur complement on the rows that are loaded."""
    x = members[i]
    pivot = rows[i, x]
    p = rows.shape[1]
    for k in range(i + 1, count):
        share = rows[k, x] / pivot
        if share != 0.0:
            for a in range(p):
                rows[k, a] -= share * rows[i, a]
    for a in range(p):
        diagonal[a] -= rows[i, a] ** 2 / pivot
    diagonal[x] = 1.0


# The other kinds need no more than x and what remains, or keep what they know by x.


@advance.register(GrowShrink)
@advance.register(LocalScore)
@advance.register(TestedBoundaries)
def advance_nothing(boundaries, source, target, x):
    """Nothing is carried along."""


@place_at.register(GrowShrink)
@place_at.register(LocalScore)
@place_at.register(TestedBoundaries)
def place_nothing(boundaries, statistics, slot, members, size, remaining):
    """Nothing is kept by position."""


@copy_position.register(GrowShrink)
@copy_position.register(LocalScore)
@copy_position.register(TracedBoundaries)
@copy_position.register(TestedBoundaries)
def copy_nothing(boundaries, source, target):
    """Nothing is kept by position."""


@load_rows.register(GrowShrink)
@load_rows.register(LocalScore)
@load_rows.register(TracedBoundaries)
@load_rows.register(TestedBoundaries)
def load_nothing(boundaries, slot, members, count, rows, diagonal):
    """Nothing to load."""


@leave_rows.register(GrowShrink)
@leave_rows.register(LocalScore)
@leave_rows.register(TracedBoundaries)
@leave_rows.register(TestedBoundaries)
def leave_nothing(boundaries, i, members, count, rows, diagonal):
    """Nothing is loaded."""


@read_boundary.register(GrowShrink)
@read_boundary.register(LocalScore)
def read_grow_shrink_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out):
    """Grow, then shrink, from nothing."""
    return grow_shrink(boundaries, x, remaining, out)


@advance.register(TracedBoundaries)
def advance_traced(boundaries, source, target, x):
    """Mark the boundaries that change: those of variables whose trace took x."""
    for y in range(len(boundaries.stale)):
        if takes(boundaries.traces, y, x):
            boundaries.stale[y] = True


@read_boundary.register(TracedBoundaries)
def read_traced_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out):
    """Grow and shrink if stale."""
    if boundaries.stale[x]:
        size = boundary_of(boundaries.score, x, remaining, boundaries.room, boundaries.traces, x, out)
        boundaries.sizes[x] = size
        for k in range(size):
            boundaries.members[x, k] = out[k]
        boundaries.stale[x] = False
    for k in range(boundaries.sizes[x]):
        out[k] = boundaries.members[x, k]
    return boundaries.sizes[x]


@read_boundary.register(TestedBoundaries)
def read_tested_boundary(boundaries, statistics, ledger, i, x, remaining, rows, diagonal, out):
    """Keep those that depend on x given all the others, by one test a pair."""
    p = len(remaining)
    given = np.empty(p, np.int64)
    size = 0
    for y in range(p):
        if remaining[y] and y != x:
            count = 0
            for z in range(p):
                if remaining[z] and z != x and z != y:
                    given[count] = z
                    count += 1
            note_test(ledger, x, y, given, count)
            if p_value(statistics, x, y, given, count) <= boundaries.level:
                out[size] = y
                size += 1
    return size
