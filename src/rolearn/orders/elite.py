"""The cheapest orders seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolearn.orders.cost import SAME_COST

__all__ = ["Elite"]

_SIZE = 8


class Elite:
    """A few orders, cheapest first; of those that cost the same the first seen."""

    def __init__(self) -> None:
        self.found: list[tuple[float, tuple[int, ...]]] = []

    def add(self, order: np.ndarray, cost: float) -> None:
        """Keep an order if it is among the cheapest, and none of its cost is there."""
        if len(self.found) == _SIZE and cost >= self.found[-1][0]:
            return
        if any(abs(cost - other) <= SAME_COST for other, _ in self.found):
            return
        self.found.append((cost, tuple(order.tolist())))
        self.found = sorted(self.found)[:_SIZE]

    def orders(self) -> np.ndarray:
        """Give them all (number, p)."""
        return np.array([order for _, order in self.found], np.int64)

    def others(self, most: int) -> tuple[np.ndarray, ...]:
        """Give up to so many after the best."""
        return tuple(self.orders()[1 : 1 + most])

    def state(self) -> dict[str, Any]:
        """Give what changes, as plain values."""
        return {"elite": [(cost, list(order)) for cost, order in self.found]}

    def restore(self, state: dict[str, Any]) -> None:
        """Become what `state` gave."""
        self.found = [(cost, tuple(order)) for cost, order in state["elite"]]
