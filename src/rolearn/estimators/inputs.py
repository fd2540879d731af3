"""What a fit is given: rows in any form, or statistics; in an order that depends on what they say alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rolearn.data.copied_rows import warn_of_copied_rows
from rolearn.data.dask_parts import is_dask
from rolearn.data.declaration import warn_of_few_levels
from rolearn.data.degenerate import check_degenerate, prepared
from rolearn.data.fit_of_normal import warn_of_poor_fit
from rolearn.data.kinds import CONTINUOUS, ColumnKind, declared_names
from rolearn.data.missing import check_missing
from rolearn.data.table import Table, as_table
from rolearn.estimators.suited import check_suits, check_test, dask_statistics, suited_statistics
from rolearn.independence import CallableTest, Gaussian, Statistics, test_by_name
from rolearn.runtime.errors import ParameterError, warn

__all__ = ["Input", "read_input", "statistics_of"]

_TRANSFORMS = ("rank",)
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
    dropped : tuple of str
        Columns that are left out.
    """

    statistics: Statistics
    names: tuple[str, ...]
    n_samples: float | None
    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)
    isolated: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def read_input(
    X: Any,
    test: Any,
    transform: str | None,
    discrete: Any = "auto",
    missing: str = "error",
    degenerate: str = "error",
    again: bool = False,
) -> Input:
    """Turn rows or statistics into statistics whose order depends on their content alone.

    `again` is for some of the rows of a table that was read: what only warns isn't looked for again.

    Raises
    ------
    DataError
        When the rows can't be used; names the columns.
    ParameterError
        When a parameter is unknown or can't be asked of what is given.
    """
    check_test(test)
    if transform is not None and not (isinstance(transform, str) and transform in _TRANSFORMS):
        raise ParameterError(f"transform is {transform!r}; allowed are None and 'rank'")
    declared_names(discrete)
    policies = {"missing": check_missing(missing), "degenerate": check_degenerate(degenerate)}
    rows_needed = transform is not None or callable(test) or degenerate != "error"
    if is_dask(X) and not rows_needed:
        X = dask_statistics(X, test, discrete, missing)
        policies["missing"], discrete = "error", "auto"
    if isinstance(X, Statistics):
        return _from_statistics(X, test, {"transform": transform, "discrete": discrete, **policies})
    return _from_rows(X, test, transform, discrete, missing, degenerate, again)


def _from_statistics(statistics: Statistics, test: Any, asked: Mapping[str, Any]) -> Input:
    for name, value in asked.items():
        if value != _OF_ROWS.get(name):
            raise ParameterError(f"{name}={value!r} needs rows; {type(statistics).__name__} has none")
    if test not in ("auto", statistics.test_name):
        raise ParameterError(f"test={test!r} needs rows; {type(statistics).__name__} is its own test")
    arranged = statistics.arranged(statistics.canonical_order())
    kinds = {name: ColumnKind() for name in statistics.names} if isinstance(statistics, Gaussian) else {}
    if statistics.levels:
        of = [
            CONTINUOUS if levels is None else ColumnKind("discrete", levels) for levels in statistics.levels
        ]
        kinds = dict(zip(statistics.names, of, strict=True))
    return Input(arranged, statistics.names, statistics.n_samples, kinds)


def _from_rows(
    X: Any, test: Any, transform: str | None, discrete: Any, missing: str, degenerate: str, again: bool
) -> Input:
    table = as_table(X, discrete=discrete, missing=missing)
    told = X.notes if isinstance(X, Table) else ()
    for note in table.notes[len(told) :]:
        warn(note)
    if not again:
        if declared_names(discrete) is None:
            warn_of_few_levels(table)
        warn_of_copied_rows(table)
    check_suits(test, table)
    if callable(test):
        test = test_by_name(test, table.names)
    ready, report = prepared(table, degenerate, transform)
    for note in report.notes:
        warn(note)
    if transform is None and not callable(test) and not again:
        warn_of_poor_fit(ready)
    gone = set(report.dropped)
    names = tuple(name for name in table.names if name not in gone)
    kinds = {name: kind for name, kind in zip(table.names, table.kinds, strict=True) if name not in gone}
    return Input(
        statistics_of(ready, test), names, ready.n_rows, kinds, report.isolated, tuple(report.dropped)
    )


def statistics_of(table: Table, test: Any) -> Statistics:
    """Make the statistics that suit a table that `prepared` gave, in an order of their content alone.

    Raises
    ------
    ParameterError
        When the test can't be asked of columns of these kinds.
    DataError
        When two columns share too few rows.
    """
    statistics = suited_statistics(table, "auto" if callable(test) else test)
    return CallableTest(test, statistics.names, table.n_rows) if callable(test) else statistics
