"""Transformations of columns before anything is estimated."""

from __future__ import annotations

import numpy as np

__all__ = ["rank_to_normal"]


def rank_to_normal(values: np.ndarray) -> np.ndarray:
    """Replace each column by the normal quantiles of its ranks (the nonparanormal of Liu et al. 2009).

    Ties share their average rank r, and a cell becomes the standard normal quantile of r / (n + 1), so
    the result depends on the order of the cells alone and not on their scale.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)

    Returns
    -------
    float64 array, shape (n_rows, n_columns)
    """
    from scipy.special import ndtri

    ranks = np.empty(values.shape, dtype=np.float64)
    for j in range(values.shape[1]):
        ranks[:, j] = _average_ranks(values[:, j])
    return ndtri(ranks / (values.shape[0] + 1))


def _average_ranks(column: np.ndarray) -> np.ndarray:
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)  # the highest rank in each group of ties
    return (last - (counts - 1) / 2.0)[place]
