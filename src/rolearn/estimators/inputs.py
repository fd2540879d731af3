"""What a fit is given: rows in any form, or statistics; in an order that depends on what they say alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rolearn.data.canonical import canonical_order
from rolearn.data.checks import check_columns
from rolearn.data.moments import correlation_matrix
from rolearn.data.one_pass import is_dask
from rolearn.data.table import Table, as_table
from rolearn.data.transform import rank_to_normal
from rolearn.independence import CallableTest, Gaussian, Oracle, Statistics
from rolearn.runtime.errors import ParameterError

__all__ = ["Input", "read_input"]

_TESTS = ("auto", "fisher-z")
_TRANSFORMS = (None, "rank")


@dataclass(frozen=True)
class Input:
    """Statistics in canonical order, the names in the user's order, and the number of rows if known."""

    statistics: Statistics
    names: tuple[str, ...]
    n_samples: float | None


def read_input(X: Any, test: Any, transform: str | None) -> Input:
    """Turn rows or statistics into statistics whose order depends on their content alone.

    Raises
    ------
    DataError
        When the rows can't be used; names the columns.
    ParameterError
        When the test or transform is unknown or can't be asked of what is given.
    """
    if not callable(test) and test not in _TESTS:
        allowed = ", ".join(map(repr, _TESTS))
        raise ParameterError(
            f"test is {test!r}; allowed are {allowed} or a callable (x, y, given) -> p-value"
        )
    if transform not in _TRANSFORMS:
        raise ParameterError(f"transform is {transform!r}; allowed are None and 'rank'")
    if is_dask(X) and transform is None and not callable(test):
        X = Gaussian.from_dask(X)
    if isinstance(X, Statistics):
        return _from_statistics(X, test, transform)
    return _from_rows(X, test, transform)


def _from_statistics(statistics: Statistics, test: Any, transform: str | None) -> Input:
    if transform is not None:
        raise ParameterError(f"transform={transform!r} needs rows; {type(statistics).__name__} has none")
    if callable(test) or (test == "fisher-z" and isinstance(statistics, Oracle)):
        raise ParameterError(f"test={test!r} needs rows; {type(statistics).__name__} is its own test")
    arranged = statistics.arranged(statistics.canonical_order())
    return Input(arranged, statistics.names, statistics.n_samples)


def _from_rows(X: Any, test: Any, transform: str | None) -> Input:
    table = as_table(X)
    if transform is not None:
        # before the checks: ranks cure outliers, and columns that grow together have the same ranks
        table = replace(table, values=rank_to_normal(table.values))
    check_columns(table)
    gaussian = _gaussian(table)
    n_samples = len(table.values)
    if callable(test):
        return Input(CallableTest(test, gaussian.names, n_samples), table.names, n_samples)
    return Input(gaussian, table.names, n_samples)


def _gaussian(table: Table) -> Gaussian:
    """Give the correlations, in an order that neither columns, rows, units nor signs change.

    They are summed in an order of columns made from the columns' content, so that not even their last bits
    depend on how the columns are arranged.
    """
    positions = canonical_order(table.values)
    names = [table.names[i] for i in positions]
    gaussian = Gaussian.of_checked(correlation_matrix(table.values[:, positions]), len(table.values), names)
    return gaussian.arranged(gaussian.canonical_order())
