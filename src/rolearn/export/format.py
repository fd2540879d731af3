"""What a file format for graphs is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rolearn.graphs import MarkedGraph

__all__ = ["Format"]


def _any_name(name: str) -> bool:
    return True


@dataclass(frozen=True)
class Format:
    """A file format: to add one, write a file with a FORMAT and name it in `registry`.

    Attributes
    ----------
    name : str
        What ``format=`` takes.
    suffixes : tuple of str
        File suffixes, with the dot, in lower case; ``.amat.csv`` beats ``.csv``.
    write : callable
        ``write(graph) -> text``, or bytes where a library makes them.
    read : callable or None
        ``read(text, label) -> graph``, raising DataError with the label; None when the format can only
        be written.
    carries : callable
        ``carries(name) -> bool``: whether a name can stand in the file as it is. Others are replaced, and a
        table of names written beside the file (`name_table`).
    rule : str
        Which names it can't carry, to follow "can't carry names".
    library : str or None
        The optional library that makes the file, which is then bytes and no text.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[MarkedGraph], str | bytes]
    read: Callable[[str, str], MarkedGraph] | None
    carries: Callable[[str], bool] = _any_name
    rule: str = ""
    library: str | None = None
