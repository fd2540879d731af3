"""MBCS*: all variables at once, none leaves (Pellet and Elisseeff 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.graphs.possible_d_sep import colliders_of, possible_d_seps
from rolearn.neighbors.boundary_kernels import boundary_at
from rolearn.neighbors.collider_set_kernels import collider_set
from rolearn.neighbors.finder_kernels import best_subset
from rolearn.orders.cost import LEDGER, STATISTICS, OrderCosts, Removal
from rolearn.orders.precedence import allowed_order
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.window_kernels import NeighborCosts
from rolearn.runtime.budget import StopReason

__all__ = ["ColliderSets"]

# What separated a pair: the set, and the p-value.
_Found = tuple[tuple[int, ...], float]


@dataclass(frozen=True)
class ColliderSets:
    """MBCS* (Pellet and Elisseeff 2008): a skeleton from the boundaries of all variables, without an order.

    Two variables in each other's Markov boundary that share others of it are separated where they test
    independent given B less some of what they share, colliders then, with B the smaller of the two
    boundaries; the fewest colliders that do it count. Then subsets of possible-d-sep are tested as in FCI,
    but those within a boundary alone, which has all of d-sep in it.

    Takes ``cost=NeighborCount("mbcs")``, of which it has the boundaries and the level, and ``legal=False``.
    As no variable leaves, `ROL.order_` is by the size of boundaries, and `ROL.cost_` the number of edges
    found whatever the order.
    """

    name = "collider-sets"

    def starts(self, n_starts: int) -> list[ColliderSets]:
        """Give one search a start: there is nothing to vary."""
        return [self]

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Find the skeleton, and what separated each pair; edges are left where the budget ends it."""
        branch = costs.branch()
        moral = _moral_graph(branch)
        order = allowed_order(np.argsort(moral.sum(axis=1), kind="stable"), costs.precedence)
        skeleton = _Skeleton(branch, order, moral)
        skeleton.leave_colliders_out()
        trace.add(skeleton.n_edges, 0.5)
        skeleton.search_possible_d_seps()
        trace.add(skeleton.n_edges, 1.0)
        reason = (trace.budget.reason if branch.stopped else None) or StopReason.COMPLETE
        return SearchResult(
            order,
            skeleton.n_edges,
            tuple(trace.points),
            reason,
            (branch.asked(),),
            removals=tuple(skeleton.removals()),
        )


def _moral_graph(costs: OrderCosts) -> np.ndarray:
    """Give who is in whose Markov boundary; where boundaries are grown that may hold one way alone."""
    p = costs.n_variables
    moral, boundary = np.zeros((p, p), np.bool_), np.empty(p, np.int64)
    everything = np.ones(p, np.bool_)
    boundaries = costs.arrays.boundaries
    for x in range(p):
        size = costs.call(boundary_at, boundaries, STATISTICS, LEDGER, 0, x, everything, boundary)
        moral[x, boundary[:size]] = True
    return moral | moral.T


class _Skeleton:
    """The moral graph, of which edges are taken.

    Edges are looked at by the moral graph, and later by the skeleton that left, so that it doesn't matter
    which comes first.
    """

    def __init__(self, costs: OrderCosts, order: np.ndarray, moral: np.ndarray) -> None:
        assert isinstance(costs.arrays, NeighborCosts)  # the settings are checked
        self.costs, self.order, self.moral = costs, order, moral
        self.alpha = costs.arrays.finder.alpha
        self.adjacent = moral.copy()
        self.found: dict[tuple[int, int], _Found] = {}  # by pairs, the first in the order first

    @property
    def n_edges(self) -> float:
        """The number of edges."""
        return float(self.adjacent.sum()) / 2

    def _edges(self) -> list[tuple[int, int]]:
        listed = self.order.tolist()
        return [(x, y) for i, x in enumerate(listed) for y in listed[i + 1 :] if self.adjacent[x, y]]

    def _take(self, news: dict[tuple[int, int], _Found]) -> None:
        self.found.update(news)
        for x, y in news:
            self.adjacent[x, y] = self.adjacent[y, x] = False

    def leave_colliders_out(self) -> None:
        """Take the edges whose ends some colliders alone connect."""
        news = {}
        for x, y in self._edges():
            if (self.moral[x] & self.moral[y]).any() and not self.costs.stopped:
                given, p_value = self._without_colliders(x, y)
                if p_value >= 0.0:
                    news[x, y] = given, p_value
        self._take(news)

    def _without_colliders(self, x: int, y: int) -> _Found:
        boundaries = [self._boundary(x, y), self._boundary(y, x)]
        members = min(boundaries, key=len)
        may_leave = (self.moral[x] & self.moral[y])[members]
        left_out = np.empty(len(members), np.bool_)
        p_value = self.costs.call(
            collider_set,
            STATISTICS,
            LEDGER,
            self.alpha,
            x,
            y,
            members,
            len(members),
            may_leave,
            False,
            left_out,
        )
        return tuple(members[~left_out].tolist()), p_value

    def _boundary(self, x: int, y: int) -> np.ndarray:
        """Give the boundary of x without y."""
        members = np.flatnonzero(self.moral[x])
        return members[members != y]

    def search_possible_d_seps(self) -> None:
        """Take the edges whose ends some subset of a possible-d-sep separates."""
        possible = possible_d_seps(self.adjacent, colliders_of(self.adjacent, self._separated()))
        possible &= self.moral
        news = {}
        for x, y in self._edges():
            if not self.costs.stopped:
                given, p_value = self._within(possible, x, y)
                if p_value >= 0.0:
                    news[x, y] = given, p_value
        self._take(news)

    def _separated(self) -> dict[tuple[int, int], set[int]]:
        """Give the separating set of each pair that isn't adjacent."""
        sets = {}
        for i, x in enumerate(self.order.tolist()):
            for y in self.order[i + 1 :].tolist():
                if not self.adjacent[x, y]:
                    given = self.found[x, y][0] if (x, y) in self.found else np.flatnonzero(self.moral[x])
                    sets[min(x, y), max(x, y)] = {int(v) for v in given}
        return sets

    def _within(self, possible: np.ndarray, x: int, y: int) -> _Found:
        pools = [np.flatnonzero(possible[v] & (np.arange(len(possible)) != w)) for v, w in ((x, y), (y, x))]
        pool = min(pools, key=len)
        best = np.zeros(len(pool), np.bool_)
        p_value = self.costs.call(
            best_subset, STATISTICS, LEDGER, self.alpha, x, y, pool, len(pool), -1, False, best
        )
        return tuple(pool[best].tolist()), p_value

    def removals(self) -> list[Removal]:
        """Say what is known of each variable as if it left, so that each pair comes up once."""
        remaining = np.ones(self.costs.n_variables, np.bool_)
        made = []
        for x in self.order.tolist():
            remaining[x] = False
            boundary = tuple(np.flatnonzero(self.moral[x]).tolist())
            neighbors = tuple(np.flatnonzero(self.adjacent[x] & remaining).tolist())
            apart = tuple((y, *found) for (first, y), found in self.found.items() if first == x)
            made.append(Removal(x, boundary, neighbors, apart))
        return made
