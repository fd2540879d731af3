"""Blocks of variables within which a lower bound is exact, made larger where that is too low."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rolearn.orders.best_first_kernels import LikelihoodBound, fill_table
from rolearn.orders.cost import COSTS, LEDGER, OrderCosts
from rolearn.orders.precedence import may_leave, predecessors

__all__ = ["Blocks"]

_LARGEST = 22  # members of a block, all of whose subsets are gone through
_BYTES_PER_SUBSET = 8
_SHARE = 8  # one block may take the memory divided by that


@dataclass(frozen=True)
class _Block:
    """Variables, the least cost of each subset, and each one's parents in the cheapest order of all."""

    members: np.ndarray
    table: np.ndarray
    parents: dict[int, list[int]]


class Blocks:
    """A partition of the variables, and the best parents when each block is ordered by itself.

    From single variables on, the two blocks are joined that explain most of each other, among those on a
    cycle through several blocks, until there is no such cycle or the joined block would be too large. Without
    a cycle these parents make a DAG, which is then the cheapest of all.

    Parameters
    ----------
    costs : OrderCosts
        With exact parents.
    memory : float
        Bytes.
    largest : int, optional
        Members of a block at most, if fewer than 22.

    Attributes
    ----------
    complete : bool
        Whether the signal let it finish.
    """

    def __init__(self, costs: OrderCosts, memory: float, largest: int | None = None) -> None:
        self.costs, self.memory, self.before = costs, memory, predecessors(costs.precedence)
        room = int(math.log2(max(memory / (_SHARE * _BYTES_PER_SUBSET), 2.0)))
        self.largest = min(largest or _LARGEST, _LARGEST, room)
        made = [self._made(np.array([x])) for x in range(costs.n_variables)]
        self.complete = None not in made
        self.blocks: list[_Block] = [block for block in made if block is not None]
        while self.complete and (pair := self._on_a_cycle()) is not None:
            self._join(*pair)

    def bound(self) -> LikelihoodBound:
        """Give the lower bounds in the form that kernels take."""
        p = self.costs.n_variables
        of, bit = np.empty(p, np.int64), np.empty(p, np.int64)
        for number, block in enumerate(self.blocks):
            of[block.members], bit[block.members] = number, np.arange(len(block.members))
        start = np.cumsum([0, *(len(block.table) for block in self.blocks)])[:-1]
        tables = np.concatenate([block.table for block in self.blocks])
        return LikelihoodBound(self.costs.statistics.arrays.n_samples, tables, start, of, bit)

    def order(self) -> np.ndarray | None:
        """Give an order of the DAG that the parents make, effects first; None where they make a cycle.

        With those that have to leave later than a variable among its parents.
        """
        missing = {x: set(parents) for block in self.blocks for x, parents in block.parents.items()}
        for x, later in enumerate(self.costs.precedence > 0):
            missing[x].update(np.flatnonzero(later).tolist())
        causes_first: list[int] = []
        while missing:
            ready = sorted(x for x, parents in missing.items() if not parents)
            if not ready:
                return None
            causes_first += ready
            missing = {x: parents.difference(ready) for x, parents in missing.items() if x not in ready}
        return np.array(causes_first[::-1], np.int64)

    def _made(self, members: np.ndarray) -> _Block | None:
        table, remaining = np.zeros(1 << len(members)), np.ones(self.costs.n_variables, np.bool_)
        done = 0
        while done < len(table):
            done, full = self.costs.attempt(
                fill_table, COSTS, LEDGER, members, remaining, self.before, table, done
            )
            if not full and self.costs.stopped:
                return None
            if full and self.costs.remembered_bytes > 2 * self.memory / _SHARE:
                self.costs.forget()
        return _Block(members, table, self._parents(members, table))

    def _parents(self, members: np.ndarray, table: np.ndarray) -> dict[int, list[int]]:
        """Follow the cheapest order of a block."""
        parents = {}
        mask = len(table) - 1
        remaining = np.ones(self.costs.n_variables, np.bool_)
        while mask:
            inside = remaining & np.isin(np.arange(len(remaining)), members)
            free = np.flatnonzero(may_leave(inside, self.costs.precedence)[members]).tolist()
            at = {i: remaining & (self.costs.precedence[members[i]] >= 0) for i in free}
            local = {i: self.costs.window(0, members[[i]], at[i])[0] for i in free}
            first = min(free, key=lambda i: local[i] + table[mask & ~(1 << i)])
            x = int(members[first])
            parents[x] = list(self.costs.look(x, at[first]).boundary)
            remaining[x] = False
            mask &= ~(1 << first)
        return parents

    def _on_a_cycle(self) -> tuple[int, int] | None:
        """Give the two blocks to join, None if there are none."""
        from scipy.sparse.csgraph import connected_components

        of = {int(x): number for number, block in enumerate(self.blocks) for x in block.members}
        between = np.zeros((len(self.blocks), len(self.blocks)))
        for block in self.blocks:
            for x, parents in block.parents.items():
                for y, gain in zip(parents, self._gains(x, parents), strict=True):
                    between[of[x], of[y]] += gain
        _, component = connected_components(between > 0.0, directed=True, connection="strong")
        sizes = [len(block.members) for block in self.blocks]
        fitting = [
            (-between[a, b] - between[b, a], a, b)
            for a in range(len(sizes))
            for b in range(a + 1, len(sizes))
            if component[a] == component[b]
            and between[a, b] + between[b, a] > 0.0
            and sizes[a] + sizes[b] <= self.largest
        ]
        return min(fitting)[1:] if fitting else None

    def _gains(self, x: int, parents: list[int]) -> np.ndarray:
        """Give what each of the parents explains of x beyond the others."""
        arrays, members = self.costs.statistics.arrays, [*parents, x]
        precision = np.linalg.inv(arrays.correlation[np.ix_(members, members)])
        share = precision[-1, :-1] ** 2 / (precision[-1, -1] * np.diag(precision)[:-1])
        return -arrays.n_samples * np.log1p(-np.minimum(share, 1.0 - 1e-12))

    def _join(self, a: int, b: int) -> None:
        joined = self._made(np.sort(np.concatenate([self.blocks[a].members, self.blocks[b].members])))
        if joined is None:
            self.complete = False
            return
        self.blocks = [block for number, block in enumerate(self.blocks) if number not in (a, b)] + [joined]
