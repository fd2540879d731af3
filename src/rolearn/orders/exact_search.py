"""The cheapest of all orders, proved to be: which of the methods, and what follows where one gives up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.neighbors.traces import Score
from rolearn.orders.best_first import MOST_VARIABLES, BestFirst, has_bound
from rolearn.orders.cost import LIKELIHOOD_COSTS, SAME_COST, OrderCosts
from rolearn.orders.cutting_planes import CuttingPlanes
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import initial_order
from rolearn.orders.value_iteration import ValueIteration, check_memory, most_variables
from rolearn.orders.warm_program import can_cut
from rolearn.orders.window_kernels import SubsetCosts
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

__all__ = ["ExactSearch"]

_KICKS = 50
_SLOWER = 16  # times as long as value iteration, best-first search takes for a subset
_FEW = 24  # variables that value iteration takes minutes for at most
_SMALL_BLOCK = 16  # members of a block, where cutting planes follow
_SUBSETS_FIRST = 1 << 17  # that best-first search looks at before cutting planes
_OTHERS = 4  # more orders tried for as cheap a DAG as the cheapest


@dataclass(frozen=True)
class ExactSearch:
    """What `Exact` does.

    Attributes
    ----------
    method : str
        As `Exact` takes it.
    memory : float
        Bytes it may take.
    """

    method: str
    memory: float

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool
    ) -> SearchResult:
        """Find the order; raises what `Exact.run` says."""
        best_first = self._is_best_first(costs)
        fits = costs.n_variables <= most_variables(self.memory)
        if not best_first:
            check_memory(costs, self.memory)
        first = _FirstOrders(costs, trace, generator, more)
        if not best_first:
            return _by_iteration(costs, first, self.memory, trace)
        scored = isinstance(costs.arrays, LIKELIHOOD_COSTS)
        follow = scored and costs.n_variables > _FEW and can_cut()
        if self.method == "cutting-planes" or (self.method == "auto" and follow):
            return self._by_cutting_planes(costs, first, trace, fits)
        both = fits and self.method == "auto" and scored
        search = BestFirst(costs, first.order.copy(), first.cost, self.memory, trace)
        reason = search.run(2**costs.n_variables // _SLOWER if both else None)
        if both and reason is StopReason.MEMORY_LIMIT:
            return _by_iteration(costs, first, self.memory, trace, search.lower_bound)
        return first.result(search.order, reason, search.lower_bound, (search.asked(),))

    def _by_cutting_planes(
        self, costs: OrderCosts, first: _FirstOrders, trace: Trace, fits: bool
    ) -> SearchResult:
        order, cost, bound, asked = first.order.copy(), first.cost, -np.inf, []
        if self.method == "auto":
            short = BestFirst(costs, order, cost, self.memory, trace, _SMALL_BLOCK)
            reason = short.run(_SUBSETS_FIRST)
            order, cost, bound, asked = short.order, short.cost, short.lower_bound, [short.asked()]
            if reason is not StopReason.MEMORY_LIMIT:
                return first.result(order, reason, bound, tuple(asked))
            del short
        search = CuttingPlanes(costs, order, cost, self.memory, trace)
        reason, bound = search.run(), max(bound, search.lower_bound)
        gave_up = reason in (StopReason.MEMORY_LIMIT, StopReason.SOLVER)
        if gave_up and self.method == "auto" and fits:
            return _by_iteration(costs, first, self.memory, trace, bound)
        return first.result(search.order, reason, bound, (*asked, search.asked()))

    def _is_best_first(self, costs: OrderCosts) -> bool:
        p, bounded = costs.n_variables, has_bound(costs)
        if self.method == "cutting-planes" and not isinstance(costs.arrays, SubsetCosts):
            raise ParameterError(
                "method='cutting-planes' needs BIC(parents='exact'), which is for columns of numbers and "
                "Gaussian statistics; use cost='bic' with these, or method='value-iteration'"
            )
        if self.method == "cutting-planes" and not can_cut():
            raise ParameterError(
                "method='cutting-planes' needs HiGHS for Python, which is not installed; "
                "pip install 'rolearn[exact]', or use method='best-first'"
            )
        if self.method == "best-first" and not bounded:
            raise ParameterError(
                "method='best-first' needs a lower bound, which only BIC(parents='exact'), for columns of "
                "numbers and Gaussian statistics, and an Oracle with the neighbors cost have; use one of "
                "those, or method='value-iteration'"
            )
        chosen = bounded and self.method != "value-iteration"
        if chosen and p > MOST_VARIABLES:
            raise ParameterError(
                f"exact search takes at most {MOST_VARIABLES} variables, and there are {p}; leave columns "
                "out, or use search='hill-climb'"
            )
        return chosen


class _FirstOrders:
    """The order to improve on: by climbing where there is a likelihood, else the recursive one.

    Attributes
    ----------
    order : int64 array, shape (p,)
    cost : float
    """

    def __init__(self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool) -> None:
        self.costs, self.trace = costs, trace
        start = costs.for_start()
        self.order = initial_order(start, "recursive", "auto", generator)
        self.drifted: list[np.ndarray] = []
        if isinstance(costs.arrays, LIKELIHOOD_COSTS):
            self._climb(costs.arrays.boundaries, generator, _OTHERS if more else 0)
        evaluated = costs.branch()
        self.cost = evaluated.whole(self.order)
        self.asked = (start.asked(), evaluated.asked())
        trace.add(self.cost, 0.0)

    def result(
        self,
        order: np.ndarray,
        reason: StopReason | None,
        lower_bound: float | None,
        asked: tuple[Asked, ...],
    ) -> SearchResult:
        """Put together what was found; no reason stands for the budget's."""
        calm = self.costs.branch(signal=np.zeros(1, np.uint8))
        cost = calm.whole(order)
        self.trace.add(cost, 1.0)
        proved = reason is StopReason.PROVED
        others = [
            other for other in (self.order, *self.drifted) if proved and calm.whole(other) <= cost + SAME_COST
        ]
        return SearchResult(
            order,
            cost,
            tuple(self.trace.points),
            reason or self.trace.budget.reason or StopReason.INTERRUPTED,
            (*self.asked, *asked),
            others=tuple(others),
            lower_bound=cost if proved else lower_bound,
        )

    def _climb(self, score: Score, generator: np.random.Generator, n_others: int) -> None:
        signal = self.trace.budget.signal
        climb = InsertionClimb(score, self.order, generator, signal, self.costs.precedence)
        climb.descend()
        for _ in climb.kicks(_KICKS):
            pass
        self.order = climb.order.copy()
        self.drifted = [climb.drift() for _ in range(0 if signal[0] else n_others)]


def _by_iteration(
    costs: OrderCosts, first: _FirstOrders, memory: float, trace: Trace, lower_bound: float | None = None
) -> SearchResult:
    iteration = ValueIteration(costs, memory, trace)
    found = iteration.run()
    order = first.order if found is None else found
    reason = None if found is None else StopReason.PROVED
    return first.result(order, reason, lower_bound, iteration.asked())
