"""The latent projection of a DAG or MAG onto the vertices that are observed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.projection_kernels import fill_projection
from rolearn.graphs.traversal import ancestors_of, neighbor_lists, writable_marks

__all__ = ["project"]


def project(marks: ArrayLike, hidden: Iterable[int]) -> np.ndarray:
    """Project the marks (n, n) of a DAG or MAG onto the vertices that aren't in ``hidden``.

    Two of these are adjacent where no set of others m-separates them; a mark at b on the edge between a
    and b is a tail where b is an ancestor of a, else an arrowhead (Richardson and Spirtes 2002, section 4).

    Returns
    -------
    numpy.ndarray
        The marks (m, m) int8 of a MAG over the m observed vertices, in their order.
    """
    marks = writable_marks(marks)
    mask = np.zeros(len(marks), dtype=np.bool_)
    mask[list(hidden)] = True
    projected = np.zeros_like(marks)
    fill_projection(*neighbor_lists(marks), marks, ancestors_of(marks), mask, projected)
    return projected[np.ix_(~mask, ~mask)]
