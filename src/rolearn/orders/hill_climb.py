"""ROL_HC: hill climbing over orders (algorithms 2 and 4 of the paper), and with the bic cost past them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.descent import Descent
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import STARTS, check_removability, initial_order
from rolearn.runtime.parameters import check_choice, check_count

__all__ = ["HillClimb"]


@dataclass(frozen=True)
class HillClimb:
    """Move variables within an order while that lowers its cost.

    With the cost that counts neighbors a move swaps two variables (algorithms 2 and 4 of the paper). With the
    bic cost it takes one variable to any other place; where no such move helps, a pair is swapped at random
    and the search goes on from there, `kicks` times, keeping what costs no more. With exact parents it does
    so by the parents that grow-shrink finds, and from there swaps by the cost itself.

    Parameters
    ----------
    max_swap : int
        How far apart in the order two swapped variables may be; 10 in the paper. With the bic cost there are
        no swaps to limit.
    max_iter : int or None
        How many swaps to make; 20 in the paper, None for no limit. As `max_swap` for the neighbors cost only.
    start : "recursive", "scattered", "boundary-size" or "random"
        The initial order (appendix A.1); "scattered" is the recursive one with each variable moved by a
        random distance.
    removability : "auto", "rsl", "l-marvel" or "mbcs"
        Whose test of removability makes the recursive order; "auto" is the finder's own.
    kicks : int or None
        Random swaps once no move helps, with the bic cost; None for a quarter of the number of variables,
        at least 25.
    others : int or None
        How many more orders of the same cost to start the last search over graphs from, with the bic cost;
        None for one, none beyond three hundred variables.

    Raises
    ------
    ParameterError
        When one of these is not allowed.
    """

    max_swap: int = 10
    max_iter: int | None = 20
    start: str = "recursive"
    removability: str = "auto"
    kicks: int | None = None
    others: int | None = None

    name = "hill-climb"

    def __post_init__(self) -> None:
        check_count("max_swap", self.max_swap)
        for limit in ("max_iter", "kicks", "others"):
            value = getattr(self, limit)
            if value is not None:
                check_count(limit, value, 0, or_none=True)
        check_choice("start", self.start, STARTS)
        check_removability(self.removability)

    def starts(self, n_starts: int) -> list[HillClimb]:
        """Give one search a start: the first as set, others scattered if that is recursive, else random."""
        further = "scattered" if self.start in ("recursive", "scattered") else "random"
        return [self] + [replace(self, start=further)] * (n_starts - 1)

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Climb from one initial order; hand on more that cost the same if `more`, with the bic cost."""
        start = costs.for_start()
        order = initial_order(start, self.start, self.removability, generator)
        descent = Descent(self.max_swap, self.max_iter, self.kicks, self.others)
        found = descent.run(costs, order, trace, generator, more)
        return replace(found, asked=(start.asked(), *found.asked))
