"""What a file format for graphs is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rolearn.graphs import MarkedGraph

__all__ = ["Format"]


@dataclass(frozen=True)
class Format:
    """A file format: to add one, write a file with a FORMAT and name it in `registry`.

    Attributes
    ----------
    name : str
        What ``format=`` takes.
    suffixes : tuple of str
        File suffixes, with the dot, in lower case.
    write : callable
        ``write(graph) -> text``.
    read : callable or None
        ``read(text, label) -> graph``, raising DataError with the label; None when the format can only
        be written.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[MarkedGraph], str]
    read: Callable[[str, str], MarkedGraph] | None
