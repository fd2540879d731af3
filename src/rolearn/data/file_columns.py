"""Which file is which, and which of its columns are read: the same whether at once or in batches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rolearn.data.columns import Column, series_column
from rolearn.data.origin import name_columns
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import string_names
from rolearn.runtime.suggestions import meant_or_there

__all__ = [
    "arrow_column",
    "columnar_kind",
    "columnar_refusal",
    "kept_columns",
    "kept_of_columnar",
    "refuse_marker",
    "separator_of",
]

_COLUMNAR = {
    **dict.fromkeys((".parquet", ".pq"), "Parquet"),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), "Feather"),
}
_TABBED = (".tsv", ".tab")
_DELIMITERS = {"comma": ",", "tab": "\t", "\\t": "\t", "semicolon": ";", "bar": "|", "space": " "}


def columnar_kind(path: str | Path) -> str | None:
    """Give "Parquet" or "Feather" by a file's suffix; None for text."""
    return _COLUMNAR.get(Path(path).suffix.lower())


def columnar_refusal(label: str, kind: str) -> DataError:
    """Give what to raise for a file that doesn't hold what its suffix says."""
    return DataError(f"{label} is not a {kind} file, or is damaged")


def separator_of(path: str | Path, delimiter: str | None) -> str | None:
    """Give the delimiter that was asked for, else that of the suffix; None where the header has to tell.

    Raises
    ------
    ParameterError
        When the one asked for isn't one character.
    """
    if delimiter is None:
        return "\t" if Path(path).suffix.lower() in _TABBED else None
    separator = _DELIMITERS.get(delimiter.lower(), delimiter)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise ParameterError(
            f"the delimiter {delimiter!r} is not one character; give one, such as ';' or 'tab'"
        )
    return separator


def refuse_marker(missing_marker: str | None, label: str) -> None:
    """Refuse a marker where no cell is text.

    Raises
    ------
    ParameterError
        When there is one.
    """
    if missing_marker is not None:
        raise ParameterError(
            f"the missing marker {missing_marker!r} is for CSV and TSV; {label} says itself which cells are "
            "missing, so set those cells missing in it"
        )


def kept_columns(names: Sequence[str], drop: Sequence[str], label: str) -> tuple[list[int], tuple[str, ...]]:
    """Give positions and names of the columns that stay.

    Raises
    ------
    DataError
        When a column to drop isn't there; close names are listed.
    """
    unknown = [name for name in drop if name not in names]
    if unknown:
        hint = meant_or_there(unknown[0], names)
        raise DataError(f"{label} has no {name_columns(unknown)} to drop; {hint}")
    keep = [i for i, name in enumerate(names) if name not in set(drop)]
    return keep, tuple(names[i] for i in keep)


def kept_of_columnar(
    labels: Sequence[str], drop: Sequence[str], label: str
) -> tuple[list[int], tuple[str, ...], bool]:
    """Give positions and names of the columns that stay, and whether the index that pandas stores went.

    Raises
    ------
    DataError
        When two have one name, or one to drop isn't there.
    """
    index = [name for name in labels if name.startswith("__index_level_")]
    string_names(labels, DataError)
    keep, names = kept_columns(labels, [*drop, *index], label)
    return keep, names, bool(index)


def arrow_column(column: Any, discrete: bool) -> Column:
    """Read a column of pyarrow."""
    import narwhals as nw

    return series_column(nw.from_native(column, series_only=True), discrete)
