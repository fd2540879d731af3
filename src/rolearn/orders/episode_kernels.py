"""What many orders cost, local costs kept by (variable, remaining) from one order to the next."""

from __future__ import annotations

from typing import Any, NamedTuple

from rolearn.neighbors.ledger_kernels import COSTS, halted, keep_cost, place
from rolearn.orders.window_kernels import local_cost, window_cost
from rolearn.runtime.compile import kernel

__all__ = ["RememberedCosts", "costs_of_orders"]


class RememberedCosts(NamedTuple):
    """Other ``costs``, with their ``boundaries``, looked up where known; at most ``limit`` are kept."""

    costs: Any
    boundaries: Any
    limit: int


@local_cost.register(RememberedCosts)
def remembered_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal):
    """Look the cost of (x, remaining) up, or work it out and keep it."""
    key = ledger.keys[2, x]
    for y in range(len(remaining)):
        if remaining[y]:
            key ^= ledger.keys[1, y]  # another row than boundaries have in the same table
    at = place(ledger.cost_keys, key)
    if ledger.cost_keys[at] == key:
        return ledger.cost_values[at]
    cost = local_cost(costs.costs, statistics, ledger, i, x, remaining, rows, diagonal)
    if not halted(ledger) and ledger.counts[COSTS] < costs.limit:
        keep_cost(ledger, key, cost)
    return cost


@kernel
def costs_of_orders(costs, statistics, ledger, orders, first, remaining, found):
    """Fill `found` (orders, p) with local costs from the order `first` on; gives the first unknown one."""
    p = len(remaining)
    for k in range(first, len(orders)):
        window_cost(costs, statistics, ledger, 0, orders[k], p, remaining, found[k])
        if halted(ledger):
            return k
    return len(orders)
