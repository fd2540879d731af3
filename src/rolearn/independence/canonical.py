"""An order of variables that depends on a matrix about them, not on how its rows are arranged."""

from __future__ import annotations

import numpy as np

__all__ = ["refined_order"]

# How many rows to tell apart one by one: matrices with more symmetry than that are made, not measured.
_ROUNDS = 20


def refined_order(matrix: np.ndarray) -> np.ndarray:
    """Order the rows of a square matrix by its entries alone, by color refinement.

    Rows get colors, at first by their diagonal; a row's next color is its color together with the multiset
    of (entry, color of the column). Where rows stay alike, one of them is told apart and refinement goes
    on: alike rows are nearly always images of each other under a symmetry, and then any choice is the same.
    After 20 such choices the rest stays as it is.

    Returns
    -------
    int64 array, shape (p,)
    """
    p = len(matrix)
    entries = np.unique(matrix, return_inverse=True)[1].reshape(p, p).astype(np.int64)
    colors = np.unique(np.diag(entries), return_inverse=True)[1].reshape(p)
    colors = _refine(entries, colors)
    for _ in range(_ROUNDS):
        if colors.max(initial=-1) == p - 1:
            break
        counts = np.bincount(colors)
        first_alike = int(np.flatnonzero(counts > 1)[0])
        chosen = int(np.flatnonzero(colors == first_alike)[0])
        colors = 2 * colors + 1
        colors[chosen] -= 1
        colors = _refine(entries, np.unique(colors, return_inverse=True)[1].reshape(p))
    return np.argsort(colors, kind="stable").astype(np.int64)


def _refine(entries: np.ndarray, colors: np.ndarray) -> np.ndarray:
    p = len(entries)
    while True:
        seen = np.sort(entries * p + colors[None, :], axis=1)
        rows = np.column_stack([colors, seen])
        refined = np.unique(rows, axis=0, return_inverse=True)[1].reshape(p)
        if refined.max(initial=0) == colors.max(initial=0):
            return refined
        colors = refined
