"""What a fit is given: rows in any form, or statistics; in an order that depends on what they say alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rolearn.data.checks import check_columns
from rolearn.data.table import Table, as_table
from rolearn.data.transform import rank_to_normal
from rolearn.estimators.suited import check_suits, check_test, numbers_of, statistics_of
from rolearn.independence import CallableTest, Statistics, test_by_name
from rolearn.runtime.errors import ParameterError

__all__ = ["Input", "read_input"]

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
    check_test(test)
    if transform not in _TRANSFORMS:
        raise ParameterError(f"transform is {transform!r}; allowed are None and 'rank'")
    if isinstance(X, Statistics):
        return _from_statistics(X, test, transform)
    return _from_rows(X, test, transform)


def _from_statistics(statistics: Statistics, test: Any, transform: str | None) -> Input:
    if transform is not None:
        raise ParameterError(f"transform={transform!r} needs rows; {type(statistics).__name__} has none")
    if test not in ("auto", statistics.test_name):
        raise ParameterError(f"test={test!r} needs rows; {type(statistics).__name__} is its own test")
    arranged = statistics.arranged(statistics.canonical_order())
    return Input(arranged, statistics.names, statistics.n_samples)


def _from_rows(X: Any, test: Any, transform: str | None) -> Input:
    table = as_table(X)
    if transform is not None:
        # before the checks: ranks cure outliers, and columns that grow together have the same ranks
        table = _with_ranks(table)
    named = "auto" if callable(test) else test
    check_suits(named, table)
    if not table.n_levels.all():
        check_columns(numbers_of(table))
    statistics = statistics_of(table, named)
    if callable(test):
        by_name = test_by_name(test, table.names)
        statistics = CallableTest(by_name, statistics.names, len(table.values))
    return Input(statistics, table.names, len(table.values))


def _with_ranks(table: Table) -> Table:
    """Take continuous columns to normal scores."""
    continuous = table.n_levels == 0
    values = table.values.copy()
    values[:, continuous] = rank_to_normal(values[:, continuous])
    return replace(table, values=values)
