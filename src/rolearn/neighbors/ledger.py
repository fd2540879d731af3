"""What a search has worked out: local costs by (variable, boundary), and which tests were asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rolearn.neighbors.ledger_kernels import BEYOND, COSTS, FULL, LARGEST, TESTS, Ledger, copy_entries

__all__ = ["Asked", "asked", "distinct", "grown", "new_ledger"]

_KEY_SEED = 20230207
_FIRST_SIZE = 1 << 12


class Asked(NamedTuple):
    """The tests noted: keys of those told apart, maybe more than once, and how many came beyond that."""

    keys: np.ndarray
    beyond: int


def asked(ledger: Ledger) -> Asked:
    """Give the tests noted so far."""
    return Asked(ledger.test_keys[ledger.test_keys != 0], int(ledger.counts[BEYOND]))


def distinct(parts: Iterable[Asked]) -> int:
    """Count the distinct tests of several ledgers; those beyond what they tell apart count each time."""
    listed = list(parts)
    keys = np.concatenate([np.zeros(0, np.int64), *(part.keys for part in listed)])
    keys.sort()
    return np.count_nonzero(np.diff(keys)) + (len(keys) > 0) + sum(part.beyond for part in listed)


def new_ledger(n_variables: int, signal: np.ndarray) -> Ledger:
    """Give an empty ledger for p variables that also carries the budget's signal.

    Sets get 62-bit keys (Zobrist 1970), drawn once from a fixed seed: two of a million sets share one with
    probability 1e-7.
    """
    keys = np.random.default_rng(_KEY_SEED).integers(1, 1 << 62, (3, n_variables), dtype=np.int64)
    return Ledger(
        keys,
        np.zeros(_FIRST_SIZE, np.int64),
        np.zeros(_FIRST_SIZE),
        np.zeros(_FIRST_SIZE, np.int64),
        np.zeros(4, np.int64),
        signal,
    )


def grown(ledger: Ledger) -> Ledger:
    """Give the same ledger with four times the room in whichever table is short of it."""
    cost_keys, cost_values, test_keys = ledger.cost_keys, ledger.cost_values, ledger.test_keys
    counts = ledger.counts.copy()
    counts[FULL] = 0
    if 4 * counts[COSTS] > len(cost_keys):
        cost_keys = np.zeros(4 * len(ledger.cost_keys), np.int64)
        cost_values = np.zeros(len(cost_keys))
        copy_entries(ledger.cost_keys, ledger.cost_values, cost_keys, cost_values)
    if 4 * counts[TESTS] > len(test_keys) < LARGEST:
        test_keys = np.zeros(4 * len(ledger.test_keys), np.int64)
        copy_entries(ledger.test_keys, np.zeros(0), test_keys, np.zeros(0))
    return Ledger(ledger.keys, cost_keys, cost_values, test_keys, counts, ledger.signal)
