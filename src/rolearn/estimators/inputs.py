"""What a fit is given: rows in any form, or statistics; in an order that depends on what they say alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from rolearn.data.canonical import canonical_order
from rolearn.data.checks import warn_of_copied_rows
from rolearn.data.declaration import warn_of_few_levels
from rolearn.data.degenerate import check_degenerate, prepared
from rolearn.data.fit_of_normal import warn_of_poor_fit
from rolearn.data.kinds import ColumnKind, declared_names
from rolearn.data.missing import check_missing
from rolearn.data.moments import correlation_matrix
from rolearn.data.table import Table, as_table
from rolearn.independence import CallableTest, Gaussian, Oracle, Statistics
from rolearn.independence.pairwise import PairwiseGaussian
from rolearn.runtime.errors import DataError, ParameterError, warn

__all__ = ["Input", "read_input", "statistics_of"]

_TESTS = ("auto", "fisher-z")
_TRANSFORMS = (None, "rank")
_OF_ROWS = {"discrete": "auto", "missing": "error", "degenerate": "error"}


@dataclass(frozen=True)
class Input:
    """Statistics in canonical order, and what a result is to say of the rows.

    Attributes
    ----------
    statistics : Statistics
    names : tuple of str
        In the user's order; with those of `isolated`, which the statistics lack.
    n_samples : float or None
        The number of rows, if known.
    kinds : mapping of str to ColumnKind
        Of the columns of rows, and of Gaussian statistics.
    isolated : tuple of str
        Variables that get no edges.
    """

    statistics: Statistics
    names: tuple[str, ...]
    n_samples: float | None
    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)
    isolated: tuple[str, ...] = ()


def read_input(
    X: Any,
    test: Any,
    transform: str | None,
    discrete: Any = "auto",
    missing: str = "error",
    degenerate: str = "error",
) -> Input:
    """Turn rows or statistics into statistics whose order depends on their content alone.

    Raises
    ------
    DataError
        When the rows can't be used; names the columns.
    ParameterError
        When a parameter is unknown or can't be asked of what is given.
    """
    if not callable(test) and test not in _TESTS:
        allowed = ", ".join(map(repr, _TESTS))
        raise ParameterError(
            f"test is {test!r}; allowed are {allowed} or a callable (x, y, given) -> p-value"
        )
    if transform not in _TRANSFORMS:
        raise ParameterError(f"transform is {transform!r}; allowed are None and 'rank'")
    declared_names(discrete)
    policies = {"missing": check_missing(missing), "degenerate": check_degenerate(degenerate)}
    if isinstance(X, Statistics):
        return _from_statistics(X, test, {"transform": transform, "discrete": discrete, **policies})
    return _from_rows(X, test, transform, discrete, missing, degenerate)


def _from_statistics(statistics: Statistics, test: Any, asked: Mapping[str, Any]) -> Input:
    for name, value in asked.items():
        if value != _OF_ROWS.get(name):
            raise ParameterError(f"{name}={value!r} needs rows; {type(statistics).__name__} has none")
    if callable(test) or (test == "fisher-z" and isinstance(statistics, Oracle)):
        raise ParameterError(f"test={test!r} needs rows; {type(statistics).__name__} is its own test")
    arranged = statistics.arranged(statistics.canonical_order())
    kinds = {name: ColumnKind() for name in statistics.names} if isinstance(statistics, Gaussian) else {}
    return Input(arranged, statistics.names, statistics.n_samples, kinds)


def _from_rows(
    X: Any, test: Any, transform: str | None, discrete: Any, missing: str, degenerate: str
) -> Input:
    table = as_table(X, discrete=discrete, missing=missing)
    told = X.notes if isinstance(X, Table) else ()
    for note in table.notes[len(told) :]:
        warn(note)
    if declared_names(discrete) is None:
        warn_of_few_levels(table)
    warn_of_copied_rows(table)
    ready, report = prepared(table, degenerate, transform)
    for note in report.notes:
        warn(note)
    if transform is None and not callable(test):
        warn_of_poor_fit(ready)
    gone = set(report.dropped)
    names = tuple(name for name in table.names if name not in gone)
    kinds = {name: kind for name, kind in zip(table.names, table.kinds, strict=True) if name not in gone}
    return Input(statistics_of(ready, test), names, ready.n_rows, kinds, report.isolated)


def statistics_of(table: Table, test: Any) -> Statistics:
    """Make the statistics that suit a table that `prepared` gave, in an order of their content alone.

    Raises
    ------
    ParameterError
        When the test can't be asked of columns of these kinds.
    DataError
        When two columns share too few rows.
    """
    statistics = _by_kinds(table, "auto" if callable(test) else test)
    arranged = statistics.arranged(statistics.canonical_order())
    return CallableTest(test, arranged.names, table.n_rows) if callable(test) else arranged


def _by_kinds(table: Table, test: str) -> Statistics:
    """Give the correlations, in an order that neither columns, rows, units nor signs change.

    They are summed in an order of columns made from the columns' content, so that not even their last bits
    depend on how the columns are arranged.
    """
    positions = canonical_order(table.values)
    names = [table.names[i] for i in positions]
    values, n_levels = table.values[:, positions], table.n_levels[positions]
    if not n_levels.any():
        if np.isnan(values).any():
            return PairwiseGaussian.of_rows(values, names)
        return Gaussian.of_checked(correlation_matrix(values), len(values), names)
    if test == "fisher-z":
        discrete = [name for name, kind in zip(table.names, table.kinds, strict=True) if kind.is_discrete]
        raise ParameterError(
            f"test='fisher-z' is for continuous columns, and {', '.join(map(repr, discrete[:5]))} "
            f"{'is' if len(discrete) == 1 else 'are'} discrete; use test='auto'"
        )
    return _of_levels("discrete" if n_levels.all() else "mixed", values, n_levels, names)


def _of_levels(room: str, values: np.ndarray, n_levels: np.ndarray, names: list[str]) -> Statistics:
    home = f"rolearn.independence.{room}"
    if find_spec(home) is None:
        raise DataError(f"tables with discrete columns can't be learned from yet: {', '.join(names[:5])}")
    kind = {"discrete": "Discrete", "mixed": "DegenerateGaussian"}[room]
    return getattr(import_module(home), kind).of_rows(values, n_levels, names)
