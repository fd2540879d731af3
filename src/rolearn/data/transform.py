"""Transformations of columns before anything is estimated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rolearn.data.table import Table

__all__ = ["rank_continuous", "rank_to_normal"]


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
    from scipy.special import ndtri

    shares = np.full(values.shape, np.nan)
    for j in range(values.shape[1]):
        there = ~np.isnan(values[:, j])
        shares[there, j] = _average_ranks(values[there, j]) / (there.sum() + 1)
    return ndtri(shares)


def _average_ranks(column: np.ndarray) -> np.ndarray:
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)  # the highest rank in each group of ties
    return (last - (counts - 1) / 2.0)[place]
