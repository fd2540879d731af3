"""Mixed statistics: continuous columns as they are, discrete ones as blocks of indicators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.data.batches import Batches, file_batches
from rolearn.data.canonical import with_canonical_codes
from rolearn.data.dask_parts import dask_moments
from rolearn.data.indicators import indicator_correlations
from rolearn.data.level_moments import LevelMoments
from rolearn.data.moments import correlation_matrix, pairwise_correlations
from rolearn.data.one_pass import batches_of, one_pass
from rolearn.data.sum_checks import check_moments, refuse_dependent
from rolearn.data.sums import MomentSums
from rolearn.independence.canonical import refined_order
from rolearn.independence.mixed_kernels import BlockArrays
from rolearn.independence.pairwise import (
    least_eigenvalue,
    nearest_correlation,
    one_number_of,
    shared_rows,
)
from rolearn.independence.statistics import Statistics

__all__ = ["DegenerateGaussian"]


class DegenerateGaussian(Statistics):
    """Columns of any kinds, tested and scored as if they and the indicators of levels were jointly Gaussian.

    A discrete column with k levels becomes k - 1 indicators, a block that enters and leaves together; which
    level has none changes nothing. Tests are likelihood ratios of blocks with Bartlett's factor, with the
    product of the two block sizes as degrees of freedom; the bic cost counts as many parameters an edge
    (Andrews, Ramsey and Cooper 2019, "Learning high-dimensional directed acyclic graphs with mixed
    data-types", PMLR 104).

    What shifts no mean is not seen: interactions without a main effect, such as the exclusive or of two
    columns, and a category that changes a variance alone.

    Attributes
    ----------
    arrays : BlockArrays
        ``arrays.correlation`` are those of all the columns of blocks, in the order of `names`.
    """

    test_name = "degenerate-gaussian"
    has_local_likelihood = True

    def __init__(self, arrays: BlockArrays, names: Sequence[str], n_samples: float | None) -> None:
        self.arrays, self.names, self.n_samples = arrays, tuple(names), n_samples

    @classmethod
    def of_rows(cls, values: np.ndarray, n_levels: np.ndarray, names: Sequence[str]) -> DegenerateGaussian:
        """Take rows whose columns were checked before.

        Parameters
        ----------
        values : float64 array, shape (n_rows, p)
            A discrete column holds the codes 0, 1, ... of its levels. A column with one level that occurs
            depends on nothing. With missing cells, NaN, correlations and tests are as in `PairwiseGaussian`.
        n_levels : int array, shape (p,)
            0 for a continuous column.
        names : sequence of str

        Raises
        ------
        DataError
            When two columns share fewer than 5 rows; names them.
        """
        coded = with_canonical_codes(values, n_levels)
        blocks = [_embedded(coded[:, i], n_levels[i] > 0) for i in range(len(names))]
        starts = np.concatenate([[0], np.cumsum([block.shape[1] for block in blocks])]).astype(np.int64)
        rows = shared_rows(coded, names)
        correlation = _correlations(np.hstack(blocks), rows)
        arrays = BlockArrays(correlation, starts, rows, one_number_of(rows), np.zeros(1, np.uint8))
        return cls(arrays, names, float(len(values)))

    @classmethod
    def of_moments(cls, sums: LevelMoments) -> DegenerateGaussian:
        """Take the moments of a table: the correlations of its rows, to 1e-12.

        Raises
        ------
        DataError
            When columns are constant, copies, or determine each other; names them.
        """
        check_moments(sums)
        correlation, widths = indicator_correlations(sums)
        p, n = len(sums.names), float(sums.n_rows)
        if any(levels is None for levels in sums.levels):
            refuse_dependent(correlation, np.repeat(sums.names, widths).tolist(), sums.n_rows)
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        arrays = BlockArrays(correlation, starts, np.full((p, p), n), n, np.zeros(1, np.uint8))
        made = cls(arrays, sums.names, n)
        made.levels = sums.sorted_levels()
        return made

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
    ) -> DegenerateGaussian:
        """Sum up a file that needn't fit into memory, in one pass, levels as they are met.

        Parameters
        ----------
        path, delimiter, missing_marker, drop, missing, progress
            As for `Gaussian.from_file`.
        discrete : "auto" or list of str
            Columns of numbers that stand for categories. Text, booleans and categories always do.

        Raises
        ------
        DataError
            As for a table in memory: names the file, the line and the columns; also where its columns have
            more than 1500 levels in all.
        ParameterError
            When an argument isn't allowed.
        """
        batches = file_batches(path, delimiter, missing_marker, drop, discrete)
        return cls._from_batches(batches, missing, progress)

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[Any],
        names: Sequence[Any] | None = None,
        missing: str = "error",
        discrete: Any = "auto",
    ) -> DegenerateGaussian:
        """Sum up rows that come in parts: data frames of any library, or arrays of shape (rows, p).

        Parameters
        ----------
        batches, names, missing
            As for `Gaussian.from_batches`.
        discrete : "auto" or list of str
            As for `from_file`.

        Raises
        ------
        DataError, ParameterError
            As `from_file`.
        """
        return cls._from_batches(batches_of(batches, names, discrete), missing)

    @classmethod
    def from_dask(cls, frame: Any, missing: str = "error", discrete: Any = "auto") -> DegenerateGaussian:
        """Sum up a Dask DataFrame: each partition where it is, then their sums in a tree.

        Raises
        ------
        DataError, ParameterError
            As `from_file`.
        """
        return cls.of_moments(dask_moments(frame, missing, discrete))

    @classmethod
    def _from_batches(
        cls, batches: Batches, missing: str, progress: Callable[[int], object] | None = None
    ) -> DegenerateGaussian:
        sums = MomentSums(batches.names, batches.origin)
        one_pass(batches, sums, missing, progress)
        return cls.of_moments(sums.total())

    @property
    def widths(self) -> np.ndarray:
        """How many columns each variable has; int64 array of shape (p,)."""
        return np.diff(self.arrays.starts)

    def canonical_order(self) -> np.ndarray:
        """Order variables by their squared canonical correlations, which no choice of a level changes."""
        white = _whitened(self.arrays)
        starts = self.arrays.starts[:-1]
        strength = np.add.reduceat(np.add.reduceat(np.square(white), starts, axis=0), starts, axis=1)
        return refined_order((strength + strength.T) / 2)

    def n_used(self, names: Sequence[str]) -> float:
        """Give the smallest number of rows that two of the variables share."""
        positions = self.positions(names)
        return float(self.arrays.rows[np.ix_(positions, positions)].min())

    def arranged(self, positions: np.ndarray) -> DegenerateGaussian:
        """Give the same statistics with their variables in this order."""
        old = self.arrays
        columns = np.concatenate([np.arange(old.starts[i], old.starts[i + 1]) for i in positions])
        arrays = BlockArrays(
            correlation=np.ascontiguousarray(old.correlation[np.ix_(columns, columns)]),
            starts=np.concatenate([[0], np.cumsum(self.widths[positions])]).astype(np.int64),
            rows=np.ascontiguousarray(old.rows[np.ix_(positions, positions)]),
            n_samples=old.n_samples,
            signal=old.signal,
        )
        return DegenerateGaussian(arrays, [self.names[i] for i in positions], self.n_samples)


def _embedded(column: np.ndarray, discrete: bool) -> np.ndarray:
    """Give a column as it is, or indicators of all its levels but the most frequent one."""
    if not discrete:
        return column[:, None]
    known = column[~np.isnan(column)]
    levels = int(known.max(initial=0.0)) + 1
    if levels == 1:
        return np.where(np.isnan(column), np.nan, 0.0)[:, None]
    indicators = (column[:, None] == np.arange(1, levels)).astype(np.float64)
    indicators[np.isnan(column)] = np.nan
    return indicators


def _correlations(embedded: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Correlate columns; a constant one with nothing."""
    if np.isnan(embedded).any():
        least = least_eigenvalue(counts, len(embedded), embedded.shape[1])
        return nearest_correlation(pairwise_correlations(embedded), least)
    varying = embedded.min(axis=0) < embedded.max(axis=0)
    correlation = np.eye(embedded.shape[1])
    if varying.any():
        correlation[np.ix_(varying, varying)] = correlation_matrix(embedded[:, varying])
    return correlation


def _whitened(arrays: BlockArrays) -> np.ndarray:
    """Correlations after each block has been made uncorrelated within; the same bits wherever it stands."""
    whiteners = []
    for start, stop in zip(arrays.starts[:-1], arrays.starts[1:], strict=True):
        block = slice(int(start), int(stop))
        values, vectors = np.linalg.eigh(arrays.correlation[block, block])
        whiteners.append(vectors / np.sqrt(np.maximum(values, 1e-12)))
    half = _rows_whitened(arrays.correlation, whiteners)
    return _rows_whitened(half.T, whiteners).T


def _rows_whitened(matrix: np.ndarray, whiteners: Sequence[np.ndarray]) -> np.ndarray:
    """Multiply blocks of rows by whiteners, term by term: how a matrix product rounds depends on places."""
    whitened, start = np.empty_like(matrix), 0
    for whitener in whiteners:
        block = slice(start, start + len(whitener))
        whitened[block] = sum(np.multiply.outer(*pair) for pair in zip(whitener, matrix[block], strict=True))
        start = block.stop
    return whitened
