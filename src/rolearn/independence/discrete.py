"""Discrete statistics: the distinct rows of codes and how often each occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.data.batches import Batches, file_batches
from rolearn.data.canonical import canonical_order, with_canonical_codes
from rolearn.data.dask_parts import dask_rows
from rolearn.data.distinct_rows import DistinctRows, RowCounts, check_level_count, recoded
from rolearn.data.levels import sorted_levels
from rolearn.data.one_pass import batches_of, one_pass
from rolearn.data.sum_checks import check_rows
from rolearn.data.sums import RowSums
from rolearn.independence.discrete_kernels import TableArrays
from rolearn.independence.pairwise import enough_shared, one_number_of
from rolearn.independence.statistics import Statistics
from rolearn.runtime.errors import ParameterError

__all__ = ["DISCRETE_TESTS", "Discrete"]

DISCRETE_TESTS = ("g-square", "chi-square")


class Discrete(Statistics):
    """Columns of levels, tested by G-square or chi-square, with a multinomial likelihood.

    Contingency tables hold the combinations that occur, found by hashing: memory grows with the rows,
    whatever the product of levels. The degrees of freedom of x and y given a set are the sum, over the
    combinations of the set's levels that occur, of (levels of x that occur there - 1) times (levels of y that
    occur there - 1). Tests use the rows that are complete for their variables, the bic cost of a variable
    those complete for it and its parents, scaled to one number of rows.

    Attributes
    ----------
    arrays : TableArrays
    """

    has_local_likelihood = True
    quick = False  # a loop over all rows
    usual_penalty = 1.0  # of an edge's several parameters each

    def __init__(self, arrays: TableArrays, names: Sequence[str], n_samples: float | None) -> None:
        self.arrays, self.names, self.n_samples = arrays, tuple(names), n_samples
        self.test_name = DISCRETE_TESTS[int(arrays.pearson)]

    @classmethod
    def of_rows(
        cls, values: np.ndarray, n_levels: np.ndarray, names: Sequence[str], test: str = "g-square"
    ) -> Discrete:
        """Take rows of codes.

        Parameters
        ----------
        values : float64 array, shape (n_rows, p)
            Codes 0, 1, ... of levels; NaN where missing.
        n_levels : int array, shape (p,)
            At least 1 each.
        names : sequence of str
        test : "g-square" or "chi-square"

        Raises
        ------
        ParameterError
            When there is no such test.
        DataError
            When a column has more than 32,000 levels, or two share fewer than 5 rows; names them.
        """
        _check_test(test)
        coded = with_canonical_codes(values, n_levels)
        codes = np.where(np.isnan(coded), -1.0, coded)
        if codes.size:
            most = codes.max(axis=0)
            check_level_count(names[int(np.argmax(most))], int(most.max()) + 1)
        distinct = DistinctRows(len(names))
        distinct.add(codes.astype(np.int16))
        return cls._of_distinct(distinct.rows, distinct.counts, names, test)

    @classmethod
    def of_counts(cls, sums: RowCounts, test: str = "g-square") -> Discrete:
        """Take the distinct rows of a table, checked: the same, bit for bit, as of all its rows.

        Raises
        ------
        ParameterError, DataError
            As `of_rows`.
        """
        _check_test(test)
        numbers = []
        for j in range(len(sums.names)):
            counts = sums.counts_of(j)
            rank = np.empty(len(counts), np.int64)
            rank[np.lexsort((np.arange(len(counts)), -counts))] = np.arange(len(counts))
            numbers.append(rank)  # as `with_canonical_codes`
        return cls._of_distinct(recoded(sums.rows, numbers), sums.counts, sums.names, test)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        delimiter: str | None = None,
        missing_marker: str | None = None,
        drop: Sequence[str] = (),
        missing: str = "error",
        progress: Callable[[int], object] | None = None,
        discrete: Any = "auto",
        test: str = "g-square",
    ) -> Discrete:
        """Count the distinct rows of a file that needn't fit into memory, in one pass.

        The statistics are those of the table in memory, bit for bit.

        Parameters
        ----------
        path, delimiter, missing_marker, drop, progress
            As for `Gaussian.from_file`.
        missing : "error", "listwise" or "pairwise"
            Whether missing cells are refused, their rows left out, or left to each test.
        discrete : "auto" or list of str
            Columns of numbers that stand for categories. Text, booleans and categories always do.
        test : "g-square" or "chi-square"

        Raises
        ------
        DataError
            As for a table in memory: names the file, the line and the columns; also where a column is
            numbers, or the distinct rows are too many for memory (three million of 20 columns).
        ParameterError
            When an argument isn't allowed.
        """
        batches = file_batches(path, delimiter, missing_marker, drop, discrete)
        return cls._from_batches(batches, missing, test, progress)

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[Any],
        names: Sequence[Any] | None = None,
        missing: str = "error",
        discrete: Any = "auto",
        test: str = "g-square",
    ) -> Discrete:
        """Count distinct rows that come in parts: data frames of any library, or arrays of shape (rows, p).

        Parameters
        ----------
        batches, names
            As for `Gaussian.from_batches`.
        missing, discrete, test
            As for `from_file`.

        Raises
        ------
        DataError, ParameterError
            As `from_file`.
        """
        return cls._from_batches(batches_of(batches, names, discrete), missing, test)

    @classmethod
    def from_dask(
        cls, frame: Any, missing: str = "error", discrete: Any = "auto", test: str = "g-square"
    ) -> Discrete:
        """Count the distinct rows of a Dask DataFrame: each partition where it is, then all in a tree.

        Raises
        ------
        DataError, ParameterError
            As `from_file`.
        """
        _check_test(test)
        return cls._of_sums(dask_rows(frame, missing, discrete), test)

    @classmethod
    def _from_batches(
        cls,
        batches: Batches,
        missing: str,
        test: str,
        progress: Callable[[int], object] | None = None,
    ) -> Discrete:
        _check_test(test)
        sums = RowSums(batches.names, batches.origin)
        one_pass(batches, sums, missing, progress)
        return cls._of_sums(sums.total(), test)

    @classmethod
    def _of_sums(cls, sums: RowCounts, test: str) -> Discrete:
        check_rows(sums)
        made = cls.of_counts(sums, test)
        made.levels = tuple(tuple(sorted_levels(levels)) for levels in sums.levels)
        return made

    @classmethod
    def _of_distinct(cls, rows: np.ndarray, counts: np.ndarray, names: Sequence[str], test: str) -> Discrete:
        codes, weights = np.ascontiguousarray(rows.T), counts.astype(np.float64)
        arrays = TableArrays(
            codes=codes,
            weights=weights,
            n_levels=np.maximum(codes.max(axis=1, initial=0).astype(np.int64) + 1, 1),
            n_samples=one_number_of(_shared(codes, weights, names)),
            complete=bool((codes >= 0).all()),
            pearson=test == "chi-square",
            signal=np.zeros(1, np.uint8),
        )
        return cls(arrays, names, float(weights.sum()))

    def canonical_order(self) -> np.ndarray:
        """Order variables by the contents of their columns."""
        return canonical_order(self.arrays.codes.T)

    def n_used(self, names: Sequence[str]) -> float:
        """Give the number of rows that are complete for the variables."""
        known = (self.arrays.codes[self.positions(names)] >= 0).all(axis=0)
        return float(self.arrays.weights[known].sum())

    def arranged(self, positions: np.ndarray) -> Discrete:
        """Give the same statistics with their variables in this order."""
        old = self.arrays
        arrays = old._replace(
            codes=np.ascontiguousarray(old.codes[positions]), n_levels=old.n_levels[positions]
        )
        return Discrete(arrays, [self.names[i] for i in positions], self.n_samples)


def _check_test(test: str) -> None:
    if test not in DISCRETE_TESTS:
        allowed = " and ".join(map(repr, DISCRETE_TESTS))
        raise ParameterError(f"test is {test!r}; of discrete columns there are {allowed}")


def _shared(codes: np.ndarray, weights: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Count the rows that have both of two columns."""
    p = len(codes)
    counts = np.full((p, p), weights.sum())
    lacking = [i for i in range(p) if (codes[i] < 0).any()]
    for i in lacking:
        for j in range(p):
            counts[i, j] = counts[j, i] = weights[(codes[i] >= 0) & (codes[j] >= 0)].sum()
    return enough_shared(counts, names)
