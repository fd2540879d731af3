"""Compile what the last search needs, before it is needed."""

from __future__ import annotations

import numpy as np

from rolearn.likelihood.last_search import LastSearch
from rolearn.likelihood.move_kernels import Objective

__all__ = ["compile_last_search"]


def compile_last_search() -> None:
    """Search on from an empty graph of three vertices, which puts the kernels in the cache on disk."""
    marks = np.zeros((3, 3), np.int8)
    search = LastSearch(
        Objective(np.eye(3), 100.0, 10.0, 3),
        marks,
        np.ones((3, 3), np.bool_),
        np.random.default_rng(0),
        np.zeros(1, np.uint8),
    )
    search.run()
    search.kick()
