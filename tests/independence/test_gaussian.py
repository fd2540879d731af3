import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import DataError, Gaussian, ParameterError
from rolearn.independence.gaussian_kernels import gaussian_leave_two_out, gaussian_pairs_given_rest
from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.runtime.compile import kernel, uncompiled

pytestmark = pytest.mark.pure


@kernel
def ask_leave_two_out(statistics, x, boundary, size, p_values):
    leave_two_out(statistics, x, boundary, size, p_values)


@kernel
def ask_pairs_given_rest(statistics, members, size, p_values):
    pairs_given_rest(statistics, members, size, p_values)


def fisher_z(correlation: np.ndarray, n: float, x: int, y: int, given: list[int]) -> float:
    inverse = np.linalg.inv(correlation[np.ix_([x, y, *given], [x, y, *given])])
    r = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
    return math.erfc(abs(math.atanh(r)) * math.sqrt(n - len(given) - 3) / math.sqrt(2))


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_p_value_is_fisher_z_of_the_partial_correlation(p, seed, data):
    gaussian = random_gaussian(p, seed)
    x, y, *rest = data.draw(st.permutations(range(p)))
    given = rest[: data.draw(st.integers(0, len(rest)))]
    expected = fisher_z(gaussian.correlation, gaussian.n_samples, x, y, given)
    names = gaussian.names
    found = gaussian.p_value(names[x], names[y], [names[g] for g in given])
    assert found == pytest.approx(expected, abs=1e-9)
    assert gaussian.p_value(names[y], names[x], [names[g] for g in given]) == pytest.approx(found, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(p=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_families_of_tests_equal_single_tests(p, seed):
    arrays = random_gaussian(p, seed).arrays
    boundary = np.arange(1, p)
    quick, slow = np.zeros((p, p)), np.zeros((p, p))
    ask_leave_two_out(arrays, 0, boundary, p - 1, quick)
    leave_two_out_by_tests(arrays, 0, boundary, p - 1, slow)
    off_diagonal = ~np.eye(p - 1, dtype=bool)
    assert quick[:-1, :-1][off_diagonal] == pytest.approx(slow[:-1, :-1][off_diagonal], abs=1e-9)
    quick, slow = np.zeros((p, p)), np.zeros((p, p))
    ask_pairs_given_rest(arrays, np.arange(p), p, quick)
    pairs_given_rest_by_tests(arrays, np.arange(p), p, slow)
    off_diagonal = ~np.eye(p, dtype=bool)
    assert quick[off_diagonal] == pytest.approx(slow[off_diagonal], abs=1e-9)


def test_families_of_tests_read_a_singular_set_as_dependent():
    correlation = np.full((3, 3), 1.0)
    arrays = Gaussian(np.eye(3), 50).arrays._replace(correlation=correlation)
    p_values = np.full((3, 3), 0.5)
    uncompiled(gaussian_pairs_given_rest)(arrays, np.arange(3), 3, p_values)
    assert not p_values.any()
    uncompiled(gaussian_leave_two_out)(arrays, 0, np.array([1, 2]), 2, p_values)
    assert not p_values[:2, :2].any()


def test_p_value_is_zero_where_rows_are_too_few_to_test():
    gaussian = Gaussian(np.eye(4), 5)
    assert gaussian.p_value("X1", "X2", ["X3"]) == 1.0
    assert gaussian.p_value("X1", "X2", ["X3", "X4"]) == 0.0


def test_a_variable_that_the_given_set_determines_is_independent_of_all():
    arrays = Gaussian(np.eye(3), 100).arrays
    copy = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    gaussian = Gaussian(np.eye(3), 100)
    gaussian.arrays = arrays._replace(correlation=copy)
    assert gaussian.p_value("X1", "X3", ["X2"]) == 1.0
    assert gaussian.p_value("X1", "X2") == 0.0


@pytest.mark.parametrize(
    ("covariance", "n_samples", "names", "error", "says"),
    [
        ([[1.0, 0.5]], 10, None, DataError, "square"),
        ("no matrix", 10, None, DataError, "matrix of numbers"),
        ([[1.0, np.nan], [np.nan, 1.0]], 10, None, DataError, "finite"),
        ([[1.0, 0.1], [0.5, 1.0]], 10, None, DataError, "symmetric"),
        ([[1.0, 0.0], [0.0, 0.0]], 10, ["a", "b"], DataError, "b is not positive"),
        ([[1.0, 2.0], [2.0, 1.0]], 10, None, DataError, "negative eigenvalue"),
        ([[1.0, 1.0, 0], [1.0, 1.0, 0], [0, 0, 1.0]], 10, ["a", "b", "c"], DataError, "a, b are linearly"),
        (np.eye(2), 4, None, ParameterError, "at least 5"),
        (np.eye(2), "many", None, ParameterError, "number of rows"),
        (np.eye(2), 10, ["a"], ParameterError, "one each"),
        (np.eye(2), 10, ["a", "a"], ParameterError, "unique"),
    ],
)
def test_what_is_no_covariance_matrix_is_refused(covariance, n_samples, names, error, says):
    with pytest.raises(error, match=says):
        Gaussian(covariance, n_samples, names)


def test_tests_about_unknown_or_repeated_variables_are_refused():
    gaussian = Gaussian(np.eye(3), 10)
    with pytest.raises(ParameterError, match="no variable 'Z'"):
        gaussian.p_value("X1", "Z")
    with pytest.raises(ParameterError, match="must differ"):
        gaussian.p_value("X1", "X1")


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6), data=st.data())
def test_canonical_order_does_not_depend_on_the_arrangement(p, seed, data):
    gaussian = random_gaussian(p, seed)
    permutation = np.array(data.draw(st.permutations(range(p))))
    other = gaussian.arranged(permutation)
    first = gaussian.arranged(gaussian.canonical_order())
    second = other.arranged(other.canonical_order())
    assert np.array_equal(first.correlation, second.correlation)
    assert p == 2 or first.names == second.names  # two variables are each other's mirror image


def test_canonical_order_tells_alike_variables_apart():
    equal = Gaussian(np.full((4, 4), 0.5) + 0.5 * np.eye(4), 100)
    assert sorted(equal.canonical_order()) == [0, 1, 2, 3]
