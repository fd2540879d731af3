"""The matrices of R's pcalg: ``amat.pag`` for PAGs and MAGs, ``amat.cpdag`` for DAGs and CPDAGs.

CSV with row names, and the kind of graph in the corner cell, which R drops:
``as.matrix(read.csv("graph.amat.csv", row.names = 1, check.names = FALSE, na.strings = ""))``.
In ``amat.pag`` cell [i, j] is the mark at j (0 none, 1 circle, 2 arrowhead, 3 tail), as in our ``marks``.
pcalg's functions take the kind as ``type=`` or ``amat.type=``, and want ``amat.cpdag`` for "dag" and "cpdag".
"""

from __future__ import annotations

import numpy as np

from rolearn.export.format import Format
from rolearn.export.kinds import KINDS, graph_from_marks
from rolearn.export.matrix_text import matrix_text, parse_matrix
from rolearn.graphs import CPDAG, DAG, PAG, MarkedGraph
from rolearn.graphs.conventions import from_amat_cpdag, to_amat_cpdag
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_WITHOUT_MARKS = (DAG.kind, CPDAG.kind)


def _write(graph: MarkedGraph) -> str:
    cells = to_amat_cpdag(graph.marks) if graph.kind in _WITHOUT_MARKS else graph.marks
    return matrix_text(graph.kind, graph.names, cells)


def _read(text: str, label: str) -> MarkedGraph:
    """Read either coding; without a kind in the corner, one-sided cells 0 and 1 are a CPDAG, others a PAG."""
    corner, names, cells = parse_matrix(text, label)
    kind = corner.lower()
    if kind not in KINDS:
        one_sided = bool(((cells == 1) & (cells.T == 0)).any())
        kind = CPDAG.kind if one_sided and cells.max() == 1 else PAG.kind
    if kind not in _WITHOUT_MARKS or cells.max(initial=0) > 1:
        return graph_from_marks(kind, cells, names, label)
    if np.any((cells != 0) & (cells != 1)):
        raise DataError(f"{label}: the cells of an amat.cpdag are 0 and 1")
    return graph_from_marks(kind, from_amat_cpdag(cells), names, label)


FORMAT = Format("pcalg", (".amat.csv", ".pcalg.csv", ".amat", ".pcalg"), _write, _read)
