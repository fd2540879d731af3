"""Set up scores that are worked out set by set."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolearn.independence import Statistics
from rolearn.neighbors.local_score_kernels import LocalScore

__all__ = ["heeding", "local_score"]

_KEY_SEED = 20230207
_FEWEST_PLACES, _MOST_PLACES = 1 << 14, 1 << 21
_PLACES_A_PAIR = 64


def local_score(statistics: Statistics, threshold: float) -> LocalScore:
    """Give a score by which a free parameter costs the threshold.

    Deviances are remembered in at most 32 MB; what comes later takes the place of what was there.
    """
    p, places = len(statistics.names), _FEWEST_PLACES
    while places < min(_PLACES_A_PAIR * p * p, _MOST_PLACES):
        places *= 2
    return LocalScore(
        statistics=statistics.arrays,
        keys=np.random.default_rng(_KEY_SEED).integers(1, 1 << 62, (2, p), dtype=np.int64),
        checks=np.zeros(places, np.int64),
        bits=np.zeros(places, np.int64),
        n_samples=statistics.arrays.n_samples,
        threshold=threshold,
        cap=max(p - 1, 1),
    )


def heeding(boundaries: Any, signal: np.ndarray) -> Any:
    """Give the same boundaries; a local score is NaN where it isn't known by the time the signal goes up."""
    if not isinstance(boundaries, LocalScore):
        return boundaries
    return boundaries._replace(statistics=boundaries.statistics._replace(signal=signal))
