"""One column of any dataframe library: as floats, as codes of levels, or as the reason for neither."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rolearn.data.levels import (
    Coded,
    are_dates,
    are_numbers_spoiled,
    coded_booleans,
    coded_cells,
    coded_numbers,
    coded_texts,
    distinct_texts,
    is_missing,
    spells_number,
)

__all__ = [
    "DATES",
    "NUMERALS",
    "TEXT",
    "Column",
    "Refusal",
    "array_column",
    "object_column",
    "series_column",
    "shortened",
]

_NUMBERS_OR_LEVELS = "turn it into numbers, declare it discrete"


@dataclass(frozen=True)
class Refusal:
    """Why a column can't be used: what it holds, and the first cell that shows it.

    ``coded`` is the column as levels where it is all text: of a part of a table other parts may make sense.
    """

    holds: str
    row: int | None = None
    cell: str | None = None
    advice: str = "turn it into numbers"
    coded: Coded | None = field(default=None, compare=False)


Column = np.ndarray | Coded | Refusal

DATES = Refusal("dates or times", advice="turn it into numbers, such as days since a start")
_COMPLEX = Refusal("complex numbers", advice="split it into real and imaginary parts")
TEXT = Refusal("text", advice=_NUMBERS_OR_LEVELS)
NUMERALS = Refusal("numbers stored as text", advice=_NUMBERS_OR_LEVELS)


def series_column(series: Any, discrete: bool = False) -> Column:
    """Read a narwhals Series.

    Parameters
    ----------
    series : narwhals.Series
        A column of n cells.
    discrete : bool
        Whether the user declared it so; text, booleans and categories are discrete by themselves.

    Returns
    -------
    float64 array of shape (n,) with missing cells as NaN, Coded, or a Refusal
    """
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        values = _numeric_series(series)
        return coded_booleans(values) if dtype == nw.Boolean else _as_declared(values, discrete)
    if dtype in (nw.Date, nw.Datetime, nw.Duration, nw.Time):
        return coded_cells(series.to_list()) if discrete else DATES
    if dtype in (nw.Categorical, nw.Enum):
        return object_column(series.to_list(), discrete=True)
    plain = _plain_array(series)
    if plain is not None:
        return plain if isinstance(plain, Refusal) else _as_declared(plain, discrete)
    return object_column(series.to_list(), discrete)


def array_column(column: np.ndarray, discrete: bool = False) -> Column:
    """Read one column of an array; as `series_column`."""
    if column.dtype.kind == "b":
        return coded_booleans(column.astype(np.float64))
    if column.dtype.kind in "fiu":
        return _as_declared(column.astype(np.float64), discrete)
    if column.dtype.kind in "mM":
        return object_column(list(column), discrete)
    return object_column(column.tolist(), discrete)


def _as_declared(values: np.ndarray, discrete: bool) -> np.ndarray | Coded:
    """Code numbers that are declared discrete; infinities stay, to be refused as in other columns."""
    return coded_numbers(values) if discrete and not np.isinf(values).any() else values


def _numeric_series(series: Any) -> np.ndarray:
    import narwhals as nw

    native = series.to_native()
    if type(native).__module__.startswith("pyarrow"):
        return _arrow_numbers(native)
    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)


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


def object_column(cells: Sequence[Any], discrete: bool = False) -> Column:
    """Read Python objects: text or booleans alone are discrete, booleans among numbers are 0 and 1.

    Text is refused where it spells numbers, or where numbers stand beside it: a slip made upstream.
    """
    texts = distinct_texts(cells)
    if texts is not None:
        coded = coded_texts(cells, texts)
        return coded if discrete else _text_column(cells, coded)
    present = [cell for cell in cells if not is_missing(cell)]
    if discrete and present:
        return coded_cells(cells)
    if present and all(isinstance(cell, (bool, np.bool_)) for cell in present):
        return coded_booleans(np.array([np.nan if is_missing(c) else float(c) for c in cells]))
    return _number_column(cells)


def _text_column(cells: Sequence[Any], coded: Coded) -> Coded | Refusal:
    coded = replace(coded, text=True)
    if are_dates(coded.levels):
        return replace(DATES, coded=coded)
    if are_numbers_spoiled(coded.levels):
        return replace(_first_text(cells), coded=coded)
    return coded


def _number_column(cells: Sequence[Any]) -> np.ndarray | Refusal:
    values = np.empty(len(cells), dtype=np.float64)
    for row, cell in enumerate(cells):
        number = _number(cell)
        if isinstance(number, Refusal):
            return _first_text(cells) if isinstance(cell, str) else _at(number, row, cell)
        values[row] = number
    return values


def _number(cell: Any) -> float | Refusal:
    if is_missing(cell):
        return np.nan
    if isinstance(cell, (bool, np.bool_, numbers.Real, np.number)) and not isinstance(
        cell, np.complexfloating
    ):
        return _finite_float(cell)
    if isinstance(cell, str):
        return TEXT
    if isinstance(cell, (complex, np.complexfloating)):
        return _COMPLEX
    if hasattr(cell, "isoformat") or isinstance(cell, (np.datetime64, np.timedelta64)):
        return DATES
    try:  # decimal.Decimal and its like
        return _finite_float(cell)
    except (TypeError, ValueError):
        return Refusal(f"cells of type {type(cell).__name__}")


def _finite_float(cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:  # an integer beyond the doubles
        return np.inf if cell > 0 else -np.inf


def _at(refusal: Refusal, row: int, cell: Any) -> Refusal:
    return replace(refusal, row=row, cell=shortened(cell))


def _first_text(cells: Sequence[Any]) -> Refusal:
    """Point at the first cell that isn't a number's spelling; if all are, say that instead."""
    texts = [(row, cell) for row, cell in enumerate(cells) if isinstance(cell, str)]
    for row, cell in texts:
        if not spells_number(cell):
            return _at(TEXT, row, cell)
    return _at(NUMERALS, *texts[0])


def shortened(cell: Any) -> str:
    """Give a cell as a sentence shows it."""
    text = repr(cell)
    return text if len(text) <= 40 else text[:36] + "..." + text[-1]
