"""What a fit is given: rows in any form, or statistics; in an order that depends on what they say alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rolearn.data.canonical import canonical_order
from rolearn.data.checks import check_columns
from rolearn.data.moments import correlation_matrix
from rolearn.data.table import as_table
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
    check_columns(table)
    values = table.values
    if transform is not None:
        values = rank_to_normal(values)
        check_columns(replace(table, values=values))  # columns that grow together have the same ranks
    positions = canonical_order(values)
    names = [table.names[i] for i in positions]
    n_samples = len(values)
    statistics: Statistics
    if callable(test):
        statistics = CallableTest(test, names, n_samples)
    else:
        statistics = Gaussian(correlation_matrix(values[:, positions]), n_samples, names)
    return Input(statistics, table.names, n_samples)
