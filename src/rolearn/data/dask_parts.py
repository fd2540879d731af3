"""A Dask DataFrame summed up: each partition where it is, then their sums in a tree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from rolearn.data.batches import Batches
from rolearn.data.distinct_rows import RowCounts
from rolearn.data.kinds import check_declared, declared_names
from rolearn.data.level_book import text_refusal
from rolearn.data.level_moments import LevelMoments
from rolearn.data.one_pass import add_all, check_policy, check_seen, read_part
from rolearn.data.origin import Origin
from rolearn.data.refusals import check_refusals
from rolearn.data.seen import Seen
from rolearn.data.sums import MomentSums, RowSums
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import string_names

__all__ = ["dask_discrete", "dask_moments", "dask_rows", "is_dask"]

_FIRST_ROWS = 1000


@dataclass(frozen=True)
class _Part:
    """What is known of some rows: how many, their sums, and which columns are text."""

    seen: Seen
    sums: Any
    text: tuple[bool, ...]

    def joined(self, other: _Part) -> _Part:
        text = tuple(a or b for a, b in zip(self.text, other.text, strict=True))
        return _Part(self.seen.joined(other.seen), self.sums.joined(other.sums), text)


def is_dask(X: Any) -> bool:
    """Whether data are a Dask DataFrame, without importing Dask."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


def dask_discrete(frame: Any, discrete: Any) -> tuple[bool, ...]:
    """Say which columns are discrete, as far as their types or, of Python objects, the first rows tell.

    Raises
    ------
    ParameterError
        When a column declared so isn't there.
    """
    names, declared = string_names(list(frame.columns), DataError), declared_names(discrete)
    check_declared(declared, names)
    numbers = [getattr(kind, "kind", "O") in "fiu" or "decimal" in str(kind) for kind in frame.dtypes]
    objects = [j for j, kind in enumerate(frame.dtypes) if str(kind) == "object"]
    if objects:  # the type doesn't tell: the first rows do
        first = read_part(_first_rows(frame), None, names, 0, set())[1]
        for j in objects:
            column = first[j]
            numbers[j] = isinstance(column, np.ndarray) and bool(np.isfinite(column).any())
    return tuple(
        name in set(declared or ()) or not number for name, number in zip(names, numbers, strict=True)
    )


def _first_rows(frame: Any) -> Any:
    """Give the first rows of the first partition; Dask's own `head` warns where those are few."""
    import dask

    [rows] = dask.compute(dask.delayed(_head, pure=True)(frame.to_delayed()[0]))
    return rows


def _head(part: Any) -> Any:
    return part.head(_FIRST_ROWS)


def dask_moments(
    frame: Any, missing: str = "error", discrete: Any = "auto", only_numbers: bool = False
) -> LevelMoments:
    """Sum up the moments of numbers and levels.

    Raises
    ------
    DataError, ParameterError
        As `one_pass`.
    """
    return _summed(frame, missing, discrete, MomentSums.policies, "numbers" if only_numbers else "moments")


def dask_rows(frame: Any, missing: str = "error", discrete: Any = "auto") -> RowCounts:
    """Count the distinct rows.

    Raises
    ------
    DataError, ParameterError
        As `one_pass`.
    """
    return _summed(frame, missing, discrete, RowSums.policies, "rows")


def _summed(frame: Any, missing: str, discrete: Any, policies: tuple[str, ...], kind: str) -> Any:
    if not is_dask(frame):
        raise ParameterError(f"frame is a {type(frame).__name__}; give a Dask DataFrame")
    import dask

    check_policy(missing, policies)
    names, declared = string_names(list(frame.columns), DataError), declared_names(discrete)
    check_declared(declared, names)
    wanted = frozenset(declared or ())
    if len(names) == 1 and missing == "pairwise":
        missing = "listwise"
    of = dask.delayed(_part, pure=True)
    parts = [of(part, names, number, wanted, missing, kind) for number, part in enumerate(frame.to_delayed())]
    join = dask.delayed(_Part.joined, pure=True)
    while len(parts) > 1:
        pairs = [join(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + (parts[-1:] if len(parts) % 2 else [])
    [total] = dask.compute(*parts)
    origin = Origin("the table")
    for name, text, levels in zip(names, total.text, total.sums.levels, strict=True):
        refusal = text_refusal(levels or ()) if text else None
        if refusal:
            check_refusals([name], [refusal], origin)
    known = Batches(names, lambda: iter(()), origin, again=False, declared=wanted)
    check_seen(total.seen, known, missing, policies)
    return total.sums


def _part(
    part: Any, names: tuple[str, ...], number: int, declared: Collection[str], missing: str, kind: str
) -> _Part:
    """Sum up a partition."""
    origin = Origin(f"batch {number + 1}")
    columns = read_part(part, None, names, number, set(declared))[1]
    batches = Batches(names, lambda: iter([columns]), origin, declared=frozenset(declared))
    sums: MomentSums | RowSums
    sums = RowSums(names, origin) if kind == "rows" else MomentSums(names, origin, kind == "numbers")
    seen, text = add_all(batches, sums, missing)
    return _Part(seen, sums.total(), text)
