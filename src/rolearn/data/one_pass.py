"""One pass over a table that needn't fit into memory: its sums, checked as a table in memory is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rolearn.data.accumulation import BLOCK
from rolearn.data.batches import Batches
from rolearn.data.columns import Column
from rolearn.data.frames import Read, labels_and_readers
from rolearn.data.kinds import check_declared, declared_names
from rolearn.data.level_book import LevelBook
from rolearn.data.levels import Coded
from rolearn.data.missing import left_out_sentence, missing_sentence
from rolearn.data.origin import Origin
from rolearn.data.seen import Seen, seen_of
from rolearn.data.sums import Sums
from rolearn.data.table import Table, check_shape, refuse_infinite
from rolearn.runtime.errors import DataError, ParameterError, warn
from rolearn.runtime.names import string_names

__all__ = ["add_all", "batches_of", "check_policy", "check_seen", "one_pass", "read_part"]


def one_pass(
    batches: Batches, sums: Sums, missing: str = "error", progress: Callable[[int], object] | None = None
) -> Seen:
    """Sum up a table in one pass.

    Rows are summed up in blocks of one size, and columns in an order made from the first block, so that the
    sums depend on neither the batches nor the order of the columns.

    Parameters
    ----------
    batches : Batches
    sums : Sums
        What they are added to.
    missing : "error", "listwise" or "pairwise"
        Whether missing cells are refused, their rows left out, or, of levels, left to each test.
    progress : callable, optional
        Receives the number of rows so far.

    Raises
    ------
    DataError
        When the table has fewer than 5 rows or no columns, or a cell is missing or infinite, or neither a
        number nor a level.
    """
    check_policy(missing, sums.policies)
    check_shape(len(batches.names), None, batches.origin)
    if len(batches.names) == 1 and missing == "pairwise":
        missing = "listwise"  # there are no pairs
    seen, _ = add_all(batches, sums, missing, progress, judged=True)
    check_seen(seen, batches, missing, sums.policies)
    return seen


def add_all(
    batches: Batches,
    sums: Sums,
    missing: str,
    progress: Callable[[int], object] | None = None,
    judged: bool = False,
) -> tuple[Seen, tuple[bool, ...]]:
    """Add all rows to the sums; gives what was seen, and which columns are text, refused if it is none.

    Raises
    ------
    DataError
        When cells are neither numbers nor levels.
    """
    book, p = _book(batches), len(batches.names)
    seen = seen_of(np.zeros((0, p)))[0]
    for block in _blocks(_arrays(batches, book), len(batches.names)):
        part, complete = seen_of(block)
        seen = seen.joined(part)
        if missing == "pairwise":
            block = np.where(np.isinf(block), np.nan, block)
        elif part.n_complete < part.n_rows:
            block = block[complete]
        sums.add(block, book)
        if progress is not None:
            progress(seen.n_rows)
    if judged:
        book.judge()
    return seen, book.text


def _book(batches: Batches) -> LevelBook:
    return LevelBook(batches.names, batches.origin, batches.declared)


def _arrays(batches: Batches, book: LevelBook) -> Iterator[np.ndarray]:
    before = 0
    for columns in batches.columns():
        array = book.array(columns, before)
        before += len(array)
        yield array


def check_policy(missing: Any, policies: Sequence[str]) -> None:
    """Refuse a policy about missing cells that one pass doesn't have."""
    if missing not in policies:
        allowed = ", ".join(map(repr, policies))
        why = "" if "pairwise" in policies else ": pairs of columns need all rows at once"
        raise ParameterError(f"missing is {missing!r}; in one pass over a table allowed are {allowed}{why}")


def check_seen(seen: Seen, batches: Batches, missing: str, policies: Sequence[str]) -> None:
    """Refuse a table for its rows and cells, as `build_table` does.

    Raises
    ------
    DataError
    """
    names, origin = batches.names, batches.origin
    check_shape(len(names), seen.n_rows, origin)
    if missing == "error" and seen.missing.any():
        by_pairs = "pairwise" in policies
        raise DataError(missing_sentence(names, seen.missing, seen.first_missing, origin, by_pairs))
    for name, count in zip(names, seen.missing, strict=True):
        if count < seen.n_rows:
            continue
        advice = origin.drop_advice(name)
        raise DataError(f"{origin.label}: column {name!r} has no cell that isn't missing; {advice}")
    if seen.infinite.any():
        column = int(np.flatnonzero(seen.infinite)[0])
        if batches.again:
            column = _first_infinite(batches, seen.first_infinite)
        refuse_infinite(names[column], seen.first_infinite, origin)
    if missing == "listwise" and seen.n_complete < seen.n_rows:
        check_shape(len(names), seen.n_complete, Origin(f"{origin.label}, without rows that lack a cell,"))
        warn(left_out_sentence(names, seen.missing, seen.n_rows, seen.n_complete))


def _first_infinite(batches: Batches, row: int) -> int:
    """Find the first infinite column of a row."""
    before = 0
    for array in _arrays(batches, _book(batches)):
        if row < before + len(array):
            return int(np.flatnonzero(np.isinf(array[row - before]))[0])
        before += len(array)
    raise DataError("the table changed while it was read")


def _blocks(arrays: Iterator[np.ndarray], p: int) -> Iterator[np.ndarray]:
    """Cut batches into blocks of one size; a block is overwritten by the next."""
    block, filled = np.empty((BLOCK, p)), 0
    for array in arrays:
        start = 0
        while start < len(array):
            taken = min(BLOCK - filled, len(array) - start)
            block[filled : filled + taken] = array[start : start + taken]
            filled, start = filled + taken, start + taken
            if filled == BLOCK:
                yield block
                filled = 0
    if filled:
        yield block[:filled]


def batches_of(parts: Iterable[Any], names: Sequence[Any] | None = None, discrete: Any = "auto") -> Batches:
    """Make batches of data frames or arrays that come one after the other.

    Raises
    ------
    DataError
        When there are none, or the columns of one aren't those of the first.
    ParameterError
        When a discrete column isn't there.
    """
    if not isinstance(parts, Iterable):
        raise DataError(f"batches is of type {type(parts).__name__}; give data frames or arrays one by one")
    declared = declared_names(discrete)
    stream = iter(parts)
    try:
        first = next(stream)
    except StopIteration:
        raise DataError("there are no batches; give at least one with rows") from None
    wanted = set(declared or ())
    table_names, of_first = read_part(first, None, names, 0, wanted)
    check_declared(declared, table_names)

    def columns() -> Iterator[list[Column]]:
        yield of_first
        for number, part in enumerate(stream, 1):
            yield read_part(part, table_names, names, number, wanted)[1]

    kinds = tuple(not isinstance(column, np.ndarray) for column in of_first)
    origin = Origin("the table")
    return Batches(table_names, columns, origin, again=False, discrete=kinds, declared=frozenset(wanted))


def read_part(
    part: Any,
    expected: Sequence[str] | None,
    names: Sequence[Any] | None,
    number: int,
    declared: set[str],
) -> tuple[tuple[str, ...], list[Column]]:
    """Give names and columns of a batch.

    Raises
    ------
    DataError, ParameterError
        When its columns aren't the expected ones, or not as many as there are names.
    """
    if isinstance(part, Table):
        labels: list[Any] = list(part.names)
        read: Read = lambda j, _: _of_table(part, j)
    else:
        labels, read = labels_and_readers(part)
    found = string_names(labels if names is None else list(names), DataError)
    if len(found) != len(labels):
        raise ParameterError(
            f"names has {len(found)} labels and the data {len(labels)} columns; give one each"
        )
    if expected is not None and found != tuple(expected):
        raise DataError(
            f"batch {number + 1} has columns {', '.join(found[:8])}, and the first has "
            f"{', '.join(list(expected)[:8])}; give the same columns in each"
        )
    return found, [read(j, name in declared) for j, name in enumerate(found)]


def _of_table(table: Table, j: int) -> np.ndarray | Coded:
    """Give a column of a checked table; a batch needn't have all its levels."""
    column, kind = table.values[:, j], table.kinds[j]
    return Coded(column, kind.levels) if kind.is_discrete else column
