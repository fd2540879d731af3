import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, hypergeom, kstest

from rolearn import DataError, ParameterError
from rolearn.independence import Discrete
from rolearn.independence.chi_square_kernels import chi_square_p_value
from rolearn.independence.contingency_kernels import mean_of_n_log_n

pytestmark = pytest.mark.pure


def made(codes, test: str = "g-square") -> Discrete:
    codes = np.asarray(codes, float)
    levels = np.maximum(np.nan_to_num(np.nanmax(codes, axis=0)).astype(int) + 1, 1)
    return Discrete.of_rows(codes, levels, [f"X{i}" for i in range(codes.shape[1])], test)


def mean_by_definition(table: np.ndarray, test: str) -> float:
    """The mean of a statistic over all tables with these margins, cell by cell."""
    n, rows, columns = int(table.sum()), table.sum(1).astype(int), table.sum(0).astype(int)
    total = 0.0
    for r, c in itertools.product(rows, columns):
        k = np.arange(1, min(r, c) + 1)
        share, expected = hypergeom.pmf(k, n, r, c), r * c / n
        if test == "g-square":
            total += 2 * (share * k * np.log(k / expected)).sum()
        else:
            all_k = np.arange(min(r, c) + 1)
            total += (hypergeom.pmf(all_k, n, r, c) * (all_k - expected) ** 2 / expected).sum()
    return total


def by_definition(codes: np.ndarray, x: int, y: int, given: list[int], test: str) -> float:
    statistic, mean, degrees = 0.0, 0.0, 0
    for stratum in np.unique(codes[:, given], axis=0):
        part = codes[(codes[:, given] == stratum).all(1)]
        table = np.array(
            [[((part[:, x] == a) & (part[:, y] == b)).sum() for b in range(9)] for a in range(9)]
        )
        table = table[table.sum(1) > 0][:, table.sum(0) > 0].astype(float)
        expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
        free = (table.shape[0] - 1) * (table.shape[1] - 1)
        if free:
            there = table > 0
            if test == "g-square":
                statistic += 2 * (table[there] * np.log(table[there] / expected[there])).sum()
            else:
                statistic += ((table - expected) ** 2 / expected).sum()
            mean += mean_by_definition(table, test)
            degrees += free
    return chi2.sf(statistic * degrees / mean, degrees) if degrees else 1.0


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(5, 60),
    p=st.integers(2, 5),
    levels=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    test=st.sampled_from(["g-square", "chi-square"]),
)
def test_p_value_is_that_of_the_tables_written_out(n, p, levels, seed, test):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, levels, (n, p))
    codes[:, 1] = np.where(generator.random(n) < 0.4, codes[:, 0], codes[:, 1])
    given = list(range(2, p))
    names = [f"X{i}" for i in range(p)]
    found = made(codes, test).p_value("X0", "X1", names[2:])
    assert found == pytest.approx(by_definition(codes, 0, 1, given, test), abs=1e-9)
    assert made(codes, test).p_value("X1", "X0", names[:1:-1]) == pytest.approx(found, abs=1e-12)
    assert 0.0 <= found <= 1.0


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 3000), data=st.data())
def test_the_mean_of_a_cell_is_hypergeometric(n, data):
    r, c = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    k = np.arange(1, min(r, c) + 1)
    expected = (hypergeom.pmf(k, n, r, c) * k * np.log(k)).sum()
    assert mean_of_n_log_n(float(n), float(r), float(c)) == pytest.approx(expected, abs=2e-3)


@settings(max_examples=100, deadline=None)
@given(statistic=st.floats(0, 5000), degrees=st.integers(1, 3000))
def test_the_tail_of_chi_square_is_that_of_scipy(statistic, degrees):
    expected = chi2.sf(statistic, degrees)
    assert chi_square_p_value(statistic, float(degrees)) == pytest.approx(expected, rel=1e-8, abs=1e-14)


def test_the_tail_of_chi_square_at_its_ends():
    assert chi_square_p_value(0.0, 3.0) == chi_square_p_value(-1e-9, 3.0) == 1.0
    assert chi_square_p_value(5.0, 0.0) == 1.0
    assert chi_square_p_value(np.inf, 2.0) == chi_square_p_value(1e6, 2.0) == 0.0


def strata(seed: int, n: int, levels: int, n_given: int) -> np.ndarray:
    """Codes of x and y that depend on those given and not on each other beyond that."""
    generator = np.random.default_rng(seed)
    given = generator.integers(0, levels, (n, n_given))
    shift = given.sum(1, keepdims=True) if n_given else np.zeros((n, 1))
    free = generator.integers(0, levels, (n, 2))
    follows = generator.random((n, 2)) < 0.4
    return np.hstack([np.where(follows, shift % levels, free), given])


@pytest.mark.parametrize("test", ["g-square", "chi-square"])
@pytest.mark.parametrize(("n", "levels", "n_given"), [(200, 2, 0), (300, 3, 1), (500, 3, 2), (400, 3, 3)])
def test_p_values_are_calibrated_in_sparse_tables_too(test, n, levels, n_given):
    names = [f"X{i}" for i in range(2 + n_given)]
    p_values = np.array(
        [made(strata(s, n, levels, n_given), test).p_value("X0", "X1", names[2:]) for s in range(300)]
    )
    assert (p_values < 0.05).mean() < 0.1
    assert 0.4 < p_values.mean() < 0.6
    if n_given < 3:
        assert kstest(p_values, "uniform").pvalue > 1e-3


def test_a_stratum_without_a_level_of_x_has_no_degree_of_freedom():  # pgmpy#2886
    generator = np.random.default_rng(0)
    z = np.repeat([0, 1], 100)
    x, y = generator.integers(0, 2, (2, 200))
    x[z == 1] = 0
    codes = np.column_stack([x, y, z])
    for test in ("g-square", "chi-square"):
        whole = made(codes, test).p_value("X0", "X1", ["X2"])
        assert whole == pytest.approx(made(codes[z == 0, :2], test).p_value("X0", "X1"), abs=1e-12)
    assert made(codes[z == 1]).p_value("X0", "X1") == 1.0


@pytest.mark.parametrize("test", ["g-square", "chi-square"])
def test_memory_grows_with_rows_not_with_the_product_of_levels(test):  # causal-learn#67
    codes = np.random.default_rng(1).integers(0, 20, (2000, 9))  # 20^9 cells are 4 TB
    discrete = made(codes, test)
    discrete.p_value("X0", "X1")  # what is loaded once
    tracemalloc.start()
    p = discrete.p_value("X0", "X1", [f"X{i}" for i in range(2, 9)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert p == 1.0  # each row is a stratum by itself
    assert peak < 5e6


def test_tests_use_the_rows_that_are_complete_for_their_variables():
    generator = np.random.default_rng(2)
    codes = generator.integers(0, 3, (300, 4)).astype(float)
    codes[:, 1] = np.where(generator.random(300) < 0.5, codes[:, 0], codes[:, 1])
    missing = codes.copy()
    missing[generator.random(codes.shape) < 0.2] = np.nan
    for others in ([], [2], [2, 3]):
        there = ~np.isnan(missing[:, [0, 1, *others]]).any(1)
        expected = by_definition(codes[there].astype(int), 0, 1, others, "g-square")
        found = made(missing).p_value("X0", "X1", [f"X{g}" for g in others])
        assert found == pytest.approx(expected, abs=1e-9)
    assert made(missing).arrays.n_samples < 300


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_names_of_levels_change_nothing(seed, data):
    codes = np.random.default_rng(seed).integers(0, 3, (40, 3))
    renamed = codes.copy()
    for j in range(3):
        renamed[:, j] = np.array(data.draw(st.permutations(range(3))))[codes[:, j]]
    first, second = made(codes), made(renamed)
    for array, other in zip(first.arrays, second.arrays, strict=True):
        assert np.array_equal(array, other)


def test_what_is_no_test_and_too_many_levels_are_refused():
    with pytest.raises(ParameterError, match="'g-square' and 'chi-square'"):
        made([[0, 1], [1, 0]], "fisher-z")
    many = np.column_stack([np.arange(32_001), np.arange(32_001) % 2])
    with pytest.raises(DataError, match="column 'X0' has 32001 levels"):
        made(many)
