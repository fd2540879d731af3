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
    from rolearn.cli.streams import check_writable, shown_notes, write_result
    from rolearn.export import graph_text, read_graph, write_graph
    from rolearn.export.registry import find_format
    from rolearn.runtime.errors import ParameterError

    if output is None:
        if format is None:
            raise ParameterError("give -o FILE or --format F")
    else:
        find_format(output, format)
        check_writable(output)
    with shown_notes():
        converted = read_graph(graph)
    if output is None:
        write_result(graph_text(converted, format or ""))
    else:
        write_graph(converted, output, format)
    return 0
