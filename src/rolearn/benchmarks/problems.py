"""Seeded problems: linear Gaussian models over real-world and random DAGs, some variables hidden.

The draws are fixed for good: figures in the project's pages and tests refer to problem and repetition.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rolearn.data.networks import load_network
from rolearn.graphs import CPDAG, DAG, MAG, PAG

__all__ = [
    "TABLE1",
    "TABLE2",
    "Problem",
    "causes_first",
    "dag_of",
    "draw_rows",
    "er",
    "network",
    "problem",
    "random_dag",
    "random_edges",
    "table1",
    "table2",
    "weak",
]

# The small networks of the paper's table 1, all of whose variables are observed.
TABLE1 = ("earthquake", "survey", "asia", "sachs")

# Network and number of hidden variables of the paper's table 2 (carpo is in no public package).
TABLE2 = {"insurance": 3, "water": 3, "ecoli70": 3, "hailfinder": 3, "hepar2": 5, "arth150": 7}


@dataclass(frozen=True)
class Problem:
    """Rows over observed variables, and the DAG over these and the hidden ones that they come from.

    Attributes
    ----------
    seed : tuple of int
        What `numpy.random.default_rng` was given.
    """

    rows: np.ndarray
    dag: DAG
    hidden: tuple[str, ...] = ()
    seed: tuple[int, ...] = ()

    @cached_property
    def mag(self) -> MAG:
        """The true MAG over the observed variables."""
        return self.dag.project(hidden=self.hidden) if self.hidden else self.dag.mag()

    @cached_property
    def pag(self) -> PAG:
        """The true PAG."""
        return self.mag.pag()

    @cached_property
    def cpdag(self) -> CPDAG:
        """The true CPDAG, where nothing is hidden."""
        if self.hidden:
            raise ValueError("variables are hidden: there is a PAG, but no CPDAG")
        return self.dag.cpdag()


def draw_rows(
    adjacency: np.ndarray,
    order: list[int],
    n_rows: int,
    generator: np.random.Generator,
    low: float = 1.0,
    high: float = 1.5,
) -> np.ndarray:
    """Draw coefficients in +-[low, high], noise of standard deviation in [0.7, 1.2]."""
    n = len(adjacency)
    size = generator.uniform(low, high, (n, n)) * generator.choice([-1, 1], (n, n))
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
    order: list[int] = []
    while ready:
        u = ready.pop()
        order.append(int(u))
        for v in np.flatnonzero(adjacency[u]):
            missing[v] -= 1
            if missing[v] == 0:
                ready.append(v)
    return order


def random_edges(n: int, probability: float, generator: np.random.Generator) -> np.ndarray:
    """Join each pair with one probability, along a random order; gives adjacency, causes in rows."""
    along_order = np.triu(generator.random((n, n)) < probability, 1)
    place = generator.permutation(n)
    adjacency = np.zeros((n, n), bool)
    adjacency[np.ix_(place, place)] = along_order
    return adjacency


def dag_of(adjacency: np.ndarray) -> DAG:
    """Give the DAG over X0, X1, ... of an adjacency matrix that is known to be acyclic."""
    marks = 2 * adjacency.astype(np.int8) + 3 * adjacency.T.astype(np.int8)
    return DAG.unchecked(marks, [f"X{i}" for i in range(len(adjacency))])


def observed(rows: np.ndarray, dag: DAG, hidden: set[int]) -> Problem:
    """Leave hidden columns out of the rows of all variables."""
    kept = [v for v in range(len(dag.names)) if v not in hidden]
    return Problem(rows[:, kept], dag, tuple(dag.names[v] for v in sorted(hidden)))


def seeded(seed: tuple[int, ...], drawn: Problem) -> Problem:
    """Note what a problem was drawn from."""
    return replace(drawn, seed=seed)


def problem(
    dag: DAG, n_hidden: int, rows_each: int, generator: np.random.Generator, n_rows: int | None = None
) -> Problem:
    """Hide variables of a DAG and draw `n_rows` rows, or rows_each for each variable that is left."""
    adjacency = (dag.marks == 2).astype(bool)
    n = len(adjacency)
    hidden = set(generator.choice(n, n_hidden, replace=False).tolist()) if n_hidden else set()
    rows = draw_rows(adjacency, causes_first(adjacency), n_rows or rows_each * (n - len(hidden)), generator)
    return observed(rows, dag, hidden)


def table1(name: str, repetition: int, rows_each: int = 50) -> Problem:
    """Draw the paper's table 1, for any network: nothing hidden, 50 rows a variable."""
    seed = (repetition, sum(map(ord, name)), 1)
    return seeded(seed, problem(load_network(name), 0, rows_each, np.random.default_rng(seed)))


def network(name: str, repetition: int, n_rows: int) -> Problem:
    """Draw any number of rows over a network, nothing hidden; its models are those of `table1`."""
    seed = (repetition, sum(map(ord, name)), 1)
    return seeded(seed, problem(load_network(name), 0, 0, np.random.default_rng(seed), n_rows))


def table2(name: str, repetition: int, rows_each: int = 50) -> Problem:
    """Draw the paper's table 2: `TABLE2[name]` variables of a network hidden, 50 rows a variable."""
    seed = (repetition, sum(map(ord, name)))
    return seeded(seed, problem(load_network(name), TABLE2[name], rows_each, np.random.default_rng(seed)))


def er(n: int, probability: float, repetition: int, hidden: int = 0, rows_each: int = 50) -> Problem:
    """Draw the paper's Er(n, p), any variables hidden, 50 rows a variable that is left."""
    seed = (repetition, n, int(probability * 1e6), hidden)
    generator = np.random.default_rng(seed)
    return seeded(
        seed, problem(dag_of(random_edges(n, probability, generator)), hidden, rows_each, generator)
    )


def with_common_causes_hidden(
    n: int, degree: float, n_rows: int, hidden: int, span: tuple[float, float], seed: tuple[int, ...]
) -> Problem:
    """Draw n + hidden variables of a mean degree, and hide variables that have two children or more."""
    generator = np.random.default_rng(seed)
    adjacency = random_edges(n + hidden, degree / (n + hidden - 1), generator)
    causes = np.flatnonzero(adjacency.sum(1) >= 2)
    generator.shuffle(causes)
    rows = draw_rows(adjacency, causes_first(adjacency), n_rows, generator, *span)
    return seeded(seed, observed(rows, dag_of(adjacency), set(causes[:hidden].tolist())))


def weak(repetition: int, n_rows: int, n: int = 50, degree: int = 4, hidden: int = 5) -> Problem:
    """Draw weak and strong effects: coefficients in +-[0.2, 0.8], the hidden variables common causes."""
    seed = (repetition, n, degree * 10, hidden, n_rows)
    return with_common_causes_hidden(n, degree, n_rows, hidden, (0.2, 0.8), seed)


def random_dag(
    n: int,
    degree: int,
    repetition: int,
    n_rows: int = 2000,
    hidden: int = 0,
    span: tuple[float, float] = (1.0, 1.5),
) -> Problem:
    """Draw for speed: n observed variables of a mean degree, none hidden or some common causes."""
    seed = (repetition, n, degree, n_rows, hidden)
    return with_common_causes_hidden(n, degree, n_rows, hidden, span, seed)
