import math

import numpy as np
import pandas as pd
import pytest

from examples import random_rows
from rolearn import CPDAG, DAG, MAG, DataError, Gaussian, Oracle, ParameterError, mag_score

NAMES = list("ABCDE")
EDGES = ["A <-> B", "B <-> C", "C <-> D", "E -> B", "E -> D"]


def table(seed: int = 0, n_samples: int = 150) -> pd.DataFrame:
    return pd.DataFrame(random_rows(5, seed, n_samples), columns=NAMES)


def test_it_is_minus_twice_the_log_likelihood_and_the_penalty():
    X = table()
    n, rows = len(X), ((X - X.mean()) / X.std(ddof=0)).to_numpy()
    dag = DAG.from_edges(["A -> B", "C -> B", "C -> D"], nodes=NAMES)
    expected = 0.0
    for child, parents in (("A", []), ("B", ["A", "C"]), ("C", []), ("D", ["C"]), ("E", [])):
        own, others = rows[:, NAMES.index(child)], rows[:, [NAMES.index(name) for name in parents]]
        residual = own - others @ np.linalg.lstsq(others, own, rcond=None)[0] if parents else own
        variance = residual @ residual / n
        expected += n * math.log(2 * math.pi * variance) + residual @ residual / variance
    assert mag_score(dag, X, penalty=0) == pytest.approx(expected, abs=1e-6)
    assert mag_score(dag, X) == pytest.approx(expected + 2.0 * 3 * math.log(n), abs=1e-6)
    assert mag_score(dag, X, 1.0) == pytest.approx(expected + 3 * math.log(n), abs=1e-6)


def test_the_saturated_graph_has_the_likelihood_of_the_correlations():
    X = table()
    marks = np.full((5, 5), 2) - 2 * np.eye(5, dtype=int)
    expected = len(X) * (np.linalg.slogdet(X.corr())[1] + 5 * (1 + math.log(2 * math.pi)))
    assert mag_score(MAG(marks, NAMES), X, penalty=0.0) == pytest.approx(expected, abs=1e-6)


def test_order_names_units_and_signs_change_no_bit():
    X, mag = table(), MAG.from_edges(EDGES, nodes=NAMES)
    score = mag_score(mag, X)
    generator = np.random.default_rng(0)
    for _ in range(8):
        shuffled = [NAMES[i] for i in generator.permutation(5)]
        assert mag_score(mag, X[shuffled]) == score
        assert mag_score(mag.reorder(shuffled), X[shuffled[::-1]]) == score
    renamed = dict(zip(NAMES, "vwxyz", strict=True))
    other = MAG(mag.marks, list("vwxyz"))
    assert mag_score(other, X.rename(columns=renamed)) == score
    assert mag_score(mag, X * [4.0, -2.0, 1.0, 0.5, 1.0]) == pytest.approx(score, abs=1e-7)


def test_rows_and_their_covariances_score_the_same():
    X, mag = table(), MAG.from_edges(EDGES, nodes=NAMES)
    score = mag_score(mag, X)
    assert mag_score(mag, Gaussian(X.cov(), len(X))) == pytest.approx(score, abs=1e-6)
    unnamed = MAG(mag.marks)
    assert mag_score(unnamed, X.to_numpy()) == pytest.approx(score, abs=1e-6)


def test_classes_are_scored_by_a_member():
    X = table()
    mag = MAG.from_edges(EDGES, nodes=NAMES)
    assert mag_score(mag.pag(), X) == pytest.approx(mag_score(mag, X), abs=1e-4)
    dag = DAG.from_edges(["A -> B", "C -> B", "B -> D"], nodes=NAMES)
    assert mag_score(dag.cpdag(), X) == pytest.approx(mag_score(dag, X), abs=1e-6)
    assert mag_score(dag.mag(), X) == mag_score(dag, X)
    assert mag_score(dag.pag(), X) == pytest.approx(mag_score(dag, X), abs=1e-4)


def test_the_true_graph_wins():
    generator = np.random.default_rng(3)
    hidden, a, d, noise = generator.standard_normal((4, 2000))
    b, c = a + hidden, hidden + d + 0.5 * noise
    X = pd.DataFrame({"A": a, "B": b, "C": c, "D": d})
    truth = MAG.from_edges(["A -> B", "B <-> C", "D -> C"])
    for wrong in (
        ["A -> B", "B -> C", "D -> C"],
        ["A -> B", "D -> C"],
        ["A -> B", "B <-> C", "D -> C", "A -> C"],
    ):
        assert mag_score(truth, X) < mag_score(MAG.from_edges(wrong, nodes="ABCD"), X)


@pytest.mark.parametrize("penalty", [-1, math.nan, math.inf, "2", None, True])
def test_penalties_that_are_no_penalties(penalty):
    with pytest.raises(ParameterError, match="isn't negative"):
        mag_score(DAG.from_edges([], nodes=NAMES), table(), penalty)


def test_vertices_must_be_the_columns():
    X = table()
    with pytest.raises(ParameterError, match="vertex 'Z' that X hasn't; X has A, B, C, D, E"):
        mag_score(DAG.from_edges(["A -> Z"], nodes=[*NAMES, "Z"]), X)
    with pytest.raises(ParameterError, match="no vertex 'E', which X has"):
        mag_score(DAG.from_edges(["A -> B"], nodes=NAMES[:4]), X)


def test_what_has_no_likelihood_is_refused():
    X, mag = table(), MAG.from_edges(EDGES, nodes=NAMES)
    with pytest.raises(ParameterError, match="Oracle has not"):
        mag_score(mag, Oracle(mag))
    with pytest.raises(ParameterError, match="not A --- B"):
        mag_score(MAG.unchecked(CPDAG.from_edges(["A --- B"], nodes=NAMES).marks, NAMES), X)
    with pytest.raises(ParameterError, match="mag is a ndarray; give a MAG, DAG, PAG or CPDAG"):
        mag_score(mag.marks, X)
    with pytest.raises(DataError, match="E"):
        mag_score(mag, X.assign(E=1.0))
