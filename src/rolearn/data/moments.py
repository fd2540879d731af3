"""Correlations whose last bit doesn't depend on how many threads there are."""

from __future__ import annotations

import numpy as np

from rolearn.runtime.threads import single_blas_thread

__all__ = ["correlation_matrix", "standardize"]


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
    largest = np.abs(values).max(axis=0)
    centered = values / np.where(largest > 0, largest, 1.0)  # so that no sum or square can overflow
    centered = centered - centered.mean(axis=0)
    centered -= centered.mean(axis=0)  # once more, for columns whose mean dwarfs their spread
    centered /= np.abs(centered).max(axis=0)
    return centered / np.sqrt(np.square(centered).sum(axis=0))


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
    correlation = np.clip((correlation + correlation.T) / 2.0, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation
