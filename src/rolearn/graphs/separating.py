"""Minimal m-separating sets of pairs in a DAG or MAG."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.projection_kernels import fill_separating_set
from rolearn.graphs.traversal import ancestors_of, neighbor_lists, writable_marks

__all__ = ["separating_set", "separating_sets"]


def separating_set(marks: ArrayLike, x: int, y: int) -> tuple[int, ...] | None:
    """Give the indices, ascending, of a minimal set that m-separates x and y; None if there is none.

    No proper subset of it separates them; it lies within the ancestors of x and y, next to one of them.
    """
    marks = writable_marks(marks)
    lists = neighbor_lists(marks)
    chosen = np.zeros(len(marks), dtype=np.bool_)
    if not fill_separating_set(*lists, marks, ancestors_of(marks), x, y, chosen):
        return None
    return tuple(np.flatnonzero(chosen).tolist())


def separating_sets(marks: ArrayLike) -> dict[tuple[int, int], tuple[int, ...]]:
    """Give `separating_set` for all pairs x < y that have one: in a MAG all that aren't adjacent."""
    marks = writable_marks(marks)
    starts, neighbors = neighbor_lists(marks)
    ancestors = ancestors_of(marks)
    chosen = np.zeros(len(marks), dtype=np.bool_)
    sets = {}
    for x, y in np.argwhere(np.triu(marks == 0, 1)).tolist():
        if fill_separating_set(starts, neighbors, marks, ancestors, x, y, chosen):
            sets[x, y] = tuple(np.flatnonzero(chosen).tolist())
    return sets
