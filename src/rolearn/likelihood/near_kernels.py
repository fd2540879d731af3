"""Who is near a vertex: lists of neighbors that follow a graph as its edges come and go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import NO_EDGE
from rolearn.runtime.compile import lean_kernel

__all__ = ["Near", "drop", "fill_near", "join", "near_of"]


class Near(NamedTuple):
    """Whom edges join to each of p vertices.

    The first ``sizes[v]`` (p) of row v of ``lists`` (p, p), in ascending order. All neighbors are there, but
    maybe others, too: marks tell.
    """

    lists: np.ndarray
    sizes: np.ndarray


@lean_kernel
def fill_near(near, marks):
    """Read the neighbors of all vertices from the marks of a graph."""
    p = len(marks)
    for v in range(p):
        size = 0
        for w in range(p):
            if marks[v, w] != NO_EDGE:
                near.lists[v, size] = w
                size += 1
        near.sizes[v] = size


@lean_kernel
def join(near, v, w):
    """Let w be among those near v, if it isn't yet."""
    row = near.lists[v]
    size = near.sizes[v]
    place = size
    while place > 0 and row[place - 1] >= w:
        place -= 1
    if place < size and row[place] == w:
        return
    for k in range(size, place, -1):
        row[k] = row[k - 1]
    row[place] = w
    near.sizes[v] = size + 1


@lean_kernel
def drop(near, v, w):
    """Let w no longer be among those near v, if it is."""
    row = near.lists[v]
    kept = 0
    for k in range(near.sizes[v]):
        if row[k] != w:
            row[kept] = row[k]
            kept += 1
    near.sizes[v] = kept


def near_of(marks: np.ndarray) -> Near:
    """Give the neighbors in a graph."""
    p = len(marks)
    near = Near(np.zeros((p, p), np.int64), np.zeros(p, np.int64))
    fill_near(near, marks)
    return near
