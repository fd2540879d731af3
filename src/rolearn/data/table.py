"""The one form in which data enters the package: named columns of finite numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.data.columns import Refusal, object_column, series_column
from rolearn.data.origin import Origin, name_columns
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import numbered_names, string_names

__all__ = ["MIN_ROWS", "Table", "as_table", "build_table"]

MIN_ROWS = 5

_ADVICE_FOR_SEVERAL = {  # by the advice of a Refusal, which is for one column
    "turn it into numbers": "turn them into numbers",
    "turn it into numbers, such as days since a start": "turn them into numbers, such as days since a start",
    "split it into real and imaginary parts": "split them into real and imaginary parts",
    "recode it as numbers if they have an order": "recode them as numbers if they have an order",
}


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of finite numbers.

    Attributes
    ----------
    names : tuple of str
        Unique column names.
    values : float64 array, shape (n_rows, n_columns)
        C-ordered and read-only.
    notes : tuple of str
        Sentences about what was decided while reading.
    """

    names: tuple[str, ...]
    values: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.values.shape[0]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.values.shape[1]

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {self.n_columns} columns)"

    def column(self, name: str) -> np.ndarray:
        """Give the values of one column, shape (n_rows,)."""
        if name not in self.names:
            raise ParameterError(f"there is no column {name!r} in the table")
        return self.values[:, self.names.index(name)]


def as_table(X: Any, names: Sequence[Any] | None = None) -> Table:
    """Check data in memory and give it as a Table.

    Parameters
    ----------
    X : DataFrame of any library, array or nested list of shape (n_rows, n_columns), or Table
        Booleans and integers become floats, and so do object columns that hold only such.
    names : sequence, optional
        Names to use in place of the data's own; columns without names are X1, X2, ...

    Returns
    -------
    Table

    Raises
    ------
    DataError
        When the data isn't a table of at least 5 rows and 2 uniquely named columns of finite numbers;
        the sentence names the columns, and the row of the first bad cell.
    ParameterError
        When `names` has the wrong length or isn't unique.
    """
    given = None if names is None else list(names)
    if isinstance(X, Table):
        return X if given is None else replace(X, names=_replacement_names(given, X.n_columns))
    labels, columns = _labels_and_columns(X)
    if given is None:
        table_names = string_names(labels, DataError)
    else:
        table_names = _replacement_names(given, len(labels))
    return build_table(table_names, columns, Origin())


def build_table(
    names: Sequence[str],
    columns: Iterable[np.ndarray | Refusal],
    origin: Origin,
    notes: Sequence[str] = (),
) -> Table:
    """Put converted columns together and check them all; `names` are unique by now.

    Raises
    ------
    DataError
        As in `as_table`.
    """
    made = list(columns)
    _check_shape(len(names), len(made[0]) if made and isinstance(made[0], np.ndarray) else None, origin)
    _check_kinds(names, made, origin)
    values = np.ascontiguousarray(np.column_stack([c for c in made if isinstance(c, np.ndarray)]))
    _check_shape(len(names), values.shape[0], origin)
    _check_missing(names, values, origin)
    _check_infinite(names, values, origin)
    values.setflags(write=False)
    return Table(tuple(names), values, tuple(notes))


def _replacement_names(names: list[Any], n_columns: int) -> tuple[str, ...]:
    if len(names) != n_columns:
        raise ParameterError(f"names has {len(names)} labels and the data {n_columns} columns; give one each")
    return string_names(names, ParameterError)


def _labels_and_columns(X: Any) -> tuple[list[Any], Iterable[np.ndarray | Refusal]]:
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if isinstance(X, (list, tuple)):
        return _from_rows(X)
    if hasattr(X, "toarray"):
        raise DataError("the data is a sparse matrix; give a dense one (its toarray() method makes it)")
    return _from_frame(X)


def _from_array(X: np.ndarray) -> tuple[list[Any], Iterable[np.ndarray | Refusal]]:
    if X.dtype.names:
        raise DataError("the data is a structured array; give a DataFrame or a plain two-dimensional array")
    if X.ndim != 2:
        raise DataError(f"the data has {X.ndim} dimension{'s' * (X.ndim != 1)}; give rows x columns")
    if isinstance(X, np.ma.MaskedArray):
        masked, X = np.ma.getmaskarray(X), np.array(X.data, dtype=object)
        X[masked] = None
    return list(numbered_names(X.shape[1])), [_array_column(X[:, j]) for j in range(X.shape[1])]


def _array_column(column: np.ndarray) -> np.ndarray | Refusal:
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    if column.dtype.kind in "mM":
        return object_column(list(column))
    return object_column(column.tolist())


def _from_rows(X: Sequence[Any]) -> tuple[list[Any], Iterable[np.ndarray | Refusal]]:
    rows = [list(row) if isinstance(row, (list, tuple, np.ndarray)) else None for row in X]
    for i, row in enumerate(rows):
        if row is None:
            raise DataError(f"row {i + 1} of the data is not a list of cells; give rows x columns")
        if len(row) != len(rows[0] or []):
            raise DataError(
                f"row {i + 1} of the data has {len(row)} cells where row 1 has {len(rows[0] or [])};"
                " give each row the same number"
            )
    n_columns = len(rows[0] or []) if rows else 0
    if not rows:
        raise DataError(f"the table has no rows; at least {MIN_ROWS} are needed")
    return list(numbered_names(n_columns)), [
        object_column([r[j] for r in rows if r]) for j in range(n_columns)
    ]


def _from_frame(X: Any) -> tuple[list[Any], Iterable[np.ndarray | Refusal]]:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(X, eager_only=True)
    except DuplicateError:
        string_names(list(getattr(X, "column_names", X.columns)), DataError)
        raise
    except TypeError:
        raise DataError(_not_a_table(X)) from None
    labels = list(frame.columns)
    string_names(labels, DataError)  # before any column is read by its label
    return labels, (series_column(series) for series in frame.iter_columns())


def _not_a_table(X: Any) -> str:
    if hasattr(X, "to_delayed"):
        return "the data is a Dask DataFrame, and this needs all rows at once; compute it first"
    if hasattr(X, "collect"):
        return "the data is a lazy frame; collect it first"
    return f"the data is a {type(X).__name__}; give a DataFrame or a two-dimensional array of rows x columns"


def _check_shape(n_columns: int, n_rows: int | None, origin: Origin) -> None:
    if n_columns == 0:
        raise DataError(f"{origin.label} has no columns; give at least two columns of numbers")
    if n_rows == 0:
        raise DataError(f"{origin.label} has no rows; at least {MIN_ROWS} are needed")
    if n_columns == 1:
        raise DataError(f"{origin.label} has only one column; a graph needs at least two")
    if n_rows is not None and n_rows < MIN_ROWS:
        count = "only one row" if n_rows == 1 else f"only {n_rows} rows"
        raise DataError(f"{origin.label} has {count}; at least {MIN_ROWS} are needed")


def _check_kinds(names: Sequence[str], columns: Sequence[np.ndarray | Refusal], origin: Origin) -> None:
    """Refuse columns that aren't numbers, all of the first kind found in one sentence."""
    refused = [(n, c) for n, c in zip(names, columns, strict=True) if isinstance(c, Refusal)]
    if not refused:
        return
    first_name, first = refused[0]
    alike = [n for n, c in refused if c.holds == first.holds]
    verb = "holds" if len(alike) == 1 else "hold"
    text = f"{origin.label}: {name_columns(alike)} {verb} {first.holds}"
    if first.row is not None:
        where = "" if len(alike) == 1 else f" of {first_name!r}"
        text += f" ({first.cell} in {origin.row(first.row)}{where})"
    advice = first.advice if len(alike) == 1 else _ADVICE_FOR_SEVERAL[first.advice]
    raise DataError(f"{text}; {advice} or {_leave_out(alike, origin)}{_hint(first, origin)}")


def _leave_out(names: list[str], origin: Origin) -> str:
    if len(names) == 1:
        return origin.drop_advice(names[0])
    return "leave them out" + (" (--drop)" if origin.in_file else "")


def _hint(refusal: Refusal, origin: Origin) -> str:
    """Guess what a text cell in a file was meant to be."""
    cell = (refusal.cell or "").strip("'\"").strip()
    if not origin.in_file or refusal.holds != "text":
        return ""
    if len(cell) <= 3 and cell and not any(c.isalnum() for c in cell):
        return f"; if {cell!r} marks a missing cell, say --missing-marker '{cell}'"
    whole, comma, decimals = cell.lstrip("+-").partition(",")
    if comma and whole.isdigit() and decimals.isdigit():
        return "; write decimals with a point, not a comma"
    return ""


def _check_missing(names: Sequence[str], values: np.ndarray, origin: Origin) -> None:
    missing = np.isnan(values)
    counts = missing.sum(axis=0)
    if not counts.any():
        return
    _refuse_missing(names, counts, int(np.flatnonzero(missing.any(axis=1))[0]), origin)


def _refuse_missing(names: Sequence[str], counts: np.ndarray, first: int, origin: Origin) -> None:
    """Say how many cells are missing in which columns, the first of them in row `first`."""
    which = [i for i in np.argsort(-counts, kind="stable") if counts[i]]
    listed = ", ".join(f"{names[i]!r} ({counts[i]})" for i in which[:5])
    more = f" and {len(which) - 5} more columns" if len(which) > 5 else ""
    total = int(counts.sum())
    cells = "1 cell is" if total == 1 else f"{total} cells are"
    raise DataError(
        f"{origin.label}: {cells} missing, in {listed}{more}, the first in {origin.row(first)};"
        " fill them in, or leave those rows or columns out"
    )


def _check_infinite(names: Sequence[str], values: np.ndarray, origin: Origin) -> None:
    infinite = np.isinf(values)
    if not infinite.any():
        return
    row, column = (int(i) for i in np.argwhere(infinite)[0])
    _refuse_infinite(names[column], row, origin)


def _refuse_infinite(name: str, row: int, origin: Origin) -> None:
    raise DataError(
        f"{origin.label}: column {name!r} is infinite in {origin.row(row)};"
        " replace infinities by finite numbers, or leave those rows out"
    )
