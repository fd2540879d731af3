"""What the removals of an order say of every pair, and which of it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rolearn.graphs.orientation import SeparationEvidence
from rolearn.orders.cost import Removal

__all__ = ["BOUNDARY", "SCORE", "TEST", "Candidate", "PairEvidence"]

BOUNDARY = "boundary"  # y is not in the boundary of x, which therefore separates them
TEST = "test"  # y is in it, and a test separated them
SCORE = "score"  # the likelihood is better off without the edge


class Candidate(NamedTuple):
    """A pair that a test separated: positions x and y, the set, and the p-value."""

    x: int
    y: int
    given: tuple[int, ...]
    p_value: float


class PairEvidence:
    """For each pair of p variables: adjacent, or separated by which set.

    At first every variable is joined to its boundary, as in the DAG of the order whose edges point at what
    leaves first; candidates can then be accepted and taken back.

    Attributes
    ----------
    adjacent : bool array, shape (p, p)
    candidates : list of Candidate
        From the most to the least independent.
    """

    def __init__(self, removals: Sequence[Removal]) -> None:
        p = len(removals)
        self.adjacent = np.zeros((p, p), np.bool_)
        self.candidates: list[Candidate] = []
        self._index = np.full((p, p), -1, np.int32)
        self._sets: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        remaining = np.ones(p, np.bool_)
        for removal in removals:
            remaining[removal.variable] = False
            self._add(removal, remaining)
        self.candidates.sort(key=lambda c: (-c.p_value, min(c.x, c.y), max(c.x, c.y)))
        lengths = [len(members) for members in self._sets]
        self._starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._members = np.array([v for members in self._sets for v in members], np.int32)

    def _add(self, removal: Removal, remaining: np.ndarray) -> None:
        x, boundary = removal.variable, list(removal.boundary)
        outside = remaining.copy()
        outside[boundary] = False
        self._index[x, outside] = self._index[outside, x] = self._number(tuple(sorted(boundary)))
        self.adjacent[x, boundary] = self.adjacent[boundary, x] = True
        for y, given, p_value in removal.separations:
            self.candidates.append(Candidate(x, y, given, p_value))
            self._numbers[x, y] = self._number(tuple(sorted(given)))

    def _number(self, members: tuple[int, ...]) -> int:
        self._sets.append(members)
        return len(self._sets) - 1

    def accept(self, candidates: Iterable[Candidate]) -> None:
        """Take these pairs as separated."""
        for c in candidates:
            self.adjacent[c.x, c.y] = self.adjacent[c.y, c.x] = False
            self._index[c.x, c.y] = self._index[c.y, c.x] = self._numbers[c.x, c.y]

    def take_back(self, candidates: Iterable[Candidate]) -> None:
        """Join these pairs again."""
        for c in candidates:
            self.adjacent[c.x, c.y] = self.adjacent[c.y, c.x] = True
            self._index[c.x, c.y] = self._index[c.y, c.x] = -1

    def arrays(self) -> SeparationEvidence:
        """Give the separating sets as the orientation rules read them."""
        return SeparationEvidence(self._index, self._starts, self._members)

    def settle(self, adjacent: np.ndarray) -> None:
        """Take the pairs (p, p) that are adjacent from elsewhere: from a search over graphs."""
        self.adjacent = adjacent

    def found(self, x: int, y: int) -> tuple[tuple[int, ...] | None, str] | None:
        """Give the set that separated x and y, if one did, and how it was found; None for adjacent pairs."""
        if self.adjacent[x, y]:
            return None
        number = int(self._index[x, y])
        if number < 0:
            return None, SCORE
        by_test = number in (self._numbers.get((x, y)), self._numbers.get((y, x)))
        return self._sets[number], TEST if by_test else BOUNDARY
