"""Who causes whom, as far as knowledge and a graph's marks tell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD
from rolearn.graphs.traversal import ancestors_of

__all__ = ["Contradiction", "KnownCauses"]


class Contradiction(NamedTuple):
    """Where knowledge and graph can't both hold: at the edge, or triple, of these vertices.

    ``kind`` is "mark" for an edge i, j whose mark at j the graph has otherwise than knowledge; "both" where
    neither of two adjacent vertices causes the other and the graph has no hidden causes. The others are met
    on the way to what knowledge implies: "cause" where i would cause j and may not; "collider" and "rule" as
    in `Conflict`.
    """

    kind: str
    vertices: tuple[int, ...]


class KnownCauses:
    """Who causes whom and who doesn't, as far as known: from knowledge, and from a graph's own marks.

    Attributes
    ----------
    causes, not_cause : bool arrays, shape (n, n)
        [i, j]: i causes j, directly or through others; i doesn't. The former is reflexive.
    """

    def __init__(self, not_cause: np.ndarray, required: np.ndarray) -> None:
        self.causes = _closed(required)
        self.not_cause = np.array(not_cause, np.bool_)
        self._spread()

    def copy(self) -> KnownCauses:
        """Give the same, to be changed on its own."""
        other = KnownCauses.__new__(KnownCauses)
        other.causes, other.not_cause = self.causes.copy(), self.not_cause.copy()
        return other

    def learn(self, marks: np.ndarray) -> None:
        """Take in the marks of a graph: arrows cause, and what has an arrowhead doesn't."""
        self.causes = _closed(self.causes | ancestors_of(marks))
        self.not_cause |= (marks == ARROWHEAD).T
        self._spread()

    def _spread(self) -> None:
        """Where a doesn't cause d, nothing that a causes causes what causes d; and causing goes one way."""
        one_way = self.causes.T & ~np.eye(len(self.causes), dtype=np.bool_)
        self.not_cause = _joined(_joined(self.causes.T, self.not_cause | one_way), self.causes.T)

    def forced(self, adjacent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Give where edges must have an arrowhead, and where a tail: [i, j] for the mark at j."""
        return adjacent & self.not_cause.T, adjacent & self.causes.T

    def clash(self) -> Contradiction | None:
        """Give one that causes another and doesn't."""
        found = np.argwhere(self.causes & self.not_cause)
        return Contradiction("cause", tuple(found[0].tolist())) if len(found) else None


def _joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return (first.astype(np.float32) @ second.astype(np.float32)) > 0.5


def _closed(pairs: np.ndarray) -> np.ndarray:
    """Give the reflexive and transitive closure."""
    closed = pairs | np.eye(len(pairs), dtype=np.bool_)
    while True:
        wider = _joined(closed, closed)
        if np.array_equal(wider, closed):
            return closed
        closed = wider
