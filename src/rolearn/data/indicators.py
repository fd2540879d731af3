"""Correlations of numbers and of the indicators of levels, from moments of all of them."""

from __future__ import annotations

import numpy as np

from rolearn.data.level_moments import LevelMoments
from rolearn.data.moments import tidied

__all__ = ["indicator_correlations"]

_EXACT_ROWS = 1 << 31  # products of two counts below it are exact


def indicator_correlations(sums: LevelMoments) -> tuple[np.ndarray, np.ndarray]:
    """Correlate numbers and the indicators of all levels of a column but the most frequent.

    Parameters
    ----------
    sums : LevelMoments
        Of columns none of which is constant.

    Returns
    -------
    float64 array, shape (m, m)
        Symmetric, ones on the diagonal; the blocks of columns come as the columns do, indicators from the
        more to the less frequent level.
    int64 array, shape (p,)
        How wide each block is.
    """
    blocks = [_kept(sums, j) for j in range(len(sums.names))]
    widths = np.array([len(kept) for kept in blocks], np.int64)
    starts = np.concatenate([[0], np.cumsum(widths)])
    place = {j: t for t, j in enumerate(j for j in range(len(blocks)) if j not in sums.counts)}
    comoment = np.zeros((starts[-1], starts[-1]))
    for i, rows in enumerate(blocks):
        for j, columns in enumerate(blocks[: i + 1]):
            block = _comoments(sums, place, i, j)[np.ix_(rows, columns)]
            comoment[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] = block
            comoment[starts[j] : starts[j + 1], starts[i] : starts[i + 1]] = block.T
    deviation = np.sqrt(np.diag(comoment))
    return tidied(comoment / deviation[:, None] / deviation), widths


def _kept(sums: LevelMoments, j: int) -> np.ndarray:
    """Give which levels have an indicator: those that occur but the most frequent, the first of equals."""
    if j not in sums.counts:
        return np.zeros(1, np.int64)
    counts = sums.counts[j]
    by_frequency = np.lexsort((np.arange(len(counts)), -counts))
    return by_frequency[1 : np.count_nonzero(counts)]


def _comoments(sums: LevelMoments, place: dict[int, int], i: int, j: int) -> np.ndarray:
    """Give the co-moments of all levels, or the number, of one column with those of another, j <= i.

    `place` is that of a column among the columns of numbers.
    """
    if i in sums.counts and j in sums.counts:
        both = np.diag(sums.counts[i]) if i == j else sums.pairs[j, i].T
        alone = np.outer(sums.counts[i], sums.counts[j])
        n = sums.n_rows
        return (n * both - alone) / n if n < _EXACT_ROWS else both - alone / n
    if i in sums.counts:
        return sums.sums[i][:, [place[j]]]
    if j in sums.counts:
        return sums.sums[j][:, [place[i]]].T
    return sums.moments.comoment[place[i], place[j]].reshape(1, 1)
