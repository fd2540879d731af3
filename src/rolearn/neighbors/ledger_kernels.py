"""Two open-addressing hash tables in arrays, and when to come back to Python."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.runtime.compile import kernel

__all__ = [
    "BEYOND",
    "COSTS",
    "FULL",
    "LARGEST",
    "TESTS",
    "Ledger",
    "copy_entries",
    "cost_key",
    "halted",
    "keep_cost",
    "note_test",
    "note_test_key",
    "place",
    "set_key",
]

# What `counts` counts; FULL turns 1 when a table needs room, BEYOND counts tests that weren't remembered.
COSTS, TESTS, FULL, BEYOND = 0, 1, 2, 3

# The most places of the table of tests: 32 MB, two million tests told apart.
LARGEST = 1 << 22


class Ledger(NamedTuple):
    """Local costs by the key of (variable, boundary), and the keys of the tests asked so far.

    ``keys`` (3, p) are random: of a variable in a conditioning set or boundary, as one of the two tested,
    and as the variable whose cost it is. A key of 0 is an empty place.
    """

    keys: np.ndarray
    cost_keys: np.ndarray
    cost_values: np.ndarray
    test_keys: np.ndarray
    counts: np.ndarray
    signal: np.ndarray


@kernel
def halted(ledger):
    """Whether to go back to Python: the budget is spent, or a table needs room."""
    return ledger.signal[0] != 0 or ledger.counts[FULL] != 0


@kernel
def place(table, key):
    """Give where the key is or would go."""
    mask = len(table) - 1
    i = key & mask
    while table[i] != 0 and table[i] != key:
        i = (i + 1) & mask
    return i


@kernel
def copy_entries(keys, values, new_keys, new_values):
    """Fill larger tables with all entries of smaller ones."""
    for i in range(len(keys)):
        if keys[i] != 0:
            at = place(new_keys, keys[i])
            new_keys[at] = keys[i]
            if len(values) > 0:
                new_values[at] = values[i]


@kernel
def set_key(ledger, members, size):
    """Give the key of a set."""
    key = 0
    for i in range(size):
        key ^= ledger.keys[0, members[i]]
    return key


@kernel
def cost_key(ledger, x, boundary, size):
    """Give the key of a variable with its boundary."""
    return ledger.keys[2, x] ^ set_key(ledger, boundary, size)


@kernel
def keep_cost(ledger, key, value):
    """Remember a local cost."""
    at = place(ledger.cost_keys, key)
    if ledger.cost_keys[at] == 0:
        ledger.cost_keys[at] = key
        ledger.counts[COSTS] += 1
        if 2 * ledger.counts[COSTS] > len(ledger.cost_keys):
            ledger.counts[FULL] = 1
    ledger.cost_values[at] = value


@kernel
def note_test_key(ledger, x, y, given_key):
    """Count the test of x and y given the set with this key, unless it was asked before.

    A table three quarters full takes no more: FULL is set by then, and the caller asks again after growth.
    The largest table takes no more than half: from then on each test counts, asked before or not.
    """
    size = len(ledger.test_keys)
    if size >= LARGEST and 2 * ledger.counts[TESTS] > size:
        ledger.counts[BEYOND] += 1
        return
    if 4 * ledger.counts[TESTS] > 3 * size:
        return
    key = ledger.keys[1, x] ^ ledger.keys[1, y] ^ given_key
    at = place(ledger.test_keys, key)
    if ledger.test_keys[at] == 0:
        ledger.test_keys[at] = key
        ledger.counts[TESTS] += 1
        if size < LARGEST and 2 * ledger.counts[TESTS] > size:
            ledger.counts[FULL] = 1


@kernel
def note_test(ledger, x, y, given, size):
    """Count the test of x and y given a set, unless it was asked before."""
    note_test_key(ledger, x, y, set_key(ledger, given, size))
