"""What is wrong with columns, as far as their sums tell: what `data.degenerate` looks for in rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rolearn.data.distinct import count_distinct
from rolearn.data.distinct_rows import RowCounts
from rolearn.data.level_moments import LevelMoments
from rolearn.data.missing import FEWEST_SHARED
from rolearn.data.moments import weakest_combination
from rolearn.data.origin import name_columns
from rolearn.data.single_columns import constants_sentence, levels_sentence, near_constant_sentence
from rolearn.data.table import Table
from rolearn.runtime.errors import DataError, warn

__all__ = ["check_moments", "check_rows", "refuse_dependent"]

_ADVICE = "leave such columns out (in the command: --drop)"
_LISTED = 3
_DENSE = 1 << 20  # cells of a table of two columns that is written out


def check_moments(sums: LevelMoments) -> None:
    """Refuse constants, columns of too many levels, and discrete columns that are copies of each other.

    Raises
    ------
    DataError
    """
    p = len(sums.names)
    low, high = np.zeros(p), np.zeros(p)
    numbers = [j for j in range(p) if sums.levels[j] is None]
    low[numbers], high[numbers] = sums.moments.low, sums.moments.high
    _check(sums.names, sums.counts, low, high)
    _check_copies(sums.names, sums.counts, lambda i, j: sums.pairs[i, j])


def check_rows(sums: RowCounts) -> None:
    """Refuse the same by distinct rows.

    Raises
    ------
    DataError
    """
    p = len(sums.names)
    counts = {j: sums.counts_of(j) for j in range(p)}
    _check(sums.names, counts, np.zeros(p), np.zeros(p))
    _check_copies(sums.names, counts, lambda i, j: _table_of(sums, i, j))


def _table_of(sums: RowCounts, i: int, j: int) -> np.ndarray | None:
    """Count levels of two columns together; None where that is no small table."""
    k, m = len(sums.levels[i]), len(sums.levels[j])
    first, second = sums.rows[:, i].astype(np.int64), sums.rows[:, j].astype(np.int64)
    both = (first >= 0) & (second >= 0)
    place = first[both] * m + second[both]
    if k * m <= _DENSE:
        return np.bincount(place, sums.counts[both], k * m).reshape(k, m)
    occurring = np.unique(place)  # one-to-one, if no row and no column of the table occurs twice
    alone = count_distinct(occurring // m) == len(occurring) == count_distinct(occurring % m)
    # two levels stand for all, since only that and the number of rows is asked
    return np.eye(2) * (sums.counts[both].sum() / 2) if alone and len(occurring) > 1 else None


def _check(names: Sequence[str], counts: Mapping[int, np.ndarray], low: np.ndarray, high: np.ndarray) -> None:
    for j, of in counts.items():
        high[j] = float(np.count_nonzero(of) > 1)
    constant = constants_sentence(Table(tuple(names), np.vstack([low, high])))
    if constant:
        raise DataError(f"{constant}; {_ADVICE}")
    for j, of in counts.items():
        sentence = levels_sentence(names[j], int(np.count_nonzero(of)), int(of.sum()))
        if sentence:
            raise DataError(f"{sentence}; {_ADVICE}")
    for j, of in counts.items():
        sentence = near_constant_sentence(names[j], int(of.sum() - of.max()), int(of.sum()))
        if sentence:
            warn(sentence)


def _check_copies(
    names: Sequence[str],
    counts: Mapping[int, np.ndarray],
    table_of: Callable[[int, int], np.ndarray | None],
) -> None:
    copies = []
    for i in counts:
        for j in counts:
            if i < j and _may_be_copies(counts[i], counts[j]) and _one_to_one(table_of(i, j)):
                copies.append(f"{names[i]!r} and {names[j]!r}")
    if copies:
        more = f", and {len(copies) - _LISTED} more pairs" if len(copies) > _LISTED else ""
        raise DataError(
            f"columns {'; '.join(copies[:_LISTED])}{more} are copies of each other up to the names of their "
            f"levels; {_ADVICE}"
        )


def _may_be_copies(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two columns may be, by their counts: the same ones, unless cells are missing."""
    return one.sum() != other.sum() or bool(np.array_equal(np.sort(one[one > 0]), np.sort(other[other > 0])))


def _one_to_one(table: np.ndarray | None) -> bool:
    if table is None or table.sum() < FEWEST_SHARED:
        return False
    there = table > 0
    return bool(there.sum() > 1 and (there.sum(0) <= 1).all() and (there.sum(1) <= 1).all())


def refuse_dependent(correlation: np.ndarray, owners: Sequence[str], n_rows: int) -> None:
    """Refuse numbers and indicators that determine each other, where the rows don't explain it.

    Raises
    ------
    DataError
    """
    if n_rows <= len(correlation) + 1:
        return
    least, columns = weakest_combination(correlation)
    if least < 1e-12:
        involved = list(dict.fromkeys(owners[i] for i in columns.tolist()))
        raise DataError(
            f"the {name_columns(involved)} determine each other linearly, levels as indicators; {_ADVICE}, "
            "since no test can tell their roles apart"
        )
