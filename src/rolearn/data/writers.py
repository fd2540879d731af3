"""Tables to files, by suffix."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from rolearn.data.table import Table
from rolearn.runtime.errors import ParameterError

__all__ = ["TABLE_SUFFIXES", "check_table_suffix", "table_bytes", "table_text", "write_table"]

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".feather")


def check_table_suffix(path: str | Path) -> str:
    """Give the suffix of a path that a table can be written to.

    Raises
    ------
    ParameterError
        When it is none of .csv, .tsv, .parquet and .feather.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise ParameterError(f"{path}: a table is written to a file with suffix {', '.join(TABLE_SUFFIXES)}")
    return suffix


def table_text(table: Table, delimiter: str = ",") -> str:
    """Write a table as delimited text; every number reads back as the same float."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.names)
    writer.writerows(table.values.tolist())
    return out.getvalue()


def table_bytes(table: Table, path: str | Path) -> bytes:
    """Give what a file of this name holds, in the format of its suffix.

    Raises
    ------
    ParameterError
        When the suffix is unknown.
    """
    suffix = check_table_suffix(path)
    if suffix in (".csv", ".tsv"):
        return table_text(table, "\t" if suffix == ".tsv" else ",").encode("utf-8")
    return _columnar_bytes(table, suffix)


def write_table(table: Table, path: str | Path) -> None:
    """Write a table to a file, in the format of its suffix.

    Raises
    ------
    ParameterError
        When the suffix is unknown or the path can't be written.
    """
    content = table_bytes(table, path)
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise ParameterError(f"{path} can't be written: {error.strerror or error}") from None


def _columnar_bytes(table: Table, suffix: str) -> bytes:
    import pyarrow

    arrow = pyarrow.table({name: table.column(name) for name in table.names})
    out: Any = pyarrow.BufferOutputStream()
    if suffix == ".parquet":
        from pyarrow import parquet

        parquet.write_table(arrow, out)
    else:
        from pyarrow import feather

        feather.write_feather(arrow, out)
    return out.getvalue().to_pybytes()
