"""ROL_HC: hill climbing over orders (algorithms 2 and 4 of the paper), and with the bic cost past them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.descent import Descent
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import STARTS, check_removability, initial_order
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_integer

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
    start : "recursive", "boundary-size" or "random"
        The initial order (appendix A.1).
    removability : "auto", "rsl" or "l-marvel"
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
        if not _is_count(self.max_swap) or self.max_swap < 1:
            raise ParameterError(f"max_swap is {self.max_swap!r}; give an integer of at least 1")
        for limit in ("max_iter", "kicks", "others"):
            value = getattr(self, limit)
            if value is not None and not _is_count(value):
                raise ParameterError(f"{limit} is {value!r}; give an integer of at least 0, or None")
        if self.start not in STARTS:
            raise ParameterError(f"start is {self.start!r}; allowed are {', '.join(map(repr, STARTS))}")
        check_removability(self.removability)

    def starts(self, n_starts: int) -> list[HillClimb]:
        """Give one search a start: the first as set, the others from random orders."""
        return [self] + [replace(self, start="random")] * (n_starts - 1)

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Climb from one initial order; hand on more that cost the same if `more`, with the bic cost."""
        start = costs.for_start()
        order = initial_order(start, self.start, self.removability, generator)
        descent = Descent(self.max_swap, self.max_iter, self.kicks, self.others)
        found = descent.run(costs, order, trace, generator, more)
        return replace(found, asked=(start.asked(), *found.asked))


def _is_count(value: Any) -> bool:
    return is_integer(value) and value >= 0
