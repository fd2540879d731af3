"""Rows that are copies of others, and whether a table is one stacked on itself."""

from __future__ import annotations

import numpy as np

from rolearn.data.distinct import count_distinct
from rolearn.data.table import Table
from rolearn.runtime.errors import warn

__all__ = ["rows_as_bytes", "warn_of_copied_rows"]

_FEWEST_DISTINCT = 10  # with fewer different rows, copies are what a table of few-valued columns has
_GLANCED_AT = 3  # columns looked at by themselves, which takes far less than to compare rows


def rows_as_bytes(rows: np.ndarray) -> np.ndarray:
    """Give each row of a C-ordered array as one value that compares by its bytes, which is quick."""
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()


def warn_of_copied_rows(table: Table) -> None:
    """Warn of a table stacked on itself; in a table of few-valued columns equal rows are natural.

    Warns
    -----
    RolearnWarning
        When more than half of the rows are exact copies of other rows of a table with a continuous column.
    """
    rows = table.values + 0.0
    if any(2 * count_distinct(rows[:, j]) > table.n_rows for j in range(min(table.n_columns, _GLANCED_AT))):
        return  # nor are there fewer different rows
    n_distinct = count_distinct(rows_as_bytes(rows))
    copies = table.n_rows - n_distinct
    if copies * 2 < table.n_rows or n_distinct < _FEWEST_DISTINCT:
        return
    continuous = any(count_distinct(rows[:, j]) > 0.9 * n_distinct for j in range(table.n_columns))
    if continuous:
        warn(
            f"{copies} of {table.n_rows} rows are exact copies of other rows; they count as independent"
            " observations, so tests find too much; remove the copies if they are one"
        )
