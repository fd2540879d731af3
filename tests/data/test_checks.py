from __future__ import annotations

import time

import numpy as np
import pytest

from rolearn.data import as_table
from rolearn.data.copied_rows import warn_of_copied_rows
from rolearn.data.degenerate import prepared
from rolearn.runtime.errors import DataError, RolearnWarning, warn

pytestmark = pytest.mark.pure


def noise(n, p, seed=0):
    return np.random.default_rng(seed).standard_normal((n, p))


def check_columns(table):
    """Do what a fit does before it makes statistics."""
    warn_of_copied_rows(table)
    _, report = prepared(table)
    for note in report.notes:
        warn(note)


def refused(values, names=None):
    with pytest.raises(DataError) as caught:
        check_columns(as_table(values, names))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_stacked_table_is_told_whatever_its_first_columns_are():
    few = np.random.default_rng(1).integers(0, 3, (60, 4)).astype(float)
    stacked = np.tile(np.column_stack([few, noise(60, 2)]), (2, 1))
    with pytest.warns(RolearnWarning, match="60 of 120 rows are exact copies"):
        warn_of_copied_rows(as_table(stacked))
    with pytest.warns(RolearnWarning, match="60 of 120 rows are exact copies"):
        warn_of_copied_rows(as_table(stacked[:, ::-1]))


def test_clean_data_passes():
    check_columns(as_table(noise(50, 6)))


@pytest.mark.parametrize("constant", [0.0, 3.0, -1e9, 1e300])
def test_constant_column(constant):
    values = np.column_stack([noise(50, 3), np.full(50, constant)])
    assert refused(values, ["a", "b", "c", "flat"]).startswith("column 'flat' is constant")


def test_several_constant_columns():
    values = np.column_stack([np.full(50, 1.0), noise(50, 2), np.full(50, 2.0)])
    assert refused(values).startswith("columns 'X1', 'X4' are constant")


def test_constant_up_to_rounding():
    values = np.column_stack([noise(50, 2), np.full(50, 0.3)])
    values[::2, 2] = 0.1 + 0.2
    assert "'X3' is constant" in refused(values)


def test_small_variation_on_a_large_offset_is_no_constant():
    check_columns(as_table(np.column_stack([noise(50, 2), 1e6 + 1e-3 * noise(50, 1, 1)])))


@pytest.mark.parametrize(
    "copy", [lambda x: x, lambda x: -2 * x + 5, lambda x: 1e-9 * x, lambda x: 1e9 * x + 1]
)
def test_copies_up_to_scale_and_shift(copy):
    values = noise(50, 3)
    values[:, 2] = copy(values[:, 0])
    assert refused(values, ["a", "b", "c"]).startswith("columns 'a' and 'c' are copies")


def test_three_copies_are_named_as_pairs():
    """causal-learn#155: rank one."""
    x = noise(50, 1)
    sentence = refused(np.column_stack([x, 0.5 * x, 0.8 * x]))
    assert "'X1' and 'X2'; 'X1' and 'X3'; 'X2' and 'X3' are copies" in sentence


def test_copies_among_more_columns_than_rows():
    values = noise(8, 20)
    values[:, 13] = -values[:, 4]
    assert "'X5' and 'X14'" in refused(values)


def test_more_columns_than_rows_are_no_combination():
    check_columns(as_table(noise(10, 9)))
    check_columns(as_table(noise(10, 30)))


def test_nearly_a_sum():
    """causal-learn#29: rounding there made a variance negative."""
    values = noise(500, 3)
    third = values[:, 0] + values[:, 1] + 1e-8 * values[:, 2]
    sentence = refused(np.column_stack([values, third]), ["x1", "x2", "w", "x3"])
    assert "linear combination" in sentence
    assert all(f"'{name}'" in sentence for name in ("x1", "x2", "x3"))
    assert "'w'" not in sentence


def test_a_sum_with_real_noise_passes():
    values = noise(500, 3)
    total = values[:, 0] + values[:, 1] + 1e-3 * noise(500, 1, 1)[:, 0]
    check_columns(as_table(np.column_stack([values, total])))


def test_parts_that_add_up_to_a_whole():
    parts = np.random.default_rng(3).dirichlet(np.ones(5), 200)
    assert "linear combination" in refused(parts)


def test_two_combinations_are_both_named():
    values = noise(100, 8)
    values[:, 3] = values[:, 0] - 2 * values[:, 1]
    values[:, 7] = values[:, 4] + values[:, 5] + 1
    sentence = refused(values)
    assert sentence.count("linear combination") == 2
    for group in (("X1", "X2", "X4"), ("X5", "X6", "X8")):
        assert all(f"'{name}'" in sentence for name in group)
    assert "'X3'" not in sentence


def test_combination_of_columns_on_very_different_scales():
    values = noise(100, 4) * np.array([1, 1e6, 1e-6, 1])
    values[:, 3] = values[:, 0] + values[:, 1] * 1e-6 + values[:, 2] * 1e6
    assert refused(values).count("'X") == 4


def test_a_stacked_table_is_warned_of():
    values = noise(50, 3)
    with pytest.warns(RolearnWarning, match="50 of 100 rows are exact copies"):
        check_columns(as_table(np.vstack([values, values])))


def test_equal_rows_of_few_valued_columns_are_natural():
    check_columns(as_table(np.random.default_rng(4).integers(0, 3, (500, 3)).astype(float)))


def test_a_thousand_columns_are_checked_quickly():
    table = as_table(noise(2000, 1000))
    started = time.perf_counter()
    check_columns(table)
    assert time.perf_counter() - started < 3
