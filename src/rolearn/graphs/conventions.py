"""Mark matrices of other programs; ours has the mark at j in cell [i, j]."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL
from rolearn.runtime.errors import ParameterError

__all__ = ["from_amat_cpdag", "from_causal_learn_matrix", "to_amat_cpdag", "to_causal_learn_matrix"]

# causal-learn: cell [i, j] holds the mark at i; -1 tail, 1 arrowhead, 2 circle
_CAUSAL_LEARN = {NO_EDGE: 0, TAIL: -1, ARROWHEAD: 1, CIRCLE: 2}


def to_causal_learn_matrix(marks: np.ndarray) -> np.ndarray:
    """Give marks (n, n) as causal-learn's ``GeneralGraph.graph``: the mark at i in cell [i, j]."""
    codes = np.zeros(marks.shape, dtype=int)
    for mark, code in _CAUSAL_LEARN.items():
        codes[mark == marks.T] = code
    return codes


def from_causal_learn_matrix(codes: ArrayLike) -> np.ndarray:
    """Give the marks (n, n) int8 of a causal-learn matrix.

    Raises
    ------
    ParameterError
        For codes other than 0, -1, 1 and 2: causal-learn's 3, 4 and 5 stand for two edges of one pair.
    """
    given = np.asarray(codes)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise ParameterError(f"a matrix of marks is square; this has shape {given.shape}")
    marks = np.zeros(given.shape, dtype=np.int8)
    known = np.zeros(given.shape, dtype=np.bool_)
    for mark, code in _CAUSAL_LEARN.items():
        marks[code == given.T] = mark
        known |= given == code
    if not known.all():
        i, j = np.argwhere(~known)[0]
        raise ParameterError(
            f"cell [{i}, {j}] is {given[i, j]}; causal-learn's marks are 0 (no edge), -1 (tail), 1 (arrow) "
            "and 2 (circle), and two edges between one pair can't be read"
        )
    return marks


def to_amat_cpdag(marks: np.ndarray) -> np.ndarray:
    """Give the marks of a DAG or CPDAG as pcalg's ``amat.cpdag``.

    i -> j has 0 in cell [i, j] and 1 in [j, i]; an undirected edge has 1 in both.
    """
    return np.where((marks != NO_EDGE) & (marks.T != ARROWHEAD), 1, 0).T.copy()


def from_amat_cpdag(cells: np.ndarray) -> np.ndarray:
    """Give the marks (n, n) int8 of pcalg's ``amat.cpdag``, cells 0 and 1."""
    into = cells.T != 0  # [i, j]: an edge i -> j or i - j
    marks = np.zeros(cells.shape, dtype=np.int8)
    marks[into & ~into.T] = ARROWHEAD
    marks[into.T & ~into] = TAIL
    marks[into & into.T] = TAIL
    return marks
