"""Seeded problems: linear Gaussian models over real-world and random DAGs, some variables hidden.

The draws are fixed for good: figures in this project's pages and tests refer to problem and repetition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from rolearn import CPDAG, DAG, MAG, PAG, mag_score
from rolearn.data.networks import load_network

# The small networks of the paper's table 1, all of whose variables are observed.
TABLE1 = ("earthquake", "survey", "asia", "sachs")

# Network and number of hidden variables of the paper's table 2 (carpo is in no public package).
TABLE2 = {"insurance": 3, "water": 3, "ecoli70": 3, "hailfinder": 3, "hepar2": 5, "arth150": 7}


@dataclass(frozen=True)
class Problem:
    """Rows over observed variables, and the DAG over these and the hidden ones that they come from."""

    rows: np.ndarray
    dag: DAG
    hidden: tuple[str, ...] = ()

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
    """Coefficients in +-[low, high], noise of standard deviation in [0.7, 1.2]."""
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
    order = []
    while ready:
        u = ready.pop()
        order.append(u)
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


def problem(dag: DAG, n_hidden: int, rows_each: int, generator: np.random.Generator) -> Problem:
    """Hide variables of a DAG and draw rows_each rows for each that is left."""
    adjacency = (dag.marks == 2).astype(bool)
    n = len(adjacency)
    hidden = set(generator.choice(n, n_hidden, replace=False).tolist()) if n_hidden else set()
    rows = draw_rows(adjacency, causes_first(adjacency), rows_each * (n - len(hidden)), generator)
    return observed(rows, dag, hidden)


def table1(name: str, repetition: int, rows_each: int = 50) -> Problem:
    """The paper's table 1, for any network: nothing hidden, 50 rows a variable."""
    generator = np.random.default_rng([repetition, sum(map(ord, name)), 1])
    return problem(load_network(name), 0, rows_each, generator)


def table2(name: str, repetition: int, rows_each: int = 50) -> Problem:
    """The paper's table 2: `TABLE2[name]` variables of a network hidden, 50 rows a variable."""
    generator = np.random.default_rng([repetition, sum(map(ord, name))])
    return problem(load_network(name), TABLE2[name], rows_each, generator)


def er(n: int, probability: float, repetition: int, hidden: int = 0, rows_each: int = 50) -> Problem:
    """The paper's Er(n, p), any variables hidden, 50 rows a variable that is left."""
    generator = np.random.default_rng([repetition, n, int(probability * 1e6), hidden])
    return problem(dag_of(random_edges(n, probability, generator)), hidden, rows_each, generator)


def with_common_causes_hidden(
    n: int, degree: float, n_rows: int, hidden: int, span: tuple[float, float], generator: np.random.Generator
) -> Problem:
    """Draw n + hidden variables of a mean degree, and hide variables that have two children or more."""
    adjacency = random_edges(n + hidden, degree / (n + hidden - 1), generator)
    causes = np.flatnonzero(adjacency.sum(1) >= 2)
    generator.shuffle(causes)
    rows = draw_rows(adjacency, causes_first(adjacency), n_rows, generator, *span)
    return observed(rows, dag_of(adjacency), set(causes[:hidden].tolist()))


def weak(repetition: int, n_rows: int, n: int = 50, degree: int = 4, hidden: int = 5) -> Problem:
    """Weak and strong effects mixed: coefficients in +-[0.2, 0.8], the hidden variables common causes."""
    generator = np.random.default_rng([repetition, n, degree * 10, hidden, n_rows])
    return with_common_causes_hidden(n, degree, n_rows, hidden, (0.2, 0.8), generator)


def random_dag(
    n: int,
    degree: int,
    repetition: int,
    n_rows: int = 2000,
    hidden: int = 0,
    span: tuple[float, float] = (1.0, 1.5),
) -> Problem:
    """For speed: n observed variables of a mean degree, none hidden or some common causes."""
    generator = np.random.default_rng([repetition, n, degree, n_rows, hidden])
    return with_common_causes_hidden(n, degree, n_rows, hidden, span, generator)


def score_difference(rows: np.ndarray, ours: MAG | DAG, theirs: MAG | DAG) -> float:
    """Give how much worse one graph scores than another, `rolearn.mag_score` of both."""
    columns = [f"X{i + 1}" for i in range(len(ours.names))]  # as those of an array are called
    first, second = (
        mag_score(MAG.unchecked(graph.marks, columns), rows, penalty=2.0) for graph in (ours, theirs)
    )
    return first - second


@dataclass(frozen=True)
class Case:
    """A problem of the accuracy table: how to draw a repetition, how many there are, and what must hold.

    Attributes
    ----------
    f1 : float
        The least mean skeleton F1.
    wrong_marks : float, optional
        The most wrong marks, in the mean.
    latents : bool
        Whether methods are to allow for hidden variables; if not, the truth is a CPDAG.
    """

    draw: Callable[..., Problem]
    f1: float
    wrong_marks: float | None
    repetitions: int = 10
    latents: bool = True


ACCURACY = {
    "water": Case(partial(table2, "water"), 0.955, 20),
    "ecoli70": Case(partial(table2, "ecoli70"), 0.965, 20),
    "hailfinder": Case(partial(table2, "hailfinder"), 0.985, 5),
    "insurance": Case(partial(table2, "insurance"), 0.88, 65),
    "hepar2": Case(partial(table2, "hepar2"), 0.93, 122, repetitions=5),
    "arth150": Case(partial(table2, "arth150"), 0.985, 18, repetitions=3),
    "er50": Case(partial(er, 50, 50**-0.7, hidden=5), 0.98, 12),
    "weak5000": Case(partial(weak, n_rows=5000), 0.92, 65),
    "weak1000": Case(partial(weak, n_rows=1000), 0.885, 82),
    "er100-no-latents": Case(partial(er, 100, 100**-0.7), 0.997, None, latents=False),
    "er50-many-rows": Case(partial(er, 50, 50**-0.7, hidden=5, rows_each=500), 0.99, 5),
}
