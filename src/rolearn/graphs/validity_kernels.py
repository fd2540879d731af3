"""A member of a PAG's or CPDAG's class, and whether it is a MAG: acyclic, ancestral, maximal."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL
from rolearn.graphs.traversal_kernels import ancestor_matrix
from rolearn.runtime.compile import kernel, part

__all__ = [
    "ALMOST_CYCLE",
    "CYCLE",
    "NOT_MAXIMAL",
    "NO_FLAW",
    "direct_open_edges",
    "find_flaw",
    "take_cpdag_member",
    "take_pag_member",
]

NO_FLAW = 0
CYCLE = 1
ALMOST_CYCLE = 2
NOT_MAXIMAL = 3


@part
def _is_peelable(starts, neighbors, open_edges, v):
    """Tell whether the open neighbors of v are joined by open edges with each other."""
    for k in range(starts[v], starts[v + 1]):
        a = neighbors[k]
        if not open_edges[v, a]:
            continue
        for m in range(k + 1, starts[v + 1]):
            b = neighbors[m]
            if open_edges[v, b] and not open_edges[a, b]:
                return False
    return True


@kernel
def direct_open_edges(starts, neighbors, open_edges, marks):
    """Direct the open edges (n, n) as a DAG without unshielded colliders; False if they aren't chordal.

    Vertices whose remaining open neighbors form a clique are peeled off, and the edges to these then point
    at the peeled vertex. Writes into ``marks`` and uses up ``open_edges``.
    """
    n = marks.shape[0]
    waiting = np.empty(n, dtype=np.int64)
    is_waiting = np.ones(n, dtype=np.bool_)
    for v in range(n):
        waiting[v] = n - 1 - v
    count = n
    while count > 0:
        count -= 1
        v = waiting[count]
        is_waiting[v] = False
        if not _is_peelable(starts, neighbors, open_edges, v):
            continue
        for k in range(starts[v], starts[v + 1]):
            w = neighbors[k]
            if not open_edges[v, w]:
                continue
            open_edges[v, w] = False
            open_edges[w, v] = False
            marks[w, v] = ARROWHEAD
            marks[v, w] = TAIL
            if not is_waiting[w]:
                is_waiting[w] = True
                waiting[count] = w
                count += 1
    for v in range(n):
        for k in range(starts[v], starts[v + 1]):
            if open_edges[v, neighbors[k]]:
                return False
    return True


@part
def _find_cycle_edge(starts, neighbors, marks, ancestors, found):
    """Find an edge a --> b of which b is an ancestor of a; fills ``found[:2]``."""
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            b = neighbors[k]
            if marks[a, b] == ARROWHEAD and marks[b, a] == TAIL and ancestors[b, a]:
                found[0] = a
                found[1] = b
                return True
    return False


@part
def _find_almost_cycle(starts, neighbors, marks, ancestors, found):
    """Find an edge a <-> b of which a is an ancestor of b; fills ``found[:2]``."""
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            b = neighbors[k]
            if marks[a, b] == ARROWHEAD and marks[b, a] == ARROWHEAD and ancestors[a, b]:
                found[0] = a
                found[1] = b
                return True
    return False


@part
def _bidirected(marks, a, b):
    return marks[a, b] == ARROWHEAD and marks[b, a] == ARROWHEAD


@part
def _walks_to(starts, neighbors, marks, ancestors, x, y, seen, search, waiting):
    """Search an inducing path x *-> v <-> ... <-> w <-* y, its inner vertices ancestors of x or y."""
    count = 0
    for k in range(starts[x], starts[x + 1]):
        v = neighbors[k]
        if marks[x, v] == ARROWHEAD and ancestors[v, y]:
            seen[v] = search
            waiting[count] = v
            count += 1
    while count > 0:
        count -= 1
        v = waiting[count]
        if marks[y, v] == ARROWHEAD:
            return True
        for k in range(starts[v], starts[v + 1]):
            w = neighbors[k]
            if seen[w] != search and _bidirected(marks, v, w) and (ancestors[w, x] or ancestors[w, y]):
                seen[w] = search
                if w != x and w != y:
                    waiting[count] = w
                    count += 1
    return False


@part
def _find_inducing_pair(starts, neighbors, marks, ancestors, found):
    """Find two nonadjacent vertices joined by an inducing path; fills ``found[:2]``.

    In an ancestral graph the path's inner vertices are colliders, so they lie in one bidirected district,
    and the one next to x is an ancestor of y (it can't be one of x).
    """
    n = marks.shape[0]
    seen = np.zeros(n, dtype=np.int64)
    waiting = np.empty(n, dtype=np.int64)
    search = 0
    for x in range(n):
        for y in range(x + 1, n):
            if marks[x, y] != NO_EDGE:
                continue
            search += 1
            if _walks_to(starts, neighbors, marks, ancestors, x, y, seen, search, waiting):
                found[0] = x
                found[1] = y
                return True
    return False


@kernel
def find_flaw(starts, neighbors, marks, found):
    """Find what keeps ``marks`` (arrowheads and tails) from being a MAG: NO_FLAW or what it is.

    ``found[:2]`` (int64) holds the two vertices of the flaw.
    """
    n = marks.shape[0]
    ancestors = np.zeros((n, n), dtype=np.bool_)
    ancestor_matrix(starts, neighbors, marks, ancestors)
    if _find_cycle_edge(starts, neighbors, marks, ancestors, found):
        return CYCLE
    if _find_almost_cycle(starts, neighbors, marks, ancestors, found):
        return ALMOST_CYCLE
    if _find_inducing_pair(starts, neighbors, marks, ancestors, found):
        return NOT_MAXIMAL
    return NO_FLAW


@kernel
def take_pag_member(marks, member, open_edges):
    """Turn every o-> into --> in ``member``, list the o-o edges; False where marks need selection bias."""
    n = marks.shape[0]
    for i in range(n):
        for j in range(n):
            mark = marks[i, j]
            member[i, j] = TAIL if mark == CIRCLE and marks[j, i] == ARROWHEAD else mark
            open_edges[i, j] = mark == CIRCLE and marks[j, i] == CIRCLE
            if mark == TAIL and marks[j, i] != ARROWHEAD:
                return False
    return True


@kernel
def take_cpdag_member(marks, member, open_edges):
    """Copy ``marks`` to ``member``, list the undirected edges; False at a circle or a bidirected edge."""
    n = marks.shape[0]
    for i in range(n):
        for j in range(n):
            mark = marks[i, j]
            member[i, j] = mark
            open_edges[i, j] = mark == TAIL and marks[j, i] == TAIL
            if mark == CIRCLE or (mark == ARROWHEAD and marks[j, i] != TAIL):
                return False
    return True
