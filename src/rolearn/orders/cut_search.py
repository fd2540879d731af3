"""Looking for cuts that a fractional choice of families breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rolearn.orders.cuts import Choice, Covariance, Cut, broken_clusters, sharpened

__all__ = ["broken_cuts"]

_MANY = 10  # clusters, with which covariances aren't looked for
_STEPS = 6  # of sharpening


def broken_cuts(choice: Choice, starts: Sequence[np.ndarray], lacking: float) -> list[Cut]:
    """Give cuts that a choice breaks, covariances by so much: clusters first, if there are many those alone.

    Covariances are sharpened from those in use. Where a price is positive the choice just keeps to the cut,
    so that any step breaks it; and what pays now is close to what will.
    """
    clusters = broken_clusters(choice, len(starts[0]))
    if len(clusters) >= _MANY:
        return list(clusters)
    found: list[Cut] = list(clusters)
    for start in starts:
        matrix, broken = sharpened(choice, start, _STEPS)
        if matrix is not None and broken > lacking:
            found.append(Covariance(matrix))
    return found
