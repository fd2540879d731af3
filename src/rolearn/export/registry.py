"""All formats, and writing and reading by suffix or name."""

from __future__ import annotations

from pathlib import Path

from rolearn.export import edge_list_format, json_format, svg_format, text_format
from rolearn.export.format import Format
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import DataError, ParameterError

__all__ = [
    "FORMATS",
    "find_format",
    "graph_text",
    "read_graph",
    "read_text_file",
    "write_graph",
    "write_text_file",
]

FORMATS: tuple[Format, ...] = (
    json_format.FORMAT,
    edge_list_format.FORMAT,
    text_format.FORMAT,
    svg_format.FORMAT,
)


def find_format(path: str | Path, format: str | None = None) -> Format:
    """Choose a format by name or, without one, by the suffix of a path.

    Raises
    ------
    ParameterError
        When there is none; lists those there are.
    """
    suffix = Path(path).suffix.lower()
    for known in FORMATS:
        if format == known.name or (format is None and suffix in known.suffixes):
            return known
    names = ", ".join(known.name for known in FORMATS)
    if format is not None:
        raise ParameterError(f"there is no graph format {format!r}; known are {names}")
    suffixes = ", ".join(suffix for known in FORMATS for suffix in known.suffixes)
    raise ParameterError(
        f"the suffix of {str(path)!r} names no graph format; use one of {suffixes}, or format= one of {names}"
    )


def write_graph(graph: MarkedGraph, path: str | Path, format: str | None = None) -> None:
    """Write a graph to a file, in the format of its suffix or the one named.

    Raises
    ------
    ParameterError
        When the format is unknown or the path can't be written.
    """
    write_text_file(path, find_format(path, format).write(graph))


def graph_text(graph: MarkedGraph, format: str) -> str:
    """Give what `write_graph` would write.

    Raises
    ------
    ParameterError
        When the format is unknown.
    """
    return find_format("", format).write(graph)


def read_graph(path: str | Path, format: str | None = None) -> MarkedGraph:
    """Read a graph from a file; a document of ``rolearn learn`` or ``simulate`` is one too.

    Raises
    ------
    ParameterError
        When the format is unknown or can only be written.
    DataError
        When the file isn't there or holds no such graph; names the file and what is wrong.
    """
    chosen = find_format(path, format)
    if chosen.read is None:
        readable = ", ".join(known.name for known in FORMATS if known.read is not None)
        raise ParameterError(f"the format {chosen.name} can't be read back; convert from {readable}")
    return chosen.read(read_text_file(path), str(path))


def read_text_file(path: str | Path) -> str:
    """Read a UTF-8 file.

    Raises
    ------
    DataError
        When it isn't there or isn't UTF-8.
    """
    try:
        return Path(path).read_bytes().decode("utf-8-sig")  # as it is: names may hold line breaks
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; give the file in it") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise DataError(f"{path} can't be read: {error.strerror or error}") from None


def write_text_file(path: str | Path, text: str) -> None:
    """Write a UTF-8 file.

    Raises
    ------
    ParameterError
        When the path can't be written.
    """
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ParameterError(f"{path} can't be written: {error.strerror or error}") from None
