"""Removable vertices, and the orders in which vertices can leave (definitions 2 to 4 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.projection_kernels import is_removable
from rolearn.graphs.traversal import ancestors_of, neighbor_lists, writable_marks

__all__ = ["removable_vertices", "violates_c_order", "violates_r_order"]


def removable_vertices(marks: ArrayLike) -> list[int]:
    """List the vertices of a MAG (or DAG) without which the others' m-separations are the induced graph's.

    That is definition 3 of the paper; equivalently, hiding the vertex adds no edge to the induced graph.
    """
    marks = writable_marks(marks)
    starts, neighbors = neighbor_lists(marks)
    ancestors = ancestors_of(marks)
    return [x for x in range(len(marks)) if is_removable(starts, neighbors, marks, ancestors, x)]


def violates_r_order(marks: ArrayLike, order: Sequence[int]) -> int | None:
    """Give the first vertex of ``order`` that isn't removable when its turn comes; None for an r-order.

    An order lists what leaves first; each vertex must be removable in the graph induced by itself and
    those after it (definition 4).
    """
    marks = writable_marks(marks)
    remaining = np.arange(len(marks))
    for vertex in order:
        induced = np.ascontiguousarray(marks[np.ix_(remaining, remaining)])
        place = int(np.flatnonzero(remaining == vertex)[0])
        if not is_removable(*neighbor_lists(induced), induced, ancestors_of(induced), place):
            return vertex
        remaining = np.delete(remaining, place)
    return None


def violates_c_order(marks: ArrayLike, order: Sequence[int]) -> int | None:
    """Give the first vertex of ``order`` with a child after it; None for a c-order (definition 2)."""
    ancestors = ancestors_of(marks)
    for place, vertex in enumerate(order):
        if ancestors[vertex, list(order[place + 1 :])].any():
            return vertex
    return None
