"""Examples that tests of several rooms share."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

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
