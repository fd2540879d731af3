"""Columns of text, aligned for a terminal."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

__all__ = ["aligned"]


def aligned(lines: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """Write lines of as many cells each, two spaces apart; the columns in `right` end at one place."""
    table = list(lines)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    )
