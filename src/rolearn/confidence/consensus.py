"""The graph in the middle of many: one of them, so that it is as valid as they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["medoid"]


def medoid(candidates: Sequence[np.ndarray], mark_counts: np.ndarray) -> int:
    """Choose the candidate with the fewest wrong marks to be expected.

    Where one of the counted graphs, drawn at random, is taken for the truth, a candidate g is expected to
    have as many wrong marks as 1 - frequency(i, j, g[i, j]) sums up to over ordered pairs (i, j). Counts are
    whole numbers, so that no rounding decides; of candidates as good the one whose marks read least is taken.

    Parameters
    ----------
    candidates : sequence of int8 arrays, shape (p, p)
        Their variables in an order that the data decide, so that the choice among equals does not depend on
        how columns are arranged.
    mark_counts : int64 array, shape (p, p, 4)
        ``mark_counts[i, j, m]``: in how many graphs the mark at j on the edge from i to j is m.

    Returns
    -------
    int
    """
    right = [_agreement(marks, mark_counts) for marks in candidates]
    best = max(right)
    equals = [k for k, value in enumerate(right) if value == best]
    return min(equals, key=lambda k: candidates[k].tobytes())


def _agreement(marks: np.ndarray, mark_counts: np.ndarray) -> int:
    return int(np.take_along_axis(mark_counts, marks[:, :, None].astype(np.int64), axis=2).sum())
