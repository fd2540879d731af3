from __future__ import annotations

from importlib.resources import as_file, files

import numpy as np
import pytest

from rolearn.data import as_table, read_table
from rolearn.data.networks import load_network, load_sachs, network_names
from rolearn.data.simulation import draw_sem, linear_sem, population_covariance, random_dag, simulate
from rolearn.graphs import DAG
from rolearn.runtime.errors import ParameterError

DIAMOND = [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")]


def rng(seed=0):
    return np.random.default_rng(seed)


def arrows(dag):
    return (dag.marks == 2) & (dag.marks.T == 3)


def test_random_dags_have_the_expected_number_of_edges():
    counts = [random_dag(20, 0.2, rng(seed)).n_edges for seed in range(200)]
    assert abs(np.mean(counts) - 0.2 * 190) < 1.5


def test_random_dags_are_oriented_along_a_random_order():
    """Each pair of a complete DAG points either way equally often."""
    forward = np.mean([arrows(random_dag(6, 1.0, rng(seed))) for seed in range(400)], axis=0)
    off_diagonal = forward[~np.eye(6, dtype=bool)]
    assert np.all(np.abs(off_diagonal - 0.5) < 0.12)


def test_random_dag_names_and_seeds():
    assert random_dag(3, 0.5, rng()).names == ("X1", "X2", "X3")
    assert random_dag(3, 0.5, rng(), ["a", "b", "c"]).names == ("a", "b", "c")
    assert random_dag(30, 0.1, rng(7)) == random_dag(30, 0.1, rng(7))
    assert random_dag(30, 0.1, rng(7)) != random_dag(30, 0.1, rng(8))
    assert random_dag(5, 0.0, rng()).n_edges == 0


@pytest.mark.parametrize(("n", "p"), [(0, 0.5), (3, -0.1), (3, 1.1), (3, float("nan"))])
def test_random_dag_refuses(n, p):
    with pytest.raises(ParameterError):
        random_dag(n, p, rng())


def test_coefficients_and_noise_are_those_of_the_paper():
    dag = random_dag(60, 0.5, rng(1))
    sem = draw_sem(dag, rng(2))
    np.testing.assert_array_equal(sem.weights != 0, arrows(dag))
    sizes = np.abs(sem.weights[arrows(dag)])
    assert sizes.min() >= 1.0
    assert sizes.max() <= 1.5
    assert abs(sizes.mean() - 1.25) < 0.02
    assert abs(np.mean(sem.weights[arrows(dag)] > 0) - 0.5) < 0.06
    assert sem.noise_sd.min() >= 0.7
    assert sem.noise_sd.max() <= 1.2


def test_samples_have_the_covariance_of_the_population():
    sem = draw_sem(DAG.from_edges(DIAMOND), rng(3))
    values = sem.sample(200_000, rng(4))
    np.testing.assert_allclose(np.cov(values, rowvar=False), sem.covariance(), rtol=0.03, atol=0.05)


def test_population_covariance_solves_the_equations():
    """Sigma = (I - W)^-T diag(sd^2) (I - W)^-1."""
    dag = random_dag(12, 0.4, rng(5))
    sem = draw_sem(dag, rng(6))
    inverse = np.linalg.inv(np.eye(12) - sem.weights)
    expected = inverse.T @ np.diag(sem.noise_sd**2) @ inverse
    np.testing.assert_allclose(sem.covariance(), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(population_covariance(dag, rng(6)), sem.covariance())


def test_a_regression_finds_the_coefficients():
    dag = DAG.from_edges(DIAMOND)
    sem = draw_sem(dag, rng(8))
    values = sem.sample(100_000, rng(9))
    place = {name: i for i, name in enumerate(dag.names)}
    parents = [place["B"], place["C"]]
    found = np.linalg.lstsq(values[:, parents], values[:, place["D"]], rcond=None)[0]
    np.testing.assert_allclose(found, sem.weights[parents, place["D"]], atol=0.02)


def test_other_ranges():
    dag = random_dag(30, 0.5, rng(1))
    sem = draw_sem(dag, rng(2), low=0.2, high=0.8, sd=(1.0, 1.0))
    sizes = np.abs(sem.weights[arrows(dag)])
    assert 0.2 <= sizes.min() < sizes.max() <= 0.8
    assert np.all(sem.noise_sd == 1.0)
    np.testing.assert_array_equal(linear_sem(dag, 5, rng(3)), draw_sem_then_sample(dag, 5, rng(3)))
    with pytest.raises(ParameterError):
        draw_sem(dag, rng(2), low=2.0, high=1.0)


def draw_sem_then_sample(dag, n, generator):
    return draw_sem(dag, generator).sample(n, generator)


def test_simulation_hides_variables():
    dag = load_network("insurance")
    drawn = simulate(dag, 100, hidden=3, seed=5)
    assert len(drawn.hidden) == 3
    assert set(drawn.table.names) == set(dag.names) - set(drawn.hidden)
    assert drawn.table.values.shape == (100, 24)
    assert drawn.mag.names == drawn.table.names
    assert drawn.mag == dag.project(hidden=list(drawn.hidden))
    assert as_table(drawn.table) is drawn.table


def test_simulation_hides_what_is_named():
    drawn = simulate(DAG.from_edges([("L", "A"), ("L", "B"), ("A", "C")]), 10, hidden=["L"])
    assert drawn.hidden == ("L",)
    assert str(drawn.mag.edges()[0]) in ("A <-> B", "A --> C")


def test_simulation_is_a_function_of_its_seed():
    dag = load_network("asia")
    first, again, other = (simulate(dag, 20, hidden=1, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.table.values, again.table.values)
    assert first.hidden == again.hidden
    assert not np.array_equal(first.table.values, other.table.values)


@pytest.mark.parametrize(
    "hidden", [-1, 7, 8, ["nobody"], ["asia", "tub", "smoke", "lung", "bronc", "either", "xray"]]
)
def test_what_can_not_be_hidden(hidden):
    with pytest.raises(ParameterError):
        simulate(load_network("asia"), 10, hidden=hidden)


def test_at_least_one_row():
    with pytest.raises(ParameterError, match="number of samples is 0"):
        simulate(load_network("asia"), 0)


def test_networks():
    assert {"insurance", "water", "ecoli70", "hailfinder", "asia", "sachs"} <= set(network_names())
    insurance = load_network("insurance")
    assert (len(insurance.names), insurance.n_edges) == (27, 52)
    assert (len(load_network("asia").names), load_network("asia").n_edges) == (8, 8)
    with pytest.raises(ParameterError, match="did you mean 'insurance'"):
        load_network("insurence")


@pytest.mark.parametrize("name", network_names())
def test_every_network_is_a_dag(name):
    dag = load_network(name)
    assert dag.n_edges == len(dag.edges()) > 0


def test_sachs():
    table = load_sachs()
    assert (table.n_rows, table.n_columns) == (853, 11)
    assert table.names[:3] == ("raf", "mek", "plcg")
    assert table.values.min() > 0
    with as_file(files("rolearn.data") / "files" / "sachs.csv") as path:
        read = read_table(path)
    assert (read.names, read.kinds, read.notes) == (table.names, table.kinds, table.notes)
    np.testing.assert_array_equal(read.values, table.values)
