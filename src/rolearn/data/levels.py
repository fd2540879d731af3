"""Columns as codes of levels: text, booleans, categories, and numbers declared to be names."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = [
    "Coded",
    "are_dates",
    "are_numbers_spoiled",
    "coded_booleans",
    "coded_cells",
    "coded_numbers",
    "coded_texts",
    "distinct_texts",
    "is_missing",
    "sorted_levels",
    "spells_number",
]

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True)
class Coded:
    """A discrete column.

    Attributes
    ----------
    codes : float64 array, shape (n,)
        0, 1, ... by level; a missing cell is NaN.
    levels : tuple of str
        Those that occur, sorted: numbers by value, then text.
    text : bool
        Whether it is text that nobody declared discrete: dates or numbers, if other rows show that.
    """

    codes: np.ndarray
    levels: tuple[str, ...]
    text: bool = False


def coded_booleans(values: np.ndarray) -> Coded:
    """Code 0.0 and 1.0 as False and True, where both occur."""
    return _renumbered(values, lambda value: str(bool(value)))


def coded_numbers(values: np.ndarray) -> Coded:
    """Code finite numbers by their values; whole numbers are named without a decimal point."""
    return _renumbered(values, number_label)


def _renumbered(values: np.ndarray, label: Any) -> Coded:
    present = ~np.isnan(values)
    distinct, codes = np.unique(values[present], return_inverse=True)
    whole = np.full(len(values), np.nan)
    whole[present] = codes.reshape(-1)
    return Coded(whole, tuple(label(value) for value in distinct))


def number_label(value: float) -> str:
    """Write 3.0 as ``3``."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def coded_cells(cells: Sequence[Any]) -> Coded:
    """Code Python objects by what they read as text; numbers as `coded_numbers` names them."""
    first: dict[Hashable, int] = {}
    drawn = np.empty(len(cells), dtype=np.float64)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            drawn[row] = np.nan
        else:
            text = cell if type(cell) is str else _label(cell)
            drawn[row] = first.setdefault(text, len(first))
    found = [str(text) for text in first]
    order = sorted(range(len(found)), key=lambda i: _sorting(found[i]))
    place = np.empty(len(found), dtype=np.float64)
    place[order] = np.arange(len(found))
    present = ~np.isnan(drawn)
    drawn[present] = place[drawn[present].astype(np.int64)]
    return Coded(drawn, tuple(found[i] for i in order))


def distinct_texts(cells: Sequence[Any]) -> list[str] | None:
    """Give the texts that occur if there are any and all else is missing; looks at each but once."""
    try:
        distinct = set(cells)
    except TypeError:  # cells that can't be hashed are no text
        return None
    texts = [cell for cell in distinct if not is_missing(cell)]
    return texts if texts and all(isinstance(text, str) for text in texts) else None


def coded_texts(cells: Sequence[Any], texts: Sequence[str]) -> Coded:
    """Code cells that are the texts or missing."""
    levels = tuple(sorted(map(str, texts), key=_sorting))
    place = {level: float(i) for i, level in enumerate(levels)}
    return Coded(np.array(list(map(place.get, cells)), dtype=np.float64), levels)


def _label(cell: Any) -> str:
    if isinstance(cell, (float, np.floating)):
        return number_label(float(cell)) if np.isfinite(cell) else repr(float(cell))
    if hasattr(cell, "isoformat"):
        return str(cell.isoformat())
    return str(cell)


def _sorting(level: str) -> tuple[int, float, str]:
    if spells_number(level) and level.strip():
        value = float(level)
        if value == value:
            return 0, value, level
    return 1, 0.0, level


def sorted_levels(levels: Iterable[str]) -> list[str]:
    """Sort levels: numbers by value, then text."""
    return sorted(levels, key=_sorting)


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, NaN or a missing value of pandas."""
    if type(cell) is str:  # most cells: quicker
        return False
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (float, np.floating)) and bool(np.isnan(cell))


def spells_number(text: str) -> bool:
    """Whether a cell of a text file reads as a number (empty cells are missing, not text)."""
    stripped = text.strip()
    if not stripped:
        return True
    if "_" in stripped:  # Python accepts 1_000, files don't mean it
        return False
    try:
        float(stripped)
    except ValueError:
        return False
    return True


def are_dates(levels: Iterable[str]) -> bool:
    """Whether all levels are dates as ISO 8601 writes them."""
    texts = [level.strip() for level in levels if level.strip()]
    return bool(texts) and all(_ISO_DATE.fullmatch(text) for text in texts)


def are_numbers_spoiled(levels: Sequence[str]) -> bool:
    """Whether half of the levels or more are numbers: a few cells of text spoil a column of numbers."""
    texts = [level.strip() for level in levels if level.strip()]
    numerals = sum(spells_number(text) or bool(_DECIMAL_COMMA.fullmatch(text)) for text in texts)
    return numerals > 0 and 2 * numerals >= len(texts)
