"""Compile what orientation and validity need, before they are needed."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE
from rolearn.graphs.orientation import draw_pag, orient_pag, separation_evidence
from rolearn.graphs.validity import is_valid_pag

__all__ = ["compile_orientation"]


def compile_orientation() -> None:
    """Check and orient the graph of A o-> C <-o B, which puts the kernels in the cache on disk.

    Its check first, which a fit needs last.
    """
    marks = np.zeros((3, 3), np.int8)
    marks[:2, 2], marks[2, :2] = ARROWHEAD, CIRCLE
    is_valid_pag(marks)
    adjacent = np.zeros((3, 3), np.bool_)
    adjacent[2, :2] = adjacent[:2, 2] = True
    evidence = separation_evidence(3, {(0, 1): ()})
    draw_pag(adjacent, evidence)
    orient_pag(adjacent, evidence)
