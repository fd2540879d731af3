"""Tables small enough to resample often."""

from __future__ import annotations

import numpy as np


def chain(n_rows: int = 300, seed: int = 0) -> np.ndarray:
    """X1 -> X3 <- X2, X3 -> X4, X5 apart."""
    rng = np.random.default_rng(seed)
    a, b, c, d, e = rng.standard_normal((5, n_rows))
    c = a + b + 0.5 * c
    return np.column_stack([a, b, c, c + 0.5 * d, e])


def mixture(n_rows: int, n_columns: int, seed: int) -> np.ndarray:
    """Columns that are random sums of those before them."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(0, 0.7, (n_columns, n_columns)) * (rng.random((n_columns,) * 2) < 0.5), 1)
    return rng.standard_normal((n_rows, n_columns)) @ np.linalg.inv(np.eye(n_columns) - weights)
