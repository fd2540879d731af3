"""The cost of a variable's removal and of a window of an order: algorithms 1 and 3 of the paper.

Positions count from 0 and windows are half-open: ``[start, stop)``. ``remaining`` is the mask of variables
still there at the start of the window, which is where algorithm 3 has to begin (not at all variables).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rolearn.neighbors.boundary_kernels import advance, boundary_at, leave_rows, load_rows, read_boundary
from rolearn.neighbors.finder_kernels import separate
from rolearn.neighbors.grow_shrink_kernels import boundary_of, evaluate
from rolearn.neighbors.ledger_kernels import FULL, cost_key, halted, keep_cost, place
from rolearn.neighbors.subset_kernels import find_node
from rolearn.runtime.compile import kernel, open_kernel

__all__ = [
    "BicCosts",
    "NeighborCosts",
    "SubsetCosts",
    "let_leave",
    "local_cost",
    "look_along",
    "look_at",
    "subset_node",
    "window_cost",
]


class NeighborCosts(NamedTuple):
    """The paper's cost: how many neighbors the finder sees in the boundary."""

    finder: Any
    boundaries: Any


class BicCosts(NamedTuple):
    """The penalized likelihood of x given the parents that ``boundaries``, a `GrowShrink`, finds for it.

    ``row`` of the ``traces`` is where they grow.
    """

    boundaries: Any
    traces: Any
    room: Any
    row: int


class SubsetCosts(NamedTuple):
    """The penalized likelihood of x given the best set of parents, by the score of ``boundaries``.

    ``known`` and ``room`` are a `BestSubsets` and a `SubsetRoom`.
    """

    boundaries: Any
    known: Any
    room: Any


@open_kernel
def local_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal):
    """Give the cost of removing x, the i-th loaded variable, from `remaining`."""


@local_cost.register(NeighborCosts)
def neighbor_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal):
    """Count neighbors, each (variable, boundary) once."""
    boundary = np.empty(len(remaining), np.int64)
    size = read_boundary(costs.boundaries, statistics, ledger, i, x, remaining, rows, diagonal, boundary)
    if size == 0:
        return 0.0
    key = cost_key(ledger, x, boundary, size)
    at = place(ledger.cost_keys, key)
    if ledger.cost_keys[at] == key:
        return ledger.cost_values[at]
    p_values = np.empty(size)
    given = np.empty((size, size), np.bool_)
    cost = float(separate(costs.finder, statistics, ledger, x, boundary, size, p_values, given))
    if not halted(ledger):
        keep_cost(ledger, key, cost)
    return cost


@local_cost.register(BicCosts)
def bic_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal):
    """Grow and shrink the parents of x."""
    return evaluate(costs.boundaries, x, remaining, costs.room, costs.traces, costs.row)


@kernel
def subset_node(costs, ledger, x, remaining):
    """Give where the best set of x is kept; -1 when halted, for want of room or at the signal."""
    row = find_node(costs.boundaries, costs.known, costs.room, x, remaining, ledger.signal)
    if costs.known.full[0] != 0:
        ledger.counts[FULL] = 1
    return row


@local_cost.register(SubsetCosts)
def subset_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal):
    """Look up the best set of parents."""
    row = subset_node(costs, ledger, x, remaining)
    return costs.known.cost[row] if row >= 0 else np.nan


@kernel
def window_cost(costs, statistics, ledger, slot, members, count, remaining, found):
    """Fill `found` with the local costs of the members as they leave in turn; gives the sum.

    Comes back early, with the sum so far, when the ledger calls halt. `remaining` is as before afterwards.
    """
    p = len(remaining)
    rows = np.empty((count, p))
    diagonal = np.empty(p)
    load_rows(costs.boundaries, slot, members, count, rows, diagonal)
    total = 0.0
    left = 0
    for i in range(count):
        x = members[i]
        found[i] = local_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal)
        total += found[i]
        if halted(ledger):
            break
        leave_rows(costs.boundaries, i, members, count, rows, diagonal)
        remaining[x] = False
        left += 1
    for i in range(left):
        remaining[members[i]] = True
    return total


@open_kernel
def look_at(costs, statistics, ledger, slot, x, remaining, boundary, p_values, given):
    """Fill the boundary of x within `remaining` and what separates its members; gives its size.

    The position is that in `slot`; ``p_values`` and ``given`` are as `separate` fills them.
    """


@look_at.register(NeighborCosts)
def look_at_neighbors(costs, statistics, ledger, slot, x, remaining, boundary, p_values, given):
    """Let the finder look at the boundary."""
    size = boundary_at(costs.boundaries, statistics, ledger, slot, x, remaining, boundary)
    separate(costs.finder, statistics, ledger, x, boundary, size, p_values, given)
    return size


@look_at.register(BicCosts)
def look_at_parents(costs, statistics, ledger, slot, x, remaining, boundary, p_values, given):
    """All parents are neighbors: nothing is tested at this point."""
    size = boundary_of(costs.boundaries, x, remaining, costs.room, costs.traces, costs.row, boundary)
    for i in range(size):
        p_values[i] = -1.0
    return size


@look_at.register(SubsetCosts)
def look_at_best_parents(costs, statistics, ledger, slot, x, remaining, boundary, p_values, given):
    """All parents are neighbors."""
    row = subset_node(costs, ledger, x, remaining)
    size = costs.known.size[row] if row >= 0 else 0
    for i in range(size):
        boundary[i] = costs.known.members[row, i]
        p_values[i] = -1.0
    return size


@kernel
def let_leave(boundaries, source, target, x, remaining):
    """Take x away: from the position in slot `source` to that in slot `target`."""
    advance(boundaries, source, target, x)
    remaining[x] = False


@kernel
def look_along(costs, statistics, ledger, order, first, remaining, sizes, boundaries, p_values, given):
    """Do as `look_at` for each variable of an order (m) from `first` on as it leaves, in slot 0.

    ``sizes`` (m) are of the boundaries, the others have a row each. Comes back early when the ledger has no
    room; gives where it ended.
    """
    slot = first - first  # a plain 0 would be compiled for itself
    for i in range(first, len(order)):
        x = order[i]
        into = (boundaries[i], p_values[i], given[i])
        sizes[i] = look_at(costs, statistics, ledger, slot, x, remaining, *into)
        if ledger.counts[FULL] != 0:
            return i
        let_leave(costs.boundaries, slot, slot, x, remaining)
    return len(order)
