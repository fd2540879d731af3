"""Looking for families: variable by variable, some cells of each at a time, in threads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import GrowShrink
from rolearn.neighbors.subsets import new_subset_room
from rolearn.orders.family_kernels import DONE, FOUND, HALTED, Prices, list_families
from rolearn.orders.warm_program import HaltedError

__all__ = ["FamilySearch", "Found"]

_CELLS = 4096  # room for those still to be looked at
_MOST = 2000  # families that a variable has room for at a time


@dataclass(frozen=True)
class Found:
    """Families that were found, by variable and mask, their costs and reduced costs."""

    variables: np.ndarray
    masks: np.ndarray
    costs: np.ndarray
    reduced: np.ndarray


@dataclass
class _Stack:
    """Cells of a variable that are still to be looked at."""

    cells: np.ndarray
    counts: np.ndarray = field(default_factory=lambda: np.array([1, 0], np.int64))
    done: bool = False


class FamilySearch:
    """Finds the families of reduced costs up to a level.

    Parameters
    ----------
    score : GrowShrink
    signal : uint8 array, shape (1,)
    before : int64 array, shape (p,)
        Masks of who has to come before each variable, which cuts count with its parents.
    threads : int
        The outcome doesn't depend on it.
    """

    def __init__(self, score: GrowShrink, signal: np.ndarray, before: np.ndarray, threads: int) -> None:
        self.score, self.signal, self.before, self.threads = score, signal, before, threads
        self._rooms: SimpleQueue = SimpleQueue()
        for _ in range(threads):
            self._rooms.put(new_subset_room(score))

    def rounds(self, prices: Prices, level: np.ndarray, outside: np.ndarray, n_cells: int) -> Iterator[Found]:
        """Look at so many cells of each variable in turn, until the end; gives what is found.

        Parameters
        ----------
        prices : Prices
        level : float array, shape (p,)
            Reduced costs up to which families of each variable are looked for.
        outside : int64 array, shape (p,)
            Masks of who may not be a parent.

        Raises
        ------
        HaltedError
            When the signal went up meanwhile.
        """
        stacks = []
        for v, excluded in enumerate(outside):
            cells = np.zeros((_CELLS, 2), np.int64)
            cells[0, 1] = 1 << v | int(excluded)
            stacks.append(_Stack(cells))
        with ThreadPoolExecutor(self.threads) as pool:
            while True:
                waiting = [v for v, stack in enumerate(stacks) if not stack.done]
                found = list(
                    pool.map(lambda v: self._some(prices, v, float(level[v]), stacks[v], n_cells), waiting)
                )
                yield _together(waiting, found)
                if all(stack.done for stack in stacks):
                    return

    def _some(
        self, prices: Prices, v: int, level: float, stack: _Stack, n_cells: int
    ) -> tuple[np.ndarray, np.ndarray]:
        masks, values = np.empty(_MOST, np.int64), np.empty((_MOST, 2))
        stack.counts[FOUND] = 0
        room = self._rooms.get()
        why = list_families(
            self.score,
            prices,
            v,
            int(self.before[v]),
            level,
            n_cells,
            room,
            self.signal,
            stack.cells,
            masks,
            values,
            stack.counts,
        )
        self._rooms.put(room)
        if why == HALTED:
            raise HaltedError
        stack.done = why == DONE
        return masks[: stack.counts[FOUND]], values[: stack.counts[FOUND]]


def _together(variables: list[int], found: list[tuple[np.ndarray, np.ndarray]]) -> Found:
    values = np.concatenate([values for _, values in found])
    return Found(
        np.repeat(np.array(variables, np.int64), [len(masks) for masks, _ in found]),
        np.concatenate([masks for masks, _ in found]),
        values[:, 0],
        values[:, 1],
    )
