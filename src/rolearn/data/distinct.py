"""How many values occur."""

from __future__ import annotations

import numpy as np

__all__ = ["count_distinct"]


def count_distinct(values: np.ndarray) -> int:
    """Count the distinct values of a vector without NaN.

    `numpy.unique` would import masked arrays, a twentieth of a second of each command.
    """
    ordered = np.sort(values)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + (len(ordered) > 0)
