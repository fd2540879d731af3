"""Down from one order by swaps: algorithms 2 and 4 of the paper."""

from __future__ import annotations

import numpy as np

from rolearn.orders.climb_kernels import climb, rewind
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts

__all__ = ["SwapClimb"]


class SwapClimb:
    """An order on its way down, with what lets `climb` go on where it was."""

    def __init__(self, costs: OrderCosts, order: np.ndarray, max_swap: int) -> None:
        max_swap = min(max_swap, max(len(order) - 1, 1))
        self.costs = costs.branch(slots=max_swap + 2)  # one more for the start of the order
        self.order, self.max_swap, self.position, self.held = order, max_swap, 0, 0
        self.remaining = np.ones(len(order), np.bool_)
        self.settled = np.zeros((len(order), max_swap + 1), np.bool_)
        self.local = self.costs.window(max_swap + 1, order, self.remaining)
        self._hold(0)

    @property
    def cost(self) -> float:
        """The sum of the local costs."""
        return float(self.local.sum())

    def step(self) -> bool | None:
        """Make the next swap that helps: True; False if there is none; None if halted before that."""
        (a, b), _ = self.costs.attempt(
            climb,
            COSTS,
            STATISTICS,
            LEDGER,
            self.order,
            self.local,
            self.remaining,
            self.settled,
            self.costs.precedence,
            self.max_swap,
            self.position,
        )
        if a < 0:
            return False
        self.position = int(a)
        self.held = max(self.held, self.position - self.max_swap)
        if b < 0:
            return None
        self._unsettle(int(a), int(b))
        self._go_back()
        return True

    def _unsettle(self, a: int, b: int) -> None:
        """Forget what was known of the windows that meet [a, b]."""
        self.settled[a : b + 1] = False
        for before in range(max(0, a - self.max_swap), a):
            self.settled[before, a - before :] = False

    def _go_back(self) -> None:
        """Return to the first position whose windows may have changed."""
        back = max(0, self.position - self.max_swap)
        self.remaining[self.order[back : self.position]] = True
        self.position = back
        if back < self.held:
            self._hold(back)

    def _hold(self, position: int) -> None:
        """Work out the boundaries at a position anew, since its slot has been taken by a later one."""
        self.costs.attempt(rewind, COSTS, self.order, position, self.max_swap + 1)
        self.held = position
