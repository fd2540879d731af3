import math

import numpy as np
import pytest
from brute_likelihood import bidirected, by_quasi_newton, by_ricf, directed
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import table2
from random_mags import random_mag

from examples import random_gaussian
from graphs.brute_force import class_of, graphs_over, mag_classes, random_dag, skeletons
from rolearn import DAG, MAG
from rolearn.graphs.marks import ARROWHEAD
from rolearn.likelihood.bound_kernels import least_deviance
from rolearn.likelihood.core_kernels import make_core
from rolearn.likelihood.descent_kernels import descend
from rolearn.likelihood.deviance import mag_deviance
from rolearn.likelihood.deviance_kernels import district_deviance
from rolearn.likelihood.district_kernels import district_of, open_district, remove_closed
from rolearn.likelihood.near_kernels import near_of

KINDS = ((3, 2), (2, 3), (2, 2))


def least(correlation: np.ndarray, marks: np.ndarray, n_samples: float = 1e6) -> float:
    return mag_deviance(correlation, n_samples, np.array(marks), np.empty(len(marks)))


def correlations(p: int, seed: int, n_samples: int = 60) -> np.ndarray:
    return random_gaussian(p, seed, n_samples).correlation


def hidden_variable_model(seed: int, observed: int = 8, hidden: int = 4):
    """Population correlations of a random linear model over its observed variables, and their MAG."""
    generator = np.random.default_rng(seed)
    p = observed + hidden
    dag = random_dag(p, 0.3, generator)
    effects = np.where(dag == ARROWHEAD, generator.uniform(0.4, 1.2, (p, p)), 0.0)
    effects *= generator.choice([-1, 1], (p, p))
    mixing = np.linalg.inv(np.eye(p) - effects.T)
    covariance = mixing @ np.diag(generator.uniform(0.5, 1.5, p)) @ mixing.T
    seen = sorted(generator.choice(p, observed, replace=False).tolist())
    scale = np.sqrt(np.diag(covariance))
    names = [str(v) for v in range(p)]
    mag = DAG(dag, names).project([names[v] for v in range(p) if v not in seen])
    return (covariance / np.outer(scale, scale))[np.ix_(seen, seen)], mag.marks.copy()


@pytest.mark.pure
def test_every_mag_of_three_vertices_has_the_deviance_that_quasi_newton_finds():
    correlation = correlations(3, 0)
    for marks in (marks for members in mag_classes(3) for marks in members):
        assert least(correlation, marks) == pytest.approx(by_quasi_newton(correlation, marks, 2), abs=1e-8)


@pytest.mark.parametrize("p", [4, 5])
def test_random_graphs_have_the_deviance_that_quasi_newton_finds(p):
    generator = np.random.default_rng(p)
    for seed in range(25):
        marks, correlation = random_mag(p, generator), correlations(p, seed)
        assert least(correlation, marks) == pytest.approx(by_quasi_newton(correlation, marks, 3), abs=1e-7)


@pytest.mark.pure
@pytest.mark.parametrize(
    "edges",
    [
        ["A <-> B", "B <-> C", "C <-> D"],
        ["A <-> B", "B <-> C", "C <-> D", "D <-> A"],
        ["A -> B", "A <-> C", "C <-> D", "D <-> B"],  # an arrow inside the district
        ["A -> B", "C -> D", "B <-> D"],
        ["A <-> B", "A -> C", "B <-> D", "C <-> D", "E -> A", "E -> D"],
        ["A <-> B", "B <-> C", "C <-> D", "D <-> E", "E <-> A", "A <-> C"],
    ],
)
def test_chains_cycles_and_arrows_within_districts(edges):
    mag = MAG.from_edges(edges)
    correlation = correlations(len(mag.names), 3)
    assert least(correlation, mag.marks) == pytest.approx(
        by_quasi_newton(correlation, mag.marks, 3), abs=1e-7
    )


# The first start ends in the lesser maximum of the first two, the first two starts in that of the third.
@pytest.mark.pure
@pytest.mark.parametrize(
    ("edges", "above", "tries"),
    [
        (["A <-> B", "B <-> C", "C <-> D", "D <-> A"], [0.99, 0.88, -0.89, 0.9, -0.85, -0.58], 5),
        (["A <-> B", "B <-> C", "C <-> D", "D <-> A"], [0.85, -0.84, -0.94, -0.99, -0.97, 0.97], 5),
        (["A -> C", "B -> D", "C <-> D"], [-0.57, 0.61, 0.94, -0.96, -0.37, 0.48], 60),
    ],
)
def test_the_better_of_several_maxima_is_found(edges, above, tries):
    marks = MAG.from_edges(edges, nodes="ABCD").marks
    correlation = np.eye(4)
    correlation[np.triu_indices(4, 1)] = above
    correlation = np.triu(correlation) + np.triu(correlation, 1).T
    assert least(correlation, marks) == pytest.approx(by_quasi_newton(correlation, marks, tries), abs=1e-6)


@pytest.mark.parametrize("repetition", [0, 1, 2])
def test_an_insurance_mag_has_the_deviance_that_ricf_finds(repetition):
    problem = table2("insurance", repetition)
    correlation, marks = np.corrcoef(problem.rows.T), problem.mag.marks
    assert least(correlation, marks, len(problem.rows)) == pytest.approx(
        by_ricf(correlation, marks, 300), abs=1e-6
    )


@pytest.mark.pure
@settings(max_examples=30, deadline=None)
@given(p=st.integers(1, 8), seed=st.integers(0, 10**6))
def test_a_dag_has_the_log_variances_given_parents(p, seed):
    marks, correlation = random_dag(p, 0.5, np.random.default_rng(seed)), correlations(p, seed)
    expected = np.zeros(p)
    for x in range(p):
        parents = [a for a, b in directed(marks) if b == x]
        block = correlation[np.ix_(parents, parents)]
        expected[x] = math.log(1 - correlation[x, parents] @ np.linalg.solve(block, correlation[parents, x]))
    local = np.empty(p)
    assert mag_deviance(correlation, 100.0, marks, local) == pytest.approx(expected.sum(), abs=1e-9)
    assert local == pytest.approx(expected, abs=1e-9)


def test_equivalent_mags_have_the_same_deviance():
    correlation = correlations(3, 7)
    for members in mag_classes(3):
        values = [least(correlation, marks) for marks in members]
        assert values == pytest.approx([values[0]] * len(values), abs=1e-9)
    generator = np.random.default_rng(1)
    sizes = []
    for seed in range(15):
        marks, correlation = random_mag(5, generator, 0.5), correlations(5, seed, 200)
        maximal = MAG.unchecked(marks, "ABCDE").project([]).marks
        values = [least(correlation, other) for other in class_of(maximal, KINDS)]
        assert values == pytest.approx([values[0]] * len(values), abs=1e-9)
        sizes.append(len(values))
    assert max(sizes) > 20


@pytest.mark.pure
def test_classes_differ():
    correlation = correlations(3, 7)
    values = [least(correlation, members[0]) for members in mag_classes(3)]
    assert len(set(np.round(values, 6))) == len(values) == 11


@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6))
def test_an_edge_less_never_lowers_the_deviance(p, seed):
    generator = np.random.default_rng(seed)
    marks, correlation = random_mag(p, generator), correlations(p, seed, 200)
    whole = least(correlation, marks)
    for x, y in np.argwhere(np.triu(marks)).tolist():
        fewer = marks.copy()
        fewer[x, y] = fewer[y, x] = 0
        assert least(correlation, fewer) >= whole - 1e-9


def cores(correlation, marks):
    """What is left of each district after the closed forms."""
    p = len(marks)
    near, members, seen = near_of(marks), np.empty(p, np.int64), np.zeros(p, np.bool_)
    for x in range(p):
        size = district_of(marks, near, x, members, seen)
        district = open_district(marks, members, size)
        remove_closed(correlation, district)
        if members[0] == x and district.spouses.any():
            yield make_core(correlation, district)


@settings(max_examples=60, deadline=None)
@given(p=st.integers(3, 9), n=st.integers(12, 300), seed=st.integers(0, 10**6))
def test_no_deviance_is_below_its_bound_nor_the_bound_below_the_saturated(p, n, seed):
    marks, correlation = random_mag(p, np.random.default_rng(seed)), correlations(p, seed, n)
    for core in cores(correlation, marks):
        bound = least_deviance(core)
        room = np.zeros((2, 5, core.n_members, len(core.moments)))
        assert core.saturated - 1e-9 <= bound <= descend(core, room, 1.0, 1e-9, np.zeros(1, np.int64)) + 1e-9


def test_the_bound_is_close_where_a_pair_is_wrongly_taken_apart():
    caught, total = 0, 0
    for seed in range(80):
        correlation, marks = hidden_variable_model(seed)
        x, y = np.argwhere(np.triu(marks))[0]
        marks[x, y] = marks[y, x] = 0
        for core in cores(correlation, marks):
            room = np.zeros((2, 5, core.n_members, len(core.moments)))
            above = descend(core, room, 1.0, 1e-11, np.zeros(1, np.int64)) - core.saturated
            if above > 1e-3:
                total += 1
                caught += least_deviance(core) - core.saturated > 0.8 * above
    assert total > 10
    assert caught > 0.7 * total


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_true_mag_has_the_population_s_log_determinant(seed):
    correlation, marks = hidden_variable_model(seed)
    saturated = np.linalg.slogdet(correlation)[1]
    assert least(correlation, marks, 1e7) == pytest.approx(saturated, abs=1e-10)
    for x, y in np.argwhere(np.triu(marks)).tolist()[:3]:
        fewer = marks.copy()
        fewer[x, y] = fewer[y, x] = 0
        assert least(correlation, fewer, 1e7) > saturated + 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n_samples=st.sampled_from([1e2, 1e4, 1e7]))
def test_n_times_the_deviance_is_exact_to_a_thousandth(seed, n_samples):
    generator = np.random.default_rng(seed)
    correlation, marks = hidden_variable_model(seed)
    x, y = generator.choice(8, 2, replace=False)
    marks[x, y] = marks[y, x] = 0  # so that the graph is wrong
    left = least(correlation, marks, n_samples) - least(correlation, marks, 1e9)
    assert abs(n_samples * left) < 1e-3


def test_few_steps_suffice_where_the_graph_is_right():
    steps = []
    for seed in range(60):
        correlation, marks = hidden_variable_model(seed, observed=12, hidden=6)
        near, members, seen = near_of(marks), np.empty(12, np.int64), np.zeros(12, np.bool_)
        for x in range(12):
            size = district_of(marks, near, x, members, seen)
            district = open_district(marks, members, size)
            remove_closed(correlation, district)
            if members[0] == x and district.spouses.any():
                core, counts = make_core(correlation, district), np.zeros(1, np.int64)
                descend(core, np.zeros((2, 5, core.n_members, len(core.moments))), 1.0, 1e-11, counts)
                steps.append(counts[0])
    assert len(steps) > 20
    assert max(steps) <= 4  # the start is the maximum already


@pytest.mark.pure
@settings(max_examples=40, deadline=None)
@given(p=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_districts_are_components_by_bidirected_edges(p, seed):
    marks = random_mag(p, np.random.default_rng(seed), 0.4) if p > 1 else np.zeros((1, 1), np.int8)
    reach = np.eye(p, dtype=bool)
    for x, y in bidirected(marks):
        reach[x, y] = reach[y, x] = True
    reach = np.linalg.matrix_power(reach.astype(int), p) > 0
    near, members, seen, local = near_of(marks), np.empty(p, np.int64), np.zeros(p, np.bool_), np.empty(p)
    correlation = correlations(p, seed)
    total = mag_deviance(correlation, 50.0, marks, local)
    for x in range(p):
        size = district_of(marks, near, x, members, seen)
        assert members[:size].tolist() == np.flatnonzero(reach[x]).tolist()
        assert not seen.any()
        # the same bits, alone and among the others
        alone = (
            district_deviance(correlation, 50.0, marks, members, size, True) if members[0] == x else (0.0,)
        )
        assert local[x] == alone[0]
    assert total == pytest.approx(local.sum(), abs=1e-12)


def test_dependent_variables_and_too_few_rows_give_finite_deviances():
    generator = np.random.default_rng(0)
    for seed in range(60):
        p = int(generator.integers(4, 12))
        rows = generator.standard_normal((int(generator.integers(3, p + 1)), p))
        if seed % 2:
            rows = generator.standard_normal((50, p))
            rows[:, 0] = rows[:, 1]
            rows[:, 2] = rows[:, 1] + rows[:, 3]
        correlation = np.corrcoef(rows.T)
        local = np.empty(p)
        mag_deviance(correlation, float(len(rows)), random_mag(p, generator, 0.3), local)
        assert np.isfinite(local).all()
        assert (local < 1e-9).all()  # no edges at all would give 0


@pytest.mark.pure
def test_a_copy_is_explained_but_for_a_floor():
    correlation = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    floor = math.log(1e-13)
    for edges in (["A -> B"], ["A <-> B"], ["A -> B", "C -> B"]):
        marks = MAG.from_edges(edges, nodes="ABC").marks
        assert least(correlation, marks) == pytest.approx(floor, abs=1e-6)
    # with parents of their own, A and B don't leave in closed form
    marks = MAG.from_edges(["C -> A", "D -> B", "A <-> B"], nodes="ABCD").marks
    wider = np.eye(4)
    wider[:3, :3] = correlation
    assert floor - 2.0 < least(wider, marks) < floor + 2.0


@pytest.mark.pure
def test_graphs_of_arcs_alone_on_four_vertices():
    correlation = correlations(4, 5)
    for pairs in list(skeletons(4, 4))[::3]:
        for marks in graphs_over(pairs, 4, KINDS[2:]):
            expected = by_quasi_newton(correlation, marks, 2)
            assert least(correlation, marks) == pytest.approx(expected, abs=1e-7)
