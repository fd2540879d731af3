"""Algorithm 4 of the paper: swap two variables of an order if that lowers the cost of the window between."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.boundary_kernels import advance, copy_position
from rolearn.neighbors.ledger_kernels import halted
from rolearn.orders.window_kernels import window_cost
from rolearn.runtime.compile import kernel, part

__all__ = ["climb", "rewind"]


@part
def _may_come(order, precedence, a, b):
    """Whether the variable at b may leave before those from a on."""
    barred = 0
    for t in range(a, b):
        barred += precedence[order[b], order[t]] < 0
    return barred == 0


@kernel
def climb(costs, statistics, ledger, order, local, remaining, settled, precedence, max_swap, first):
    """Go through the swaps of positions a < b, b - a <= max_swap, from a = `first`, up to one that helps.

    The first swap that lowers the cost is made: `order` and the `local` costs (p) of its window change.
    ``settled[a, b - a]`` remembers the windows found not to help since anything in them changed, so that
    coming back to an earlier position costs nothing; the swaps made are those of a full restart. Swaps that
    the `precedence` doesn't allow are not looked at.

    Slot a modulo (max_swap + 1) of the boundaries holds position a, and `remaining` (p) what is there at
    `first`, at the start and at the end of the call.

    Returns
    -------
    (a, b)
        The positions swapped; (-1, -1) after the last; (a, -1) when halted at position a.
    """
    p = len(order)
    slots = max_swap + 1
    members = np.empty(slots, np.int64)
    found = np.empty(slots)
    for a in range(first, p - 1):
        for b in range(a + 1, min(a + max_swap, p - 1) + 1):
            if precedence[order[a], order[b]] > 0:
                break
            if settled[a, b - a] or not _may_come(order, precedence, a, b):
                continue
            count = b - a + 1
            before = 0.0
            for i in range(count):
                members[i] = order[a + i]
                before += local[a + i]
            members[0] = order[b]
            members[count - 1] = order[a]
            after = window_cost(costs, statistics, ledger, a % slots, members, count, remaining, found)
            if halted(ledger):
                return a, -1
            if after < before:
                for i in range(count):
                    order[a + i] = members[i]
                    local[a + i] = found[i]
                return a, b
            settled[a, b - a] = True
        advance(costs.boundaries, a % slots, (a + 1) % slots, order[a])
        remaining[order[a]] = False
    return -1, -1


@kernel
def rewind(costs, order, position, slots):
    """Bring slot ``position`` modulo `slots` there, from the start of the order kept in slot `slots`."""
    target = position % slots
    copy_position(costs.boundaries, slots, target)
    for t in range(position):
        advance(costs.boundaries, target, target, order[t])
