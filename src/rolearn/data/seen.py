"""What rows were seen in one pass, and what cells were missing or infinite in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Seen", "seen_of"]


@dataclass(frozen=True)
class Seen:
    """Rows of a table, counted.

    Attributes
    ----------
    n_rows : int
        All of them.
    n_complete : int
        Those without a missing or infinite cell.
    missing, infinite : int64 array, shape (p,)
        Cells of each kind.
    first_missing, first_infinite : int
        The first row with such a cell, counted from 0; -1 if there is none.
    """

    n_rows: int
    n_complete: int
    missing: np.ndarray
    infinite: np.ndarray
    first_missing: int = -1
    first_infinite: int = -1

    def joined(self, other: Seen) -> Seen:
        """Give the counts of these rows and, after them, those of another part of the same table."""
        return Seen(
            self.n_rows + other.n_rows,
            self.n_complete + other.n_complete,
            self.missing + other.missing,
            self.infinite + other.infinite,
            _first(self.first_missing, other.first_missing, self.n_rows),
            _first(self.first_infinite, other.first_infinite, self.n_rows),
        )


def _first(here: int, there: int, before: int) -> int:
    if here >= 0:
        return here
    return before + there if there >= 0 else -1


def seen_of(block: np.ndarray) -> tuple[Seen, np.ndarray]:
    """Count the rows of a block.

    Parameters
    ----------
    block : float64 array, shape (n, p)

    Returns
    -------
    Seen
    bool array, shape (n,)
        Which rows are complete.
    """
    n, p = block.shape
    if np.isfinite(block).all():
        none = np.zeros(p, np.int64)
        return Seen(n, n, none, none), np.ones(n, np.bool_)
    nan, inf = np.isnan(block), np.isinf(block)
    complete = ~(nan | inf).any(1)
    seen = Seen(n, int(complete.sum()), nan.sum(0), inf.sum(0), _first_row(nan), _first_row(inf))
    return seen, complete


def _first_row(found: np.ndarray) -> int:
    rows = np.flatnonzero(found.any(1))
    return int(rows[0]) if rows.size else -1
