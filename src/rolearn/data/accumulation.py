"""Means and co-moments summed up block by block: correlations of tables larger than memory.

Each block is centered by itself, and two sums are joined by the update of Chan, Golub and LeVeque (1983);
blocks are joined in pairs, pairs of pairs and so on, so that rounding grows with the logarithm of their
number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from rolearn.data.moments import tidied
from rolearn.runtime.threads import single_blas_thread

__all__ = ["BLOCK", "Moments", "Stack", "moments_of"]

BLOCK = 1 << 15  # rows summed up at once


@dataclass(frozen=True)
class Moments:
    """Sums over rows, of columns shifted and scaled to sizes that can't overflow.

    Attributes
    ----------
    n_rows : int
        Rows in the sums.
    scale : float array, shape (p,)
        Powers of two by which columns were divided.
    shift : float array, shape (p,)
        A cell of each column, taken off before its mean is: some means dwarf the spread.
    mean : float array, shape (p,)
        Of the scaled columns without the scaled shift.
    comoment : float array, shape (p, p)
        Sums of products of what is left of scaled columns without their means.
    low, high : float array, shape (p,)
        Least and greatest cells, unscaled.
    """

    n_rows: int
    scale: np.ndarray
    shift: np.ndarray
    mean: np.ndarray
    comoment: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def joined(self, other: Moments) -> Moments:
        """Give the moments of these rows and, after them, those of another part of the same table."""
        if not self.n_rows or not other.n_rows:
            full = self if self.n_rows else other
            n, scale, shift, mean, comoment = full.n_rows, full.scale, full.shift, full.mean, full.comoment
        else:
            n, scale, shift = self.n_rows + other.n_rows, np.maximum(self.scale, other.scale), self.shift
            first, second = self._scaled(scale), other._scaled(scale)
            gap = self.gap_to(other)
            share = other.n_rows / n
            mean = first.mean + gap * share
            comoment = first.comoment + second.comoment + np.outer(gap, gap) * (self.n_rows * share)
        return Moments(
            n,
            scale,
            shift,
            mean,
            comoment,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )

    def gap_to(self, other: Moments) -> np.ndarray:
        """Give how much greater the means of another part are, divided by the larger of the two scales."""
        scale = np.maximum(self.scale, other.scale)
        shifts = other.shift / scale - self.shift / scale
        return shifts + (other._scaled(scale).mean - self._scaled(scale).mean)

    def correlation(self) -> np.ndarray:
        """Give the correlations, (p, p): symmetric, ones on the diagonal, entries within [-1, 1].

        No column may be constant.
        """
        deviation = np.sqrt(np.diag(self.comoment))
        return tidied(self.comoment / deviation[:, None] / deviation)

    def arranged(self, positions: np.ndarray) -> Moments:
        """Give the same moments with their columns in this order."""
        columns = ("scale", "shift", "mean", "low", "high")
        comoment = self.comoment[np.ix_(positions, positions)]
        return replace(self, comoment=comoment, **{name: getattr(self, name)[positions] for name in columns})

    def _scaled(self, scale: np.ndarray) -> Moments:
        ratio = self.scale / scale  # powers of two, so that nothing is rounded
        return replace(
            self, scale=scale, mean=self.mean * ratio, comoment=self.comoment * ratio[:, None] * ratio
        )


def moments_of(block: np.ndarray) -> Moments:
    """Sum up one block of rows.

    Parameters
    ----------
    block : float64 array, shape (n, p)
        Finite.
    """
    p = block.shape[1]
    if len(block) == 0:
        none = np.zeros(p)
        return Moments(0, np.ones(p), none, none, np.zeros((p, p)), none + np.inf, none - np.inf)
    low, high, shift = block.min(0), block.max(0), block[0].copy()
    scale = _scale_of(np.maximum(np.abs(low), np.abs(high)))
    centered = block / scale
    centered -= shift / scale
    mean = centered.mean(0)
    centered -= mean
    with single_blas_thread():
        comoment = centered.T @ centered
    return Moments(len(block), scale, shift, mean, comoment, low, high)


def _scale_of(largest: np.ndarray) -> np.ndarray:
    """Give powers of two of the size of the largest cells."""
    exponent = np.frexp(largest)[1]
    return np.ldexp(1.0, np.clip(exponent, -1000, 1000))


class _Summed(Protocol):
    def joined(self: S, other: S, /) -> S:
        """Give the sums of both parts."""


S = TypeVar("S", bound=_Summed)


class Stack(Generic[S]):
    """Sums of a stream of blocks, joined in pairs as in a binary counter."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, S]] = []

    def add(self, sums: S) -> None:
        """Take the next block."""
        level = 0
        while self._parts and self._parts[-1][0] == level:
            sums = self._parts.pop()[1].joined(sums)
            level += 1
        self._parts.append((level, sums))

    def total(self) -> S | None:
        """Give the sums of all blocks; None where there were none."""
        total: S | None = None
        for _, sums in reversed(self._parts):
            total = sums if total is None else sums.joined(total)
        return total
