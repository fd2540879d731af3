import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

from examples import oracle_of, random_gaussian
from rolearn import Gaussian, ParameterError, RolearnWarning
from rolearn.neighbors.boundaries import boundaries_of, default_level
from rolearn.neighbors.grow_shrink_kernels import GrowShrink, grow_shrink
from rolearn.orders.cost import NeighborCount, order_costs


def removals(statistics, order, **cost):
    costs = order_costs(statistics, NeighborCount(**cost), 0.05, np.zeros(1, np.uint8))
    return list(costs.removals(np.array(order)))


def boundary_by_inverse(gaussian: Gaussian, x: int, remaining: list[int], level: float) -> tuple[int, ...]:
    precision = np.linalg.inv(gaussian.correlation[np.ix_(remaining, remaining)])
    i = remaining.index(x)
    found = []
    for j, y in enumerate(remaining):
        if j != i:
            r = -precision[i, j] / math.sqrt(precision[i, i] * precision[j, j])
            z = math.atanh(r) * math.sqrt(gaussian.n_samples - (len(remaining) - 2) - 3)
            if abs(z) > -ndtri(level / 2):
                found.append(y)
    return tuple(sorted(found))


@pytest.mark.pure
@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_boundaries_along_any_order_are_those_of_the_remaining_precision_matrix(p, seed, data):
    gaussian = random_gaussian(p, seed)
    order = data.draw(st.permutations(range(p)))
    level = default_level(p)
    for t, removal in enumerate(removals(gaussian, order)):
        assert removal.variable == order[t]
        expected = boundary_by_inverse(gaussian, order[t], sorted(order[t:]), level)
        assert removal.boundary == expected


def test_boundaries_of_an_oracle_are_what_total_conditioning_finds(cases):
    for case in cases[::11]:
        oracle, p = oracle_of(case), case["n"]
        for removal in removals(oracle, range(p)):
            x, remaining = removal.variable, range(removal.variable, p)
            expected = [
                y
                for y in remaining
                if y != x
                and not oracle.p_value(
                    oracle.names[x], oracle.names[y], [oracle.names[z] for z in remaining if z not in (x, y)]
                )
            ]
            assert list(removal.boundary) == expected


def slow_grow_shrink(correlation, n, threshold, cap, x, candidates):
    def log_variance(given):
        keep = [x, *given]
        return -math.log(np.linalg.inv(correlation[np.ix_(keep, keep)])[0, 0])

    taken: list[int] = []
    while len(taken) < cap:
        rest = [y for y in candidates if y not in taken]
        best = min(rest, key=lambda y: log_variance([*taken, y]), default=None)
        degrees = n - len(taken) - 2
        if best is None or degrees * (log_variance(taken) - log_variance([*taken, best])) <= threshold:
            break
        taken.append(best)
    while taken:
        worst = min(taken, key=lambda y: log_variance([z for z in taken if z != y]))
        degrees = n - len(taken) - 1
        if degrees * (log_variance([z for z in taken if z != worst]) - log_variance(taken)) > threshold:
            break
        taken.remove(worst)
    return sorted(taken)


@pytest.mark.pure
@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 9), n=st.integers(12, 200), seed=st.integers(0, 10**6))
def test_grow_shrink_is_forward_selection_and_backward_elimination(p, n, seed):
    gaussian = random_gaussian(p, seed, n)
    remaining = np.random.default_rng(seed).random(p) < 0.8
    remaining[0] = True
    cap, threshold, out = max(1, p // 2), math.log(n), np.empty(p, np.int64)
    size = grow_shrink(GrowShrink(gaussian.correlation, float(n), threshold, cap), 0, remaining, out)
    candidates = [y for y in np.flatnonzero(remaining) if y != 0]
    assert out[:size].tolist() == slow_grow_shrink(gaussian.correlation, n, threshold, cap, 0, candidates)


@pytest.mark.pure
@settings(max_examples=15, deadline=None)
@given(groups=st.integers(1, 3), seed=st.integers(0, 10**6))
def test_what_only_summed_up_others_goes_once_these_are_there(groups, seed):
    """Sums of three causes each are taken first, and have to go one after the other."""
    n, generator = 2000, np.random.default_rng(seed)
    causes = generator.standard_normal((n, 3 * groups))
    sums = causes.reshape(n, groups, 3).sum(axis=2) + generator.standard_normal((n, groups))
    effect = causes.sum(axis=1) + 0.3 * generator.standard_normal(n)
    correlation = np.corrcoef(np.column_stack([effect, sums, causes]), rowvar=False)
    p = len(correlation)
    score, remaining, out = (
        GrowShrink(correlation, float(n), 20.0, p - 1),
        np.ones(p, np.bool_),
        np.empty(p, int),
    )
    size = grow_shrink(score, 0, remaining, out)
    assert out[:size].tolist() == list(range(1 + groups, p))
    assert out[:size].tolist() == slow_grow_shrink(correlation, n, 20.0, p - 1, 0, range(1, p))


@pytest.mark.parametrize(("p", "n"), [(10, 19), (30, 30), (40, 25)])
def test_few_rows_are_a_warning_and_boundaries_stay_small(p, n):
    gaussian = random_gaussian(p, 3, n, density=0.1)
    with pytest.warns(RolearnWarning, match=f"{n} rows are few for {p} columns"):
        found = removals(gaussian, range(p))
    assert max(len(removal.boundary) for removal in found) <= n // 3


@pytest.mark.pure
def test_the_level_of_total_conditioning_is_two_over_p_squared_at_most_a_twentieth():
    assert default_level(10) == pytest.approx(0.02)
    assert default_level(2) == 0.05
    gaussian = random_gaussian(7, 1)
    by_default = boundaries_of(gaussian)
    assert by_default.critical == pytest.approx(-ndtri(1 / 49))
    assert boundaries_of(gaussian, 0.01).critical == pytest.approx(-ndtri(0.005))
    assert 30 < boundaries_of(gaussian, 5e-324).critical < 40  # the least level there is
    for level in (0.0, 1.0, -1, "low", True):
        with pytest.raises(ParameterError, match="boundary_level"):
            boundaries_of(gaussian, level)
