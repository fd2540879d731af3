"""Columns that no Gaussian statistic can use: constant, copied, or a linear combination of others."""

from __future__ import annotations

import numpy as np

from rolearn.data.moments import correlation_matrix, standardize
from rolearn.data.origin import name_columns
from rolearn.data.table import Table
from rolearn.runtime.errors import DataError, warn
from rolearn.runtime.threads import single_blas_thread

__all__ = ["check_columns"]

# A column is taken for a combination of others when what they leave of it is below this share of its
# standard deviation: correlations then carry no information about the remainder in double precision.
RESIDUAL_SHARE = 1e-6
_FEWEST_DISTINCT = 10  # with fewer different rows, copies are what a table of few-valued columns has
_ROUNDING = 1e-14  # spread relative to size below which a column is a constant plus rounding


def check_columns(table: Table) -> None:
    """Refuse columns that are constant, copies up to scale, or linear combinations of others.

    Linear combinations are looked for when there are more rows than columns + 1; with fewer, every
    column is one.

    Raises
    ------
    DataError
        Naming the columns and what to do.

    Warns
    -----
    RolearnWarning
        When more than half of the rows are exact copies of other rows of a table with a continuous column.
    """
    _refuse_constants(table)
    _warn_of_copied_rows(table)
    correlation = correlation_matrix(table.values)
    _refuse_copies(table, correlation)
    if table.n_rows > table.n_columns + 1 and _nearly_singular(correlation):
        _refuse_combinations(table)


def _refuse_constants(table: Table) -> None:
    low, high = table.values.min(axis=0), table.values.max(axis=0)
    spread = high / 2 - low / 2  # halves, since the difference of two large numbers may overflow
    constant = spread <= _ROUNDING * np.maximum(np.abs(low), np.abs(high))
    if not constant.any():
        return
    names = [table.names[i] for i in np.flatnonzero(constant)]
    verb, them = ("is", "it") if len(names) == 1 else ("are", "them")
    raise DataError(
        f"{name_columns(names)} {verb} constant, so nothing can depend on {them};"
        f" leave {them} out (in the command: --drop)"
    )


def _refuse_copies(table: Table, correlation: np.ndarray) -> None:
    share = 1.0 - np.square(np.triu(correlation, 1))
    first, second = np.nonzero(share < RESIDUAL_SHARE**2)
    if first.size == 0:
        return
    pairs = [f"{table.names[i]!r} and {table.names[j]!r}" for i, j in zip(first, second, strict=True)]
    more = f", and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
    raise DataError(
        f"columns {'; '.join(pairs[:3])}{more} are copies of each other up to scale and shift;"
        " keep one of each (in the command: --drop the others)"
    )


def _nearly_singular(correlation: np.ndarray) -> bool:
    """Screen by 1 / diag(R^-1), each column's share of variance that the others leave."""
    try:
        with single_blas_thread():
            precision = np.diag(np.linalg.inv(correlation))
    except np.linalg.LinAlgError:
        return True
    # wider than the threshold itself, since the inverse of such a matrix has few correct digits
    return bool(not np.all(precision > 0) or np.any(precision > 0.01 / RESIDUAL_SHARE**2))


def _refuse_combinations(table: Table) -> None:
    """Find the combinations by QR with column pivoting, which works on the data and loses no digits."""
    from scipy.linalg import qr, solve_triangular

    with single_blas_thread():
        triangle, pivot = qr(standardize(table.values), mode="r", pivoting=True, check_finite=False)
        triangle = triangle[: table.n_columns]
        rank = int(np.sum(np.abs(np.diag(triangle)) > RESIDUAL_SHARE))
        if rank == table.n_columns:
            return
        weights = solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:], check_finite=False)
    sentences = [_combination(table, pivot, rank, k, weights[:, k]) for k in range(min(3, weights.shape[1]))]
    more = f"; {weights.shape[1] - 3} more like these" if weights.shape[1] > 3 else ""
    raise DataError(
        f"{'; '.join(sentences)}{more}; leave one column of each combination out (in the command: --drop)"
    )


def _combination(table: Table, pivot: np.ndarray, rank: int, which: int, weights: np.ndarray) -> str:
    parts = np.sort(pivot[:rank][np.abs(weights) > 1e-3 * np.abs(weights).max()])
    names = [table.names[i] for i in parts]
    return f"column {table.names[pivot[rank + which]]!r} is a linear combination of {name_columns(names)}"


def _warn_of_copied_rows(table: Table) -> None:
    """Warn of a table stacked on itself; in a table of few-valued columns equal rows are natural."""
    rows = table.values + 0.0
    as_bytes = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    n_distinct = np.unique(as_bytes).size
    copies = table.n_rows - n_distinct
    if copies * 2 < table.n_rows or n_distinct < _FEWEST_DISTINCT:
        return
    continuous = any(np.unique(rows[:, j]).size > 0.9 * n_distinct for j in range(table.n_columns))
    if continuous:
        warn(
            f"{copies} of {table.n_rows} rows are exact copies of other rows; they count as independent"
            " observations, so tests find too much; remove the copies if they are one"
        )
