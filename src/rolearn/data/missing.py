"""Missing cells: an error, rows left out, or pairs of columns each with the rows they share.

Leaving rows out, either way, is right where cells are missing completely at random (MCAR): whether one is
missing depends on no value, seen or unseen. Else what is left is a biased sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rolearn.data.origin import Origin
from rolearn.runtime.errors import DataError
from rolearn.runtime.parameters import check_choice

__all__ = [
    "FEWEST_SHARED",
    "MISSING",
    "check_missing",
    "left_out_sentence",
    "missing_sentence",
    "pair_counts",
    "settle_missing",
]

MISSING = ("error", "listwise", "pairwise")

# The fewest rows in which both of two columns are there, as many as a table needs.
FEWEST_SHARED = 5


def check_missing(missing: Any) -> str:
    """Give a policy that is one of those allowed.

    Raises
    ------
    ParameterError
        When it isn't.
    """
    return check_choice("missing", missing, MISSING)


def settle_missing(
    names: Sequence[str], values: np.ndarray, missing: str, origin: Origin
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Do with missing cells as the policy says.

    Parameters
    ----------
    names : sequence of str
    values : float64 array, shape (n_rows, n_columns)
        Missing cells are NaN.
    missing : "error", "listwise" or "pairwise"
    origin : Origin

    Returns
    -------
    values : float64 array
        With complete rows alone after "listwise"; as they are, with NaN, after "pairwise".
    notes : tuple of str

    Raises
    ------
    DataError
        When cells are missing and the policy is "error", or too little is left; names the columns.
    """
    absent = np.isnan(values)
    if not absent.any():
        return values, ()
    if missing == "error":
        counts, first = absent.sum(axis=0), int(np.flatnonzero(absent.any(axis=1))[0])
        raise DataError(missing_sentence(names, counts, first, origin))
    _refuse_empty_columns(names, absent, origin)
    if missing == "listwise" or len(names) == 1:
        return _complete_rows(names, values, absent, origin)
    return values, (_shared_rows(names, absent, origin),)


def pair_counts(values: np.ndarray) -> np.ndarray:
    """Count the rows in which both of two columns are there; float64 array, shape (n_columns, n_columns)."""
    return _counts_of_pairs(~np.isnan(values))


def _counts_of_pairs(present: np.ndarray) -> np.ndarray:
    there = present.astype(np.float64)
    return there.T @ there


def missing_sentence(
    names: Sequence[str], counts: np.ndarray, first: int, origin: Origin, by_pairs: bool = True
) -> str:
    """Say how many cells are missing in which columns, the first of them in row `first`, and what to do.

    Without `by_pairs` comparing pairs of columns is no way out, as in one pass over data in memory; the
    command reads a file as a whole for that.
    """
    which = [i for i in np.argsort(-counts, kind="stable") if counts[i]]
    listed = ", ".join(f"{names[i]!r} ({counts[i]})" for i in which[:5])
    more = f" and {_count(len(which) - 5, 'more column')}" if len(which) > 5 else ""
    total = int(counts.sum())
    cells = "1 cell is" if total == 1 else f"{total} cells are"
    if origin.in_file:
        policy = "--missing listwise or pairwise"
    else:
        policy = "missing='listwise'" + (" or 'pairwise'" if by_pairs else "")
    return (
        f"{origin.label}: {cells} missing, in {listed}{more}, the first in {origin.row(first)};"
        f" fill them in, leave those rows or columns out, or say {policy}"
    )


def _refuse_empty_columns(names: Sequence[str], absent: np.ndarray, origin: Origin) -> None:
    for i in np.flatnonzero(absent.all(axis=0)).tolist():
        advice = origin.drop_advice(names[i])
        raise DataError(f"{origin.label}: column {names[i]!r} has no cell that isn't missing; {advice}")


def _complete_rows(
    names: Sequence[str], values: np.ndarray, absent: np.ndarray, origin: Origin
) -> tuple[np.ndarray, tuple[str, ...]]:
    complete = ~absent.any(axis=1)
    n, left = len(values), int(complete.sum())
    counts = absent.sum(axis=0)
    worst = int(np.argmax(counts))
    blame = _blame(names, counts)
    if left < FEWEST_SHARED:
        kept = "no row is" if left == 0 else ("1 row is" if left == 1 else f"{left} rows are")
        raise DataError(
            f"{origin.label}: {kept} complete of {n}, and at least {FEWEST_SHARED} are needed; {blame}:"
            f" {origin.drop_advice(names[worst])}, or use pairs of columns (missing='pairwise',"
            " in the command --missing pairwise)"
        )
    return np.ascontiguousarray(values[complete]), (left_out_sentence(names, counts, n, left),)


def left_out_sentence(names: Sequence[str], counts: np.ndarray, n_rows: int, left: int) -> str:
    """Say how many rows are left out, and which column is missing most."""
    blame = _blame(names, counts)
    gone = n_rows - left
    return f"{gone} of {n_rows} rows have missing cells and are left out ({blame}); {left} rows are used"


def _blame(names: Sequence[str], counts: np.ndarray) -> str:
    worst = int(np.argmax(counts))
    return f"{names[worst]!r} is missing in {counts[worst]} of them"


def _shared_rows(names: Sequence[str], absent: np.ndarray, origin: Origin) -> str:
    counts = _counts_of_pairs(~absent)
    few = np.argwhere(np.triu(counts < FEWEST_SHARED, 1))
    if few.size:
        i, j = (int(k) for k in few[0])
        more = f" (and {_count(len(few) - 1, 'more pair')} of columns)" if len(few) > 1 else ""
        shared = "no row" if counts[i, j] == 0 else f"only {_count(int(counts[i, j]), 'row')}"
        raise DataError(
            f"{origin.label}: {shared} with neither {names[i]!r} nor {names[j]!r} missing{more}; at least"
            f" {FEWEST_SHARED} are needed to compare the two; leave one of them out"
            + (" (--drop)" if origin.in_file else "")
        )
    others = counts[~np.eye(len(counts), dtype=bool)]
    return (
        f"{int(absent.sum())} cells are missing: each pair of columns is compared on the rows where both are"
        f" there, {others.min():.0f} to {others.max():.0f} of {len(absent)}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
