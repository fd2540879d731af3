"""One pass over a table that needn't fit into memory: its moments, checked as a table in memory is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rolearn.data.accumulation import BLOCK, Moments, Stack, moments_of
from rolearn.data.batches import Batches, numbers_of
from rolearn.data.canonical import canonical_order
from rolearn.data.columns import Column
from rolearn.data.frames import labels_and_readers
from rolearn.data.missing import left_out_sentence, missing_sentence
from rolearn.data.origin import Origin
from rolearn.data.single_columns import constants_sentence
from rolearn.data.table import Table, check_shape, refuse_infinite
from rolearn.runtime.errors import DataError, ParameterError, warn
from rolearn.runtime.names import string_names

__all__ = ["batches_of", "check_moments", "dask_moments", "is_dask", "one_pass"]

_MISSING = ("error", "listwise")


def one_pass(
    batches: Batches, missing: str = "error", progress: Callable[[int], object] | None = None
) -> Moments:
    """Sum up a table in one pass.

    Rows are summed up in blocks of one size, and columns in an order made from the first block, so that the
    sums depend on neither the batches nor the order of the columns.

    Parameters
    ----------
    batches : Batches
    missing : "error" or "listwise"
        Whether missing cells are refused or their rows left out.
    progress : callable, optional
        Receives the number of rows so far.

    Raises
    ------
    DataError
        When the table has fewer than 5 rows or 2 columns, a column is constant, or a cell is missing or
        infinite.
    """
    check_missing_policy(missing)
    stack = Stack()
    order: np.ndarray | None = None
    seen = 0
    for block in _blocks(batches.arrays(), len(batches.names)):
        if order is None:
            order = canonical_order(block)
        stack.add(moments_of(np.ascontiguousarray(block[:, order])))
        seen += len(block)
        if progress is not None:
            progress(seen)
    total = stack.total()
    if total is None or order is None:
        check_shape(len(batches.names), 0, batches.origin)
        raise AssertionError("a table without rows was not refused")
    back = np.argsort(order)
    total = total.arranged(back)
    check_moments(total, batches.names, batches.origin, missing, batches.arrays if batches.again else None)
    return total


def check_missing_policy(missing: Any) -> None:
    """Refuse a policy that one pass doesn't have."""
    if missing not in _MISSING:
        allowed = ", ".join(map(repr, _MISSING))
        raise ParameterError(
            f"missing is {missing!r}; in one pass over a table allowed are {allowed}: "
            "pairs of columns need all rows at once"
        )


def check_moments(
    moments: Moments,
    names: Sequence[str],
    origin: Origin,
    missing: str,
    again: Callable[[], Iterator[np.ndarray]] | None = None,
) -> None:
    """Refuse a table that can't be learned from, as `build_table` and `prepared` do.

    Raises
    ------
    DataError
    """
    check_shape(len(names), moments.n_seen, origin)
    if missing == "error" and moments.missing.any():
        raise DataError(missing_sentence(names, moments.missing, moments.first_missing, origin, False))
    if moments.infinite.any():
        column = int(np.flatnonzero(moments.infinite)[0])
        if again is not None:
            column = _first_infinite(again(), moments.first_infinite)
        refuse_infinite(names[column], moments.first_infinite, origin)
    if moments.n_rows < moments.n_seen:
        check_shape(len(names), moments.n_rows, Origin(f"{origin.label}, without rows that lack a cell,"))
        warn(left_out_sentence(names, moments.missing, moments.n_seen, moments.n_rows))
    constant = constants_sentence(Table(tuple(names), np.vstack([moments.low, moments.high])))
    if constant:
        raise DataError(f"{constant}; leave such columns out (in the command: --drop)")


def _first_infinite(arrays: Iterator[np.ndarray], row: int) -> int:
    """Find the first infinite column of a row."""
    before = 0
    for array in arrays:
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


def batches_of(parts: Iterable[Any], names: Sequence[Any] | None = None) -> Batches:
    """Make batches of data frames or arrays that come one after the other.

    Raises
    ------
    DataError
        When there are none, or the columns of one aren't those of the first.
    """
    if not isinstance(parts, Iterable):
        raise DataError(f"batches is of type {type(parts).__name__}; give data frames or arrays one by one")
    stream = iter(parts)
    try:
        first = next(stream)
    except StopIteration:
        raise DataError("there are no batches; give at least one with rows") from None
    table_names = tuple(_part(first, None, names, 0)[0])

    def arrays() -> Iterator[np.ndarray]:
        yield _part(first, None, names, 0)[1]
        for number, part in enumerate(stream, 1):
            yield _part(part, table_names, names, number)[1]

    return Batches(table_names, arrays, Origin("the table"), again=False)


def _part(
    part: Any, expected: Sequence[str] | None, names: Sequence[Any] | None, number: int
) -> tuple[tuple[str, ...], np.ndarray]:
    """Give names and values of a batch; rows with NaN or infinities are for the moments to count."""
    columns: list[Column]
    if isinstance(part, Table):
        labels, columns = list(part.names), [part.values[:, j] for j in range(part.n_columns)]
    else:
        labels, read = labels_and_readers(part)
        columns = [read(j, False) for j in range(len(labels))]
    found = string_names(labels if names is None else list(names), DataError)
    if len(found) != len(columns):
        raise ParameterError(
            f"names has {len(found)} labels and the data {len(columns)} columns; give one each"
        )
    if expected is not None and found != tuple(expected):
        raise DataError(
            f"batch {number + 1} has columns {', '.join(found[:8])}, and the first has "
            f"{', '.join(list(expected)[:8])}; give the same columns in each"
        )
    return found, numbers_of(columns, found, Origin(f"batch {number + 1}"))


def is_dask(X: Any) -> bool:
    """Whether data are a Dask DataFrame, without importing Dask."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


def dask_moments(frame: Any, missing: str = "error") -> tuple[tuple[str, ...], Moments]:
    """Sum up the partitions of a Dask DataFrame where they are, and join the sums in a tree.

    Raises
    ------
    DataError
        As `one_pass`.
    """
    import dask

    check_missing_policy(missing)
    names = string_names(list(frame.columns), DataError)
    summed = dask.delayed(_partition_moments, pure=True)
    parts = [summed(part, names, number) for number, part in enumerate(frame.to_delayed())]
    join = dask.delayed(Moments.joined, pure=True)
    while len(parts) > 1:
        pairs = [join(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + (parts[-1:] if len(parts) % 2 else [])
    [total] = dask.compute(*parts) if parts else [moments_of(np.zeros((0, len(names))))]
    check_moments(total, names, Origin("the table"), missing)
    return names, total


def _partition_moments(part: Any, names: tuple[str, ...], number: int) -> Moments:
    """Sum up a partition in blocks, its columns in an order that only their names don't decide."""
    if not len(part):
        return moments_of(np.zeros((0, len(names))))
    values = _part(part, names, None, number)[1]
    order = canonical_order(values[:BLOCK])
    stack = Stack()
    for start in range(0, len(values), BLOCK):
        stack.add(moments_of(np.ascontiguousarray(values[start : start + BLOCK, order])))
    total = stack.total()
    assert total is not None
    return total.arranged(np.argsort(order))
