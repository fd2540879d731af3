"""Members of the class that a PAG or CPDAG stands for, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, TAIL
from rolearn.graphs.orientation import MagEvidence, draw_cpdag, draw_pag
from rolearn.graphs.validity import flaw_of
from rolearn.graphs.validity_kernels import NO_FLAW

__all__ = ["equivalent_graphs", "is_member"]

Draw = Callable[[np.ndarray, MagEvidence], np.ndarray]


def equivalent_graphs(member: np.ndarray, kind: str) -> Iterator[np.ndarray]:
    """Yield the marks (n, n) of all members of a class, nearest to one member first.

    Any two Markov equivalent MAGs are joined by changes of single marks, --> to <-> or back, that stay in the
    class (Zhang and Spirtes 2005), and two DAGs by reversals of single edges (Chickering 1995).

    Parameters
    ----------
    member
        (n, n) marks of a MAG, or of a DAG where kind is "cpdag".
    kind : "pag" or "cpdag"
    """
    target = _draw(kind)(member != 0, MagEvidence(member))
    seen = {member.tobytes()}
    waiting = deque([member])
    while waiting:
        marks = waiting.popleft()
        yield marks
        for other in _one_step_away(marks, kind, target):
            if other.tobytes() not in seen:
                seen.add(other.tobytes())
                waiting.append(other)


def _one_step_away(marks: np.ndarray, kind: str, target: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the members of the class `target` that differ from one by a single step."""
    for i, j in np.argwhere(_changes(marks, target, kind)).tolist():
        other = marks.copy()
        if kind == "cpdag":
            other[i, j], other[j, i] = TAIL, ARROWHEAD
        else:  # the mark at i on the edge i *-> j
            other[j, i] = TAIL if marks[j, i] == ARROWHEAD else ARROWHEAD
        if is_member(other, kind, target):
            yield other


def is_member(marks: np.ndarray, kind: str, target: np.ndarray) -> bool:
    """Tell whether marks (n, n) are a MAG, or a DAG, of the class `target`."""
    if flaw_of(marks)[0] != NO_FLAW:
        return False
    return np.array_equal(_draw(kind)(marks != 0, MagEvidence(marks)), target)


def _changes(marks: np.ndarray, target: np.ndarray, kind: str) -> np.ndarray:
    """Mark the pairs i *-> j of which the mark at i, or in a DAG the direction, isn't shared by the class."""
    into = marks == ARROWHEAD
    if kind == "cpdag":
        return into & (target == TAIL) & (target.T == TAIL)
    return into & (target.T != marks.T)


def _draw(kind: str) -> Draw:
    return draw_cpdag if kind == "cpdag" else draw_pag
