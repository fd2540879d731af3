"""How many values occur."""

from __future__ import annotations

import numpy as np

__all__ = ["count_distinct"]


def count_distinct(values: np.ndarray) -> int:
    """Count the distinct values of a vector, NaN as one of them.

    `numpy.unique` would import masked arrays, a twentieth of a second of each command.
    """
    ordered = np.sort(values)
    n_nan = np.count_nonzero(ordered != ordered)
    n_steps = np.count_nonzero(ordered[1:] != ordered[:-1])
    return int(n_steps + (len(ordered) > 0) - max(n_nan - 1, 0))
