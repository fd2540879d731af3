"""Columns of a batch as pyarrow holds it: numbers, or codes by way of its dictionaries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rolearn.data.columns import Column, Refusal
from rolearn.data.file_columns import arrow_column
from rolearn.data.levels import Coded

__all__ = ["batch_column", "is_number", "is_text"]


def is_number(kind: Any) -> bool:
    """Whether a type of pyarrow is one of numbers, or of nothing but missing cells."""
    import pyarrow

    is_ = pyarrow.types
    return bool(is_.is_integer(kind) or is_.is_floating(kind) or is_.is_decimal(kind) or is_.is_null(kind))


def is_text(kind: Any) -> bool:
    """Whether a type of pyarrow is text."""
    import pyarrow

    is_ = pyarrow.types
    return bool(is_.is_string(kind) or is_.is_large_string(kind) or is_.is_string_view(kind))


def batch_column(column: Any, discrete: bool) -> Column:
    """Read a column of a pyarrow Table, as `arrow_column` reads all of it, by its few different cells.

    Text is taken for levels, whatever it spells: that is for all batches together to tell.
    """
    import pyarrow

    kind = column.type
    stored = pyarrow.types.is_dictionary(kind)
    if not (discrete or stored or is_text(kind) or pyarrow.types.is_boolean(kind)):
        return arrow_column(column, False)
    encoded = (column if stored else column.dictionary_encode()).combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):  # too long for one
        return arrow_column(column, discrete or stored)
    text = is_text(encoded.dictionary.type)
    entries = arrow_column(pyarrow.chunked_array([encoded.dictionary]), discrete or stored or text)
    if not isinstance(entries, Coded):  # infinite numbers, or nothing but missing cells
        return entries if isinstance(entries, Refusal) else arrow_column(column, discrete)
    coded = _of_entries(encoded.indices, entries)
    return replace(coded, text=text and not discrete and not stored)


def _of_entries(indices: Any, entries: Coded) -> Coded:
    """Give the codes of rows that point at entries; levels that no row has are left out."""
    import pyarrow
    from pyarrow import compute

    drawn = compute.fill_null(indices.cast(pyarrow.int32()), -1)
    places = np.frombuffer(drawn.buffers()[1], np.int32, len(drawn), drawn.offset * 4)
    codes = np.append(entries.codes, np.nan)[places]
    occurs = np.bincount(codes[~np.isnan(codes)].astype(np.int64), minlength=len(entries.levels)) > 0
    if occurs.all():
        return Coded(codes, entries.levels)
    number = np.cumsum(occurs) - 1.0
    known = ~np.isnan(codes)
    codes[known] = number[codes[known].astype(np.int64)]
    return Coded(codes, tuple(level for level, there in zip(entries.levels, occurs, strict=True) if there))
