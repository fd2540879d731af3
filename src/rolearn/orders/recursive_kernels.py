"""The recursive order (paper, appendix A.1): remove what tests removable, smallest boundaries first."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.boundary_kernels import advance, boundary_at
from rolearn.neighbors.finder_kernels import resistance
from rolearn.neighbors.ledger_kernels import cost_key, halted
from rolearn.runtime.compile import kernel, part

__all__ = ["boundary_sizes", "remove_recursively"]


@kernel
def boundary_sizes(boundaries, statistics, ledger, slot, remaining, sizes, keys):
    """Fill the sizes of the boundaries of all that remain, and their keys."""
    p = len(remaining)
    boundary = np.empty(p, np.int64)
    for x in range(p):
        if remaining[x]:
            sizes[x] = boundary_at(boundaries, statistics, ledger, slot, x, remaining, boundary)
            keys[x] = cost_key(ledger, x, boundary, sizes[x])
            if halted(ledger):
                return


@part
def _smallest(remaining, tried, sizes):
    """Give the variable not yet tried that has the smallest boundary; -1 if there is none."""
    x = -1
    for y in range(len(remaining)):
        if remaining[y] and not tried[y] and (x < 0 or sizes[y] < sizes[x]):
            x = y
    return x


@part
def _choose(boundaries, finder, statistics, ledger, slot, remaining, held, sizes, keys, known, against):
    """Give the next to leave, -1 when halted before that is known; none for which ``held`` (p) isn't 0.

    Of the variables with the smallest boundary for which one tests removable the surest such; where none
    does, the one that least speaks against.
    """
    p = len(remaining)
    tried = held > 0
    boundary = np.empty(p, np.int64)
    best = -1
    while True:
        x = _smallest(remaining, tried, sizes)
        if x < 0 or (best >= 0 and against[best] < 1.0 and sizes[best] < sizes[x]):
            return best
        tried[x] = True
        if known[x] != keys[x]:
            size = boundary_at(boundaries, statistics, ledger, slot, x, remaining, boundary)
            against[x] = resistance(finder, statistics, ledger, x, boundary, size)
            if halted(ledger):
                return -1
            known[x] = keys[x]
        if best < 0 or against[x] < against[best]:
            best = x


@kernel
def remove_recursively(
    boundaries, finder, statistics, ledger, slot, order, remaining, known, against, precedence, done
):
    """Fill `order` from position `done` on; gives how many positions are filled.

    What speaks against x, ``against[x]``, is worked out anew when the key of its boundary is no longer
    ``known[x]``. The position in `slot` follows the removals, and these keep to the `precedence`.
    """
    p = len(order)
    sizes = np.zeros(p, np.int64)
    keys = np.zeros(p, np.int64)
    held = np.zeros(p, np.int64)  # by how many that have to leave first
    for x in range(p):
        for y in range(p):
            if remaining[y] and precedence[x, y] < 0:
                held[x] += 1
    for t in range(done, p):
        boundary_sizes(boundaries, statistics, ledger, slot, remaining, sizes, keys)
        if halted(ledger):
            return t
        chosen = _choose(
            boundaries, finder, statistics, ledger, slot, remaining, held, sizes, keys, known, against
        )
        if chosen < 0:
            return t
        order[t] = chosen
        advance(boundaries, slot, slot, chosen)
        remaining[chosen] = False
        for y in range(p):
            if precedence[chosen, y] > 0:
                held[y] -= 1
    return p
