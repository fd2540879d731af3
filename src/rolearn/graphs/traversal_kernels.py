"""One traversal over walks, driven by a table of allowed steps, and what a small table makes of it.

A walk stands at a vertex with the mark at which it arrived there; the table says which edges it may leave
by: ``steps[role, arrived, leaving, next]`` with the role of the vertex, the mark at the vertex of the edge
just taken (``NO_EDGE`` at the source), the mark at the vertex of the edge to take, and the mark at that
edge's far end. The idea of a single traversal with rule tables is that of gadjid and CIfly (Wienoebst,
Henckel, Weichwald 2024).

Graphs come as compressed neighbor lists: the neighbors of ``v`` are ``neighbors[starts[v]:starts[v + 1]]``.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.runtime.compile import kernel

__all__ = [
    "ANCESTOR_STEPS",
    "BLOCKED",
    "EITHER",
    "ONLY_COLLIDER",
    "ONLY_NONCOLLIDER",
    "OPEN_STEPS",
    "ancestor_matrix",
    "fill_neighbor_lists",
    "m_connected",
    "open_walks",
    "traverse",
]

# What an open walk may do at an inner vertex.
ONLY_NONCOLLIDER = 0  # neither given nor an ancestor of what is given
ONLY_COLLIDER = 1  # given
EITHER = 2  # not given, but an ancestor of what is given
BLOCKED = 3


def _open_steps() -> np.ndarray:
    steps = np.zeros((4, 4, 4, 4), dtype=np.bool_)
    for role, arrived, leaving, beyond in product(range(4), repeat=4):
        if leaving == NO_EDGE or beyond == NO_EDGE:
            continue
        collider = arrived == ARROWHEAD and leaving == ARROWHEAD
        passes = role == EITHER or role == (ONLY_COLLIDER if collider else ONLY_NONCOLLIDER)
        steps[role, arrived, leaving, beyond] = arrived == NO_EDGE or passes
    return steps


def _ancestor_steps() -> np.ndarray:
    steps = np.zeros((4, 4, 4, 4), dtype=np.bool_)
    steps[:, :, ARROWHEAD, TAIL] = True
    return steps


OPEN_STEPS = _open_steps()
ANCESTOR_STEPS = _ancestor_steps()


@kernel
def fill_neighbor_lists(marks, starts, neighbors):
    """Fill ``starts`` (n + 1) and ``neighbors`` (2m), in index order; return how many neighbors there are."""
    n = marks.shape[0]
    filled = 0
    for v in range(n):
        starts[v] = filled
        for w in range(n):
            if marks[v, w] != NO_EDGE:
                neighbors[filled] = w
                filled += 1
    starts[n] = filled
    return filled


@kernel
def traverse(starts, neighbors, marks, roles, steps, source, arrivals):
    """Follow all allowed walks from ``source``; ``arrivals[v, mark]`` (n, 4) turns true where one arrives.

    The source itself is entered as ``arrivals[source, NO_EDGE]``. States already true are not followed
    again, so several sources can share one array.
    """
    if arrivals[source, NO_EDGE]:
        return
    waiting = np.empty(4 * marks.shape[0], dtype=np.int64)
    arrivals[source, NO_EDGE] = True
    waiting[0] = 4 * source + NO_EDGE
    count = 1
    while count > 0:
        count -= 1
        v = waiting[count] // 4
        arrived = waiting[count] % 4
        for k in range(starts[v], starts[v + 1]):
            w = neighbors[k]
            mark = marks[v, w]
            if not arrivals[w, mark] and steps[roles[v], arrived, marks[w, v], mark]:
                arrivals[w, mark] = True
                waiting[count] = 4 * w + mark
                count += 1


@kernel
def ancestor_matrix(starts, neighbors, marks, ancestors):
    """Fill ``ancestors`` (n, n): ``ancestors[i, j]`` says that i is an ancestor of j; reflexive."""
    n = marks.shape[0]
    roles = np.zeros(n, dtype=np.int8)
    arrivals = np.zeros((n, 4), dtype=np.bool_)
    for j in range(n):
        arrivals[:, :] = False
        traverse(starts, neighbors, marks, roles, ANCESTOR_STEPS, j, arrivals)
        for i in range(n):
            ancestors[i, j] = arrivals[i, NO_EDGE] or arrivals[i, TAIL]


@kernel
def open_walks(starts, neighbors, marks, ancestors, source, given_mask, arrivals):
    """Follow the walks from ``source`` that are open given a set; given vertices can be their last."""
    n = marks.shape[0]
    roles = np.zeros(n, dtype=np.int8)
    for g in range(n):
        if given_mask[g]:
            for v in range(n):
                if ancestors[v, g] and not given_mask[v]:
                    roles[v] = EITHER
            roles[g] = ONLY_COLLIDER
    traverse(starts, neighbors, marks, roles, OPEN_STEPS, source, arrivals)


@kernel
def m_connected(starts, neighbors, marks, ancestors, source, given_mask, reached):
    """Fill ``reached`` (n): the vertices m-connected to ``source`` given the set.

    For the marks of a DAG or MAG. Neither the source nor given vertices are ever reached. A walk counts
    where colliders are ancestors of the set and noncolliders outside it, which holds for some walk exactly
    when it holds for some path (Richardson and Spirtes 2002, section 3.4).
    """
    n = marks.shape[0]
    arrivals = np.zeros((n, 4), dtype=np.bool_)
    open_walks(starts, neighbors, marks, ancestors, source, given_mask, arrivals)
    for v in range(n):
        arrives = arrivals[v, 1] or arrivals[v, 2] or arrivals[v, 3]
        reached[v] = arrives and v != source and not given_mask[v]
