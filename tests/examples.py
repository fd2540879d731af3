"""Examples that tests of several rooms share."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from rolearn import DAG, Gaussian, Oracle

VECTORS = Path(__file__).parent / "vectors" / "pag_cases.json"


def pag_cases() -> list[dict]:
    """156 small MAGs with what follows from them by definition."""
    return json.loads(VECTORS.read_text())["cases"]


def oracle_of(case: dict) -> Oracle:
    """The m-separation oracle over the observed variables of a case, named 0, 1, ..."""
    names = [str(v) for v in range(case["n"] + case["latents"])]
    dag = DAG.from_edges([(str(a), str(b)) for a, b in case["dag"]], nodes=names)
    return Oracle(dag, hidden=names[case["n"] :])


def random_oracle(p: int, hidden: int, seed: int, density: float = 0.4) -> tuple[Oracle, DAG, list[str]]:
    """The oracle of a random DAG over p observed and some hidden variables; the DAG; who is hidden."""
    generator = np.random.default_rng(seed)
    names = [f"X{i}" for i in range(p + hidden)]
    arrows = np.triu(generator.random((p + hidden, p + hidden)) < density, 1)
    dag = DAG.from_edges([(names[a], names[b]) for a, b in np.argwhere(arrows)], nodes=names)
    unseen = [names[i] for i in generator.permutation(p + hidden)[:hidden]]
    return Oracle(dag, hidden=unseen), dag, unseen


def random_gaussian(p: int, seed: int, n_samples: int | None = None, density: float = 0.4) -> Gaussian:
    """Sample correlations of a random linear model over p variables, X1 to Xp."""
    return Gaussian(*random_covariance(p, seed, n_samples, density))


def random_covariance(p: int, seed: int, n_samples: int | None = None, density: float = 0.4):
    rows = random_rows(p, seed, n_samples or 20 * p, density)
    return np.cov(rows.T).reshape(p, p), len(rows)


def random_rows(p: int, seed: int, n_samples: int, density: float = 0.4) -> np.ndarray:
    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((n_samples, p))
    weights = np.triu(generator.uniform(-1.0, 1.0, (p, p)) * (generator.random((p, p)) < density), 1)
    for j in range(p):
        rows[:, j] += rows[:, :j] @ weights[:j, j]
    return rows[:, generator.permutation(p)]


def in_other_columns(rows: np.ndarray, permutation: list[int], names: list[str]):
    """Give the rows with columns moved and named, and the new name of each of X1 to Xp."""
    renamed = {f"X{old + 1}": name for old, name in zip(permutation, names, strict=True)}
    return pd.DataFrame(rows[:, permutation], columns=names), renamed


def population_covariance(case: dict, seed: int, weakest: float = 0.02) -> np.ndarray:
    """Covariances over a case's observed variables of a linear model, none of whose dependences is weak.

    Coefficients and variances are drawn anew, one at a time where that weakens nothing, until every partial
    correlation of an m-connected pair exceeds `weakest`.
    """
    generator = np.random.default_rng(seed)
    p, size, edges = case["n"], case["n"] + case["latents"], case["dag"]
    connected = _connected(oracle_of(case), p)

    def draw() -> np.ndarray:
        coefficients = generator.uniform(0.5, 1.5, len(edges)) * generator.choice([-1, 1], len(edges))
        return np.concatenate([coefficients, generator.uniform(0.5, 1.5, size)])

    def covariance(drawn: np.ndarray) -> np.ndarray:
        weights = np.zeros((size, size))
        for (a, b), coefficient in zip(edges, drawn, strict=False):
            weights[a, b] = coefficient
        total = np.linalg.inv(np.eye(size) - weights.T)
        return (total @ np.diag(drawn[len(edges) :]) @ total.T)[:p, :p]

    drawn = draw()
    strength = _weakest(covariance(drawn), connected)
    while strength <= weakest:
        other, place = drawn.copy(), generator.integers(len(drawn))
        other[place] = draw()[place]
        found = _weakest(covariance(other), connected)
        if found >= strength:
            drawn, strength = other, found
    return covariance(drawn)


def _connected(oracle: Oracle, p: int) -> list[np.ndarray]:
    """The m-connected x, y, given of each size, a row each."""
    found: list[list[tuple[int, ...]]] = [[] for _ in range(p - 1)]
    for x, y in combinations(range(p), 2):
        others = [z for z in range(p) if z not in (x, y)]
        for size in range(p - 1):
            for given in combinations(others, size):
                if oracle.p_value(str(x), str(y), [str(z) for z in given]) < 0.5:
                    found[size].append((x, y, *given))
    return [np.array(rows) for rows in found if rows]


def _weakest(covariance: np.ndarray, connected: list[np.ndarray]) -> float:
    """The least partial correlation in size."""
    least = 1.0
    for rows in connected:
        precision = np.linalg.inv(covariance[rows[:, :, None], rows[:, None, :]])
        size = np.abs(precision[:, 0, 1]) / np.sqrt(precision[:, 0, 0] * precision[:, 1, 1])
        least = min(least, float(size.min()))
    return least
