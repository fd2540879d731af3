"""Inducing paths relative to hidden vertices and what hangs on them: projection, removability, separators."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL
from rolearn.graphs.traversal_kernels import (
    BLOCKED,
    EITHER,
    ONLY_COLLIDER,
    ONLY_NONCOLLIDER,
    OPEN_STEPS,
    traverse,
)
from rolearn.runtime.compile import kernel

__all__ = ["fill_projection", "fill_separating_set", "is_removable"]


@kernel
def _arrives(arrivals, v):
    return arrivals[v, CIRCLE] or arrivals[v, ARROWHEAD] or arrivals[v, TAIL]


@kernel
def _inseparable(starts, neighbors, marks, ancestors, hidden, x, y):
    """Tell whether an inducing path relative to ``hidden`` (n,) joins x and y.

    All its noncolliders are hidden, and its colliders are ancestors of x or y (Richardson and Spirtes 2002,
    theorem 4.2: then no set of vertices that aren't hidden separates them).
    """
    n = marks.shape[0]
    roles = np.empty(n, dtype=np.int8)
    arrivals = np.zeros((n, 4), dtype=np.bool_)
    for v in range(n):
        if ancestors[v, x] or ancestors[v, y]:
            roles[v] = EITHER if hidden[v] else ONLY_COLLIDER
        else:
            roles[v] = ONLY_NONCOLLIDER if hidden[v] else BLOCKED
    traverse(starts, neighbors, marks, roles, OPEN_STEPS, x, arrivals)
    return _arrives(arrivals, y)


@kernel
def fill_projection(starts, neighbors, marks, ancestors, hidden, projected):
    """Fill ``projected`` (n, n) with the MAG over the vertices that aren't hidden; hidden ones stay alone."""
    n = marks.shape[0]
    for x in range(n):
        for y in range(x + 1, n):
            if hidden[x] or hidden[y]:
                continue
            stays = marks[x, y] != NO_EDGE
            if stays or _inseparable(starts, neighbors, marks, ancestors, hidden, x, y):
                projected[x, y] = TAIL if ancestors[y, x] else ARROWHEAD
                projected[y, x] = TAIL if ancestors[x, y] else ARROWHEAD


@kernel
def is_removable(starts, neighbors, marks, ancestors, x):
    """Tell whether hiding x leaves every nonadjacent pair of the others separable.

    An inducing path relative to x that wasn't one before runs over x, and all its other inner vertices are
    colliders: so collider paths join both its ends to x, and they are in the Markov boundary of x.
    """
    n = marks.shape[0]
    arrivals = np.zeros((n, 4), dtype=np.bool_)
    traverse(starts, neighbors, marks, np.full(n, ONLY_COLLIDER, dtype=np.int8), OPEN_STEPS, x, arrivals)
    hidden = np.zeros(n, dtype=np.bool_)
    hidden[x] = True
    for a in range(n):
        if a == x or not _arrives(arrivals, a):
            continue
        for b in range(a + 1, n):
            if b == x or marks[a, b] != NO_EDGE or not _arrives(arrivals, b):
                continue
            if _inseparable(starts, neighbors, marks, ancestors, hidden, a, b):
                return False
    return True


@kernel
def _nearest_separator(starts, neighbors, marks, ancestors, x, y, chosen):
    """Fill ``chosen`` (n,) with the minimal separator of x and y nearest to x; its size, -1 if there is none.

    In the augmented graph of the ancestors of x and y, where m-separation is separation: of the neighbors
    of x, those that y reaches without passing another (van der Zander and Liskiewicz 2020).
    """
    n = marks.shape[0]
    roles = np.empty(n, dtype=np.int8)
    arrivals = np.zeros((n, 4), dtype=np.bool_)
    for v in range(n):
        roles[v] = ONLY_COLLIDER if ancestors[v, x] or ancestors[v, y] else BLOCKED
    traverse(starts, neighbors, marks, roles, OPEN_STEPS, x, arrivals)
    if _arrives(arrivals, y):
        return -1
    for v in range(n):
        chosen[v] = v != x and roles[v] == ONLY_COLLIDER and _arrives(arrivals, v)
        if roles[v] == ONLY_COLLIDER and not chosen[v]:
            roles[v] = EITHER
    arrivals[:, :] = False
    traverse(starts, neighbors, marks, roles, OPEN_STEPS, y, arrivals)
    size = 0
    for v in range(n):
        chosen[v] = chosen[v] and _arrives(arrivals, v)
        size += chosen[v]
    return size


@kernel
def fill_separating_set(starts, neighbors, marks, ancestors, x, y, chosen):
    """Fill ``chosen`` (n,) with a minimal m-separator of x and y; False if there is none.

    It lies within their ancestors, nearest to x or nearest to y, whichever is smaller (the former of equals).
    """
    other = np.zeros(marks.shape[0], dtype=np.bool_)
    size = _nearest_separator(starts, neighbors, marks, ancestors, x, y, chosen)
    if size < 0:
        return False
    if _nearest_separator(starts, neighbors, marks, ancestors, y, x, other) < size:
        chosen[:] = other
    return True
