"""ROL_VI and beyond: the cheapest of all orders, proved to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.orders.best_first import MOST_VARIABLES, BestFirst, has_bound
from rolearn.orders.cost import LIKELIHOOD_COSTS, OrderCosts
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import initial_order
from rolearn.orders.value_iteration import ValueIteration, most_variables
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

__all__ = ["Exact"]

_METHODS = ("auto", "value-iteration", "best-first")
_FEW_VARIABLES = 15  # up to so many, value iteration takes no longer
_KICKS = 50


@dataclass(frozen=True)
class Exact:
    """Find the cheapest of all orders, and prove that it is.

    Value iteration (ROL_VI of the paper) looks at all subsets of the variables, which doubles with each
    variable. Best-first search (A*) looks at those that a lower bound doesn't rule out; it needs the cost
    ``BIC(parents="exact")``, which is also what "bic" and "auto" mean here, or an `Oracle` whose neighbors
    are counted.

    Parameters
    ----------
    method : "auto", "value-iteration" or "best-first"
        "auto" is best-first for an oracle, and with the bic cost beyond fifteen variables.
    memory : float
        Gigabytes (1e9 bytes) it may take. Value iteration that would take more is refused before it starts;
        best-first search stops there, with the best order so far and what is proved of all others.

    Raises
    ------
    ParameterError
        When one of these is not allowed.
    """

    method: str = "auto"
    memory: float = 4.0

    name = "exact"

    def __post_init__(self) -> None:
        if self.method not in _METHODS:
            raise ParameterError(f"method is {self.method!r}; allowed are {', '.join(map(repr, _METHODS))}")
        is_number = isinstance(self.memory, (int, float, np.number)) and not isinstance(self.memory, bool)
        if not is_number or not 0.0 < self.memory < np.inf:
            raise ParameterError(f"memory is {self.memory!r}; give a number of gigabytes greater than 0")

    def starts(self, n_starts: int) -> list[Exact]:
        """Give one search: there is nothing to gain from another."""
        return [self]

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Find the order, or at the limit of time or memory the best so far and a lower bound.

        Raises
        ------
        ParameterError
            When this can't be done with these costs, or for so many variables.
        """
        best_first = self._is_best_first(costs)
        if not best_first:
            iteration = ValueIteration(costs, 1e9 * self.memory, trace)
        order, cost, asked = _first_order(costs, trace, generator)
        if best_first:
            return _by_bound(costs, BestFirst(costs, order, cost, 1e9 * self.memory, trace), asked)
        found = iteration.run()
        asked += iteration.asked()
        if found is None:
            return _stopped(trace, order, cost, asked)
        return _proved(costs, trace, found, asked)

    def _is_best_first(self, costs: OrderCosts) -> bool:
        p, bounded = costs.n_variables, has_bound(costs)
        if self.method == "best-first" and not bounded:
            raise ParameterError(
                "method='best-first' needs a lower bound, which only BIC(parents='exact') and an Oracle "
                "with the neighbors cost have; use one of those, or method='value-iteration'"
            )
        likely = isinstance(costs.arrays, LIKELIHOOD_COSTS)
        small = likely and p <= min(_FEW_VARIABLES, most_variables(1e9 * self.memory))
        chosen = self.method == "best-first" or (self.method == "auto" and bounded and not small)
        if chosen and p > MOST_VARIABLES:
            raise ParameterError(
                f"exact search takes at most {MOST_VARIABLES} variables, and there are {p}; leave columns "
                "out, or use search='hill-climb'"
            )
        return chosen


def _first_order(
    costs: OrderCosts, trace: Trace, generator: np.random.Generator
) -> tuple[np.ndarray, float, tuple[Asked, ...]]:
    """Give the order to improve on, by climbing where a likelihood makes that quick, and its cost."""
    start = costs.for_start()
    order = initial_order(start, "recursive", "auto", generator)
    if isinstance(costs.arrays, LIKELIHOOD_COSTS):
        climb = InsertionClimb(costs.arrays.boundaries, order, generator, trace.budget.signal)
        climb.descend()
        for _ in range(_KICKS if len(order) > 2 else 0):
            if trace.budget.signal[0]:
                break
            climb.kick()
        order = climb.order.copy()
    evaluated = costs.branch()
    cost = evaluated.whole(order)
    trace.add(cost, 0.0)
    return order, cost, (start.asked(), evaluated.asked())


def _by_bound(costs: OrderCosts, search: BestFirst, asked: tuple[Asked, ...]) -> SearchResult:
    reason = search.run()
    asked += (search.asked(),)
    if reason is StopReason.PROVED:
        return _proved(costs, search.trace, search.order, asked)
    return _stopped(search.trace, search.order, search.cost, asked, reason, search.lower_bound)


def _proved(costs: OrderCosts, trace: Trace, order: np.ndarray, asked: tuple[Asked, ...]) -> SearchResult:
    cost = costs.branch(signal=np.zeros(1, np.uint8)).whole(order)
    trace.add(cost, 1.0)
    return SearchResult(order, cost, tuple(trace.points), StopReason.PROVED, asked, lower_bound=cost)


def _stopped(
    trace: Trace,
    order: np.ndarray,
    cost: float,
    asked: tuple[Asked, ...],
    reason: StopReason | None = None,
    lower_bound: float | None = None,
) -> SearchResult:
    why = reason or trace.budget.reason or StopReason.INTERRUPTED
    return SearchResult(order, cost, tuple(trace.points), why, asked, lower_bound=lower_bound)
