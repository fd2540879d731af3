from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn import Gaussian, RolearnWarning, learn
from rolearn.independence.pairwise import PairwiseGaussian, least_eigenvalue, nearest_correlation
from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.runtime.compile import uncompiled
from rolearn.runtime.errors import DataError

pytestmark = pytest.mark.pure


def holed(seed=0, n=200, p=6, share=0.3):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, p)) @ (np.eye(p) + np.triu(rng.uniform(-1, 1, (p, p)), 1))
    return np.where(rng.random((n, p)) < share, np.nan, values)


def statistics(seed=0, **options):
    values = holed(seed, **options)
    return PairwiseGaussian.of_rows(values, [f"v{j}" for j in range(values.shape[1])])


def by_definition(statistics, members):
    """Fisher's z of the first two given the others, with the fewest rows that two of them share."""
    from scipy.stats import norm

    square = np.ix_(members, members)
    precision = np.linalg.inv(statistics.correlation[square])
    r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    degrees = statistics.counts[square].min() - (len(members) - 2) - 3
    return 2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(degrees))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.permutations(range(6)), st.integers(0, 4))
def test_tests_take_the_fewest_rows_that_two_variables_share(seed, order, size):
    made = statistics(seed)
    names = [f"v{i}" for i in order]
    expected = by_definition(made, list(order[: size + 2]))
    assert made.p_value(names[0], names[1], names[2 : size + 2]) == pytest.approx(expected, abs=1e-10)
    assert made.n_used(names[: size + 2]) == made.counts[np.ix_(order[: size + 2], order[: size + 2])].min()


@pytest.mark.parametrize("seed", range(5))
def test_families_of_tests_are_the_single_tests(seed):
    made = statistics(seed)
    members, found, expected = np.arange(6), np.zeros((6, 6)), np.zeros((6, 6))
    uncompiled(pairs_given_rest_by_tests)(made.arrays, members, 6, expected)
    pairs_given_rest(made.arrays, members, 6, found)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    boundary, found, expected = np.arange(1, 6), np.zeros((5, 5)), np.zeros((5, 5))
    uncompiled(leave_two_out_by_tests)(made.arrays, 0, boundary, 5, expected)
    leave_two_out(made.arrays, 0, boundary, 5, found)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_too_few_rows_for_a_test_count_as_dependence():
    made = statistics(n=14)
    assert made.counts.min() < 9
    assert made.p_value("v0", "v1", ["v2", "v3", "v4", "v5"]) == 0.0


def test_without_holes_it_is_the_gaussian():
    values = holed(share=0.0)
    made, plain = PairwiseGaussian.of_rows(values, "abcdef"), Gaussian(np.cov(values.T), 200, list("abcdef"))
    np.testing.assert_allclose(made.correlation, plain.correlation, atol=1e-12)
    assert made.n_samples == 200
    assert made.p_value("a", "b", ["c"]) == pytest.approx(plain.p_value("a", "b", ["c"]))


def test_columns_that_share_too_few_rows():
    values = holed()
    values[4:, 2] = np.nan
    with pytest.raises(DataError, match="rows have both 'v0' and 'v2'; at least 5"):
        PairwiseGaussian.of_rows(values, [f"v{j}" for j in range(6)])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 8), st.sampled_from([1e-3, 0.05, 0.3]))
def test_the_nearest_correlation_matrix(seed, p, least):
    rng = np.random.default_rng(seed)
    matrix = np.clip(np.triu(rng.uniform(-1.2, 1.2, (p, p)), 1), -1, 1)
    matrix = matrix + matrix.T + np.eye(p)
    near = nearest_correlation(matrix, least)
    np.testing.assert_array_equal(near, near.T)
    np.testing.assert_array_equal(np.diag(near), 1.0)
    assert np.linalg.eigvalsh(near)[0] > 0.9 * least
    distance = np.linalg.norm(near - matrix)
    for _ in range(20):  # none that is allowed is nearer
        step = rng.standard_normal((p, p))
        other = near + rng.uniform(0, 0.3) * (step + step.T)
        np.fill_diagonal(other, 1.0)
        if np.linalg.eigvalsh(other)[0] >= least:
            assert np.linalg.norm(other - matrix) > distance - 1e-6
    if np.linalg.eigvalsh(matrix)[0] >= least:
        assert near is matrix


def test_the_floor_goes_with_what_is_missing():
    complete, holes = np.full((5, 5), 100.0), np.full((5, 5), 50.0)
    assert least_eigenvalue(complete, 100, 5) == 1e-3
    assert least_eigenvalue(holes, 100, 5) == pytest.approx(0.5 * np.sqrt(5 * (1 / 50 - 1 / 100)))
    assert least_eigenvalue(np.full((5, 5), 5.0), 10**6, 50) == 0.5


def test_the_order_of_columns_and_their_names_change_nothing():
    frame = pd.DataFrame(holed(n=500), columns=list("abcdef"))
    with pytest.warns(RolearnWarning, match="each pair of columns"):
        first = learn(frame, missing="pairwise")
    with pytest.warns(RolearnWarning, match="each pair of columns"):
        other = learn(frame[list("fbdace")].rename(columns=str.upper), missing="pairwise")
    assert {str(edge).upper() for edge in first.pag_.edges()} == {
        str(edge).upper() for edge in other.pag_.reorder([name.upper() for name in first.pag_.names]).edges()
    }
    assert [name.upper() for name in first.order_] == list(other.order_)
