"""JSON: versioned, with marks in words. Any document with these keys at its top is a graph."""

from __future__ import annotations

import json
from typing import Any

from rolearn.export.format import Format
from rolearn.export.kinds import graph_from_rows
from rolearn.graphs import MarkedGraph
from rolearn.graphs.documents import FORMAT_VERSION, graph_document
from rolearn.runtime.errors import DataError

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "document_text",
    "graph_document",
    "graph_from_document",
    "parse_document",
]


def graph_from_document(document: Any, label: str) -> MarkedGraph:
    """Build the graph that a document holds at its top; other keys are let be.

    Raises
    ------
    DataError
        When keys are missing, the version is newer than this package, or the graph isn't one.
    """
    if not isinstance(document, dict):
        raise DataError(f"{label} holds no graph: its JSON is not an object with kind, nodes and edges")
    missing = [key for key in ("kind", "nodes", "edges") if key not in document]
    if missing:
        raise DataError(f"{label} holds no graph: it has no {' and no '.join(missing)}")
    version = document.get("format_version", FORMAT_VERSION)
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise DataError(
            f"{label} has format_version {version!r} and this rolearn reads up to {FORMAT_VERSION};"
            " update rolearn"
        )
    nodes, edges = document["nodes"], document["edges"]
    if not isinstance(nodes, list) or not all(isinstance(node, str) for node in nodes):
        raise DataError(f"{label}: nodes is not a list of names")
    if not isinstance(edges, list):
        raise DataError(f"{label}: edges is not a list")
    rows = [_row(edge, k, label) for k, edge in enumerate(edges)]
    return graph_from_rows(document["kind"], nodes, rows, label, document.get("restricted") is True)


def _row(edge: Any, k: int, label: str) -> tuple[str, str, str, str]:
    keys = ("source", "target", "mark_source", "mark_target")
    if not isinstance(edge, dict) or not all(isinstance(edge.get(key), str) for key in keys):
        raise DataError(f"{label}: edge {k + 1} lacks source, target, mark_source or mark_target")
    return edge["source"], edge["target"], edge["mark_source"], edge["mark_target"]


def document_text(document: dict[str, Any]) -> str:
    """Write a document as JSON text, one newline at its end."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def parse_document(text: str, label: str) -> Any:
    """Parse JSON text.

    Raises
    ------
    DataError
        Naming the line where it stops being JSON.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{label}, line {error.lineno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise DataError(f"{label} is nested too deeply to be a graph") from None


def _write(graph: MarkedGraph) -> str:
    return document_text(graph_document(graph))


def _read(text: str, label: str) -> MarkedGraph:
    return graph_from_document(parse_document(text, label), label)


FORMAT = Format("json", (".json",), _write, _read)
