"""Tables from files: CSV and its relatives, Parquet, Feather, and CSV on standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rolearn.data.file_columns import (
    arrow_column,
    columnar_kind,
    columnar_refusal,
    kept_columns,
    kept_of_columnar,
    refuse_marker,
    separator_of,
)
from rolearn.data.kinds import check_declared, declared_names
from rolearn.data.missing import check_missing
from rolearn.data.origin import Origin
from rolearn.data.table import Table, build_table
from rolearn.data.text_file import read_text
from rolearn.runtime.documents import read_bytes_file
from rolearn.runtime.errors import DataError

__all__ = ["read_table"]


def read_table(
    path: str | Path,
    delimiter: str | None = None,
    missing_marker: str | None = None,
    drop: Sequence[str] = (),
    discrete: Any = "auto",
    missing: str = "error",
) -> Table:
    """Read a table.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file (any suffix), Parquet (.parquet, .pq), Feather (.feather, .arrow, .ipc), or
        ``"-"`` for CSV on standard input. The first line of a text file holds the column names.
    delimiter : str, optional
        One character (or ``"tab"``); found from suffix and header line when not given.
    missing_marker : str, optional
        What a missing cell of a text file reads, besides nothing at all and the usual NA, NaN and null. A
        whole number stands for itself with zeros after the point, too: -99 for -99.0.
    drop : sequence of str
        Columns to leave out before anything is checked in them.
    discrete : "auto" or list of str
        Columns of numbers that are discrete. Text, booleans and categories always are.
    missing : "error", "listwise" or "pairwise"
        What is done with missing cells; see `rolearn.data.missing`.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        In one sentence that names the file, the line and the column as far as they apply.
    ParameterError
        When the delimiter isn't one character, a discrete column isn't there, or `missing` is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from rolearn.data.readers import read_table
    >>> rows = np.arange(27).reshape(9, 3)
    >>> np.savetxt("data.csv", rows, delimiter=",", header="id,A,B", comments="")
    >>> read_table("data.csv", drop=["id"])
    Table(9 rows, 2 columns)
    """
    separator = separator_of(path, delimiter)
    reading = _Reading(tuple(drop), declared_names(discrete), check_missing(missing))
    if str(path) == "-":
        return _from_text(sys.stdin.buffer.read(), "standard input", separator, missing_marker, reading)
    content = read_bytes_file(path)
    label = str(path)
    kind = columnar_kind(path)
    if kind is not None:
        refuse_marker(missing_marker, label)
        return _from_columnar(content, label, kind, reading)
    return _from_text(content, label, separator, missing_marker, reading)


@dataclass(frozen=True)
class _Reading:
    """What is to be done with a file's columns."""

    drop: tuple[str, ...]
    discrete: tuple[str, ...] | None
    missing: str

    def table(
        self, names: Sequence[str], arrow: Any, places: Sequence[int], origin: Origin, notes: Sequence[str]
    ) -> Table:
        """Make a table of the columns at these places."""
        check_declared(self.discrete, names, origin.label)
        wanted = set(self.discrete or ())
        columns = [
            arrow_column(arrow.column(i), name in wanted) for i, name in zip(places, names, strict=True)
        ]
        if len(names) == 1:
            notes = [*notes, f"{origin.label} has only one column, so there is nothing to learn about it"]
        return build_table(names, columns, origin, notes, self.missing)


def _from_text(
    content: bytes,
    label: str,
    separator: str | None,
    missing_marker: str | None,
    reading: _Reading,
) -> Table:
    text = read_text(content, label, separator, missing_marker)
    keep, names = kept_columns(text.names, reading.drop, label)
    return reading.table(names, text.arrow, keep, Origin(label, text.row_name, in_file=True), text.notes)


def _from_columnar(content: bytes, label: str, kind: str, reading: _Reading) -> Table:
    import pyarrow

    if not content:
        raise DataError(f"{label} is empty")
    try:
        table = _parse_columnar(pyarrow.BufferReader(content), kind == "Parquet")
    except (pyarrow.ArrowException, OSError, ValueError):
        raise columnar_refusal(label, kind) from None
    keep, names, index = kept_of_columnar(table.column_names, reading.drop, label)
    notes = [f"the index that pandas stored in {label} is not used as a column"] if index else []
    return reading.table(names, table, keep, Origin(label, in_file=True), notes)


def _parse_columnar(source: Any, parquet: bool) -> Any:
    if parquet:
        from pyarrow import parquet as reader

        return reader.read_table(source)
    from pyarrow import feather

    return feather.read_table(source)
