"""A square matrix of integers with named rows and columns, as CSV; the corner cell has the kind of graph."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np

from rolearn.runtime.errors import DataError

__all__ = ["matrix_text", "parse_matrix"]


def matrix_text(corner: str, names: Sequence[str], cells: np.ndarray) -> str:
    """Write a matrix as R and pandas read it with row names.

    Names are quoted throughout, so that R takes none for a number or for NA.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([corner, *names])
    for name, row in zip(names, cells.tolist(), strict=True):
        writer.writerow([name, *row])
    return out.getvalue()


def parse_matrix(text: str, label: str) -> tuple[str, list[str], np.ndarray]:
    """Read a matrix: comma-separated, or as R's ``write.table`` and Tetrad write it.

    Returns
    -------
    corner : str
        What the corner cell says; empty where there is none.
    names : list of str
    cells : int array, shape (n, n)

    Raises
    ------
    DataError
        Naming the line that isn't of this form.
    """
    header, rows, lines = _records(text)
    if not header:
        raise DataError(f"{label} is empty; its first line should hold the names")
    n = len(rows)
    corner = header[0] if len(header) == n + 1 else ""
    names = header[1:] if len(header) == n + 1 else header
    if len(names) != n:
        raise DataError(
            f"{label} has {len(header)} cells in its first line and {n} rows below; give each name a row"
        )
    cells = np.zeros((n, n), dtype=int)
    for i, (row, line) in enumerate(zip(rows, lines, strict=True)):
        if row[0] != names[i]:
            raise DataError(
                f"{label}, line {line}: the row is named {row[0]!r} where the columns have {names[i]!r};"
                " rows and columns must have the same names in the same order"
            )
        if len(row) != n + 1:
            raise DataError(f"{label}, line {line}: {len(row) - 1} cells where there are {n} names")
        cells[i] = [_integer(cell, label, line) for cell in row[1:]]
    return corner, names, cells


def _records(text: str) -> tuple[list[str], list[list[str]], list[int]]:
    start = text.lstrip("\n\r")
    reader = _reader(start, ",")
    header: list[str] = next(reader, [])
    if len(header) == 1 and (" " in start or "\t" in start):
        delimiter = "\t" if "\t" in start.partition("\n")[0] else " "
        reader = _reader(start, delimiter)
        header = next(reader, [])
        if header and header[-1] == "" and delimiter == " ":
            header = header[:-1]  # Tetrad ends its lines with a space
    rows, lines = [], []
    for row in reader:
        if row:
            rows.append(row[:-1] if row[-1] == "" and len(row) > 1 else row)
            lines.append(reader.line_num)
    return header, rows, lines


def _reader(text: str, delimiter: str):
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " ")


def _integer(cell: str, label: str, line: int) -> int:
    try:
        number = float(cell)
        whole = int(number)
    except (ValueError, OverflowError):
        raise DataError(f"{label}, line {line}: {cell!r} is no mark; cells are whole numbers") from None
    if whole != number:
        raise DataError(f"{label}, line {line}: {cell!r} is no mark; cells are whole numbers")
    return whole
