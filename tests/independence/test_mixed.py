import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, kstest

from examples import random_rows
from rolearn import Gaussian
from rolearn.independence import DegenerateGaussian

pytestmark = pytest.mark.pure


def mixed_rows(p: int, seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a linear model, every second column cut into 2 to 4 levels."""
    generator = np.random.default_rng(seed)
    values, levels = random_rows(p, seed, n), np.zeros(p, int)
    for j in range(1, p, 2):
        levels[j] = generator.integers(2, 5)
        cuts = np.quantile(values[:, j], np.linspace(0, 1, levels[j] + 1)[1:-1])
        values[:, j] = generator.permutation(levels[j])[np.searchsorted(cuts, values[:, j])]
    return values, levels


def made(values, levels) -> DegenerateGaussian:
    return DegenerateGaussian.of_rows(values, levels, [f"X{i}" for i in range(len(levels))])


def by_definition(values, levels, x: int, y: int, given: list[int], left_out: int = 0) -> float:
    """Wilks' lambda with Bartlett's factor, from determinants of an embedding that leaves any level out."""

    def columns(i):
        if levels[i] == 0:
            return [values[:, i]]
        kept = [level for level in range(levels[i]) if level != left_out]
        return [(values[:, i] == level).astype(float) for level in kept]

    def log_det(variables):
        rows = [column for i in variables for column in columns(i)]
        return np.linalg.slogdet(np.atleast_2d(np.cov(rows)))[1] if rows else 0.0

    ratio = log_det([*given, x, y]) - log_det([*given, x]) - log_det([*given, y]) + log_det(given)
    a, b, c = (sum(len(columns(i)) for i in some) for some in ([x], [y], given))
    return chi2.sf(-(len(values) - 1 - c - (a + b + 1) / 2) * ratio, a * b)


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 6), seed=st.integers(0, 10**6), data=st.data())
def test_p_value_is_wilks_lambda_whichever_level_is_left_out(p, seed, data):
    values, levels = mixed_rows(p, seed, 150)
    x, y, *rest = data.draw(st.permutations(range(p)))
    given = rest[: data.draw(st.integers(0, len(rest)))]
    found = made(values, levels).p_value(f"X{x}", f"X{y}", [f"X{g}" for g in given])
    for left_out in (0, 1):
        assert found == pytest.approx(by_definition(values, levels, x, y, given, left_out), abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 6), seed=st.integers(0, 10**6), data=st.data())
def test_names_of_levels_and_arrangement_change_no_bit(p, seed, data):
    values, levels = mixed_rows(p, seed, 80)
    renamed = values.copy()
    for j in np.flatnonzero(levels):
        renamed[:, j] = np.array(data.draw(st.permutations(range(levels[j]))))[values[:, j].astype(int)]
    first = made(values, levels)
    assert np.array_equal(first.arrays.correlation, made(renamed, levels).arrays.correlation)
    positions = np.array(data.draw(st.permutations(range(p))))
    other = first.arranged(positions)
    one = first.arranged(first.canonical_order())
    two = other.arranged(other.canonical_order())
    assert one.arrays.correlation == pytest.approx(two.arrays.correlation, abs=1e-12)
    x, y, *rest = one.names
    assert one.p_value(x, y, rest) == pytest.approx(two.p_value(x, y, rest), abs=1e-10)


@pytest.mark.parametrize("seed", range(5, 10))
def test_canonical_order_is_the_same_variables_in_any_arrangement(seed):
    """Seed 6: two variables of three levels, which rounding alone tells apart by their diagonals."""
    first = made(*mixed_rows(6, seed, 80))
    names = [first.names[i] for i in first.canonical_order()]
    for positions in itertools.permutations(range(6)):
        other = first.arranged(np.array(positions))
        assert [other.names[i] for i in other.canonical_order()] == names


def test_continuous_columns_alone_are_tested_much_as_by_fisher():
    rows = random_rows(4, 5, 400)
    ours, fisher = made(rows, np.zeros(4, int)), Gaussian(np.cov(rows.T), 400, [f"X{i}" for i in range(4)])
    for x, y in itertools.combinations(ours.names, 2):
        rest = [name for name in ours.names if name not in (x, y)]
        assert ours.p_value(x, y, rest) == pytest.approx(fisher.p_value(x, y, rest), abs=2e-3)


@pytest.mark.parametrize("n", [40, 1000])
@pytest.mark.parametrize("kinds", [(0, 0, 3), (3, 0, 0), (4, 3, 3), (2, 2, 0)])
def test_p_values_are_uniform_under_independence(n, kinds):
    generator = np.random.default_rng(sum(kinds) * n)
    p_values = []
    for _ in range(300):
        z = generator.integers(0, 3, n) if kinds[2] else generator.standard_normal(n)
        columns = []
        for levels in kinds[:2]:
            noise = generator.standard_normal(n) + (0.5 * (z == 1) if kinds[2] else 0.5 * z)
            # categories drawn given z alone, so that x and y are independent given it whatever the form
            columns.append(generator.integers(0, levels, n) if levels else noise)
        values = np.column_stack([*columns, z]).astype(float)
        p_values.append(made(values, np.array(kinds)).p_value("X0", "X1", ["X2"]))
    assert kstest(p_values, "uniform").pvalue > 1e-3
    assert 0.02 < np.mean(np.array(p_values) < 0.05) < 0.09


def test_an_exclusive_or_is_not_seen_as_the_documentation_says():
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 2, (2, 5000))
    values = np.column_stack([a, b, a ^ b]).astype(float)
    mixed = made(values, np.full(3, 2))
    assert mixed.p_value("X0", "X2") > 0.01
    assert mixed.p_value("X0", "X2", ["X1"]) > 0.01


def test_determined_columns_leave_nothing_to_depend_and_few_rows_cannot_be_tested():
    generator = np.random.default_rng(1)
    fine, y = generator.integers(0, 4, 200), generator.standard_normal(200)
    values = np.column_stack([fine, fine // 2, y])
    mixed = made(values, np.array([4, 2, 0]))
    assert mixed.p_value("X1", "X2", ["X0"]) == 1.0
    assert mixed.p_value("X0", "X1") == 0.0
    few = made(np.column_stack([np.arange(6) % 3, np.arange(6) % 2, y[:6], y[6:12]]), np.array([3, 2, 0, 0]))
    assert few.p_value("X2", "X3", ["X0", "X1"]) == 0.0


def test_a_column_with_one_level_depends_on_nothing():
    generator = np.random.default_rng(2)
    values = np.column_stack([np.zeros(50), generator.standard_normal((50, 2))])
    mixed = made(values, np.array([1, 0, 0]))
    assert mixed.p_value("X0", "X1") == 1.0
    assert mixed.p_value("X0", "X1", ["X2"]) == 1.0
