"""How sure a mean of scores over runs is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["half_interval"]


def half_interval(values: Sequence[float], level: float = 0.8) -> float:
    """Give half the width of the t interval of a mean; nan for a single value."""
    if len(values) < 2:
        return math.nan
    from scipy.special import stdtrit

    error = np.std(values, ddof=1) / math.sqrt(len(values))
    return float(stdtrit(len(values) - 1, (1 + level) / 2) * error)
