"""An order of the columns, and of their levels, that depends on nothing but their contents."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

__all__ = ["canonical_order", "with_canonical_codes"]


def canonical_order(values: np.ndarray) -> np.ndarray:
    """Order columns by a digest of their contents.

    Sums change in the last bit when columns are permuted, so all arithmetic is done in this order: the
    same data then gives the same graph whatever the columns' order and names.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)

    Returns
    -------
    int64 array, shape (n_columns,)
        Position in `values` of the first, second, ... column of the canonical order. Columns with equal
        contents keep their order, which can't matter.
    """
    digests = [_digest(values[:, j]) for j in range(values.shape[1])]
    return np.array(sorted(range(len(digests)), key=digests.__getitem__), dtype=np.int64)


def _digest(column: np.ndarray) -> bytes:
    plain = np.ascontiguousarray(column, dtype="<f8") + 0.0  # -0.0 + 0.0 is 0.0
    return blake2b(plain.tobytes(), digest_size=16).digest()


def with_canonical_codes(values: np.ndarray, n_levels: np.ndarray) -> np.ndarray:
    """Give codes to the levels that occur, from the most to the least frequent.

    Equally frequent ones as they come in the rows. Then nothing depends on what levels are called, and none
    is without a row.

    Parameters
    ----------
    values : float array, shape (n_rows, n_columns)
        Codes in discrete columns; NaN where missing.
    n_levels : int array, shape (n_columns,)
        0 for a continuous column, which stays as it is.

    Returns
    -------
    float64 array, shape (n_rows, n_columns)
    """
    coded = np.array(values, dtype=np.float64)
    for j in np.flatnonzero(np.asarray(n_levels) > 0):
        known = ~np.isnan(coded[:, j])
        codes = coded[known, j].astype(np.int64)
        counts = np.bincount(codes)
        first = np.full(len(counts), len(codes))
        first[codes[::-1]] = np.arange(len(codes))[::-1]
        rank = np.empty(len(counts))
        rank[np.lexsort((first, -counts))] = np.arange(len(counts))
        coded[known, j] = rank[codes]
    return coded
