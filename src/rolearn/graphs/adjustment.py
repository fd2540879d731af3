"""Which sets to adjust for, by the generalized adjustment criterion (Perkovic et al. 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.graphs.relations import closure, possible_steps, visible_edges
from rolearn.graphs.traversal import m_separated
from rolearn.runtime.errors import ParameterError

__all__ = ["Adjustment", "Question", "question"]


class Adjustment:
    """The answer to "what do I adjust for": a set of names, or that no set will do.

    True where the effect is identifiable by adjustment. It then has the length, members and equality of its
    set; where it isn't, asking for members raises a ParameterError that says why.

    Attributes
    ----------
    x, y : tuple of str
        The causes and the effects asked about.
    identifiable : bool
    given : frozenset of str or None
        A set that is minimal: none of its members can be left out. None where not identifiable.
    reason : str
        Why not, where not; else a remark, or empty.
    """

    __slots__ = ("given", "identifiable", "reason", "x", "y")

    def __init__(
        self, x: tuple[str, ...], y: tuple[str, ...], given: frozenset[str] | None, reason: str = ""
    ) -> None:
        self.x, self.y, self.given, self.reason = x, y, given, reason
        self.identifiable = given is not None

    def _set(self) -> frozenset[str]:
        if self.given is None:
            raise ParameterError(str(self))
        return self.given

    def __bool__(self) -> bool:
        return self.identifiable

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._set()))

    def __len__(self) -> int:
        return len(self._set())

    def __contains__(self, name: object) -> bool:
        return name in self._set()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Adjustment):
            return (self.x, self.y, self.given) == (other.x, other.y, other.given)
        if other is None:
            return not self.identifiable
        if isinstance(other, (set, frozenset)):
            return self.given is not None and self.given == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.given)

    def __repr__(self) -> str:
        return f"<Adjustment: {self}>"

    def __str__(self) -> str:
        effect = f"the effect of {' and '.join(self.x)} on {' and '.join(self.y)}"
        if self.given is None:
            return f"{effect} is not identifiable by adjustment: {self.reason}"
        what = f"adjust for {', '.join(sorted(self.given))}" if self.given else "no adjustment is needed"
        return f"{effect}: {what}" + (f" ({self.reason})" if self.reason else "")


class Question(NamedTuple):
    """What the criterion asks about one pair of sets, by positions.

    Attributes
    ----------
    invisible : list of (int, int)
        Edges out of x that begin a possibly directed path to y without being visible.
    affected : bool
        Whether any possibly directed path leads from x to y.
    forbidden : bool array (n,)
        Possible descendants of what lies on such paths.
    candidates : list of int
        The set that is valid if any is.
    cut : int8 array (n, n)
        Marks of a member without the edges that begin its directed paths from x to y.
    """

    x: list[int]
    y: list[int]
    invisible: list[tuple[int, int]]
    affected: bool
    forbidden: np.ndarray
    candidates: list[int]
    cut: np.ndarray

    def blocks(self, given: list[int]) -> bool:
        """Tell whether a set is valid, where there is no invisible edge."""
        return not self.forbidden[given].any() and m_separated(self.cut, self.x, self.y, given)


def question(marks: np.ndarray, kind: str, member: np.ndarray, x: list[int], y: list[int]) -> Question:
    """Prepare the generalized adjustment criterion.

    Parameters
    ----------
    marks
        (n, n) `read_marks` of a valid graph.
    kind : str
        Of the graph.
    member
        (n, n) marks of a DAG or MAG of its class.
    x, y
        Disjoint positions.
    """
    steps = possible_steps(marks)
    first, on_paths = _proper_paths(steps, x, y)
    visible = visible_edges(marks, kind)
    reach = closure(steps)
    forbidden = reach[on_paths].any(axis=0)
    candidates = reach[:, [*x, *y]].any(axis=1) & ~forbidden
    candidates[[*x, *y]] = False
    cut = np.array(member, dtype=np.int8)
    begins, _ = _proper_paths((cut == ARROWHEAD) & (cut.T == TAIL), x, y)
    for a, b in begins:
        cut[a, b] = cut[b, a] = NO_EDGE
    invisible = [edge for edge in first if not visible[edge]]
    return Question(x, y, invisible, bool(first), forbidden, np.flatnonzero(candidates).tolist(), cut)


def _proper_paths(steps: np.ndarray, x: list[int], y: list[int]) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Give the first edges of all paths from x to y that leave x for good, and what else lies on them."""
    inside = steps.copy()
    inside[x] = inside[:, x] = False
    reach = closure(inside)
    to_y: np.ndarray = np.asarray(reach[:, y].any(axis=1))
    to_y[x] = False
    first = [(a, int(b)) for a in x for b in np.flatnonzero(steps[a] & to_y)]
    from_x: np.ndarray = np.asarray(reach[[b for _, b in first]].any(axis=0))
    return first, from_x & to_y
