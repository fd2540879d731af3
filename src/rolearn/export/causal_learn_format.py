"""The matrix of causal-learn's ``GeneralGraph.graph`` as CSV with row names, the kind in the corner cell.

Cell [i, j] is the mark at i: 0 none, -1 tail, 1 arrowhead, 2 circle (the transpose of ours).
`MarkedGraph.to_causal_learn` makes the object itself.
"""

from __future__ import annotations

from rolearn.export.format import Format
from rolearn.export.kinds import KINDS, graph_from_marks
from rolearn.export.matrix_text import matrix_text, parse_matrix
from rolearn.graphs import PAG, MarkedGraph
from rolearn.graphs.conventions import from_causal_learn_matrix, to_causal_learn_matrix
from rolearn.runtime.errors import DataError, ParameterError

__all__ = ["FORMAT"]


def _write(graph: MarkedGraph) -> str:
    return matrix_text(graph.kind, graph.names, to_causal_learn_matrix(graph.marks))


def _read(text: str, label: str) -> MarkedGraph:
    corner, names, cells = parse_matrix(text, label)
    try:
        marks = from_causal_learn_matrix(cells)
    except ParameterError as error:
        raise DataError(f"{label}: {error}") from None
    kind = corner.lower()
    return graph_from_marks(kind if kind in KINDS else PAG.kind, marks, names, label)


FORMAT = Format("causal-learn", (".causal-learn.csv", ".causal-learn"), _write, _read)
