"""Seeded problems in the paper's setting: linear Gaussian models over real-world DAGs, some variables hidden.

The draws are fixed for good: figures in this project's pages and tests refer to problem and repetition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn import DAG, MAG, PAG
from rolearn.data.networks import load_network

# Network and number of hidden variables of the paper's table 2 (carpo is in no public package).
TABLE2 = {"insurance": 3, "water": 3, "ecoli70": 3, "hailfinder": 3, "hepar2": 5, "arth150": 7}


@dataclass(frozen=True)
class Problem:
    """Rows over observed variables, and the MAG they come from."""

    rows: np.ndarray
    mag: MAG

    @property
    def pag(self) -> PAG:
        """The true PAG."""
        return self.mag.pag()


def draw_rows(adjacency: np.ndarray, order: list[int], n_rows: int, generator: np.random.Generator):
    """Coefficients in +-[1, 1.5], noise of standard deviation in [0.7, 1.2]."""
    n = len(adjacency)
    size = generator.uniform(1.0, 1.5, (n, n)) * generator.choice([-1, 1], (n, n))
    weights = np.where(adjacency, size, 0.0)
    deviation = generator.uniform(0.7, 1.2, n)
    noise = generator.standard_normal((n_rows, n)) * deviation
    rows = np.zeros((n_rows, n))
    for v in order:
        rows[:, v] = noise[:, v] + rows @ weights[:, v]
    return rows


def causes_first(adjacency: np.ndarray) -> list[int]:
    """Order vertices so that parents come first."""
    missing = adjacency.sum(0)
    ready = list(np.flatnonzero(missing == 0))
    order = []
    while ready:
        u = ready.pop()
        order.append(u)
        for v in np.flatnonzero(adjacency[u]):
            missing[v] -= 1
            if missing[v] == 0:
                ready.append(v)
    return order


def problem(dag: DAG, n_hidden: int, rows_each: int, generator: np.random.Generator) -> Problem:
    """Hide variables of a DAG and draw rows_each rows for each that is left."""
    adjacency = (dag.marks == 2).astype(bool)
    n = len(adjacency)
    hidden = set(generator.choice(n, n_hidden, replace=False).tolist()) if n_hidden else set()
    observed = [v for v in range(n) if v not in hidden]
    rows = draw_rows(adjacency, causes_first(adjacency), rows_each * len(observed), generator)
    return Problem(rows[:, observed], dag.project(hidden=[dag.names[v] for v in hidden]))


def table2(name: str, repetition: int, rows_each: int = 50) -> Problem:
    """The paper's table 2: `TABLE2[name]` variables of a network hidden, 50 rows a variable."""
    generator = np.random.default_rng([repetition, sum(map(ord, name))])
    return problem(load_network(name), TABLE2[name], rows_each, generator)
