"""What background knowledge adds to a PAG or CPDAG: marks that it forces, and what these imply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rolearn.graphs.known_causes import Contradiction, KnownCauses
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, TAIL
from rolearn.graphs.orientation import (
    AncestorEvidence,
    MagEvidence,
    Orientation,
    SeparationEvidence,
    extend_cpdag,
    extend_pag,
)
from rolearn.graphs.traversal import ancestors_of
from rolearn.graphs.validity import check_cpdag, check_pag

__all__ = ["Contradiction", "Restriction", "restrict_cpdag", "restrict_pag"]


@dataclass(frozen=True)
class Restriction:
    """The marks (n, n) with knowledge, and where the two contradict each other."""

    marks: np.ndarray
    contradictions: tuple[Contradiction, ...]


# Open marks are tried out where these times the cells of the matrix are no more: in up to about a second.
_MOST_TRIES = 2e6


class _Kind(ABC):
    """How a kind of graph takes marks that are forced; ``evidence`` is what its rules go by."""

    evidence: MagEvidence | AncestorEvidence | SeparationEvidence

    @abstractmethod
    def left_open(self, marks: np.ndarray) -> np.ndarray:
        """List the places i, j, a row each, whose mark at j is open."""

    @abstractmethod
    def contradicted(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> list[Contradiction]:
        """List the edges whose marks can't be as forced."""

    @abstractmethod
    def settle(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """Set the forced marks where the graph leaves them open."""

    @abstractmethod
    def overrule(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """Set the forced marks whatever the graph has."""

    @abstractmethod
    def options(self, marks: np.ndarray, i: int, j: int) -> list[np.ndarray]:
        """Give the graph with each mark that may be at j; none where that is no longer open."""

    @abstractmethod
    def extend(self, marks: np.ndarray) -> Orientation:
        """Apply the rules."""


class _Pag(_Kind):
    def __init__(self, evidence: AncestorEvidence | SeparationEvidence) -> None:
        self.evidence: AncestorEvidence | SeparationEvidence = evidence

    def left_open(self, marks: np.ndarray) -> np.ndarray:
        return np.argwhere(marks == CIRCLE)

    def contradicted(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> list[Contradiction]:
        wrong = (heads & (marks == TAIL)) | (tails & (marks == ARROWHEAD))
        return [Contradiction("mark", (i, j)) for i, j in np.argwhere(wrong).tolist()]

    def settle(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        settled = marks.copy()
        settled[tails & (marks == CIRCLE)] = TAIL
        settled[heads & (marks == CIRCLE)] = ARROWHEAD
        return settled

    def overrule(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        ruled = marks.copy()
        ruled[tails] = TAIL
        ruled[heads] = ARROWHEAD
        return ruled

    def options(self, marks: np.ndarray, i: int, j: int) -> list[np.ndarray]:
        if marks[i, j] != CIRCLE:
            return []
        head, tail = marks.copy(), marks.copy()
        head[i, j], tail[i, j] = ARROWHEAD, TAIL
        if tail[j, i] == CIRCLE:  # a tail at both ends would be selection
            tail[j, i] = ARROWHEAD
        return [head, tail]

    def extend(self, marks: np.ndarray) -> Orientation:
        return extend_pag(marks, self.evidence)


class _Cpdag(_Kind):
    def __init__(self, evidence: MagEvidence | SeparationEvidence) -> None:
        self.evidence: MagEvidence | SeparationEvidence = evidence

    def left_open(self, marks: np.ndarray) -> np.ndarray:
        return np.argwhere(np.triu((marks == TAIL) & (marks.T == TAIL)))

    def contradicted(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> list[Contradiction]:
        both = np.argwhere(np.triu(heads & heads.T)).tolist()
        wrong = np.argwhere(heads & ~heads.T & (marks.T == ARROWHEAD)).tolist()
        return [Contradiction("both", (i, j)) for i, j in both] + [
            Contradiction("mark", (i, j)) for i, j in wrong
        ]

    def settle(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        settled = marks.copy()
        settled[heads & ~heads.T & (marks == TAIL) & (marks.T == TAIL)] = ARROWHEAD
        return settled

    def overrule(self, marks: np.ndarray, heads: np.ndarray, tails: np.ndarray) -> np.ndarray:
        ruled, one_way = marks.copy(), heads & ~heads.T
        ruled[one_way] = ARROWHEAD
        ruled[one_way.T] = TAIL
        return ruled

    def options(self, marks: np.ndarray, i: int, j: int) -> list[np.ndarray]:
        if marks[i, j] != TAIL or marks[j, i] != TAIL:
            return []
        there, back = marks.copy(), marks.copy()
        there[i, j], back[j, i] = ARROWHEAD, ARROWHEAD
        return [there, back]

    def extend(self, marks: np.ndarray) -> Orientation:
        return extend_cpdag(marks, self.evidence)


def restrict_pag(
    marks: np.ndarray,
    not_cause: np.ndarray,
    required: np.ndarray,
    separations: SeparationEvidence | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Restriction:
    """Add to a PAG the marks that background knowledge forces, and what these imply.

    Where i doesn't cause j, an edge of the two has an arrowhead at i; where i -> j is required, or follows
    from what is, it is ``-->``. From there on, in turn until nothing changes: the rules of Zhang (2008),
    which are sound with knowledge, too; and what arrows and arrowheads say of further causes, as for edges
    whose ends lie on a directed path. All marks hold in every MAG of the class that agrees with knowledge.

    Parameters
    ----------
    marks : int8 array, shape (n, n)
    not_cause : bool array, shape (n, n)
        [i, j]: i doesn't cause j, directly or through others.
    required : bool array, shape (n, n)
        [i, j]: i -> j.
    separations : SeparationEvidence, optional
        What the rules go by where the graph isn't valid.
    stopped : callable
        Asked before each try of a mark; when true no more are made, and what was concluded so far stands.

    Returns
    -------
    Restriction
        Where knowledge contradicts the graph, edges have what knowledge says of them, and nothing more is
        concluded.
    """
    check = check_pag(marks)
    if check.failed is None:
        kind = _Pag(AncestorEvidence(ancestors_of(check.member)))
        return _restrict(kind, marks, not_cause, required, stopped)
    assert separations is not None
    return _restrict(_Pag(separations), marks, not_cause, required, None)


def restrict_cpdag(
    marks: np.ndarray,
    not_cause: np.ndarray,
    required: np.ndarray,
    separations: SeparationEvidence | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Restriction:
    """Add to a CPDAG the directions that background knowledge forces, and what these imply by Meek's rules.

    Parameters and result are those of `restrict_pag`. Without hidden causes, neither of two adjacent vertices
    causing the other is a contradiction, too, and leaves their edge as it is.
    """
    check = check_cpdag(marks)
    if check.failed is None:
        return _restrict(_Cpdag(MagEvidence(check.member)), marks, not_cause, required, stopped)
    assert separations is not None
    return _restrict(_Cpdag(separations), marks, not_cause, required, None)


def _restrict(
    kind: _Kind,
    marks: np.ndarray,
    not_cause: np.ndarray,
    required: np.ndarray,
    stopped: Callable[[], bool] | None,
) -> Restriction:
    """Restrict a graph; one that isn't valid comes without `stopped`."""
    causes = KnownCauses(not_cause, required)
    heads, tails = causes.forced(marks != 0)
    met = tuple(kind.contradicted(marks, heads, tails))
    settled = kind.settle(marks, heads, tails)
    if not met and stopped is not None:
        if not not_cause.any() and not required.any():
            return Restriction(marks.copy(), ())
        concluded, met = _concluded(kind, marks, causes)
        if not met:
            concluded, met = _probed(kind, concluded, causes, stopped)
        if not met:
            return Restriction(concluded, ())
    # from a contradiction anything follows, and what rules make of one depends on which comes first
    apart = bool(met) or np.array_equal(settled, marks)
    extended = settled if apart else kind.extend(settled).marks
    return Restriction(kind.overrule(extended, heads, tails), met)


def _concluded(
    kind: _Kind, marks: np.ndarray, causes: KnownCauses
) -> tuple[np.ndarray, tuple[Contradiction, ...]]:
    """Go on until nothing changes, or a contradiction is met."""
    adjacent = marks != 0
    while True:
        causes.learn(marks)
        if clash := causes.clash():
            return marks, (clash,)
        heads, tails = causes.forced(adjacent)
        orientation = kind.extend(kind.settle(marks, heads, tails))
        if orientation.conflicts:
            return marks, tuple(Contradiction(c.kind, c.vertices) for c in orientation.conflicts)
        if np.array_equal(orientation.marks, marks):
            return marks, ()
        marks = orientation.marks


def _probed(
    kind: _Kind, marks: np.ndarray, causes: KnownCauses, stopped: Callable[[], bool]
) -> tuple[np.ndarray, tuple[Contradiction, ...]]:
    """Try both marks at each open place: one that leads to a contradiction leaves the other."""
    changed = True
    while changed:
        changed = False
        places = kind.left_open(marks)
        if len(places) * marks.size > _MOST_TRIES:
            break
        for i, j in places.tolist():
            if stopped():
                return marks, ()
            options = kind.options(marks, i, j)
            found = [_concluded(kind, option, causes.copy()) for option in options]
            possible = [concluded for concluded, met in found if not met]
            if options and not possible:
                return marks, found[0][1]
            if len(possible) == 1:
                marks, changed = possible[0], True
                causes.learn(marks)
    return marks, ()
