"""Parts of a fit that `speed.py steps` times by themselves.

A step is a function of raw rows that prepares what isn't to be timed and gives the function that is:

    def window(rows):
        costs = ...
        return lambda: costs.branch().window(...)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Step = Callable[[np.ndarray], Callable[[], object]]

# Not there yet: "local score", "boundary", "window" - to be written against the kernels of the bic cost.
STEPS: dict[str, Step] = {}
