"""Distinct rows of codes, found by hashing, in the order in which they first occur."""

from __future__ import annotations

from rolearn.runtime.compile import kernel

__all__ = ["add_rows", "place_rows"]


@kernel
def _place_of(codes, i, rows, places):
    """Give where the i-th of the codes is or would go among the places of rows."""
    key = 0
    p = codes.shape[1]
    for j in range(p):
        key = ((key ^ (int(codes[i, j]) + 1)) * 16777619) & 0x7FFFFFFF
    mask = len(places) - 1
    at = (key ^ (key >> 15)) & mask
    while places[at] >= 0:
        row = places[at]
        j = 0
        while j < p and rows[row, j] == codes[i, j]:
            j += 1
        if j == p:
            break
        at = (at + 1) & mask
    return at


@kernel
def add_rows(codes, weights, start, rows, counts, places, used):
    """Count rows of codes (n, p) from `start` on; gives how many were taken before there was no room.

    ``rows`` (most, p) are the distinct ones so far, the first ``used[0]``, with their ``counts`` (most).
    ``places`` is a table of their numbers, -1 where empty: a power of two, more than the rows.
    """
    for i in range(start, len(codes)):
        at = _place_of(codes, i, rows, places)
        row = places[at]
        if row < 0:
            row = used[0]
            if row == len(rows):
                return i
            places[at] = row
            used[0] += 1
            for j in range(codes.shape[1]):
                rows[row, j] = codes[i, j]
            counts[row] = 0
        counts[row] += weights[i]
    return len(codes)


@kernel
def place_rows(rows, used, places):
    """Fill an empty table of places with distinct rows."""
    for i in range(used):
        places[_place_of(rows, i, rows, places)] = i
