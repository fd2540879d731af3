"""What counts as a number among parameters: True and False don't."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_integer", "is_number"]


def is_integer(value: Any) -> bool:
    """Tell whether a value is an integer of Python or numpy."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Tell whether a value is a number of Python or numpy."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
