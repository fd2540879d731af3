"""The recursive search: the order in which variables test removable, as it comes (appendix A.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import check_removability, initial_order
from rolearn.runtime.budget import StopReason

__all__ = ["Recursive"]


@dataclass(frozen=True)
class Recursive:
    """Remove what tests removable, smallest boundaries first; no search after that.

    Parameters
    ----------
    removability : "auto", "rsl", "l-marvel" or "mbcs"
        Whose test of removability; "auto" is the finder's own. Where no variable passes, the one
        leaves against which the fewest tests speak.
    """

    removability: str = "auto"

    name = "recursive"

    def __post_init__(self) -> None:
        check_removability(self.removability)

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Find the order and what it costs."""
        start = costs.for_start()
        order = initial_order(start, "recursive", self.removability, generator)
        evaluated = costs.branch()
        cost = evaluated.whole(order)
        trace.add(cost, 1.0)
        reason = trace.budget.reason if evaluated.stopped else None
        asked = (start.asked(), evaluated.asked())
        return SearchResult(order, cost, tuple(trace.points), reason or StopReason.COMPLETE, asked)

    def starts(self, n_starts: int) -> list[Recursive]:
        """Give one search a start: there is one recursive order."""
        return [self]
