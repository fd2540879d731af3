"""The separating set behind every absent edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.separating import separating_set
from rolearn.graphs.traversal import ancestors_of, neighbor_lists, writable_marks
from rolearn.graphs.traversal_kernels import m_connected
from rolearn.independence import Statistics
from rolearn.independence.statistics import p_value_of_positions
from rolearn.runtime.errors import ParameterError
from rolearn.separations.evidence import PairEvidence

__all__ = ["SeparatingSets", "Separation"]


class _Separation(NamedTuple):
    given: tuple[str, ...]
    p_value: float
    reason: str


class Separation(_Separation):
    """Why two variables are not adjacent: a tuple of the first three attributes.

    Attributes
    ----------
    given : tuple of str
        The set that separates them; empty when they are independent as they are.
    p_value : float
        Of the test of their independence given the set; 1.0 for an oracle.
    reason : str
        "boundary": one was outside the other's Markov boundary when it left; "test": a test separated them;
        "score": the penalized likelihood of the graph is better without the edge; "isolated": one is a column
        that no statistic can use, kept without edges (``degenerate="isolate"``).
    n_used : float or None
        The number of rows behind the p-value; fewer than there are where cells are missing.
    """

    n_used: float | None = None

    def __new__(
        cls, given: tuple[str, ...], p_value: float, reason: str, n_used: float | None = None
    ) -> Separation:
        """Make one; `n_used` is no part of the tuple, which has had three parts from the start."""
        made = super().__new__(cls, given, p_value, reason)
        made.n_used = n_used
        return made


_ISOLATED = Separation((), 1.0, "isolated")


class _Member:
    """A MAG or DAG of the class, ready for many questions."""

    def __init__(self, marks: np.ndarray) -> None:
        self.marks = writable_marks(marks)
        self.starts, self.neighbors = neighbor_lists(self.marks)
        self.ancestors = ancestors_of(self.marks)

    def separates(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        mask = np.zeros(len(self.marks), np.bool_)
        mask[list(given)] = True
        reached = np.zeros(len(self.marks), np.bool_)
        m_connected(self.starts, self.neighbors, self.marks, self.ancestors, x, mask, reached)
        return not reached[y]

    def separating(self, x: int, y: int) -> tuple[int, ...]:
        return separating_set(self.marks, x, y) or ()


class _Settled:
    """Which pairs are separated, where all separations are known."""

    def __init__(self, known: Mapping[tuple[int, int], Separation], p: int) -> None:
        self._known = known
        self.adjacent = ~np.eye(p, dtype=np.bool_)
        for x, y in known:
            self.adjacent[x, y] = self.adjacent[y, x] = False

    def found(self, x: int, y: int) -> tuple[tuple[int, ...] | None, str] | None:
        """Give what `PairEvidence.found` gives, as far as it is asked for."""
        return None if self.adjacent[x, y] else ((), self._known[x, y].reason)


class SeparatingSets(Mapping):
    """All pairs that are not adjacent, each with its `Separation`; either order of a pair will do.

    Where the graph is valid, each set m-separates its pair in a member of its class: it is the set that the
    search used if that does, else one read off the member. Sets and p-values are worked out when asked for.

    Indexing with an adjacent pair gives None; with an unknown name it raises ParameterError.
    """

    def __init__(
        self,
        statistics: Statistics,
        evidence: PairEvidence,
        member: np.ndarray | None,
        names: tuple[str, ...],
        isolated: tuple[str, ...] = (),
    ) -> None:
        self._statistics: Statistics | None = statistics
        self._evidence: PairEvidence | _Settled = evidence
        self._index_names(statistics.names, isolated, names)
        self._member = None if member is None else _Member(member)
        self._known: dict[tuple[int, int], Separation] = {}

    def _index_names(self, inner: tuple[str, ...], isolated: tuple[str, ...], names: tuple[str, ...]) -> None:
        self._inner, self._isolated, self._names = inner, isolated, names
        self._where = dict.fromkeys(isolated, -1)
        self._where.update({name: i for i, name in enumerate(inner)})
        self._place = {name: i for i, name in enumerate(names)}

    def __getitem__(self, pair: tuple[str, str]) -> Separation | None:
        x, y = self._positions(pair)
        if x < 0:
            return _ISOLATED
        if (x, y) not in self._known:
            found = self._evidence.found(x, y)
            if found is None:
                return None
            self._known[x, y] = self._separation(x, y, *found)
        return self._known[x, y]

    def __contains__(self, pair: object) -> bool:
        try:
            x, y = self._positions(pair)
        except ParameterError:
            return False
        return x < 0 or self._evidence.found(x, y) is not None

    def get(self, pair: tuple[str, str], default: Any = None) -> Any:
        """Give the separation of a pair, the default for adjacent pairs and what is no pair."""
        if pair not in self:
            return default
        return self[pair]

    def _positions(self, pair: Any) -> tuple[int, int]:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ParameterError(f"{pair!r} is no pair; index with two names, as in separating_sets_[a, b]")
        a, b = (str(name) for name in pair)  # labels may be numbers
        for name in (a, b):
            if name not in self._where:
                raise ParameterError(f"there is no variable {name!r}; there are {', '.join(self._names)}")
        if a == b:
            raise ParameterError(f"a pair has two variables, not {a!r} twice")
        x, y = sorted((self._where[a], self._where[b]))
        return x, y

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for j, b in enumerate(self._names):
            for a in self._names[:j]:
                if (a, b) in self:
                    yield a, b

    def __len__(self) -> int:
        p = len(self._names)
        return (p * (p - 1) - int(self._evidence.adjacent.sum())) // 2

    def implied(self, member: MarkedGraph) -> list[tuple[str, str, tuple[str, ...], float]]:
        """Give the independences that a MAG or DAG of the graph's class implies, and their p-values.

        One row (a, b, given, p-value) for each pair that isn't adjacent, by name; the set is minimal and read
        off the member, whatever the search went by. Isolated columns have none.

        Raises
        ------
        ParameterError
            When the statistics are no longer there.
        """
        if self._statistics is None:
            raise ParameterError("a loaded model has no test of its own any more; fit it to the data again")
        p = len(self._inner)
        read_off = _Member(member.reorder((*self._inner, *self._isolated)).marks[:p, :p].copy())
        rows = []
        for a, b in self:
            x, y = self._positions((a, b))
            if x < 0:
                continue
            given = read_off.separating(x, y)
            rows.append((a, b, self._by_name(given), self._p_value(x, y, given)))
        return rows

    def _separation(self, x: int, y: int, given: tuple[int, ...] | None, reason: str) -> Separation:
        if self._member is not None and (given is None or not self._member.separates(x, y, given)):
            given = self._member.separating(x, y)
        given = given or ()
        assert self._statistics is not None
        names = self._by_name(given)
        n_used = self._statistics.n_used([self._inner[x], self._inner[y], *names])
        return Separation(names, self._p_value(x, y, given), reason, n_used)

    def _by_name(self, given: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(sorted((self._inner[i] for i in given), key=self._place.__getitem__))

    def _p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        assert self._statistics is not None
        run = self._statistics.kernel(p_value_of_positions)
        return float(run(self._statistics.arrays, x, y, np.array(given, np.int64), len(given)))

    @property
    def statistics(self) -> Statistics | None:
        """What p-values are worked out from; None for a loaded model whose test couldn't be kept."""
        return self._statistics

    @classmethod
    def known(
        cls,
        separations: Mapping[tuple[str, str], Separation],
        statistics: Statistics | None,
        names: tuple[str, ...],
    ) -> SeparatingSets:
        """Make it from separations that were worked out before, for all pairs that aren't adjacent."""
        made = object.__new__(cls)
        made._statistics, made._member = statistics, None
        inner = names if statistics is None else statistics.names
        made._index_names(inner, tuple(name for name in names if name not in inner), names)
        placed = {made._positions(pair): found for pair, found in separations.items()}
        made._known = {pair: found for pair, found in placed.items() if pair[0] >= 0}
        made._evidence = _Settled(made._known, len(inner))
        return made
