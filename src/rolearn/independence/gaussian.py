"""Gaussian statistics: one correlation matrix and the number of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.data.batches import Batches, file_batches
from rolearn.data.dask_parts import dask_moments
from rolearn.data.level_moments import LevelMoments
from rolearn.data.moments import weakest_combination
from rolearn.data.one_pass import batches_of, one_pass
from rolearn.data.sum_checks import check_moments
from rolearn.data.sums import MomentSums
from rolearn.independence.canonical import refined_order
from rolearn.independence.gaussian_kernels import GaussianArrays
from rolearn.independence.statistics import Statistics
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import variable_names
from rolearn.runtime.numbers import is_number

__all__ = ["Gaussian"]

# Correlation matrices with a smaller eigenvalue are singular for our purposes.
_SINGULAR = 1e-12


class Gaussian(Statistics):
    """Covariances of jointly Gaussian variables, tested by Fisher's z.

    Parameters
    ----------
    covariance : array_like, shape (p, p)
        Covariances or correlations.
    n_samples : int
        The number of rows they were computed from, at least 5.
    names : sequence of str, optional
        Where not given, the columns of a DataFrame, else X1, X2, ...

    Raises
    ------
    DataError
        When the matrix is no covariance matrix, or has an exact linear dependence that the number of
        rows doesn't explain; names the variables.

    Examples
    --------
    >>> import rolearn
    >>> covariance = [[1.0, 0.0, 0.8], [0.0, 1.0, 0.8], [0.8, 0.8, 2.0]]
    >>> statistics = rolearn.Gaussian(covariance, n_samples=500, names=["A", "B", "C"])
    >>> print(rolearn.learn(statistics).pag_)
    A o-> C
    B o-> C
    """

    test_name = "fisher-z"

    def __init__(self, covariance: Any, n_samples: float, names: Sequence[str] | None = None) -> None:
        matrix = _checked_matrix(covariance)
        if names is None:
            names = getattr(covariance, "columns", None)
        self.names = variable_names(names, len(matrix))
        self.n_samples = _checked_rows(n_samples)
        variance = np.diag(matrix).copy()
        if not (variance > 0).all():
            constant = [self.names[i] for i in np.flatnonzero(~(variance > 0))]
            raise DataError(f"the variance of {', '.join(constant)} is not positive; leave such columns out")
        scale = np.sqrt(variance)
        correlation = matrix / np.outer(scale, scale)
        np.fill_diagonal(correlation, 1.0)
        self._check_rank(correlation)
        self.arrays = GaussianArrays(np.ascontiguousarray(correlation), float(self.n_samples))

    @classmethod
    def of_checked(cls, correlation: np.ndarray, n_samples: float, names: Sequence[str]) -> Gaussian:
        """Take correlations of rows whose columns were checked before."""
        made = object.__new__(cls)
        made.names, made.n_samples = tuple(names), float(n_samples)
        made.arrays = GaussianArrays(np.ascontiguousarray(correlation), float(n_samples))
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
    ) -> Gaussian:
        """Sum up a file that needn't fit into memory, in one pass.

        Parameters
        ----------
        path : str or Path
            CSV or TSV (any suffix), Parquet (.parquet, .pq) or Feather (.feather, .arrow, .ipc).
        delimiter, missing_marker, drop
            Of a text file one character, found where not given; what a missing cell reads besides the usual;
            columns to leave out.
        missing : "error" or "listwise"
            Whether missing cells are refused, or their rows left out.
        progress : callable, optional
            Receives the number of rows read so far.

        Returns
        -------
        Gaussian
            Correlations equal to those of the table in memory to 1e-12.

        Raises
        ------
        DataError
            As for a table in memory: names the file, the line and the columns.
        ParameterError
            When an argument isn't allowed.
        """
        return cls._from_batches(file_batches(path, delimiter, missing_marker, drop), missing, progress)

    @classmethod
    def from_batches(
        cls, batches: Iterable[Any], names: Sequence[Any] | None = None, missing: str = "error"
    ) -> Gaussian:
        """Sum up rows that come in parts: data frames of any library, or arrays of shape (rows, p).

        Parameters
        ----------
        batches : iterable
            Each with the same columns; it is gone through once.
        names : sequence, optional
            Of the columns, in place of the data's own.
        missing : "error" or "listwise"
            As for `from_file`.

        Raises
        ------
        DataError
            When the rows can't be used, or a part has other columns than the first.
        ParameterError
            When an argument isn't allowed.
        """
        return cls._from_batches(batches_of(batches, names), missing)

    @classmethod
    def from_dask(cls, frame: Any, missing: str = "error") -> Gaussian:
        """Sum up a Dask DataFrame: each partition where it is, then their sums in a tree.

        Raises
        ------
        DataError
            When the rows can't be used.
        ParameterError
            When an argument isn't allowed.
        """
        return cls._of_sums(dask_moments(frame, missing, only_numbers=True))

    @classmethod
    def _from_batches(
        cls, batches: Batches, missing: str, progress: Callable[[int], object] | None = None
    ) -> Gaussian:
        sums = MomentSums(batches.names, batches.origin, only_numbers=True)
        one_pass(batches, sums, missing, progress)
        return cls._of_sums(sums.total())

    @classmethod
    def _of_sums(cls, sums: LevelMoments) -> Gaussian:
        check_moments(sums)
        return cls(sums.moments.correlation(), sums.n_rows, sums.names)

    @property
    def correlation(self) -> np.ndarray:
        """The (p, p) correlation matrix."""
        return self.arrays.correlation

    def canonical_order(self) -> np.ndarray:
        """Order variables by the sizes of their correlations: neither units nor signs change it."""
        return refined_order(np.abs(self.correlation))

    def arranged(self, positions: np.ndarray) -> Gaussian:
        """Give the same statistics with their variables in this order."""
        correlation = self.correlation[np.ix_(positions, positions)]
        return Gaussian.of_checked(correlation, self.arrays.n_samples, [self.names[i] for i in positions])

    def _check_rank(self, correlation: np.ndarray) -> None:
        least, involved = weakest_combination(correlation)
        if least < -1e-8:
            raise DataError(
                f"the covariance matrix has a negative eigenvalue ({least:.2g} after scaling to "
                "correlations); a covariance matrix has none"
            )
        if least < _SINGULAR and self.n_samples is not None and self.n_samples > len(correlation) + 1:
            names = ", ".join(self.names[i] for i in involved)
            raise DataError(
                f"the columns {names} are linearly dependent; leave one of them out, since no test can tell "
                "their roles apart"
            )


def _checked_matrix(covariance: Any) -> np.ndarray:
    try:
        matrix = np.array(covariance, dtype=float)
    except (TypeError, ValueError):
        raise DataError("covariance is not a matrix of numbers") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 1:
        raise DataError(f"covariance has shape {matrix.shape}; give a square matrix")
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise DataError(f"covariance[{i}, {j}] is {matrix[i, j]}; all entries must be finite")
    gap = np.abs(matrix - matrix.T)
    if gap.max() > 1e-8 * np.abs(matrix).max():
        i, j = np.unravel_index(gap.argmax(), gap.shape)
        raise DataError(f"covariance[{i}, {j}] and covariance[{j}, {i}] differ; give a symmetric matrix")
    return (matrix + matrix.T) / 2


def _checked_rows(n_samples: Any) -> float:
    if not is_number(n_samples):
        raise ParameterError(f"n_samples is {n_samples!r}; give the number of rows")
    if not 5 <= n_samples < np.inf:
        raise ParameterError(f"n_samples is {n_samples}; at least 5 rows are needed")
    return float(n_samples)
