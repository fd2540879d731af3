"""``rolearn convert``: between graph formats."""

from __future__ import annotations

from typing import Annotated

import typer

from rolearn.cli.completion import among, format_names, readable_format_names

__all__ = ["convert"]

_KINDS = ("dag", "cpdag", "mag", "pag")


def convert(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Without it, or with -, stdout.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="F", help="To write; else the suffix of FILE decides.", autocompletion=format_names
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="F",
            help="To read; else the suffix of GRAPH decides.",
            autocompletion=readable_format_names,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="K",
            help="dag, cpdag, mag or pag, where GRAPH doesn't say.",
            autocompletion=among(_KINDS),
        ),
    ] = None,
) -> int:
    """Convert a graph between formats.

    Formats: json, csv, tetrad, pcalg, causal-learn, dot, dagitty and graphml; txt, svg, png and pdf are
    written only. Suffixes are those names, and .amat.csv for pcalg. Names that a format can't carry are
    replaced, and FILE.names.json says by what.
    """
    from rolearn.cli.exits import UsageError
    from rolearn.cli.files import check_readable_graph, check_writable, graph_format, save_graph
    from rolearn.cli.streams import shown_notes, write_result
    from rolearn.cli.values import check_choice
    from rolearn.export import FORMATS, graph_text, read_graph

    to_stdout = output is None or output == "-"
    if format is not None:
        written_as = check_choice("--format", format, [known.name for known in FORMATS])
    elif output is None:
        raise UsageError("give -o FILE or --format F")
    elif to_stdout:
        raise UsageError("-o - names no format; give --format F with it")
    else:
        written_as = graph_format("-o", output)
    if output is not None and not to_stdout:
        check_writable(output)
    if kind is not None:
        check_choice("--kind", kind, _KINDS)
    if source is not None:
        check_choice("--from", source, [known.name for known in FORMATS if known.read is not None])
    else:
        check_readable_graph("GRAPH", graph)
    with shown_notes():
        converted = read_graph(graph, source, kind)
    if output is None or to_stdout:
        write_result(graph_text(converted, written_as))
    else:
        save_graph(output, converted, written_as)
    return 0
