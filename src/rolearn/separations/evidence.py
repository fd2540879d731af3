"""What the removals of an order say of every pair, and which of it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rolearn.graphs.orientation import SeparationEvidence
from rolearn.orders.cost import Removal

__all__ = ["BOUNDARY", "SCORE", "TEST", "Candidate", "PairEvidence", "boundary_pairs", "joined_by"]

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
        self.candidates: list[Candidate] = []
        self._sets: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        numbers = [self._add(removal) for removal in removals]
        self.adjacent = joined_by(removals)
        self._index = _sets_of_pairs(removals, numbers, self.adjacent)
        self.candidates.sort(key=lambda c: (-c.p_value, min(c.x, c.y), max(c.x, c.y)))
        lengths = [len(members) for members in self._sets]
        self._starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._members = np.array([v for members in self._sets for v in members], np.int32)

    def _add(self, removal: Removal) -> int:
        """Take in what was found; gives the number of the boundary among the sets."""
        number = self._number(tuple(sorted(removal.boundary)))
        for y, given, p_value in removal.separations:
            self.candidates.append(Candidate(removal.variable, y, given, p_value))
            self._numbers[removal.variable, y] = self._number(tuple(sorted(given)))
        return number

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


def boundary_pairs(removals: Sequence[Removal]) -> tuple[np.ndarray, np.ndarray]:
    """Give each variable as often as its boundary has members, and these."""
    sizes = [len(removal.boundary) for removal in removals]
    variables = np.array([removal.variable for removal in removals], np.int64)
    members = [v for removal in removals for v in removal.boundary]
    return np.repeat(variables, sizes), np.array(members, np.int64)


def joined_by(removals: Sequence[Removal]) -> np.ndarray:
    """Give what is adjacent (p, p) in the DAG that joins each variable to its boundary."""
    variables, members = boundary_pairs(removals)
    joined = np.zeros((len(removals), len(removals)), np.bool_)
    joined[variables, members] = joined[members, variables] = True
    return joined


def _sets_of_pairs(removals: Sequence[Removal], numbers: Sequence[int], adjacent: np.ndarray) -> np.ndarray:
    """Give the number of the set that separates a pair (p, p): the boundary of whom leaves first; or -1."""
    place = np.argsort([removal.variable for removal in removals])
    index = np.array(numbers, np.int32)[np.minimum.outer(place, place)]
    index[adjacent] = -1
    np.fill_diagonal(index, -1)
    return index
