"""ROL_HC: hill climbing over orders by swaps within a window (algorithms 2 and 4 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rolearn.orders.climb_kernels import climb, rewind
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.start import STARTS, check_removability, initial_order
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

__all__ = ["HillClimb"]


@dataclass(frozen=True)
class HillClimb:
    """Swap two variables of an order while that lowers its cost.

    Parameters
    ----------
    max_swap : int
        How far apart in the order the two may be; 10 in the paper.
    max_iter : int or None
        How many swaps to make; 20 in the paper, None for no limit.
    start : "recursive", "boundary-size" or "random"
        The initial order (appendix A.1).
    removability : "auto", "rsl" or "l-marvel"
        Whose test of removability makes the recursive order; "auto" is the finder's own.

    Raises
    ------
    ParameterError
        When one of these is not allowed.
    """

    max_swap: int = 10
    max_iter: int | None = 20
    start: str = "recursive"
    removability: str = "auto"

    name = "hill-climb"

    def __post_init__(self) -> None:
        if not _is_count(self.max_swap) or self.max_swap < 1:
            raise ParameterError(f"max_swap is {self.max_swap!r}; give an integer of at least 1")
        if self.max_iter is not None and not _is_count(self.max_iter):
            raise ParameterError(f"max_iter is {self.max_iter!r}; give an integer of at least 0, or None")
        if self.start not in STARTS:
            raise ParameterError(f"start is {self.start!r}; allowed are {', '.join(map(repr, STARTS))}")
        check_removability(self.removability)

    def starts(self, n_starts: int) -> list[HillClimb]:
        """Give one search a start: the first as set, the others from random orders."""
        return [self] + [replace(self, start="random")] * (n_starts - 1)

    def run(self, costs: OrderCosts, trace: Trace, generator: np.random.Generator) -> SearchResult:
        """Climb from one initial order."""
        start = costs.branch()
        order = initial_order(start, self.start, self.removability, generator)
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
