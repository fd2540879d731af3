"""Transformations of columns before anything is estimated."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from rolearn.data.table import Table

__all__ = ["normal_scores", "rank_continuous", "rank_to_normal"]


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
    normal = np.full(values.shape, np.nan)
    untied: dict[int, np.ndarray] = {}  # for each number of cells, as most columns of measurements are
    for j in range(values.shape[1]):
        there = ~np.isnan(values[:, j])
        _, place, counts = np.unique(values[there, j], return_inverse=True, return_counts=True)
        n = len(place)
        if len(counts) < n:
            normal[there, j] = _quantiles_of_groups(counts)[place]
        else:
            if n not in untied:
                untied[n] = _quantiles_of_groups(counts)
            normal[there, j] = untied[n][place]
    return normal


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
    scores = np.tile(_quantiles_of_groups(np.ones(n, np.int64))[:, None], ordered.shape[1])
    tied = ordered[1:] == ordered[:-1]
    for j in np.flatnonzero(tied.any(axis=0)):
        counts = np.diff(np.flatnonzero(~tied[:, j]), prepend=-1, append=n - 1)
        scores[:, j] = np.repeat(_quantiles_of_groups(counts), counts)
    return scores


def _quantiles_of_groups(counts: np.ndarray) -> np.ndarray:
    """Give the quantile of each group of ties, from the lowest on."""
    last = np.cumsum(counts)  # the highest rank in each group
    shares = (last - (counts - 1) / 2.0) / (counts.sum() + 1)
    # as exact as scipy's, whose import takes longer than these take for some hundred thousand rows
    return np.fromiter(map(NormalDist().inv_cdf, shares.tolist()), np.float64, len(shares))
