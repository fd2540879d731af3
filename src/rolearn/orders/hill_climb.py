"""ROL_HC: hill climbing over orders (algorithms 2 and 4 of the paper), and with the bic cost past them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rolearn.orders.climb_kernels import climb, rewind
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import STARTS, check_removability, initial_order
from rolearn.orders.window_kernels import BicCosts, SubsetCosts
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

__all__ = ["HillClimb"]

_FEW_VARIABLES = 300


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
        if isinstance(costs.arrays, BicCosts):
            climb = InsertionClimb(costs.arrays.boundaries, order, generator, trace.budget.signal)
            return self._insert(climb, trace, self.n_others(len(order)) if more else 0)
        if isinstance(costs.arrays, SubsetCosts):
            climb = InsertionClimb(costs.arrays.boundaries, order, generator, trace.budget.signal)
            order = self._insert(climb, Trace(trace.budget, None, trace.stage), 0).order
        state = _Climb(costs, order, min(self.max_swap, max(len(order) - 1, 1)))
        trace.add(state.cost, 0.0)
        reason = self._climb(state, trace)
        asked = (start.asked(), state.costs.asked())
        return SearchResult(state.order, state.cost, tuple(trace.points), reason, asked)

    def _climb(self, state: _Climb, trace: Trace) -> StopReason:
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
        p = len(state.order)
        kicks = max(25, p // 4) if self.kicks is None else self.kicks
        trace.add(state.cost, 0.0)
        state.descend()
        trace.add(state.cost, 1 / (1 + kicks))
        for number in range(kicks if p > 2 else 0):
            if trace.budget.signal[0]:
                break
            state.kick()
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


class _Climb:
    """An order on its way down, with what lets `climb` go on where it was."""

    def __init__(self, costs: OrderCosts, order: np.ndarray, max_swap: int) -> None:
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


def _is_count(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= 0
