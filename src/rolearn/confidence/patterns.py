"""How often each pattern of marks came, pair by pair, over graphs of the same variables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import NO_EDGE, picture
from rolearn.runtime.errors import ParameterError

__all__ = ["PATTERNS", "PatternCounts", "PatternFrequency"]

# Read from the first of a pair to the second.
PATTERNS = ("none", "-->", "<--", "o->", "<-o", "o-o", "<->", "---", "--o", "o--")


class PatternFrequency(NamedTuple):
    """In which share of the graphs the edge from `source` to `target` had this pattern."""

    source: str
    target: str
    pattern: str
    frequency: float


def _pattern_of_marks() -> np.ndarray:
    """Give the number of the pattern by the marks at the first and the second of a pair."""
    table = np.zeros((4, 4), np.int64)
    for first in (1, 2, 3):
        for second in (1, 2, 3):
            table[first, second] = PATTERNS.index(picture(first, second))
    return table


_PATTERN_OF = _pattern_of_marks()


class PatternCounts:
    """Counts over graphs, of which some may lack some of the variables.

    Parameters
    ----------
    names : sequence of str
        All p variables.
    graphs : iterable of (int8 array, shape (k, k); int64 array, shape (k,))
        The marks of a graph, and the positions of its variables among the names.
    """

    def __init__(self, names: Sequence[str], graphs: Iterable[tuple[np.ndarray, np.ndarray]]) -> None:
        self.names = tuple(names)
        self._place = {name: i for i, name in enumerate(self.names)}
        p = len(self.names)
        self.counts = np.zeros((p, p, len(PATTERNS)), np.int32)
        every = np.arange(p)
        for marks, positions in graphs:
            pattern = _PATTERN_OF[marks.T, marks]
            if len(positions) == p and (positions == every).all():
                self.counts[every[:, None], every, pattern] += 1
            else:
                self.counts[positions[:, None], positions, pattern] += 1
        self.counts[every, every] = 0

    @property
    def totals(self) -> np.ndarray:
        """(p, p): in how many graphs both of a pair were; 0 on the diagonal."""
        return self.counts.sum(2)

    def shares(self) -> np.ndarray:
        """(p, p, 10): the frequency of each of `PATTERNS`; NaN where a pair was in no graph."""
        with np.errstate(invalid="ignore"):
            return self.counts / self.totals[:, :, None]

    def edge_shares(self) -> np.ndarray:
        """(p, p): how often a pair was adjacent; NaN where it was in no graph, 0 on the diagonal."""
        shares = 1.0 - self.shares()[:, :, 0]
        np.fill_diagonal(shares, 0.0)
        return shares

    def of_pair(self, a: Hashable, b: Hashable) -> dict[str, float]:
        """Give the frequency of each pattern, read from a to b.

        Raises
        ------
        ParameterError
            When there is no such variable, or both are the same.
        """
        i, j = self._index(a), self._index(b)
        if i == j:
            raise ParameterError(f"{str(a)!r} is named twice; a pair has two variables")
        counts = self.counts[i, j]
        total = int(counts.sum())
        return {
            pattern: float(count / total) if total else float("nan")
            for pattern, count in zip(PATTERNS, counts, strict=True)
        }

    def table(self) -> list[PatternFrequency]:
        """List pair by pair, in the order of the names, the frequency of every pattern."""
        shares = self.shares()
        p = len(self.names)
        return [
            PatternFrequency(self.names[i], self.names[j], pattern, float(shares[i, j, k]))
            for i in range(p)
            for j in range(i + 1, p)
            for k, pattern in enumerate(PATTERNS)
        ]

    def mark_counts(self) -> np.ndarray:
        """(p, p, 4): in how many graphs the mark at j on the edge from i to j was each of the four."""
        found = np.zeros((*self.counts.shape[:2], 4), np.int64)
        found[:, :, NO_EDGE] = self.counts[:, :, 0]
        for first in (1, 2, 3):
            for second in (1, 2, 3):
                found[:, :, second] += self.counts[:, :, _PATTERN_OF[first, second]]
        return found

    def _index(self, name: Hashable) -> int:
        place = self._place.get(str(name))
        if place is None:
            there = ", ".join(self.names[:10]) + (", ..." if len(self.names) > 10 else "")
            raise ParameterError(f"there is no variable {str(name)!r}; there are {there}")
        return place
