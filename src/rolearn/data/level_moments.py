"""Moments of tables of any kind, summed up block by block: levels count as indicators.

Levels needn't be known beforehand: one that wasn't there yet has an indicator of zeros so far. Counts are
exact, and so are the moments of indicators; sums of numbers by level are kept from the mean, as `Moments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.data.accumulation import Moments, moments_of
from rolearn.data.distinct_rows import union
from rolearn.data.levels import sorted_levels
from rolearn.data.origin import Origin
from rolearn.runtime.errors import DataError

__all__ = ["LevelMoments", "check_levels", "level_moments_of"]

_MOST_LEVELS_IN_ALL = 1500  # the moments of their indicators are 18 MB, and a dozen of them are kept

Levels = tuple[tuple[str, ...] | None, ...]


@dataclass(frozen=True)
class LevelMoments:
    """Sums over rows of numbers and levels.

    Attributes
    ----------
    names : tuple of str
        The p columns.
    levels : tuple
        Of each column; None for one of numbers.
    moments : Moments
        Of the columns of numbers, in their order.
    counts : dict of int to int64 array, shape (k,)
        How often each level of a discrete column occurs.
    pairs : dict of (int, int) to int64 array, shape (k, l)
        How often levels of two discrete columns, i < j, occur together.
    sums : dict of int to float64 array, shape (k, q)
        By level the sums of the columns of numbers, scaled and without their means.
    """

    names: tuple[str, ...]
    levels: Levels
    moments: Moments
    counts: dict[int, np.ndarray]
    pairs: dict[tuple[int, int], np.ndarray]
    sums: dict[int, np.ndarray]

    @property
    def n_rows(self) -> int:
        """Rows in the sums."""
        return self.moments.n_rows

    def sorted_levels(self) -> Levels:
        """Give the levels of each column, sorted; None for one of numbers."""
        return tuple(None if of is None else tuple(sorted_levels(of)) for of in self.levels)

    def joined(self, other: LevelMoments) -> LevelMoments:
        """Give the sums of these rows and, after them, those of another part of the same table.

        Raises
        ------
        DataError
            When a column holds numbers in one part and levels in the other, or there are too many levels.
        """
        if not self.n_rows or not other.n_rows:
            return self if self.n_rows else other
        _check_alike(self, other)
        moments = self.moments.joined(other.moments)
        united: dict[int, tuple[str, ...]] = {}
        place: dict[int, np.ndarray] = {}
        for j, levels in enumerate(self.levels):
            if levels is not None:
                united[j], place[j] = union(levels, other.levels[j] or ())
        all_levels: Levels = tuple(united.get(j) for j in range(len(self.levels)))
        check_levels(self.names, all_levels, Origin("the table"))
        size = {j: len(levels) for j, levels in united.items()}
        gap = self.moments.gap_to(other.moments)
        share = other.n_rows / moments.n_rows
        counts, pairs, sums = {}, {}, {}
        for j, k in size.items():
            here = _spread(self.counts[j], (k,), (np.arange(len(self.counts[j])),))
            there = _spread(other.counts[j], (k,), (place[j],))
            counts[j] = here + there
            # sums from the mean of each part, taken to the mean of both
            first = _spread(self._sums(j, moments.scale), (k, len(gap)), (np.arange(len(self.sums[j])),))
            second = _spread(other._sums(j, moments.scale), (k, len(gap)), (place[j],))
            sums[j] = first + second + np.outer(there, gap * (1.0 - share)) - np.outer(here, gap * share)
        for (i, j), table in self.pairs.items():
            shape = (size[i], size[j])
            here = _spread(table, shape, (np.arange(table.shape[0]), np.arange(table.shape[1])))
            pairs[i, j] = here + _spread(other.pairs[i, j], shape, (place[i], place[j]))
        return LevelMoments(self.names, all_levels, moments, counts, pairs, sums)

    def _sums(self, j: int, scale: np.ndarray) -> np.ndarray:
        return self.sums[j] * (self.moments.scale / scale)  # powers of two, so that nothing is rounded


def check_levels(names: Sequence[str], levels: Levels, origin: Origin) -> None:
    """Refuse too many levels.

    Raises
    ------
    DataError
        Naming the column that has most.
    """
    count = sum(len(of) for of in levels if of is not None)
    if count <= _MOST_LEVELS_IN_ALL:
        return
    sizes = [len(of or ()) for of in levels]
    name = names[int(np.argmax(sizes))]
    raise DataError(
        f"{origin.label}: its discrete columns have more than {_MOST_LEVELS_IN_ALL} levels in all, "
        f"most of them {name!r} ({max(sizes)}), too many for the moments of their indicators; join "
        f"levels, or {origin.drop_advice(name)}"
    )


def _check_alike(one: LevelMoments, other: LevelMoments) -> None:
    for name, a, b in zip(one.names, one.levels, other.levels, strict=True):
        if (a is None) != (b is None):
            text = (a or b or ("",))[0]
            raise DataError(
                f"column {name!r} holds numbers in one part of the table and levels, such as {text!r}, in "
                "another; turn it into numbers, declare it discrete, or leave it out"
            )


def _spread(array: np.ndarray, shape: tuple[int, ...], places: Sequence[np.ndarray]) -> np.ndarray:
    """Put an array into a larger one of zeros, its rows and columns at these places."""
    larger = np.zeros(shape, array.dtype)
    larger[np.ix_(*places) if len(places) == len(shape) else places[0]] = array
    return larger


def level_moments_of(
    names: tuple[str, ...],
    numbers: np.ndarray,
    order: np.ndarray,
    codes: dict[int, np.ndarray],
    levels: Levels,
) -> LevelMoments:
    """Sum up a block of rows without missing cells.

    Parameters
    ----------
    names : tuple of str
    numbers : float64 array, shape (n, q)
        The columns of numbers.
    order : int64 array, shape (q,)
        In which they are summed up, so that sums don't depend on how they are arranged.
    codes : dict of int to int64 array, shape (n,)
        Of the discrete columns.
    levels : tuple
        Of all columns, those of discrete ones by their codes; None for numbers.
    """
    moments = moments_of(np.ascontiguousarray(numbers[:, order])).arranged(np.argsort(order))
    size = {j: len(levels[j] or ()) for j in codes}
    centered = numbers / moments.scale - moments.shift / moments.scale - moments.mean
    counts = {j: np.bincount(codes[j], minlength=size[j]) for j in codes}
    sums = {j: _sums_by_level(codes[j], centered, size[j]) for j in codes}
    pairs = {}
    for i in codes:
        for j in codes:
            if i < j:
                both = np.bincount(codes[i] * size[j] + codes[j], minlength=size[i] * size[j])
                pairs[i, j] = both.reshape(size[i], size[j])
    return LevelMoments(names, levels, moments, counts, pairs, sums)


def _sums_by_level(codes: np.ndarray, centered: np.ndarray, size: int) -> np.ndarray:
    sums = np.zeros((size, centered.shape[1]))
    for k in range(centered.shape[1]):
        sums[:, k] = np.bincount(codes, weights=centered[:, k], minlength=size)
    return sums
