"""Columns that other columns determine: copies, and linear combinations with the smallest set of others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rolearn.data.distinct import count_distinct
from rolearn.data.missing import FEWEST_SHARED
from rolearn.data.moments import correlation_matrix, pairwise_correlations, standardize
from rolearn.data.origin import name_columns
from rolearn.data.single_columns import Finding
from rolearn.data.table import Table, chosen_columns
from rolearn.runtime.threads import single_blas_thread

__all__ = [
    "RESIDUAL_SHARE",
    "continuous_correlations",
    "copy_findings",
    "dependence_findings",
    "indicators",
]

# A column is taken for a combination of others when what they leave of it is below this share of its
# standard deviation: correlations then carry no information about the remainder in double precision.
RESIDUAL_SHARE = 1e-6
_LISTED = 3


def continuous_correlations(table: Table, columns: Sequence[int]) -> np.ndarray:
    """Correlate those of the columns that are continuous, on the rows that each pair shares."""
    values = chosen_columns(table.values, [j for j in columns if not table.kinds[j].is_discrete])
    if not values.size:
        return np.empty((0, 0))
    return pairwise_correlations(values) if np.isnan(values).any() else correlation_matrix(values)


def copy_findings(table: Table, columns: Sequence[int], correlation: np.ndarray) -> list[Finding]:
    """Find columns that are the same up to scale and shift, or up to the names of their levels.

    Parameters
    ----------
    table : Table
    columns : sequence of int
        Those to compare, none constant; of copies the first one stays.
    correlation : float64 array
        Of the continuous ones among them.
    """
    found = []
    for discrete, what in ((False, "up to scale and shift"), (True, "up to the names of their levels")):
        chosen = [j for j in columns if table.kinds[j].is_discrete == discrete]
        pairs = _relabeled_pairs(table, chosen) if discrete else _scaled_pairs(chosen, correlation)
        if pairs:
            gone = _all_but_first(pairs)
            told = [f"{table.names[a]!r} and {table.names[b]!r}" for a, b in sorted(map(sorted, pairs))]
            more = f", and {len(told) - _LISTED} more pairs" if len(told) > _LISTED else ""
            sentence = f"columns {'; '.join(told[:_LISTED])}{more} are copies of each other {what}"
            found.append(Finding(tuple(sorted(gone)), sentence))
    return found


def _all_but_first(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Give what to do without, so that one of each group stays: the first of it in the order of pairs."""
    gone: set[int] = set()
    for first, second in pairs:
        if first not in gone:
            gone.add(second)
    return gone


def _scaled_pairs(columns: Sequence[int], correlation: np.ndarray) -> list[tuple[int, int]]:
    share = 1.0 - np.square(np.triu(correlation, 1))
    first, second = np.nonzero(share < RESIDUAL_SHARE**2)
    return [(columns[i], columns[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]


def _relabeled_pairs(table: Table, columns: Sequence[int]) -> list[tuple[int, int]]:
    values = table.values[:, columns]
    if np.isnan(values).any():
        return [
            (a, b) for a, b in combinations(columns, 2) if _one_to_one(table.values[:, a], table.values[:, b])
        ]
    known: dict[bytes, list[int]] = {}
    pairs = []
    for j in columns:
        alike = known.setdefault(_by_appearance(table.values[:, j]), [])
        pairs += [(earlier, j) for earlier in alike]
        alike.append(j)
    return sorted(pairs, key=lambda pair: (columns.index(pair[0]), columns.index(pair[1])))


def _by_appearance(codes: np.ndarray) -> bytes:
    """Give codes by first appearance, row by row: the same however levels are named."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[place.reshape(-1)].tobytes()


def _one_to_one(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two columns name the same levels, more than one, on the rows they share."""
    both = ~(np.isnan(a) | np.isnan(b))
    if both.sum() < FEWEST_SHARED:
        return False
    joint = count_distinct(a[both] + 1j * b[both])
    return joint > 1 and joint == count_distinct(a[both]) == count_distinct(b[both])


def dependence_findings(table: Table, columns: Sequence[int], correlation: np.ndarray) -> list[Finding]:
    """Find columns that others determine linearly, each with the fewest others that do.

    Discrete columns count as indicators of their levels where there are continuous ones; among discrete
    columns alone nothing is linear. Looked for on complete rows, if there are more than columns + 1 of them.

    Parameters
    ----------
    table : Table
    columns : sequence of int
        Those to look at, none constant.
    correlation : float64 array
        Of the continuous ones among them.
    """
    if len(columns) < 2 or all(table.kinds[j].is_discrete for j in columns):
        return []
    rows = chosen_columns(table.values, columns)
    complete = ~np.isnan(rows).any(axis=1)
    if len(correlation) == len(columns) and complete.all():  # as they are; nearly always nothing is found
        if len(rows) <= len(columns) + 1 or not _nearly_singular(correlation):
            return []
        return _combinations(table, columns, rows)
    rows = rows[complete]
    expanded, owner = indicators(rows, [table.kinds[j].n_levels for j in columns])
    width = expanded.shape[1]
    if width < 2 or len(rows) <= width + 1 or not _nearly_singular(correlation_matrix(expanded)):
        return []
    return _combinations(table, [columns[i] for i in owner], expanded)


def indicators(values: np.ndarray, n_levels: Sequence[int]) -> tuple[np.ndarray, list[int]]:
    """Put indicators of all levels but one in the place of each discrete column.

    Parameters
    ----------
    values : float64 array, shape (n_rows, n_columns)
    n_levels : sequence of int
        0 for a continuous column.

    Returns
    -------
    float64 array, shape (n_rows, width)
        Without columns that don't vary.
    list of int
        The column behind each.
    """
    parts, owner = [], []
    for j, count in enumerate(n_levels):
        column = values[:, j]
        made = [column] if count == 0 else [(column == level).astype(np.float64) for level in range(1, count)]
        for part in made:
            if part.size and part.min() < part.max():
                parts.append(part)
                owner.append(j)
    return np.column_stack(parts) if parts else np.empty((len(values), 0)), owner


def _nearly_singular(correlation: np.ndarray) -> bool:
    """Screen by 1 / diag(R^-1), each column's share of variance that the others leave."""
    try:
        with single_blas_thread():
            precision = np.diag(np.linalg.inv(correlation))
    except np.linalg.LinAlgError:
        return True
    # wider than the threshold itself, since the inverse of such a matrix has few correct digits
    return bool(not np.all(precision > 0) or np.any(precision > 0.01 / RESIDUAL_SHARE**2))


def _combinations(table: Table, owner: Sequence[int], expanded: np.ndarray) -> list[Finding]:
    """Find the combinations by QR with column pivoting, which works on the data and loses no digits.

    The columns that a basis needs to make up one more are the fewest that determine it.
    """
    from scipy.linalg import qr, solve_triangular

    width = expanded.shape[1]
    with single_blas_thread():
        triangle, pivot = qr(standardize(expanded), mode="r", pivoting=True, check_finite=False)
        triangle = triangle[:width]
        rank = int(np.sum(np.abs(np.diag(triangle)) > RESIDUAL_SHARE))
        if rank == width:
            return []
        weights = solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:], check_finite=False)
    found: dict[int, Finding] = {}
    for k in range(weights.shape[1]):
        one = owner[pivot[rank + k]]
        heavy = np.abs(weights[:, k]) > 1e-3 * np.abs(weights[:, k]).max()
        others = sorted({owner[i] for i in pivot[:rank][heavy]} - {one})
        if one not in found and others:
            found[one] = Finding((one,), _sentence(table, one, others))
    return list(found.values())


def _sentence(table: Table, one: int, others: Sequence[int]) -> str:
    names = name_columns([table.names[j] for j in others])
    discrete = any(table.kinds[j].is_discrete for j in (one, *others))
    verb = "is determined by" if discrete else "is a linear combination of"
    return f"column {table.names[one]!r} {verb} {names}"
