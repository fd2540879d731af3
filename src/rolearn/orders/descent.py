"""Down from an order by the moves that suit its cost; where the searches that end so meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.insertion_climb import InsertionClimb, usual_kicks
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.swap_climb import SwapClimb
from rolearn.orders.window_kernels import BicCosts, SubsetCosts
from rolearn.runtime.budget import StopReason

__all__ = ["Descent"]

_FEW_VARIABLES = 300


@dataclass(frozen=True)
class Descent:
    """Swaps for the cost that counts neighbors, insertions and kicks for the bic cost.

    With exact parents, insertions and kicks by the parents that grow-shrink finds, then swaps.

    The attributes are those of `HillClimb`, which checks them.
    """

    max_swap: int = 10
    max_iter: int | None = 20
    kicks: int | None = None
    others: int | None = None

    def run(
        self,
        costs: OrderCosts,
        order: np.ndarray,
        trace: Trace,
        generator: np.random.Generator,
        more: bool = False,
    ) -> SearchResult:
        """Descend from the order; hand on more that cost the same if `more`, with the bic cost."""
        if isinstance(costs.arrays, BicCosts):
            climb = _climb(costs, order, generator, trace)
            return self._insert(climb, trace, self.n_others(len(order)) if more else 0)
        if isinstance(costs.arrays, SubsetCosts):
            climb = _climb(costs, order, generator, trace)
            order = self._insert(climb, Trace(trace.budget, None, trace.stage), 0).order
        state = SwapClimb(costs, order, self.max_swap)
        trace.add(state.cost, 0.0)
        reason = self._swap(state, trace)
        return SearchResult(state.order, state.cost, tuple(trace.points), reason, (state.costs.asked(),))

    def _swap(self, state: SwapClimb, trace: Trace) -> StopReason:
        moves = 0
        while not state.costs.stopped:
            if self.max_iter is not None and moves >= self.max_iter:
                return StopReason.MOVE_LIMIT
            moved = state.step()
            if moved:
                moves += 1
                trace.add(state.cost, None if self.max_iter is None else moves / self.max_iter)
            elif moved is False:
                return StopReason.CONVERGED
        return trace.budget.reason or StopReason.INTERRUPTED

    def _insert(self, state: InsertionClimb, trace: Trace, n_others: int) -> SearchResult:
        kicks = usual_kicks(len(state.order)) if self.kicks is None else self.kicks
        trace.add(state.cost, 0.0)
        state.descend()
        trace.add(state.cost, 1 / (1 + kicks))
        for number in state.kicks(kicks):
            trace.add(state.cost, (2 + number) / (1 + kicks))
        order, cost = state.order.copy(), state.cost
        stopped = bool(trace.budget.signal[0])
        others = tuple(state.drift() for _ in range(0 if stopped else n_others))
        reason = trace.budget.reason or StopReason.INTERRUPTED if stopped else StopReason.CONVERGED
        return SearchResult(order, cost, tuple(trace.points), reason, (), state.parents_capped, others)

    def n_others(self, n_variables: int) -> int:
        """Give how many more orders of the same cost to hand on."""
        if self.others is not None:
            return self.others
        return 1 if n_variables <= _FEW_VARIABLES else 0


def _climb(
    costs: OrderCosts, order: np.ndarray, generator: np.random.Generator, trace: Trace
) -> InsertionClimb:
    return InsertionClimb(costs.arrays.boundaries, order, generator, trace.budget.signal, costs.precedence)
