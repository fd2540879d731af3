"""All formats, and writing and reading by suffix or name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rolearn.export import (
    causal_learn_format,
    dagitty_format,
    dot_format,
    edge_list_format,
    graphml_format,
    json_format,
    matplotlib_picture,
    pcalg_format,
    svg_format,
    tetrad_format,
    text_format,
)
from rolearn.export.format import Format
from rolearn.export.kinds import KINDS, graph_from_marks
from rolearn.export.name_table import (
    named_back,
    parse_table,
    replacements,
    table_path,
    table_text,
    with_names,
)
from rolearn.graphs import MarkedGraph
from rolearn.runtime.documents import read_text_file, write_bytes_file, write_text_file
from rolearn.runtime.errors import DataError, ParameterError

__all__ = [
    "FORMATS",
    "check_names",
    "drop_table",
    "find_format",
    "graph_files",
    "graph_text",
    "is_tetrad_file",
    "read_graph",
    "write_graph",
]

FORMATS: tuple[Format, ...] = (
    json_format.FORMAT,
    edge_list_format.FORMAT,
    text_format.FORMAT,
    svg_format.FORMAT,
    tetrad_format.FORMAT,
    pcalg_format.FORMAT,
    causal_learn_format.FORMAT,
    dot_format.FORMAT,
    dagitty_format.FORMAT,
    graphml_format.FORMAT,
    matplotlib_picture.PNG,
    matplotlib_picture.PDF,
)


def find_format(path: str | Path, format: str | None = None) -> Format:
    """Choose a format by name or, without one, by the suffix of a path.

    Raises
    ------
    ParameterError
        When there is none; lists those there are.
    """
    file = Path(path).name.lower()
    fitting = [
        (len(suffix), known)
        for known in FORMATS
        for suffix in known.suffixes
        if format == known.name or (format is None and file.endswith(suffix))
    ]
    if fitting:
        return max(fitting, key=lambda found: found[0])[1]  # .amat.csv is more than .csv
    names = ", ".join(known.name for known in FORMATS)
    if format is not None:
        raise ParameterError(f"there is no graph format {format!r}; known are {names}")
    suffixes = ", ".join(suffix for known in FORMATS for suffix in known.suffixes)
    raise ParameterError(
        f"the suffix of {str(path)!r} names no graph format; use one of {suffixes}, or format= one of {names}"
    )


def write_graph(graph: MarkedGraph, path: str | Path, format: str | None = None) -> None:
    """Write a graph to a file, in the format of its suffix or the one named.

    Where the format can't carry a name (Tetrad and spaces, say), a plain one takes its place, and a table of
    names is written beside the file, as ``graph.tetrad.names.json``; `read_graph` reads both.

    Parameters
    ----------
    graph : DAG, CPDAG, MAG or PAG
    path : str or Path
    format : str, optional
        json, csv, txt, svg, tetrad, pcalg, causal-learn, dot, dagitty or graphml; png or pdf, which need
        matplotlib.

    Raises
    ------
    ParameterError
        When what is given is no graph, the format is unknown or the path can't be written.

    Examples
    --------
    >>> import rolearn, tempfile, pathlib
    >>> pag = rolearn.PAG.from_edges(["A o-> B", ("B", "<->", "the rest")])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "graph.tetrad"
    >>> rolearn.write_graph(pag, path)
    >>> print(path.read_text().strip())
    Graph Nodes:
    A;B;the_rest
    <BLANKLINE>
    Graph Edges:
    1. A o-> B
    2. B <-> the_rest
    >>> rolearn.read_graph(path) == pag
    True
    """
    if not isinstance(graph, MarkedGraph):
        raise ParameterError(
            f"a graph is written, not a {type(graph).__name__}; of a fitted model give pag_ or cpdag_"
        )
    chosen = find_format(path, format)
    content, table = graph_files(graph, chosen.name)
    if isinstance(content, bytes):
        write_bytes_file(path, content)
    else:
        write_text_file(path, content)
    beside = table_path(path)
    if table is not None:
        write_text_file(beside, table)
    else:
        drop_table(beside)


def graph_files(graph: MarkedGraph, format: str) -> tuple[str | bytes, str | None]:
    """Give what `write_graph` writes: the file, and the table of names where one is needed.

    Raises
    ------
    ParameterError
        When the format is unknown, or the library that makes it isn't installed.
    """
    chosen = find_format("", format)
    renaming = replacements(graph.names, chosen.carries)
    if not renaming:
        return chosen.write(graph), None
    return chosen.write(with_names(graph, renaming)), table_text(renaming)


def is_tetrad_file(path: str | Path) -> bool:
    """Tell whether a file, whatever its suffix, begins as Tetrad's text does."""
    try:
        with Path(path).open("rb") as file:
            return file.read(200).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"Graph Nodes:")
    except OSError:
        return False


def drop_table(path: Path) -> None:
    """Remove the table of names that an earlier graph of this name left, lest it rename the new one."""
    try:
        parse_table(path.read_text(encoding="utf-8"), str(path))
        path.unlink()
    except (OSError, UnicodeDecodeError, DataError):
        return


def graph_text(graph: MarkedGraph, format: str) -> str:
    """Give what `write_graph` would write, as one text.

    Raises
    ------
    ParameterError
        When the format is unknown, is no text, or can't carry a name: a text has no table of names beside it.
    """
    check_names(graph.names, format)
    content = find_format("", format).write(graph)
    if isinstance(content, bytes):
        raise ParameterError(f"the format {format} is no text; write it to a file")
    return content


def check_names(names: Iterable[str], format: str) -> None:
    """Refuse names that a format can't carry without a table of names.

    Raises
    ------
    ParameterError
        Naming the first such name.
    """
    chosen = find_format("", format)
    for name in names:
        if not chosen.carries(name):
            raise ParameterError(
                f"the format {chosen.name} can't carry names {chosen.rule}, such as {name!r}; "
                "write a file, which gets a table of names beside it, or rename"
            )


def read_graph(path: str | Path, format: str | None = None, kind: str | None = None) -> MarkedGraph:
    """Read a graph from a file; a document of ``rolearn learn`` or ``simulate`` is one too.

    Formats that other programs write don't say which kind of graph they hold; then it is a PAG.

    Parameters
    ----------
    path : str or Path
    format : str, optional
        json, csv, tetrad, pcalg, causal-learn, dot, dagitty or graphml; without it the suffix decides.
    kind : str, optional
        dag, cpdag, mag or pag, to be checked; without it what the file says.

    Returns
    -------
    DAG, CPDAG, MAG or PAG

    Raises
    ------
    ParameterError
        When the format or kind is unknown, or the format can only be written.
    DataError
        When the file isn't there or holds no such graph; names the file and what is wrong.

    Examples
    --------
    >>> import rolearn
    >>> graph = rolearn.PAG.from_edges(["A o-> B"])
    >>> rolearn.write_graph(graph, "graph.json")
    >>> rolearn.read_graph("graph.json") == graph
    True
    """
    if kind is not None and kind not in KINDS:
        raise ParameterError(f"there is no kind of graph {kind!r}; known are {', '.join(KINDS)}")
    chosen = find_format(path, format)
    if chosen.read is None and is_tetrad_file(path):
        chosen = tetrad_format.FORMAT  # which Tetrad writes to files that end in .txt
    if chosen.read is None:
        readable = ", ".join(known.name for known in FORMATS if known.read is not None)
        raise ParameterError(f"the format {chosen.name} can't be read back; convert from {readable}")
    graph = chosen.read(read_text_file(path), str(path))
    if kind not in (None, graph.kind):
        graph = graph_from_marks(kind, graph.marks, graph.names, str(path))
    beside = table_path(path)
    if not beside.is_file():
        return graph
    return named_back(graph, parse_table(read_text_file(beside), str(beside)), str(beside))
