"""The cheapest of all orders by best-first search with a lower bound (A*)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolearn.independence import Gaussian, Oracle
from rolearn.neighbors.collider_set_kernels import MbcsFinder
from rolearn.neighbors.finder_kernels import LMarvelFinder
from rolearn.neighbors.ledger import Asked
from rolearn.orders.best_first_kernels import (
    EXHAUSTED,
    FOUND,
    FULL,
    SkeletonBound,
    count_edges,
    go_on,
    relaxed_between_blocks,
)
from rolearn.orders.blocks import Blocks
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts
from rolearn.orders.frontier_kernels import QUEUED, STATES, Frontier, place_of, push, transfer
from rolearn.orders.precedence import predecessors
from rolearn.orders.progress import Trace
from rolearn.orders.window_kernels import NeighborCosts, SubsetCosts
from rolearn.runtime.budget import StopReason

__all__ = ["BestFirst", "has_bound"]

MOST_VARIABLES = 62  # a subset is the bits of one integer

_FIRST_PLACES = 1 << 14
_SHARE = 0.25  # of the memory, for local costs that are remembered
_BYTES_PER_PLACE = 8 + 8 + 1 + 16  # of the table, and as many entries of the heap


def has_bound(costs: OrderCosts) -> bool:
    """Whether there is a lower bound for these costs, and so a search by it."""
    if isinstance(costs.arrays, NeighborCosts):
        return isinstance(costs.statistics, Oracle)
    return isinstance(costs.arrays, SubsetCosts)


class BestFirst:
    """A* over the subsets that may remain; `best_first_kernels` states the bounds and proves them.

    Parameters
    ----------
    costs : OrderCosts
        That have a bound.
    order : int64 array, shape (p,)
        The best order so far: what costs as much is not looked at.
    cost : float
        Its cost.
    memory : float
        Bytes that the subsets reached may take.
    trace : Trace
    largest_block : int, optional
        Members of a block at most, if fewer than blocks have anyway.
    """

    def __init__(
        self,
        costs: OrderCosts,
        order: np.ndarray,
        cost: float,
        memory: float,
        trace: Trace,
        largest_block: int | None = None,
    ) -> None:
        self.largest_block = largest_block
        self.costs, self.order, self.cost = costs.branch(), order, cost
        self.memory, self.trace = memory, trace
        self.tolerance = 1e-6 + 1e-9 * (costs.statistics.n_samples or 0.0)
        self.least, self.floor, self.bound = self._bound()
        self.before = predecessors(costs.precedence)
        self.frontier = _empty(_FIRST_PLACES)
        push(self.frontier, (1 << costs.n_variables) - 1, 0.0, -1)

    def run(self, most_subsets: int | None = None) -> StopReason:
        """Search until the best order is proved to be, or time or memory are up; gives which.

        So many subsets at most, where given, count as memory, too.
        """
        while self.bound is not None:
            why = self._go_on()
            if why == FOUND:
                self._take()
            if why in (FOUND, EXHAUSTED):
                return StopReason.PROVED
            if why != FULL:
                break
            if (most_subsets and self.n_subsets > most_subsets) or not self._enlarge():
                return StopReason.MEMORY_LIMIT
        return self.trace.budget.reason or StopReason.INTERRUPTED

    @property
    def lower_bound(self) -> float:
        """What every order costs at least, so far as is proved."""
        queued = self.frontier.counts[QUEUED]
        proved = float(self.frontier.heap_cost[0]) if queued else np.inf
        return min(max(self.least + proved, self.floor), self.cost)

    @property
    def n_subsets(self) -> int:
        """How many subsets were reached."""
        return int(self.frontier.counts[STATES])

    def asked(self) -> Asked:
        """Give the tests asked."""
        return self.costs.asked()

    def _go_on(self) -> int:
        again = True
        while again:
            limit = self.cost - self.least - self.tolerance
            why, again = self.costs.attempt(
                go_on,
                self.bound,
                COSTS,
                STATISTICS,
                LEDGER,
                self.frontier,
                self.before,
                limit,
                self.costs.n_variables,
            )
            self.trace.tell(None)
            if again and self.costs.remembered_bytes > _SHARE * self.memory:
                self.costs.forget()
        return why

    def _take(self) -> None:
        """Follow the path to nothing remaining back."""
        mask, p = 0, self.costs.n_variables
        for t in range(p - 1, -1, -1):
            x = int(self.frontier.left[place_of(self.frontier.masks, mask)])
            self.order[t] = x
            mask |= 1 << x
        self.cost = self.least + float(self.frontier.cost[place_of(self.frontier.masks, 0)])

    def _enlarge(self) -> bool:
        places = 2 * len(self.frontier.masks)
        # while one is copied to the other, both are there
        if 1.5 * places * _BYTES_PER_PLACE > (1.0 - _SHARE) * self.memory:
            return False
        larger = _empty(places)
        larger.counts[:] = self.frontier.counts
        transfer(self.frontier, larger)
        self.frontier = larger
        return True

    def _bound(self) -> tuple[float, float, Any]:
        """Give the bound that paths go by and the highest, of all variables, and what kernels take."""
        statistics, arrays, p = self.costs.statistics, self.costs.arrays, self.costs.n_variables
        if isinstance(arrays, NeighborCosts):
            edges = float(count_edges(statistics.arrays, np.arange(p), p, -1, np.empty(p, np.int64)))
            complete = isinstance(arrays.finder, (LMarvelFinder, MbcsFinder))
            return edges, edges, SkeletonBound(complete and not self.costs.precedence.any())
        assert isinstance(statistics, Gaussian)
        saturated = statistics.arrays.n_samples * float(np.linalg.slogdet(statistics.correlation)[1])
        blocks = Blocks(self.costs, self.memory, self.largest_block)
        if not blocks.complete:
            return saturated, saturated, None
        bound, order = blocks.bound(), blocks.order()
        if order is not None:
            self.order, self.cost = order, self.costs.whole(order)
        return saturated, max(saturated, relaxed_between_blocks(bound, np.arange(p), p)), bound


def _empty(places: int) -> Frontier:
    return Frontier(
        masks=np.zeros(places, np.int64),
        cost=np.empty(places),
        left=np.empty(places, np.int8),
        heap_cost=np.empty(places),
        heap_mask=np.empty(places, np.int64),
        counts=np.zeros(2, np.int64),
    )
