from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import ndtri
from scipy.stats import rankdata

from rolearn.data import canonical_order, correlation_matrix, rank_to_normal
from rolearn.data.transform import normal_scores

pytestmark = pytest.mark.pure

small = arrays(np.float64, st.tuples(st.integers(5, 30), st.integers(1, 4)), elements=st.integers(-3, 3))


@given(small)
def test_ranks_agree_with_scipy(values):
    expected = ndtri(rankdata(values, axis=0) / (len(values) + 1))
    np.testing.assert_allclose(rank_to_normal(values), expected)


@given(small)
def test_scores_of_ordered_columns_are_their_ranks(values):
    untied = np.random.default_rng(0).standard_normal(len(values))
    ordered = np.sort(np.column_stack([values, untied]), axis=0)
    np.testing.assert_array_equal(normal_scores(ordered), rank_to_normal(ordered))


def test_ranks_of_columns_with_ties_and_missing_cells():
    values = np.random.default_rng(7).standard_normal((300, 5))
    values[:, 1] = np.round(values[:, 1], 1)
    values[::7, 2] = values[1::7, 3] = np.nan
    values[:, 4] = np.nan
    ranks = rankdata(values, axis=0, nan_policy="omit")
    expected = ndtri(ranks / (np.sum(~np.isnan(values), axis=0) + 1))
    np.testing.assert_allclose(rank_to_normal(values), expected, rtol=1e-12, atol=1e-12)


def test_many_ranks_are_transformed_as_few_are(monkeypatch):
    values = np.random.default_rng(8).standard_normal((300, 2))
    values[::5] = np.nan
    few = rank_to_normal(values)
    monkeypatch.setattr("rolearn.data.transform._MANY", 10)
    np.testing.assert_allclose(rank_to_normal(values), few, rtol=1e-13, atol=1e-13)


def test_ranks_ignore_monotone_scales():
    values = np.random.default_rng(0).standard_normal((200, 3))
    np.testing.assert_array_equal(rank_to_normal(values), rank_to_normal(np.exp(values)))


def test_canonical_order_ignores_positions():
    rng = np.random.default_rng(1)
    values = rng.standard_normal((50, 8))
    expected = values[:, canonical_order(values)]
    for _ in range(20):
        shuffled = values[:, rng.permutation(8)]
        np.testing.assert_array_equal(shuffled[:, canonical_order(shuffled)], expected)


def test_canonical_order_takes_negative_zero_for_zero():
    values = np.random.default_rng(2).integers(-1, 2, (20, 6)).astype(float)
    negative = np.where(values == 0, -0.0, values)
    np.testing.assert_array_equal(canonical_order(values), canonical_order(negative))


def test_canonical_order_sees_memory_layout_of_any_kind():
    values = np.random.default_rng(3).standard_normal((20, 6))
    expected = canonical_order(values)
    np.testing.assert_array_equal(canonical_order(np.asfortranarray(values)), expected)
    np.testing.assert_array_equal(canonical_order(np.repeat(values, 2, axis=1)[:, ::2]), expected)


def test_correlations_agree_with_numpy():
    values = np.random.default_rng(4).standard_normal((100, 7)) @ np.diag([1, 10, 1e-3, 1e5, 1, 1, 1])
    correlation = correlation_matrix(values)
    np.testing.assert_allclose(correlation, np.corrcoef(values, rowvar=False), atol=1e-13)
    np.testing.assert_array_equal(correlation, correlation.T)
    np.testing.assert_array_equal(np.diag(correlation), np.ones(7))


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e-12])
def test_correlations_of_extreme_scales(scale):
    values = np.random.default_rng(5).standard_normal((100, 3))
    np.testing.assert_allclose(correlation_matrix(values * scale), correlation_matrix(values), atol=1e-13)


def test_correlations_of_columns_far_from_zero():
    values = np.random.default_rng(6).integers(0, 1000, (500, 3)).astype(float)
    np.testing.assert_allclose(correlation_matrix(values + 1e9), correlation_matrix(values), atol=1e-9)
