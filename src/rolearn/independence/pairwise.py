"""Gaussian statistics of a table with missing cells: each correlation from the rows that have both."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rolearn.data.missing import FEWEST_SHARED, pair_counts
from rolearn.data.moments import pairwise_correlations
from rolearn.independence.canonical import refined_order
from rolearn.independence.gaussian import Gaussian
from rolearn.independence.pairwise_kernels import PairwiseArrays
from rolearn.runtime.errors import DataError
from rolearn.runtime.threads import single_blas_thread

__all__ = [
    "PairwiseGaussian",
    "enough_shared",
    "least_eigenvalue",
    "nearest_correlation",
    "one_number_of",
    "shared_rows",
]

# Bounds on the smallest eigenvalue that a correlation matrix is given.
_LEAST, _MOST = 1e-3, 0.5
_ROUNDS = 200
_SETTLED = 1e-9


class PairwiseGaussian(Gaussian):
    """Correlations over the rows that each pair of columns shares, tested by Fisher's z.

    Such a matrix need not be positive definite. Then it is replaced by the nearest correlation matrix (Higham
    2002, IMA J. Numer. Anal. 22:329) whose eigenvalues are at least `least_eigenvalue`. The n of a test is
    the smallest number of rows that two of its variables share; the likelihood has one n, their harmonic mean
    over all pairs.

    Valid where cells are missing completely at random (MCAR): whether one is depends on no value.

    Attributes
    ----------
    counts : float64 array, shape (p, p)
        Rows shared by each pair.
    """

    arrays: PairwiseArrays

    @classmethod
    def of_rows(cls, values: np.ndarray, names: Sequence[str]) -> PairwiseGaussian:
        """Take columns without constants or copies, missing cells as NaN.

        Raises
        ------
        DataError
            When two columns share fewer than 5 rows; names them.
        """
        counts = shared_rows(values, names)
        correlation = pairwise_correlations(values)
        correlation = nearest_correlation(correlation, least_eigenvalue(counts, len(values), len(names)))
        return cls.of_pairs(correlation, counts, names)

    @classmethod
    def of_pairs(cls, correlation: np.ndarray, counts: np.ndarray, names: Sequence[str]) -> PairwiseGaussian:
        """Take a positive definite correlation matrix and the number of rows behind each entry."""
        made = object.__new__(cls)
        made.names = tuple(names)
        made.n_samples = one_number_of(counts)
        made.arrays = PairwiseArrays(
            np.ascontiguousarray(correlation), made.n_samples, np.ascontiguousarray(counts)
        )
        return made

    @property
    def counts(self) -> np.ndarray:
        """Rows shared by each pair, shape (p, p)."""
        return self.arrays.counts

    def canonical_order(self) -> np.ndarray:
        """Order variables by the sizes of their correlations and the rows behind them."""
        return refined_order(np.abs(self.correlation) + 2.0 * self.counts)

    def arranged(self, positions: np.ndarray) -> PairwiseGaussian:
        """Give the same statistics with their variables in this order."""
        square = np.ix_(positions, positions)
        names = [self.names[i] for i in positions]
        return PairwiseGaussian.of_pairs(self.correlation[square], self.counts[square], names)

    def n_used(self, names: Sequence[str]) -> float:
        """Give the n of a test that involves these variables."""
        positions = self.positions(names)
        return float(self.counts[np.ix_(positions, positions)].min())


def shared_rows(values: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Count the rows that have both of two columns; float64 array of shape (p, p).

    Raises
    ------
    DataError
        When there are fewer than 5 for a pair; names the two.
    """
    return enough_shared(pair_counts(values), names)


def enough_shared(counts: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Give the rows that have both of two columns, (p, p), where they are 5 at least.

    Raises
    ------
    DataError
        As `shared_rows`.
    """
    for i, j in np.argwhere(counts < FEWEST_SHARED):
        raise DataError(
            f"{counts[i, j]:.0f} rows have both {names[i]!r} and {names[j]!r}; at least {FEWEST_SHARED}"
            " are needed to compare the two; leave one of them out"
        )
    return counts


def least_eigenvalue(counts: np.ndarray, n_rows: int, width: int) -> float:
    """Give the size of eigenvalues that missing cells alone account for; smaller ones say nothing.

    Cells missing at random add noise to correlations, of variance up to 1 / m - 1 / n for m of n rows left,
    and a symmetric matrix of such noise has eigenvalues up to twice its deviation times the square root of
    the width. A quarter of that, at least 0.001 and at most 0.5.
    """
    noise = max(1.0 / one_number_of(counts) - 1.0 / n_rows, 0.0)
    return min(max(_LEAST, 0.5 * math.sqrt(width * noise)), _MOST)


def one_number_of(counts: np.ndarray) -> float:
    """Give the harmonic mean over pairs of columns of the rows they share: the n of a likelihood."""
    p = len(counts)
    if p == 1:
        return float(counts[0, 0])
    pairs = counts[np.triu_indices(p, 1)]
    return len(pairs) / math.fsum(1.0 / pairs)  # exact, so that the order of columns doesn't matter


def nearest_correlation(matrix: np.ndarray, least: float) -> np.ndarray:
    """Give the matrix itself if its eigenvalues are at least `least`, else the nearest correlation matrix.

    Alternating projections with Dykstra's correction (Higham 2002): onto matrices whose eigenvalues are at
    least `least`, and onto those with a diagonal of ones. Nearest in the Frobenius norm.

    Parameters
    ----------
    matrix : float64 array, shape (p, p)
        Symmetric, ones on the diagonal.
    least : float
        Less than 1.
    """
    with single_blas_thread():
        if np.linalg.eigvalsh(matrix)[0] >= least:
            return matrix
        current, correction = matrix, np.zeros_like(matrix)
        for _ in range(_ROUNDS):
            shifted = current - correction
            lifted = _lifted(shifted, least)
            correction = lifted - shifted
            following = lifted.copy()
            np.fill_diagonal(following, 1.0)
            change = np.abs(following - current).max()
            current = following
            if change < _SETTLED:
                break
        return _with_ones(_lifted(current, least))


def _lifted(matrix: np.ndarray, least: float) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    lifted = (vectors * np.maximum(values, least)) @ vectors.T
    return (lifted + lifted.T) / 2.0


def _with_ones(matrix: np.ndarray) -> np.ndarray:
    scale = np.sqrt(np.diag(matrix))
    scaled = matrix / np.outer(scale, scale)
    np.fill_diagonal(scaled, 1.0)
    return scaled
