"""``rolearn convert``: between graph formats."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["convert"]


def convert(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file (.json .csv).")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Without it, stdout.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="F", help="json, csv or txt; else the suffix of FILE.")
    ] = None,
) -> int:
    """Convert a graph between formats."""
    from rolearn.cli.streams import check_writable, write_result
    from rolearn.export import graph_text, read_graph, write_graph
    from rolearn.export.registry import find_format
    from rolearn.runtime.errors import ParameterError

    if output is None:
        if format is None:
            raise ParameterError("give -o FILE or --format F")
        write_result(graph_text(read_graph(graph), format))
        return 0
    find_format(output, format)
    check_writable(output)
    write_graph(read_graph(graph), output, format)
    return 0
