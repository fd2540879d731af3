"""Correlations whose last bit doesn't depend on how many threads there are."""

from __future__ import annotations

import numpy as np

from rolearn.runtime.threads import single_blas_thread

__all__ = ["correlation_matrix", "pairwise_correlations", "standardize", "tidied", "weakest_combination"]


def standardize(values: np.ndarray) -> np.ndarray:
    """Center columns and scale them to length one.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)
        No column may be constant.

    Returns
    -------
    float64 array, shape (n_rows, n_columns)
        Columns of mean 0 and sum of squares 1.
    """
    values = np.asarray(values, dtype=np.float64)
    largest = _largest(values)
    unit = values / np.where(largest > 0, largest, 1.0)  # so that no sum or square can overflow
    unit -= unit.mean(axis=0)
    unit -= unit.mean(axis=0)  # once more, for columns whose mean dwarfs their spread
    unit /= _largest(unit)
    unit /= np.sqrt(np.square(unit).sum(axis=0))
    return unit


def _largest(values: np.ndarray) -> np.ndarray:
    """Give the largest size of each column's cells, without a table of all sizes, whose memory takes time."""
    return np.maximum(values.max(axis=0), -values.min(axis=0))


def correlation_matrix(values: np.ndarray) -> np.ndarray:
    """Pearson correlations of the columns.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)
        No column may be constant.

    Returns
    -------
    float64 array, shape (n_columns, n_columns)
        Symmetric, ones on the diagonal, entries within [-1, 1].
    """
    unit = standardize(values)
    with single_blas_thread():
        correlation = unit.T @ unit
    return tidied(correlation)


def tidied(correlation: np.ndarray) -> np.ndarray:
    """Take rounding out of correlations: symmetric, ones on the diagonal, entries within [-1, 1]."""
    correlation = np.clip((correlation + correlation.T) / 2.0, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def weakest_combination(correlation: np.ndarray) -> tuple[float, np.ndarray]:
    """Give the least eigenvalue of correlations, and the columns whose combination has that variance.

    Returns
    -------
    float
    int64 array
        Columns whose weight is at least a thousandth of the largest.
    """
    values, vectors = np.linalg.eigh(correlation)
    weights = np.abs(vectors[:, 0])
    return float(values[0]), np.flatnonzero(weights > 1e-3 * weights.max())


def pairwise_correlations(values: np.ndarray) -> np.ndarray:
    """Pearson correlations of each pair of columns over the rows where both are there.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)
        Missing cells are NaN.

    Returns
    -------
    float64 array, shape (n_columns, n_columns)
        Symmetric, ones on the diagonal, entries within [-1, 1]; 0 where a column doesn't vary over the rows
        shared. It need not be positive definite.
    """
    present = ~np.isnan(values)
    there = present.astype(np.float64)
    scaled = np.where(present, _roughly_standard(values, present), 0.0)
    with single_blas_thread():
        counts = there.T @ there
        sums = scaled.T @ there  # of column i over the rows that column j has
        squares = np.square(scaled).T @ there
        products = scaled.T @ scaled
    n = np.maximum(counts, 1.0)
    spread = squares - np.square(sums) / n
    shared = products - sums * sums.T / n
    scale = np.sqrt(np.maximum(spread, 0.0) * np.maximum(spread.T, 0.0))
    varies = np.minimum(spread, spread.T) > 1e-12 * np.maximum(squares, 1e-300)
    varies &= varies.T
    correlation = np.where(varies, shared / np.where(varies, scale, 1.0), 0.0)
    return tidied(correlation)


def _roughly_standard(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Center and scale by the cells that are there, so that sums over fewer rows lose no digits."""
    n = np.maximum(present.sum(axis=0), 1)
    filled = np.where(present, values, 0.0)
    largest = np.abs(filled).max(axis=0)
    filled = filled / np.where(largest > 0, largest, 1.0)
    for _ in range(2):  # once more, for columns whose mean dwarfs their spread
        filled = np.where(present, filled - filled.sum(axis=0) / n, 0.0)
    deviation = np.sqrt(np.square(filled).sum(axis=0) / n)
    return filled / np.where(deviation > 0, deviation, 1.0)
