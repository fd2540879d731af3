"""Down from one order by moving single variables, with kicks where that ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import Traces
from rolearn.neighbors.traces import Score, new_room, new_traces
from rolearn.orders.insertion_kernels import Standing, insert_each

__all__ = ["InsertionClimb", "usual_kicks"]

_DEPTH = 32  # members a trace has room for at first
_PATIENCE = 4  # rounds in a row that lower nothing before the first kick ...
_PATIENCE_KICKED = 2  # ... and after one
_DRIFTS = 2  # rounds from one order to another that costs the same
_BARRIER = 100.0  # a move is followed as far as it costs no more than so many edges on the way


def usual_kicks(n_variables: int) -> int:
    """Give how many kicks bring most orders as low as they go."""
    return max(25, n_variables // 4)


class InsertionClimb:
    """An order on its way down.

    A round takes the stale variables, in random sequence, each to the place where the order costs least;
    where no place is better, it goes to a random one of those that cost the same.

    Attributes
    ----------
    cost : float
        The sum of the local costs in the sequence of the order; NaN until they are known.
    """

    def __init__(
        self,
        score: Score,
        order: np.ndarray,
        generator: np.random.Generator,
        signal: np.ndarray,
        precedence: np.ndarray | None = None,
    ) -> None:
        if precedence is None:
            precedence = np.zeros((len(order), len(order)), np.int8)
        self.score, self.generator, self.signal = score, generator, signal
        self.tolerance = 1e-6 + 1e-9 * score.n_samples
        self.standing = _standing(score, order, min(_DEPTH, score.cap), precedence)
        self._settle()

    @property
    def order(self) -> np.ndarray:
        """The order as it stands (p)."""
        return self.standing.order

    @property
    def cost(self) -> float:
        """The sum of the local costs; NaN until they are known."""
        if not self.standing.known[0]:
            return np.nan
        return float(self.standing.local[self.standing.order].sum())

    @property
    def parents_capped(self) -> bool:
        """Whether a variable took as many as the rows carry."""
        limited = self.score.cap < len(self.order) - 1
        return limited and bool((self.standing.traces.size[:-2] >= self.score.cap).any())

    def descend(self, patience: int = _PATIENCE, whole: bool = True) -> bool:
        """Make rounds until so many in a row lower nothing; gives whether that was reached.

        Of all variables if `whole`, else of those that are stale.
        """
        idle = 0
        while idle < patience and not self.signal[0]:
            if whole:
                self.wake()
            idle = 0 if self._round() else idle + 1
        return not self.signal[0]

    def kick(self) -> None:
        """Swap two variables, descend from there, and stay if that costs no more.

        Where the one may not pass all between them, it goes as far as it may.
        """
        before, kept = self.cost, _copied(self.standing)
        self.standing.stale[:] = False
        self._swap(np.sort(self.generator.choice(len(self.order), 2, replace=False)))
        if self._deepen():
            self._settle()
        if not self.descend(_PATIENCE_KICKED, whole=False) or self.cost > before + self.tolerance:
            self.standing = kept

    def _swap(self, places: np.ndarray) -> None:
        """Let each of two variables go to the place of the other, or as far as it may."""
        variables, swapped = self.order[places], places[::-1].copy()
        if not self.standing.precedence.any():
            self._insert(variables, swapped, forced=True)
            return
        for x, to in zip(variables, swapped, strict=True):
            self._insert(np.array([x]), np.array([self._reach(x, to)]), forced=True)

    def _reach(self, x: int, to: int) -> int:
        """Give the place closest to `to` that x may go to."""
        place = int(self.standing.place[x])
        step = 1 if to > place else -1
        way = self.order[place + 1 : to + 1] if step > 0 else self.order[to:place][::-1]
        barred = np.flatnonzero(self.standing.precedence[x, way] == step)
        return place + step * int(barred[0]) if len(barred) else to

    def kicks(self, count: int) -> Iterator[int]:
        """Kick so many times, or until the signal is up, and come back after each with its number."""
        for number in range(count if len(self.order) > 2 else 0):
            if self.signal[0]:
                return
            self.kick()
            yield number

    def drift(self, rounds: int = _DRIFTS) -> np.ndarray:
        """Go to another order that costs no more, and give it."""
        for _ in range(rounds):
            self.wake()
            self._round()
        return self.order.copy()

    def wake(self) -> None:
        """Let all variables be looked at again."""
        self.standing.stale[:] = True

    def _round(self) -> int:
        p = len(self.order)
        sequence, wanted = self.generator.permutation(p), self.generator.integers(0, p, p)
        lowered = self._insert(sequence, wanted)
        if self._deepen():
            self._settle()
            return 1
        return lowered

    def _insert(self, sequence: np.ndarray, wanted: np.ndarray, forced: bool = False) -> int:
        barrier = _BARRIER * self.score.threshold
        return int(
            insert_each(
                self.score, self.standing, sequence, wanted, forced, self.tolerance, barrier, self.signal
            )
        )

    def _settle(self) -> None:
        nothing = np.empty(0, np.int64)
        self._insert(nothing, nothing)
        while self._deepen():
            self._insert(nothing, nothing)
        self.wake()

    def _deepen(self) -> bool:
        """Give the traces more room if they are full; what they held is lost."""
        if not self.standing.traces.full[0]:
            return False
        depth = min(2 * self.standing.traces.members.shape[1], self.score.cap)
        self.standing = _standing(self.score, self.standing.order, depth, self.standing.precedence)
        return True


def _copied(standing: Standing) -> Standing:
    """Give the same order with its costs and traces, apart from the one that goes on changing."""
    traces = Traces(*(array.copy() for array in standing.traces))
    order, place, local = standing.order.copy(), standing.place.copy(), standing.local.copy()
    return standing._replace(
        order=order, place=place, local=local, known=standing.known.copy(), traces=traces
    )


def _standing(score: Score, order: np.ndarray, depth: int, precedence: np.ndarray) -> Standing:
    p = len(order)
    return Standing(
        order=order.astype(np.int64),
        place=np.empty(p, np.int64),
        local=np.zeros(p),
        stale=np.ones(p, np.bool_),
        known=np.zeros(1, np.bool_),
        remaining=np.zeros(p, np.bool_),
        changes=np.zeros(p),
        precedence=precedence,
        traces=new_traces(p + 2, depth),
        room=new_room(score),
    )
