"""Compile orientation, validity and what the last search needs, before they are needed."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, TAIL
from rolearn.graphs.warm_up import compile_orientation
from rolearn.likelihood.last_search import LastSearch, new_bench
from rolearn.likelihood.move_kernels import Objective, complete, is_legal

__all__ = ["compile_last_search", "compile_legality"]


def compile_legality() -> None:
    """Judge a move from an empty graph: what the last search needs and no likelihood is part of."""
    bench, marks, move = new_bench(2), np.zeros((2, 2), np.int8), np.array([[0, 1, TAIL, ARROWHEAD]])
    is_legal(bench, marks, move, complete(bench, marks, move, 1), True)


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


if __name__ == "__main__":
    # orientation first: the process that started this one needs it before the last search
    compile_orientation()
    compile_last_search()
