"""One column of any dataframe library, as floats or as the reason why it can't be."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Refusal", "object_column", "series_column"]


@dataclass(frozen=True)
class Refusal:
    """Why a column isn't numbers: what it holds, and the first cell that shows it."""

    holds: str
    row: int | None = None
    cell: str | None = None
    advice: str = "turn it into numbers"


_DATES = Refusal("dates or times", advice="turn it into numbers, such as days since a start")
_COMPLEX = Refusal("complex numbers", advice="split it into real and imaginary parts")
_CATEGORIES = Refusal("categories", advice="recode it as numbers if they have an order")


def series_column(series: Any) -> np.ndarray | Refusal:
    """Turn a narwhals Series into a float64 array, missing cells as NaN.

    Parameters
    ----------
    series : narwhals.Series
        A column of n cells.

    Returns
    -------
    float64 array of shape (n,), or a Refusal
    """
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        native = series.to_native()
        if type(native).__module__.startswith("pyarrow"):
            return _arrow_numbers(native)
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if dtype in (nw.Date, nw.Datetime, nw.Duration, nw.Time):
        return _DATES
    if dtype in (nw.Categorical, nw.Enum):
        return _CATEGORIES
    plain = _plain_array(series)
    if plain is not None:
        return plain
    return object_column(series.to_list())


def _arrow_numbers(column: Any) -> np.ndarray:
    """Read a pyarrow ChunkedArray of numbers from its buffers; pyarrow's own way imports pandas."""
    import pyarrow

    values = np.empty(len(column), dtype=np.float64)
    start = 0
    for chunk in column.chunks:
        cells = chunk.cast(pyarrow.float64(), safe=False)  # integers beyond 2^53 are rounded, not refused
        valid, data = cells.buffers()
        part = values[start : start + len(cells)]
        part[:] = np.frombuffer(data, np.float64, len(cells), cells.offset * 8) if len(cells) else 0.0
        if cells.null_count:
            bits = np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little")
            part[bits[cells.offset : cells.offset + len(cells)] == 0] = np.nan
        start += len(cells)
    return values


def _plain_array(series: Any) -> np.ndarray | Refusal | None:
    """Look at dtypes that the dataframe library has and narwhals has no name for, such as complex."""
    kind = getattr(getattr(series.to_native(), "dtype", None), "kind", "O")
    if kind == "c":
        return _COMPLEX
    if kind == "f":
        return np.asarray(series.to_numpy(), dtype=np.float64)
    return None


def object_column(cells: Sequence[Any]) -> np.ndarray | Refusal:
    """Turn Python objects into floats: numbers and booleans as they are, None as NaN.

    Text is refused even where it spells numbers throughout, since that is a slip made upstream.
    """
    values = np.empty(len(cells), dtype=np.float64)
    for row, cell in enumerate(cells):
        number = _number(cell)
        if isinstance(number, Refusal):
            return _first_text(cells, row) if isinstance(cell, str) else _at(number, row, cell)
        values[row] = number
    return values


def _number(cell: Any) -> float | Refusal:
    if cell is None or _is_missing(cell):
        return np.nan
    if isinstance(cell, (bool, np.bool_, numbers.Real, np.number)) and not isinstance(
        cell, np.complexfloating
    ):
        return float(cell)
    if isinstance(cell, str):
        return Refusal("text")
    if isinstance(cell, (complex, np.complexfloating)):
        return _COMPLEX
    if hasattr(cell, "isoformat") or isinstance(cell, (np.datetime64, np.timedelta64)):
        return _DATES
    try:  # decimal.Decimal and its like
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        return Refusal(f"cells of type {type(cell).__name__}")


def _is_missing(cell: Any) -> bool:
    return type(cell).__name__ in ("NAType", "NaTType")


def _at(refusal: Refusal, row: int, cell: Any) -> Refusal:
    return Refusal(refusal.holds, row, _short(cell), refusal.advice)


def _first_text(cells: Sequence[Any], start: int) -> Refusal:
    """Point at the first cell that isn't a number's spelling; if all are, say that instead."""
    for row in range(start, len(cells)):
        cell = cells[row]
        if isinstance(cell, str) and not spells_number(cell):
            return Refusal("text", row, _short(cell))
    return Refusal("numbers stored as text", start, _short(cells[start]))


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


def _short(cell: Any) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else text[:36] + "..." + text[-1]
