"""The files that options name: checked before the work, written after it."""

from __future__ import annotations

import os
from pathlib import Path

from rolearn.cli.streams import OutputError, say
from rolearn.export.matplotlib_picture import require_matplotlib
from rolearn.export.name_table import table_path
from rolearn.export.registry import FORMATS, drop_table, find_format, graph_files, is_tetrad_file
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import ParameterError

__all__ = ["check_readable_graph", "check_writable", "graph_format", "same_file", "save", "save_graph"]


def check_writable(path: str) -> None:
    """Find out before long work whether its result can be written.

    Raises
    ------
    ParameterError
        When the path is a folder, its folder isn't there, or either can't be written.
    """
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise ParameterError(f"{path} is a folder; give a file name in it")
    if not folder.is_dir():
        raise ParameterError(f"{path} can't be written: there is no folder {folder}")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise ParameterError(f"{path} can't be written: permission denied")


def graph_format(option: str, path: str, more: tuple[str, ...] = ()) -> str:
    """Give the name of the format that a graph is written in, by the suffix of its file.

    `more` names suffixes besides those of graphs; their format is the suffix without its dot.

    Raises
    ------
    ParameterError
        When the suffix is none of theirs; lists those there are.
    """
    try:
        found = find_format(path)
    except ParameterError:
        suffix = Path(path).suffix.lower()
        if suffix in more:
            return suffix[1:]
        suffixes = ", ".join([*(suffix for known in FORMATS for suffix in known.suffixes), *more])
        raise ParameterError(
            f"{option} is {path!r}; graphs are written to files that end in {suffixes}"
        ) from None
    if found.library is not None:
        require_matplotlib()
    return found.name


def check_readable_graph(argument: str, path: str) -> None:
    """Refuse a file whose suffix is none that a graph is read from.

    Raises
    ------
    ParameterError
        Lists the suffixes there are.
    """
    suffixes = [suffix for known in FORMATS if known.read is not None for suffix in known.suffixes]
    if not Path(path).name.lower().endswith(tuple(suffixes)) and not is_tetrad_file(path):
        raise ParameterError(
            f"{argument} is {path!r}; graphs are read from files that end in {', '.join(suffixes)}"
        )


def same_file(path: str, other: str) -> bool:
    """Whether two paths name one file, which need not be there yet."""
    return Path(path).resolve() == Path(other).resolve()


def save(path: str, content: str | bytes) -> None:
    """Write a file, text as UTF-8.

    Raises
    ------
    OutputError
        When it can't be written after all, as on a full disk.
    """
    encoded = content.encode("utf-8") if isinstance(content, str) else content
    try:
        Path(path).write_bytes(encoded)
    except OSError as error:
        raise OutputError(f"{path} can't be written: {error.strerror or error}") from None


def save_graph(path: str, graph: MarkedGraph, format: str) -> None:
    """Write a graph to a file, and beside it a table of the names that the format can't carry.

    Raises
    ------
    OutputError
        As `save`.
    """
    text, table = graph_files(graph, format)
    save(path, text)
    beside = table_path(path)
    if table is None:
        drop_table(beside)
        return
    save(str(beside), table)
    say(f"note: {path} has other names for some variables; {beside.name} says which")
