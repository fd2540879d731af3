"""What a class of graphs says of causes: ancestors and descendants, definite and possible, and visible edges.

All functions take the `read_marks` of a graph: (n, n) int8, with circles where members of the class differ.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL

__all__ = ["definite_reach", "possible_reach", "possible_steps", "read_marks", "visible_edges"]


def read_marks(marks: np.ndarray, kind: str) -> np.ndarray:
    """Give marks whose open ends are circles: a CPDAG writes them as tail and tail."""
    read = np.array(marks, dtype=np.int8)
    if kind == "cpdag":
        read[(read == TAIL) & (read.T == TAIL)] = CIRCLE
    return read


def possible_steps(marks: np.ndarray) -> np.ndarray:
    """Give the (n, n) boolean array whose [i, j] says that the edge i, j may be i --> j: not into i."""
    return (marks != NO_EDGE) & (marks.T != ARROWHEAD) & (marks != TAIL)


def closure(steps: np.ndarray) -> np.ndarray:
    """Give the reflexive transitive closure (n, n) of steps."""
    reach = steps | np.eye(len(steps), dtype=np.bool_)
    for k in range(len(steps)):  # Warshall (1962)
        reach[reach[:, k]] |= reach[k]
    return reach


def possible_reach(marks: np.ndarray) -> np.ndarray:
    """Give the (n, n) boolean array whose [i, j] says that i is an ancestor of j in some member; reflexive.

    True where a possibly directed path leads from i to j (Zhang 2008).
    """
    return closure(possible_steps(marks))


def definite_reach(marks: np.ndarray) -> np.ndarray:
    """Give the (n, n) boolean array whose [i, j] says that i is an ancestor of j in all members; reflexive.

    True where a directed path leads there, or two uncovered possibly directed paths whose second vertices are
    distinct and not adjacent: not both can turn back at i, which would be a collider (Zhang 2006, p. 137).
    """
    steps = possible_steps(marks)
    reach = closure((marks == ARROWHEAD) & (marks.T == TAIL))
    followers = [np.flatnonzero(row).tolist() for row in steps]
    apart = marks == NO_EDGE
    for i, first in enumerate(followers):
        if not apart[np.ix_(first, first)].sum() > len(first):  # the diagonal counts
            continue
        ends = np.array([_uncovered(i, u, followers, apart) for u in first])
        for k, u in enumerate(first):
            others = [m for m, v in enumerate(first) if v != u and apart[u, v]]
            reach[i] |= ends[k] & ends[others].any(axis=0)
    return closure(reach)


def _uncovered(i: int, u: int, followers: list[list[int]], apart: np.ndarray) -> np.ndarray:
    """Mark where uncovered possibly directed paths lead that begin with i, u."""
    ends = np.zeros(len(apart), dtype=np.bool_)
    seen = {(i, u)}
    waiting = deque(seen)
    while waiting:
        a, b = waiting.popleft()
        ends[b] = True
        for c in followers[b]:
            if c != a and c != i and apart[a, c] and (b, c) not in seen:
                seen.add((b, c))
                waiting.append((b, c))
    return ends


def visible_edges(marks: np.ndarray, kind: str) -> np.ndarray:
    """Give the (n, n) boolean array of the edges i --> j that no hidden common cause can accompany.

    Visible by definition 8 of Zhang (2008): some vertex that isn't adjacent to j has an edge into i, or a
    collider path into i whose other vertices are all parents of j. In a DAG or CPDAG, where every cause was
    measured, all directed edges are.
    """
    directed = (marks == ARROWHEAD) & (marks.T == TAIL)
    if kind in ("dag", "cpdag"):
        return directed
    visible = np.zeros_like(directed)
    for i, j in np.argwhere(directed).tolist():
        visible[i, j] = _is_visible(marks, directed, i, j)
    return visible


def _is_visible(marks: np.ndarray, directed: np.ndarray, i: int, j: int) -> bool:
    seen, waiting = {i}, deque([i])
    while waiting:
        v = waiting.popleft()
        for w in np.flatnonzero(marks[:, v] == ARROWHEAD).tolist():
            if w in seen or w == j:
                continue
            if marks[w, j] == NO_EDGE:
                return True
            if directed[w, j] and marks[v, w] == ARROWHEAD:
                seen.add(w)
                waiting.append(w)
    return False
