import numpy as np
import pytest

from rolearn.neighbors.ledger import asked, distinct, grown, new_ledger
from rolearn.neighbors.ledger_kernels import BEYOND, COSTS, FULL, LARGEST, TESTS, keep_cost, note_test, place

pytestmark = pytest.mark.pure


def test_distinct_tests_are_counted_once_while_tables_grow():
    ledger = new_ledger(8, np.zeros(1, np.uint8))
    generator = np.random.default_rng(0)
    asked = set()
    for _ in range(6000):
        x, y, *given = generator.permutation(8)[: generator.integers(2, 9)].tolist()
        asked.add((frozenset((x, y)), frozenset(given)))
        note_test(ledger, x, y, np.array(given, np.int64), len(given))
        if ledger.counts[FULL]:
            ledger = grown(ledger)
    assert ledger.counts[TESTS] == len(asked) == np.count_nonzero(ledger.test_keys)


def test_costs_are_found_again_after_growth():
    ledger = new_ledger(3, np.zeros(1, np.uint8))
    keys = np.random.default_rng(1).integers(1, 1 << 62, 5000)
    for number, key in enumerate(keys):
        keep_cost(ledger, key, float(number))
        if ledger.counts[FULL]:
            ledger = grown(ledger)
    assert ledger.counts[COSTS] == len(keys)
    assert [ledger.cost_values[place(ledger.cost_keys, key)] for key in keys] == list(range(len(keys)))


def test_a_table_three_quarters_full_takes_no_more():
    ledger = new_ledger(200, np.zeros(1, np.uint8))
    nothing = np.empty(0, np.int64)
    for x in range(200):
        for y in range(x):
            note_test(ledger, x, y, nothing, 0)
    assert ledger.counts[FULL] == 1
    assert 0.74 < np.count_nonzero(ledger.test_keys) / len(ledger.test_keys) < 0.76


def test_the_largest_table_counts_on_without_remembering():
    ledger = new_ledger(3, np.zeros(1, np.uint8))
    nearly = ledger._replace(test_keys=np.zeros(LARGEST, np.int64))
    nearly.counts[TESTS] = LARGEST // 2 + 1
    nothing = np.empty(0, np.int64)
    note_test(nearly, 0, 1, nothing, 0)
    note_test(nearly, 0, 1, nothing, 0)
    assert (nearly.counts[BEYOND], nearly.counts[FULL]) == (2, 0)
    assert distinct([asked(nearly), asked(nearly)]) == 4
