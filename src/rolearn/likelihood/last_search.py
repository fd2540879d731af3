"""The last search: from a valid PAG down the penalized likelihood, over MAGs one or a few edges apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.orientation import MagEvidence, draw_pag
from rolearn.likelihood.climb_kernels import NO_DRIFT, costs_of_kinds, set_kind, visit_pairs
from rolearn.likelihood.deviance import mag_deviance
from rolearn.likelihood.deviance_kernels import SIGNATURE, district_deviance
from rolearn.likelihood.move_kernels import ASKED, LARGEST_MOVE, WORK, Bench, Demand, Objective, is_mag
from rolearn.likelihood.near_kernels import near_of
from rolearn.runtime.compile import address_of

__all__ = ["LARGE", "SAME_SCORE", "SMALL", "LastSearch", "new_bench"]

# The most vertices of a district that is looked at: at first, and once the best of several graphs is known.
SMALL, LARGE = 8, 10

# Scores closer than this are the same: a likelihood is not known better.
SAME_SCORE = 1e-2

_PATIENCE = 3  # rounds in a row that lower nothing
_MOST_ROUNDS = 60
_WANDERINGS = 1e4  # visits of pairs that lower nothing, within a class of MAGs,
_WANDERED = 50  # over as many times more than these as there are pairs: large classes have no end
_STALE = 100  # rounds in a row after which each component has marks that it had before
# To which kinds of edges a round may drift: 1 and 2 are directed, 3 is bidirected and makes districts larger.
_DIRECTED, _ANY = 3, 4
# What a move must gain, in edges, if it removes, keeps, adds edges (docs/decisions/0010).
_MARGINS = np.array([0.75, 0.75, 0.0])
_KEY_SEED = 20230207
_PLACES = 1 << 17  # of the table of deviances
_MOST_DRIFTS = 200  # tries a round to drift
_MARGIN_OF_KICKS = 0.75  # whatever they do: of hundreds that are tried some gain a little by chance
_WORK = 2e7  # that kicks may take for each vertex, and
_MOST_WORK = 1e9  # in all: about a second; less beyond a hundred vertices, where all else takes longer
_MANY = 100
_SMALLER = (4, 6)  # sizes of districts that a brief search begins with, and
_BRIEF_WORK = 2e6  # what it may take for each vertex: a tenth of a second at fifty
_MOST_ASKED = 1e9  # what a search may ask for whose graph may not be kept: some seconds in dense graphs
_EARLY = 3e8  # after so much it is given up if it still scores worse than another begins with,
_HOPELESS = 200.0  # by so many edges (docs/decisions/0010)
_GLANCE = 32  # pairs between looks at the work
_HOPE = 5.0  # by how many edges a kicked graph may score worse once its neighborhood was visited


class _Limit(NamedTuple):
    """What one of the counts of a bench may come to: early on only with a score that isn't hopeless."""

    counted: int
    most: float
    early: float = np.inf
    hopeless: float = np.inf


_NO_LIMIT = _Limit(WORK, np.inf)


class LastSearch:
    """A MAG on its way down.

    A round visits every pair that is adjacent, has a neighbor in common or is among the `plausible`, in
    random sequence, and makes the best legal move there: setting the edge to any kind, or taking the pair
    apart with one or two of its common neighbors colliders between the two. Moves that remove or turn edges
    and gain little are left undone: on data they are wrong as often as right (docs/decisions).

    Parameters
    ----------
    objective : Objective
    member : int8 array, shape (p, p)
        A MAG to start from.
    plausible : bool array, shape (p, p)
        Pairs to visit whatever the graph is.
    generator : numpy.random.Generator
    signal : uint8 array, shape (1,)
        The budget's; when up the graph stays as it is by then.
    kept : bool array, shape (p, p), optional
        Symmetric: pairs that stay adjacent. They are in the first member.
    bench : Bench, optional
        To be used by this search alone while it runs. What it has in its table changes no result of `run` and
        `run_within_limit`; `run_briefly` and `kick` stop by their work, which is less where more is known.

    Attributes
    ----------
    marks : int8 array, shape (p, p)
        The MAG as it is.
    """

    def __init__(
        self,
        objective: Objective,
        member: np.ndarray,
        plausible: np.ndarray,
        generator: np.random.Generator,
        signal: np.ndarray,
        bench: Bench | None = None,
        kept: np.ndarray | None = None,
    ) -> None:
        self.kept = np.zeros(np.shape(member), np.bool_) if kept is None else kept
        self.objective, self.plausible = objective, plausible
        self.generator, self.signal = generator, signal
        self.marks = np.array(member, np.int8, order="C")
        self._bench = bench or new_bench(len(self.marks))
        self._promising = False  # known to be, after a while
        self._tolerance = SAME_SCORE + 1e-9 * objective.n_samples
        self._demand = Demand(_MARGINS * objective.penalty, self._tolerance, True, self.kept)

    def beginning_at(self, member: np.ndarray) -> LastSearch:
        """Give one like it that begins at another MAG, with its generator and bench."""
        parts = (self.plausible, self.generator, self.signal, self._bench, self.kept)
        return LastSearch(self.objective, member, *parts)

    @property
    def score(self) -> float:
        """-2 log likelihood plus penalty, up to a constant."""
        local = np.empty(len(self.marks))
        deviance = mag_deviance(self.objective.correlation, self.objective.n_samples, self.marks, local)
        return float(self.objective.n_samples * deviance + self.objective.penalty * self.n_edges)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(np.count_nonzero(self.marks)) // 2

    def pag(self) -> np.ndarray:
        """Give the marks of the PAG of the MAG's class."""
        return draw_pag(self.marks != 0, MagEvidence(self.marks))

    def run(self) -> None:
        """Make rounds until a few in a row lower nothing."""
        self._descend(_PATIENCE, _NO_LIMIT)

    def run_within_limit(self, other: float = np.inf) -> None:
        """Make rounds likewise, in dense graphs no further than some work, the same whatever is known.

        And less far where it remains far above the score that another search begins with.
        """
        early, most = self._limit(_EARLY, ASKED).most, self._limit(_MOST_ASKED, ASKED).most
        self._promising = False
        self._descend(_PATIENCE, _Limit(ASKED, most, early, other + _HOPELESS * self.objective.penalty))

    def run_briefly(self) -> None:
        """Make rounds as long as they lower the score, at first in small districts, up to some work."""
        whole = self.objective
        limit = self._limit(_BRIEF_WORK * len(self.marks))
        for largest in (*_SMALLER, whole.largest):
            self.objective = whole._replace(largest=min(largest, whole.largest))
            self._descend(1, limit)

    def _descend(self, patience: int, limit: _Limit) -> None:
        idle = 0
        for _ in range(_MOST_ROUNDS):
            if idle == patience or self._is_over(limit):
                return
            lowered = self._round(self._pairs(), _DIRECTED, limit) < -self._tolerance
            idle = 0 if lowered else idle + 1

    def _limit(self, more: float, counted: int = WORK) -> _Limit:
        return _Limit(counted, self._bench.counts[counted] + more)

    def _is_over(self, limit: _Limit) -> bool:
        count = self._bench.counts[limit.counted]
        if count > limit.early and not self._promising:
            self._promising = self.score <= limit.hopeless  # and for good, as scores only fall
            if not self._promising:
                return True
        return bool(self.signal[0] or count > limit.most)

    def wander(self) -> None:
        """Go through MAGs of the same class: from some a single move lowers the score.

        Until no component of the graph has come to new marks for a while (where there are several, all
        combinations of theirs would take as many times longer), or after so many visits of pairs.
        """
        left, stale = _WANDERINGS, 0
        components = _components(self.marks != 0)
        known: set[tuple[int, bytes]] = set()
        while left > 0 and stale < _STALE and not self.signal[0]:
            pairs = self._pairs()
            spent = len(pairs) * max(len(pairs) / _WANDERED, 1.0)
            left -= max(min(spent, _WANDERINGS / _PATIENCE), 1.0)
            if self._round(pairs, _ANY) < -self._tolerance:
                left, known, components = _WANDERINGS, set(), _components(self.marks != 0)
            members = {(k, self.marks[component].tobytes()) for k, component in enumerate(components)}
            stale = stale + 1 if members <= known else 0
            known |= members

    def _round(self, pairs: np.ndarray, kinds: int, limit: _Limit = _NO_LIMIT) -> float:
        pairs = self.generator.permutation(pairs)
        share = min(0.5, _MOST_DRIFTS / max(len(pairs), 1))
        drifts = self.generator.random(len(pairs)) < share
        drawn = self.generator.integers(1, kinds, len(pairs))
        to = np.where(drifts, drawn, NO_DRIFT)
        return self._visit(pairs, to, self._demand, limit)

    def _visit(
        self, pairs: np.ndarray, kinds: np.ndarray, demand: Demand, limit: _Limit = _NO_LIMIT
    ) -> float:
        graph, change, done = (self.objective, self._bench, self.marks), 0.0, 0
        while done < len(pairs) and not self._is_over(limit):
            most = limit.most if self._promising else min(limit.early, limit.most)
            until = (limit.counted, most, _GLANCE)
            gained, done = visit_pairs(*graph, pairs, kinds, done, demand, until, self.signal)
            change += gained
        return change

    def kick(self) -> None:
        """Set single edges against the score and look whether their neighborhoods can make up for it.

        Some graphs are better by several edges at once, with worse ones between. As many of the least costly
        as there are vertices come first to last, again as long as any is of use.
        """
        p = len(self.marks)
        limit = self._limit(min(_WORK * p, _MOST_WORK * min(1.0, (_MANY / p) ** 2)))
        useful = True
        while useful and len(pairs := self._pairs()):
            useful = self._kick_each(pairs, self._least_costly(pairs, limit)[:p], limit)

    def _least_costly(self, pairs: np.ndarray, limit: _Limit) -> np.ndarray:
        """List kicks by what they cost before anything makes up for it: places among pairs, and kinds."""
        costs = np.full((len(pairs), 4), np.inf)
        most, graph = _HOPE * self.objective.penalty, (self.objective, self._bench, self.marks)
        costs_of_kinds(*graph, pairs, self.kept, most, limit, self.signal, costs)
        costs[np.abs(costs) <= self._tolerance] = np.inf
        costs = np.round(costs / self._tolerance)  # or rounding errors would choose
        ranked = np.argsort(costs, axis=None, kind="stable")[: np.count_nonzero(costs < np.inf)]
        return np.column_stack(np.unravel_index(ranked, costs.shape))

    def _kick_each(self, pairs: np.ndarray, kicks: np.ndarray, limit: _Limit) -> bool:
        """Do kicks (m, 2), places among the pairs and kinds; tells whether any was of use."""
        useful = False
        for k, kind in kicks:
            if self._is_over(limit):
                break
            before = self.marks.copy()
            cost = set_kind(self.objective, self._bench, self.marks, pairs[k], kind, self.kept)
            if self._makes_up(pairs, k, cost, before):
                useful = True
            else:
                self.marks[:] = before
        return useful

    def _makes_up(self, pairs: np.ndarray, k: int, change: float, before: np.ndarray) -> bool:
        """Visit the pairs around a forced one; tell whether the graph is a better MAG then.

        Adjacent ones first, which are few. On the way it need not be maximal: the edge that makes up for a
        forced one may come last.
        """
        if abs(change) <= self._tolerance or change == np.inf:
            return False
        (first, second), (i, j) = pairs.T, pairs[k]
        touches = (first == i) | (first == j) | (second == i) | (second == j)
        touches[k] = False
        around = pairs[touches]
        joined = around[before[around[:, 0], around[:, 1]] != 0]
        demand = Demand(np.zeros(3), self._tolerance, False, self.kept)
        for some in (joined, around):
            still = np.full(len(some), NO_DRIFT)
            change += self._visit(self.generator.permutation(some), still, demand)
            if change > _HOPE * self.objective.penalty:
                break
        margin = _MARGIN_OF_KICKS * self.objective.penalty
        return bool(change < -margin - self._tolerance and is_mag(self.marks))

    def _pairs(self) -> np.ndarray:
        adjacent = self.marks != 0
        joined = adjacent.astype(np.float32)
        near = (joined @ joined) > 0.5
        # contiguous: another layout would be compiled for itself
        return np.ascontiguousarray(np.argwhere(np.triu(adjacent | near | self.plausible, 1)))


def _components(adjacent: np.ndarray) -> list[np.ndarray]:
    """List the vertices of each connected component that has edges."""
    ends, others = np.nonzero(adjacent)
    least = np.arange(len(adjacent))  # of the indices that paths lead to, one edge longer each time
    longer = True
    while longer:
        before = least.copy()
        np.minimum.at(least, ends, before[others])
        longer = not np.array_equal(least, before)
    return [np.flatnonzero(least == index) for index in sorted({*least[ends].tolist()})]


def new_bench(p: int) -> Bench:
    """Give room for moves in graphs of p vertices, with nothing known."""
    keys = np.random.default_rng(_KEY_SEED).integers(1, 1 << 62, (2 * p + 1, p), dtype=np.int64)
    return Bench(
        district_deviance=address_of(district_deviance, SIGNATURE),
        near=near_of(np.zeros((p, p), np.int8)),
        member_keys=keys[-1],
        edge_keys=keys[:-1].reshape(2, p, p),
        known=np.zeros(_PLACES, np.int64),
        deviances=np.zeros(_PLACES),
        bounds=np.zeros(_PLACES, np.bool_),
        counts=np.zeros(3, np.int64),
        old=np.zeros((LARGEST_MOVE, 2), np.int64),
        move=np.zeros((LARGEST_MOVE, 4), np.int64),
        best=np.zeros((LARGEST_MOVE, 4), np.int64),
        state=np.zeros(2, np.int64),
        vertices=np.zeros(p + 2 * LARGEST_MOVE, np.int64),
        touched=np.zeros(p, np.int64),
        members=np.zeros(p, np.int64),
        seen=np.zeros(p, np.bool_),
        done=np.zeros(p, np.bool_),
    )
