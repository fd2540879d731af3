"""Value iteration over the lattice of what may remain, one layer of subsets of a size after the other.

A subset of p variables is a bit mask. The masks of one size, in ascending order, are numbered by the sum of
C(c_i, i + 1) over their members c_0 < c_1 < ..., so that a layer's values lie in an array without gaps.
"""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.boundary_kernels import load_rows, place_at
from rolearn.neighbors.ledger_kernels import halted
from rolearn.orders.window_kernels import local_cost
from rolearn.runtime.compile import kernel, part

__all__ = ["lower_layer", "members_of"]


@kernel
def members_of(mask, p, members, remaining):
    """Spell a mask out: as ascending members and as booleans; gives how many there are."""
    size = 0
    for y in range(p):
        remaining[y] = (mask >> y) & 1 == 1
        if remaining[y]:
            members[size] = y
            size += 1
    return size


@kernel
def _mask_at(number, size, p, binomial):
    """Give the mask of `size` members with that number."""
    mask = 0
    left = size
    for y in range(p - 1, -1, -1):
        if left > 0 and number >= binomial[y, left]:
            number -= binomial[y, left]
            mask |= 1 << y
            left -= 1
    return mask


@part
def _next_mask(mask):
    """Give the next larger mask with as many members."""
    lowest = mask & -mask
    carried = mask + lowest
    return carried | (((mask ^ carried) // lowest) >> 2)


@part
def _best_removal(costs, statistics, ledger, members, size, remaining, rows, diagonal, below, binomial):
    """Give the least cost of an order of what remains, and which variable leaves first in it.

    Of equals the first. The numbers of the subsets without one member follow from that of all: members after
    it move down one place.
    """
    load_rows(costs.boundaries, 0, members, size, rows, diagonal)
    number = 0
    for i in range(1, size):
        number += binomial[members[i], i]
    least = np.inf
    first = -1
    for i in range(size):
        x = members[i]
        if below[number] < np.inf:
            cost = local_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal) + below[number]
            if cost < least:
                least = cost
                first = x
        if i + 1 < size:
            number += binomial[x, i + 1] - binomial[members[i + 1], i + 1]
    return least, first


@part
def _is_allowed(mask, members, size, after):
    missing = 0
    for i in range(size):
        missing |= after[members[i]] & ~mask
    return missing == 0


@kernel
def lower_layer(costs, statistics, ledger, size, start, stop, binomial, after, below, values, choices):
    """Fill values and choices of the subsets of a size with numbers from `start` to `stop`; gives how far.

    ``below`` holds the values of the layer of one member less, ``choices`` (2^p) which variable leaves first.
    Subsets without one that has to leave after a member, the mask ``after`` (p), are never left: infinite.
    """
    p = len(binomial) - 1
    members = np.empty(p, np.int64)
    remaining = np.zeros(p, np.bool_)
    rows = np.zeros((size, p))
    diagonal = np.empty(p)
    mask = _mask_at(start, size, p, binomial)
    for number in range(start, stop):
        count = members_of(mask, p, members, remaining)
        if not _is_allowed(mask, members, count, after):
            values[number] = np.inf
            mask = _next_mask(mask)
            continue
        place_at(costs.boundaries, statistics, 0, members, count, remaining)
        least, first = _best_removal(
            costs, statistics, ledger, members, count, remaining, rows, diagonal, below, binomial
        )
        if halted(ledger):
            return number
        values[number] = least
        choices[mask] = first
        mask = _next_mask(mask)
    return stop
