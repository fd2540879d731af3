"""CSV: one edge a row with its marks in words, one isolated vertex a row without a target."""

from __future__ import annotations

import csv
import io

from rolearn.export.format import Format
from rolearn.export.kinds import graph_from_rows
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_EDGE = ["source", "target", "mark_source", "mark_target"]


def _write(graph: MarkedGraph) -> str:
    out = io.StringIO()
    # quoted throughout where a name holds a carriage return, which not every csv module quotes by itself
    if any("\r" in name for name in graph.names):
        writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    else:
        writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_EDGE, "kind"])
    joined: set[str] = set()
    for edge in graph.edges():
        joined.update((edge.source, edge.target))
        marks = edge.mark_source.word, edge.mark_target.word
        writer.writerow([edge.source, edge.target, *marks, graph.kind])
    for name in graph.names:
        if name not in joined:
            writer.writerow([name, "", "", "", graph.kind])
    return out.getvalue()


def _read(text: str, label: str) -> MarkedGraph:
    """Read a table with at least the four columns of an edge; without a kind it is a PAG."""
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [key for key in _EDGE if key not in (reader.fieldnames or [])]
    if missing:
        hint = "; for a matrix of marks name the format, pcalg or causal-learn" if len(missing) == 4 else ""
        raise DataError(f"{label} is no edge list: its first line has no column {missing[0]!r}{hint}")
    kind, nodes, rows = "", dict[str, None](), list[tuple[str, str, str, str]]()
    for record in reader:
        source, target, mark_source, mark_target = ((record[key] or "") for key in _EDGE)
        kind = kind or record.get("kind") or ""
        nodes[source] = None
        if not (target or mark_source or mark_target):
            continue
        if not (mark_source and mark_target):
            raise DataError(f"{label}, line {reader.line_num}: the edge lacks a mark")
        nodes[target] = None
        rows.append((source, target, mark_source, mark_target))
    return graph_from_rows(kind or "pag", list(nodes), rows, label)


FORMAT = Format("csv", (".csv",), _write, _read)
