"""Where a table came from, so that an error can point at the place a user would look for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Origin", "name_columns"]

_SHOWN = 5  # columns named before "and 7 more"


def _row(index: int) -> str:
    return f"row {index + 1}"


@dataclass(frozen=True)
class Origin:
    """How to name a table and its rows, and how its user leaves a column out.

    Attributes
    ----------
    label : str
        What the sentence starts with: ``data.csv`` for a file, ``the table`` for data in memory.
    row : callable
        Names the data row of a 0-based index: ``row 3``, or ``line 4`` of a file.
    in_file : bool
        Whether advice speaks of the command's options.
    """

    label: str = "the table"
    row: Callable[[int], str] = _row
    in_file: bool = False

    def drop_advice(self, name: str) -> str:
        """Say how to leave a column out."""
        if not self.in_file:
            return f"leave {name!r} out"
        return f"leave it out (--drop {_quote(name)})" if name.isprintable() else "leave it out (--drop)"


def _quote(name: str) -> str:
    return f'"{name}"' if any(c in name for c in " \t&;|'") else name


def name_columns(names: list[str]) -> str:
    """Write ``column 'a'`` or ``columns 'a', 'b' and 3 more``."""
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    rest = len(names) - _SHOWN
    if len(names) == 1:
        return f"column {shown}"
    return f"columns {shown}" + (f" and {rest} more" if rest > 0 else "")
