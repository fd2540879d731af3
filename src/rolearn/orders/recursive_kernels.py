"""The recursive order (paper, appendix A.1): remove what tests removable, smallest boundaries first."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.boundary_kernels import advance, load_rows, read_boundary
from rolearn.neighbors.finder_kernels import resistance
from rolearn.neighbors.ledger_kernels import cost_key, halted
from rolearn.runtime.compile import kernel

__all__ = ["boundary_sizes", "remove_recursively"]


@kernel
def boundary_sizes(boundaries, statistics, ledger, slot, remaining, sizes, keys):
    """Fill the sizes of the boundaries of all that remain, and their keys."""
    p = len(remaining)
    members = np.empty(1, np.int64)
    rows = np.empty((1, p))
    diagonal = np.empty(p)
    boundary = np.empty(p, np.int64)
    for x in range(p):
        if remaining[x]:
            members[0] = x
            load_rows(boundaries, slot, members, 1, rows, diagonal)
            sizes[x] = read_boundary(
                boundaries, statistics, ledger, 0, x, remaining, rows, diagonal, boundary
            )
            keys[x] = cost_key(ledger, x, boundary, sizes[x])
            if halted(ledger):
                return


@kernel
def _resistance(boundaries, finder, statistics, ledger, x, remaining):
    """Give the resistance to removing x from what remains, at the position in slot 0."""
    p = len(remaining)
    members = np.empty(1, np.int64)
    members[0] = x
    rows = np.empty((1, p))
    diagonal = np.empty(p)
    boundary = np.empty(p, np.int64)
    load_rows(boundaries, 0, members, 1, rows, diagonal)
    size = read_boundary(boundaries, statistics, ledger, 0, x, remaining, rows, diagonal, boundary)
    return resistance(finder, statistics, ledger, x, boundary, size)


@kernel
def _choose(boundaries, finder, statistics, ledger, remaining, sizes, keys, known, against):
    """Give the next to leave, -1 when halted before that is known.

    Of the variables with the smallest boundary for which one tests removable the surest such; where none
    does, the one that least speaks against.
    """
    p = len(remaining)
    tried = np.zeros(p, np.bool_)
    best = -1
    while True:
        x = -1
        for y in range(p):
            if remaining[y] and not tried[y] and (x < 0 or sizes[y] < sizes[x]):
                x = y
        if x < 0 or (best >= 0 and against[best] < 1.0 and sizes[best] < sizes[x]):
            return best
        tried[x] = True
        if known[x] != keys[x]:
            against[x] = _resistance(boundaries, finder, statistics, ledger, x, remaining)
            if halted(ledger):
                return -1
            known[x] = keys[x]
        if best < 0 or against[x] < against[best]:
            best = x


@kernel
def remove_recursively(boundaries, finder, statistics, ledger, order, remaining, known, against, done):
    """Fill `order` from position `done` on; gives how many positions are filled.

    What speaks against x, ``against[x]``, is worked out anew when the key of its boundary is no longer
    ``known[x]``. Slot 0 follows the removals.
    """
    p = len(order)
    sizes = np.zeros(p, np.int64)
    keys = np.zeros(p, np.int64)
    for t in range(done, p):
        boundary_sizes(boundaries, statistics, ledger, 0, remaining, sizes, keys)
        if halted(ledger):
            return t
        chosen = _choose(boundaries, finder, statistics, ledger, remaining, sizes, keys, known, against)
        if chosen < 0:
            return t
        order[t] = chosen
        advance(boundaries, 0, 0, chosen)
        remaining[chosen] = False
    return p
