"""m-separation, ancestors and compressed neighbor lists of a marks array."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.traversal_kernels import ancestor_matrix, fill_neighbor_lists, m_connected

__all__ = ["ancestors_of", "m_separated", "neighbor_lists", "writable_marks"]


def writable_marks(marks: ArrayLike) -> np.ndarray:
    """Copy marks to a fresh int8 array: kernels are compiled for writable, C-ordered ones only."""
    return np.array(marks, dtype=np.int8, order="C")


def neighbor_lists(marks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give ``starts`` (n + 1) and ``neighbors`` (2m), both int64.

    The neighbors of v are ``neighbors[starts[v]:starts[v + 1]]``, in index order. ``marks`` is (n, n) int8
    and not read-only.
    """
    starts = np.zeros(marks.shape[0] + 1, dtype=np.int64)
    neighbors = np.empty(np.count_nonzero(marks), dtype=np.int64)
    fill_neighbor_lists(marks, starts, neighbors)
    return starts, neighbors


def ancestors_of(marks: ArrayLike) -> np.ndarray:
    """Give the (n, n) boolean array whose ``[i, j]`` says that i is an ancestor of j; reflexive."""
    marks = writable_marks(marks)
    ancestors = np.zeros(marks.shape, dtype=np.bool_)
    ancestor_matrix(*neighbor_lists(marks), marks, ancestors)
    return ancestors


def m_separated(marks: ArrayLike, x: Iterable[int], y: Iterable[int], given: Iterable[int] = ()) -> bool:
    """Decide whether the sets ``x`` and ``y`` of indices are m-separated given ``given``.

    For the marks (n, n) of a DAG or MAG; the three sets must be disjoint.
    """
    marks = writable_marks(marks)
    n = len(marks)
    starts, neighbors = neighbor_lists(marks)
    ancestors = np.zeros(marks.shape, dtype=np.bool_)
    ancestor_matrix(starts, neighbors, marks, ancestors)
    given_mask = np.zeros(n, dtype=np.bool_)
    given_mask[list(given)] = True
    targets = list(y)
    reached = np.zeros(n, dtype=np.bool_)
    for source in x:
        m_connected(starts, neighbors, marks, ancestors, source, given_mask, reached)
        if reached[targets].any():
            return False
    return True
