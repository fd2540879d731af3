"""Which statistics suit a table and the test asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rolearn.data.canonical import canonical_order, with_canonical_codes
from rolearn.data.dask_parts import dask_discrete
from rolearn.data.kinds import declared_names
from rolearn.data.moments import correlation_matrix
from rolearn.data.origin import name_columns
from rolearn.data.table import Table
from rolearn.independence import DegenerateGaussian, Discrete, Gaussian, Statistics
from rolearn.independence.pairwise import PairwiseGaussian
from rolearn.runtime.errors import ParameterError

__all__ = ["TESTS", "check_suits", "check_test", "dask_statistics", "suited_kind", "suited_statistics"]

TESTS = ("auto", "fisher-z", "degenerate-gaussian", "g-square", "chi-square")


def suited_kind(test: str, discrete: Sequence[bool]) -> type[Gaussian | DegenerateGaussian | Discrete]:
    """Give the statistics that a test has, or "auto" where some columns, all or none are discrete."""
    if test == "auto":
        test = {0: "fisher-z", len(discrete): "g-square"}.get(sum(discrete), "degenerate-gaussian")
    if test == "fisher-z":
        return Gaussian
    return DegenerateGaussian if test == "degenerate-gaussian" else Discrete


def dask_statistics(frame: Any, test: str, discrete: Any, missing: str) -> Statistics:
    """Sum up a Dask DataFrame.

    Raises
    ------
    DataError, ParameterError
        When its columns can't be used, or don't suit the test.
    """
    kind = suited_kind(test, dask_discrete(frame, discrete))
    if kind is Gaussian:
        declared = list(declared_names(discrete) or ())
        if declared:
            raise ParameterError(
                f"test={test!r} takes numbers, and {name_columns(declared)} {_are(declared)} declared "
                "discrete; leave discrete out, or use test='degenerate-gaussian', which takes columns of "
                "both kinds"
            )
        return Gaussian.from_dask(frame, missing)
    if kind is Discrete:
        return Discrete.from_dask(frame, missing, discrete, "g-square" if test == "auto" else test)
    return DegenerateGaussian.from_dask(frame, missing, discrete)


def check_test(test: Any) -> None:
    """Refuse what is neither the name of a test nor callable.

    Raises
    ------
    ParameterError
        Listing the names.
    """
    if callable(test) or (isinstance(test, str) and test in TESTS):
        return
    allowed = ", ".join(map(repr, TESTS))
    raise ParameterError(f"test is {test!r}; allowed are {allowed} or a callable (x, y, given) -> p-value")


def check_suits(test: Any, table: Table) -> None:
    """Refuse a test that can't be asked of the columns there are, where it has a name.

    Raises
    ------
    ParameterError
        Naming columns, and the test to use.
    """
    if callable(test):
        return
    if test == "fisher-z":
        _refuse(test, table, table.n_levels > 2, "numbers", "discrete")
    if test in ("g-square", "chi-square"):
        _refuse(test, table, table.n_levels == 0, "discrete columns", "continuous")


def _refuse(test: str, table: Table, misfits: np.ndarray, takes: str, kind: str) -> None:
    if not misfits.any():
        return
    names = [table.names[i] for i in np.flatnonzero(misfits)]
    better = "g-square" if (table.n_levels > 0).all() else "degenerate-gaussian"
    reason = "columns of both kinds" if better == "degenerate-gaussian" else "levels in any order"
    raise ParameterError(
        f"test={test!r} takes {takes}, and {name_columns(names)} {_are(names)} {kind}; "
        f"use test={better!r}, which takes {reason}"
    )


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def suited_statistics(table: Table, test: str) -> Statistics:
    """Give the statistics of a test over the table, in an order that the content of the columns decides.

    Sums are made in an order of columns and levels made from the columns' content, so that not even their
    last bits depend on how the columns are arranged or what levels are called.

    Parameters
    ----------
    table : Table
        Without constants and copies; missing cells, NaN, where pairs of columns are to be compared.
    test : str
        One of `TESTS` that suits. "auto" is fisher-z where all columns are continuous, g-square where all
        are discrete, degenerate-gaussian else.
    """
    levels = table.n_levels
    if test == "auto":
        test = suited_kind(test, (levels > 0).tolist()).test_name or "g-square"
    values = with_canonical_codes(table.values, levels)
    positions = canonical_order(values)
    names = [table.names[i] for i in positions]
    statistics = _statistics(np.ascontiguousarray(values[:, positions]), levels[positions], names, test)
    return statistics.arranged(statistics.canonical_order())


def _statistics(values: np.ndarray, levels: np.ndarray, names: list[str], test: str) -> Statistics:
    if test == "fisher-z" and np.isnan(values).any():
        return PairwiseGaussian.of_rows(values, names)
    if test == "fisher-z":
        return Gaussian.of_checked(correlation_matrix(values), len(values), names)
    if test == "degenerate-gaussian":
        return DegenerateGaussian.of_rows(values, levels, names)
    return Discrete.of_rows(values, levels, names, test)
