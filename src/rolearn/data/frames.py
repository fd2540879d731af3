"""Data in memory, column by column: frames of any library, arrays, lists of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rolearn.data.columns import Column, array_column, object_column, series_column
from rolearn.runtime.errors import DataError
from rolearn.runtime.names import numbered_names, string_names

__all__ = ["MIN_ROWS", "Read", "labels_and_readers"]

MIN_ROWS = 5

Read = Callable[[int, bool], Column]  # of a position, and whether that column is declared discrete


def labels_and_readers(X: Any) -> tuple[list[Any], Read]:
    """Give the labels of a frame, array or list of rows, and how to read its columns.

    Raises
    ------
    DataError
        When it is none of these, or two labels are the same.
    """
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if isinstance(X, (list, tuple)):
        return _from_rows(X)
    if hasattr(X, "toarray"):
        raise DataError("the data is a sparse matrix; give a dense one (its toarray() method makes it)")
    return _from_frame(X)


def _from_array(X: np.ndarray) -> tuple[list[Any], Read]:
    if X.dtype.names:
        raise DataError("the data is a structured array; give a DataFrame or a plain two-dimensional array")
    if X.ndim != 2:
        raise DataError(f"the data has {X.ndim} dimension{'s' * (X.ndim != 1)}; give rows x columns")
    if isinstance(X, np.ma.MaskedArray):
        masked, X = np.ma.getmaskarray(X), np.array(X.data, dtype=object)
        X[masked] = None
    return list(numbered_names(X.shape[1])), lambda j, discrete: array_column(X[:, j], discrete)


def _from_rows(X: Sequence[Any]) -> tuple[list[Any], Read]:
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
    return list(numbered_names(n_columns)), lambda j, discrete: object_column(
        [r[j] for r in rows if r], discrete
    )


def _from_frame(X: Any) -> tuple[list[Any], Read]:
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
    columns = list(frame.iter_columns())
    return labels, lambda j, discrete: series_column(columns[j], discrete)


def _not_a_table(X: Any) -> str:
    if hasattr(X, "to_delayed"):
        return "the data is a Dask DataFrame, and this needs all rows at once; compute it first"
    if hasattr(X, "collect"):
        return "the data is a lazy frame; collect it first"
    return f"the data is a {type(X).__name__}; give a DataFrame or a two-dimensional array of rows x columns"
