"""Transformations of columns before anything is estimated."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from rolearn.data.table import Table

__all__ = ["normal_scores", "rank_continuous", "rank_to_normal"]

_MANY = 100_000  # quantiles: of fewer the standard library is done before scipy is imported


def rank_continuous(table: Table) -> Table:
    """Transform the continuous columns of a table by `rank_to_normal`; discrete ones stay as they are."""
    values = table.values.copy()
    columns = [j for j, kind in enumerate(table.kinds) if not kind.is_discrete]
    values[:, columns] = rank_to_normal(table.values[:, columns])
    values.setflags(write=False)
    return replace(table, values=values)


def rank_to_normal(values: np.ndarray) -> np.ndarray:
    """Replace each column by the normal quantiles of its ranks (the nonparanormal of Liu et al. 2009).

    Ties share their average rank r, and a cell becomes the standard normal quantile of r / (n + 1), so
    the result depends on the order of the cells alone and not on their scale.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)
        Missing cells, NaN, have no rank and stay; n counts the others of a column.

    Returns
    -------
    float64 array, shape (n_rows, n_columns)
    """
    shares = np.full(values.shape, np.nan)
    for j in range(values.shape[1]):
        there = ~np.isnan(values[:, j])
        _, place, counts = np.unique(values[there, j], return_inverse=True, return_counts=True)
        shares[there, j] = _shares_of_groups(counts)[place]
    return _normal_quantiles(shares)


def normal_scores(ordered: np.ndarray) -> np.ndarray:
    """Give the same for columns whose cells are in ascending order and all there, which is much quicker.

    Parameters
    ----------
    ordered : float array, shape (n_rows, n_columns)

    Returns
    -------
    float64 array, shape (n_rows, n_columns)
    """
    n = len(ordered)
    untied = _normal_quantiles(_shares_of_groups(np.ones(n, np.int64)))
    scores = np.tile(untied[:, None], ordered.shape[1])
    tied = ordered[1:] == ordered[:-1]
    for j in np.flatnonzero(tied.any(axis=0)):
        counts = np.diff(np.flatnonzero(~tied[:, j]), prepend=-1, append=n - 1)
        scores[:, j] = np.repeat(_normal_quantiles(_shares_of_groups(counts)), counts)
    return scores


def _shares_of_groups(counts: np.ndarray) -> np.ndarray:
    """Give the average rank of each group of ties, from the lowest on, over n + 1."""
    last = np.cumsum(counts)  # the highest rank in each group
    return (last - (counts - 1) / 2.0) / (counts.sum() + 1)


def _normal_quantiles(shares: np.ndarray) -> np.ndarray:
    if shares.size > _MANY:
        from scipy.special import ndtri

        return ndtri(shares)
    quantiles = np.full(shares.shape, np.nan)
    there = ~np.isnan(shares)
    quantiles[there] = [*map(NormalDist().inv_cdf, shares[there].tolist())]
    return quantiles
