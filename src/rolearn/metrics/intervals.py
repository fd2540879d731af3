"""How sure a mean of scores over runs is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["half_interval", "half_interval_of_groups"]


def half_interval(values: Sequence[float], level: float = 0.8) -> float:
    """Give half the width of the t interval of a mean; nan for a single value."""
    if len(values) < 2:
        return math.nan
    from scipy.special import stdtrit

    error = np.std(values, ddof=1) / math.sqrt(len(values))
    return float(stdtrit(len(values) - 1, (1 + level) / 2) * error)


def half_interval_of_groups(groups: Sequence[Sequence[float]], level: float = 0.8) -> float:
    """Give half the width of the interval of the mean of groups' means, by their own variances.

    It is nan where a group has a single value.

    The degrees of freedom are Satterthwaite's (1946, Biometrics Bulletin 2:110).
    """
    parts = [np.var(values, ddof=1) / len(values) if len(values) > 1 else math.nan for values in groups]
    total = sum(parts)
    if not parts or math.isnan(total):
        return math.nan
    if total == 0:
        return 0.0
    from scipy.special import stdtrit

    freedom = total**2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, groups, strict=True))
    return float(stdtrit(freedom, (1 + level) / 2) * math.sqrt(total) / len(groups))
