"""Tables to files, by suffix."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from rolearn.data.table import Table
from rolearn.runtime.errors import ParameterError

__all__ = ["check_table_suffix", "table_text", "write_table"]

_SUFFIXES = (".csv", ".tsv", ".parquet", ".feather")


def check_table_suffix(path: str | Path) -> str:
    """Give the suffix of a path that a table can be written to.

    Raises
    ------
    ParameterError
        When it is none of .csv, .tsv, .parquet and .feather.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ParameterError(f"{path}: a table is written to a file with suffix {', '.join(_SUFFIXES)}")
    return suffix


def table_text(table: Table, delimiter: str = ",") -> str:
    """Write a table as delimited text; every number reads back as the same float."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.names)
    writer.writerows(table.values.tolist())
    return out.getvalue()


def write_table(table: Table, path: str | Path) -> None:
    """Write a table to a file, in the format of its suffix.

    Raises
    ------
    ParameterError
        When the suffix is unknown or the path can't be written.
    """
    suffix = check_table_suffix(path)
    try:
        if suffix in (".csv", ".tsv"):
            text = table_text(table, "\t" if suffix == ".tsv" else ",")
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        else:
            _write_columnar(_arrow_table(table), str(path), suffix)
    except OSError as error:
        raise ParameterError(f"{path} can't be written: {error.strerror or error}") from None


def _arrow_table(table: Table) -> Any:
    import pyarrow

    return pyarrow.table({name: table.column(name) for name in table.names})


def _write_columnar(arrow: Any, path: str, suffix: str) -> None:
    if suffix == ".parquet":
        from pyarrow import parquet

        parquet.write_table(arrow, path)
    else:
        from pyarrow import feather

        feather.write_feather(arrow, path)
