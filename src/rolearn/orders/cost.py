"""What an order costs, and what its cheapest evaluation finds: algorithm 1 of the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rolearn.independence import Gaussian, Statistics
from rolearn.neighbors.boundaries import boundaries_of, start_boundaries
from rolearn.neighbors.boundary_kernels import PrecisionBoundaries
from rolearn.neighbors.finders import finder_named
from rolearn.neighbors.ledger import Asked, asked, grown, new_ledger
from rolearn.neighbors.ledger_kernels import COSTS as COSTS_KEPT
from rolearn.neighbors.ledger_kernels import FULL
from rolearn.neighbors.local_scores import heeding
from rolearn.neighbors.subsets import bytes_of, grown_subsets, new_best_subsets, new_subset_room
from rolearn.neighbors.traces import new_room, new_traces
from rolearn.orders.bic import BIC
from rolearn.orders.window_kernels import (
    BicCosts,
    NeighborCosts,
    SubsetCosts,
    look_along,
    look_at,
    window_cost,
)
from rolearn.runtime.compile import Kernel

__all__ = [
    "LIKELIHOOD_COSTS",
    "SAME_COST",
    "NeighborCount",
    "OrderCosts",
    "Removal",
    "default_cost",
    "order_costs",
]

# Placeholders for what a kernel call is filled with: the ledger changes as it grows.
STATISTICS, LEDGER, COSTS = object(), object(), object()

# Costs of orders closer than this differ by rounding.
SAME_COST = 1e-6

# The kinds of local costs that score a DAG by its likelihood.
LIKELIHOOD_COSTS = (BicCosts, SubsetCosts)

# How many cells a look along an order may fill, a byte each, before it comes back.
_CELLS = 1 << 23

# The level an oracle's answers of 0 and 1 are compared with.
_ORACLE_ALPHA = 0.5


@dataclass(frozen=True)
class NeighborCount:
    """The paper's cost of an order: the number of edges of its graph.

    Parameters
    ----------
    finder : "auto", "rsl", "l-marvel" or "mbcs"
        Who in a boundary is a neighbor; "auto" is l-marvel for an oracle, rsl for data.
    boundary_level : float, optional
        Level of the tests given all other variables that make boundaries; where not given 2 / p^2 for
        p columns, at most 0.05.
    """

    finder: str = "auto"
    boundary_level: float | None = None

    def finder_for(self, statistics: Statistics, alpha: float) -> Any:
        """Make the finder that suits the statistics."""
        name = self.finder
        if name == "auto":
            name = "l-marvel" if statistics.exact else "rsl"
        return finder_named(name, _ORACLE_ALPHA if statistics.exact else alpha)


@dataclass(frozen=True)
class Removal:
    """What was found when a variable left, by positions of variables.

    Attributes
    ----------
    variable : int
    boundary : tuple of int
    neighbors : tuple of int
    separations : tuple of (int, tuple of int, float)
        For each other member of the boundary the set that separated it and the p-value.
    """

    variable: int
    boundary: tuple[int, ...]
    neighbors: tuple[int, ...]
    separations: tuple[tuple[int, tuple[int, ...], float], ...]


@dataclass
class OrderCosts:
    """Local costs over given statistics, with what has been worked out so far.

    Attributes
    ----------
    statistics : Statistics
    arrays : NamedTuple
        The cost as kernels see it; its type chooses the local cost.
    ledger : Ledger
    initial : OrderCosts or None
        Costs by which an initial order is made where these have no finder.
    precedence : int8 array, shape (p, p)
        Who has to leave before whom (see `orders.precedence`); searches keep to it.
    """

    statistics: Statistics
    arrays: NeighborCosts | BicCosts | SubsetCosts
    ledger: Any
    initial: OrderCosts | None = None
    precedence: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int8))

    def __post_init__(self) -> None:
        if not len(self.precedence):
            self.precedence = np.zeros((self.n_variables, self.n_variables), np.int8)

    def attempt(self, function: Kernel, *arguments: Any) -> tuple[Any, bool]:
        """Call ``function(*arguments, statistics, ledger)``-like kernels once.

        The arguments hold the placeholders `STATISTICS` and `LEDGER`. Gives the result and whether the
        kernel came back for want of room, which there is by then.
        """
        run = self.statistics.kernel(function)
        filled = [self._filled(argument) for argument in arguments]
        result = run(*filled)
        if not self.ledger.counts[FULL]:
            return result, False
        self.ledger = grown(self.ledger)
        if isinstance(self.arrays, SubsetCosts) and self.arrays.known.full[0]:
            self.arrays = self.arrays._replace(known=grown_subsets(self.arrays.known))
        return result, True

    def call(self, function: Kernel, *arguments: Any) -> Any:
        """Call a kernel that may be called again from the start, until it has the room it needs."""
        again = True
        while again:
            result, again = self.attempt(function, *arguments)
        return result

    def _filled(self, argument: Any) -> Any:
        if argument is STATISTICS:
            return self.statistics.heeding(self.ledger.signal)
        if argument is LEDGER:
            return self.ledger
        return self.arrays if argument is COSTS else argument

    @property
    def remembered_bytes(self) -> int:
        """What the local costs worked out so far take."""
        known = bytes_of(self.arrays.known) if isinstance(self.arrays, SubsetCosts) else 0
        return known + self.ledger.cost_keys.nbytes + self.ledger.cost_values.nbytes

    def forget(self) -> None:
        """Start remembering local costs anew; the tests asked stay noted."""
        fresh, counts = new_ledger(self.n_variables, self.ledger.signal), self.ledger.counts.copy()
        counts[COSTS_KEPT] = 0
        self.ledger = fresh._replace(test_keys=self.ledger.test_keys, counts=counts)
        if isinstance(self.arrays, SubsetCosts):
            self.arrays = self.arrays._replace(known=new_best_subsets(self.n_variables))

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.statistics.names)

    def asked(self) -> Asked:
        """Give the tests asked so far."""
        return asked(self.ledger)

    @property
    def stopped(self) -> bool:
        """Whether the budget's signal is up."""
        return bool(self.ledger.signal[0])

    def branch(self, slots: int = 1, signal: np.ndarray | None = None) -> OrderCosts:
        """Give the same costs with an own ledger and `slots` positions; the last is an order's start."""
        ledger = new_ledger(self.n_variables, self.ledger.signal if signal is None else signal)
        arrays = _own(self.arrays, slots, ledger.signal)
        return OrderCosts(self.statistics, arrays, ledger, self.initial, self.precedence)

    def under(self, signal: np.ndarray) -> OrderCosts:
        """Give the same costs with the signal of a budget; as they are where that is theirs."""
        if signal is self.ledger.signal:
            return self
        initial = None if self.initial is None else self.initial.under(signal)
        ledger = self.ledger._replace(signal=signal)
        return OrderCosts(self.statistics, self.arrays, ledger, initial, self.precedence)

    def for_start(self) -> OrderCosts:
        """Give the costs by which to make an initial order, with an own ledger."""
        return (self.initial or self).branch()

    def window(self, slot: int, members: np.ndarray, remaining: np.ndarray) -> np.ndarray:
        """Give the local costs of the members as they leave `remaining` in turn (algorithm 3)."""
        found = np.zeros(len(members))
        self.call(window_cost, COSTS, STATISTICS, LEDGER, slot, members, len(members), remaining, found)
        return found

    def whole(self, order: np.ndarray) -> float:
        """Give the cost of an order; NaN where the signal went up before all of it was known."""
        local = self.window(0, order, np.ones(self.n_variables, np.bool_))
        return math.nan if self.stopped else float(local.sum())

    def removals(self, order: np.ndarray) -> Iterator[Removal]:
        """Take the variables away in order and say what is found each time (algorithm 1).

        Looks some variables ahead of the one it gives, and moves slot 0 along, as all that follows an order
        does: take a branch for it. Once the signal is up no more separations are looked for by finders that
        would take long; what isn't found by then counts as a neighbor.
        """
        remaining = np.ones(self.n_variables, np.bool_)
        some = max(1, _CELLS // max(1, self.n_variables**2))
        for start in range(0, len(order), some):
            variables = np.array(order[start : start + some], np.int64)
            found, done = _Found.room(len(variables), self.n_variables), 0
            while done < len(variables):
                along = (variables, done, remaining, *found)
                done, _ = self.attempt(look_along, COSTS, STATISTICS, LEDGER, *along)
            yield from (found.removal(i, x) for i, x in enumerate(variables.tolist()))

    def look(self, x: int, remaining: np.ndarray) -> Removal:
        """Say what would be found if x left `remaining`, which is where slot 0 is."""
        found = _Found.room(1, self.n_variables)
        into = (found.boundaries[0], found.p_values[0], found.given[0])
        found.sizes[0] = self.call(look_at, COSTS, STATISTICS, LEDGER, 0, x, remaining, *into)
        return found.removal(0, x)


class _Found(NamedTuple):
    """What looks at variables find, a row each, as `look_at` fills it."""

    sizes: np.ndarray
    boundaries: np.ndarray
    p_values: np.ndarray
    given: np.ndarray

    @classmethod
    def room(cls, m: int, p: int) -> _Found:
        """Give room for m looks at p variables."""
        return cls(
            np.empty(m, np.int64),
            np.empty((m, p), np.int64),
            np.empty((m, p)),
            np.empty((m, p, p), np.bool_),
        )

    def removal(self, row: int, x: int) -> Removal:
        """Say what a row has about the removal of x."""
        size, given = self.sizes[row], self.given[row]
        boundary, p_values = self.boundaries[row, :size].tolist(), self.p_values[row, :size].tolist()
        places = range(size)
        separations = tuple(
            (boundary[i], tuple(boundary[j] for j in places if given[i, j]), p_values[i])
            for i in places
            if p_values[i] >= 0.0
        )
        neighbors = tuple(boundary[i] for i in places if p_values[i] < 0.0)
        return Removal(x, tuple(boundary), neighbors, separations)


def _own(arrays: Any, slots: int, signal: np.ndarray) -> Any:
    """Give what kernels write to anew, and the signal they heed."""
    arrays = arrays._replace(boundaries=heeding(arrays.boundaries, signal))
    if isinstance(arrays, BicCosts):
        score = arrays.boundaries
        return arrays._replace(traces=new_traces(1, score.cap), room=new_room(score))
    if isinstance(arrays, SubsetCosts):
        score = arrays.boundaries
        known, room = new_best_subsets(len(score.correlation)), new_subset_room(score)
        return arrays._replace(known=known, room=room)
    boundaries = arrays.boundaries
    if isinstance(boundaries, PrecisionBoundaries):
        stack = np.empty((slots, *boundaries.stack.shape[1:]))
        stack[-1] = boundaries.stack[-1]
        boundaries = boundaries._replace(stack=stack)
    return arrays._replace(boundaries=boundaries)


def default_cost(statistics: Statistics, parents: str = "grow-shrink") -> NeighborCount | BIC:
    """Give the cost for who names none: bic where there is a likelihood, else the number of neighbors."""
    if statistics.has_local_likelihood:
        return BIC()
    return BIC(parents=parents) if isinstance(statistics, Gaussian) else NeighborCount()


def _bic_arrays(cost: BIC, score: Any) -> BicCosts | SubsetCosts:
    if cost.parents == "exact":
        p = len(score.correlation)
        return SubsetCosts(score, new_best_subsets(p), new_subset_room(score))
    return BicCosts(score, new_traces(1, score.cap), new_room(score), 0)


def order_costs(
    statistics: Statistics,
    cost: NeighborCount | BIC,
    alpha: float,
    signal: np.ndarray,
    precedence: np.ndarray | None = None,
) -> OrderCosts:
    """Set up the costs of orders over the statistics, at an order's start.

    Parameters
    ----------
    statistics : Statistics
    cost : NeighborCount or BIC
    alpha : float
        Level of separation tests; an oracle ignores it.
    signal : uint8 array, shape (1,)
        The budget's.
    precedence : int8 array, shape (p, p), optional
        Who has to leave before whom; without it nobody.

    Raises
    ------
    ParameterError
        When the statistics don't have this cost.
    """
    p = len(statistics.names)
    ledger = new_ledger(p, signal)
    if precedence is None:
        precedence = np.zeros((p, p), np.int8)
    if isinstance(cost, BIC):
        score = heeding(cost.score(statistics), signal)
        initial = NeighborCosts(finder_named("rsl", alpha), start_boundaries(statistics, score))
        first = OrderCosts(statistics, initial, ledger, None, precedence)
        return OrderCosts(statistics, _bic_arrays(cost, score), ledger, first, precedence)
    boundaries = heeding(boundaries_of(statistics, cost.boundary_level), signal)
    arrays = NeighborCosts(cost.finder_for(statistics, alpha), boundaries)
    return OrderCosts(statistics, arrays, ledger, None, precedence)
