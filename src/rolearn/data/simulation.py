"""Data with a known truth: random DAGs, linear structural equation models, hidden variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.data.table import Table
from rolearn.graphs import DAG, MAG
from rolearn.graphs.marks import ARROWHEAD, TAIL
from rolearn.runtime.errors import ParameterError

__all__ = [
    "LinearSEM",
    "Simulation",
    "draw_sem",
    "linear_sem",
    "population_covariance",
    "random_dag",
    "simulate",
]


def random_dag(
    n: int,
    edge_probability: float,
    rng: np.random.Generator,
    names: Sequence[str] | None = None,
) -> DAG:
    """Draw an Erdos-Renyi graph Er(n, p) and orient it along a random order (paper, section 6.1).

    Parameters
    ----------
    n : int
        Number of vertices.
    edge_probability : float
        Probability of each edge, independently of the others.
    rng : numpy.random.Generator
    names : sequence of str, optional
        X1, X2, ... if not given.

    Raises
    ------
    ParameterError
        When n is below 1 or the probability outside [0, 1].
    """
    if n < 1:
        raise ParameterError(f"the number of vertices is {n}; give at least 1")
    if not 0 <= edge_probability <= 1:
        raise ParameterError(f"the edge probability is {edge_probability}; give a number from 0 to 1")
    forward = np.triu(rng.random((n, n)) < edge_probability, 1)
    place = rng.permutation(n)
    arrows = np.zeros((n, n), dtype=bool)
    arrows[np.ix_(place, place)] = forward
    marks = np.zeros((n, n), dtype=np.int8)
    marks[arrows] = ARROWHEAD
    marks[arrows.T] = TAIL
    return DAG(marks, names)


@dataclass(frozen=True, eq=False)
class LinearSEM:
    """A linear structural equation model with independent normal noise.

    Attributes
    ----------
    dag : DAG
    weights : float array, shape (n, n)
        ``weights[i, j]`` is the coefficient of i in the equation of j; zero where there is no edge.
    noise_sd : float array, shape (n,)
    """

    dag: DAG
    weights: np.ndarray
    noise_sd: np.ndarray

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Draw rows, shape (n_samples, n)."""
        values = rng.standard_normal((n_samples, self.noise_sd.size)) * self.noise_sd
        for j in _causes_first(self.weights != 0):
            for i in np.flatnonzero(self.weights[:, j]):
                values[:, j] += self.weights[i, j] * values[:, i]
        return values

    def covariance(self) -> np.ndarray:
        """Give the covariance of the population, shape (n, n)."""
        total = np.diag(self.noise_sd)  # total[k, j]: what one standard noise of k adds to j
        for j in _causes_first(self.weights != 0):
            for i in np.flatnonzero(self.weights[:, j]):
                total[:, j] += self.weights[i, j] * total[:, i]
        return total.T @ total


def draw_sem(
    dag: DAG,
    rng: np.random.Generator,
    low: float = 1.0,
    high: float = 1.5,
    sd: tuple[float, float] = (0.7, 1.2),
) -> LinearSEM:
    """Draw a linear model over a DAG as in the paper's experiments.

    Coefficients are uniform on [-high, -low] and [low, high], standard deviations of the noise uniform
    on `sd`.

    Raises
    ------
    ParameterError
        When a range is empty or negative.
    """
    if not 0 <= low <= high or not 0 < sd[0] <= sd[1]:
        raise ParameterError(
            f"coefficients in [{low}, {high}] and noise in {sd} are no ranges; give low <= high"
        )
    n = len(dag.names)
    size = rng.uniform(low, high, (n, n)) * rng.choice([-1.0, 1.0], (n, n))
    weights = np.where(_arrows(dag), size, 0.0)
    return LinearSEM(dag, weights, rng.uniform(sd[0], sd[1], n))


def linear_sem(
    dag: DAG,
    n_samples: int,
    rng: np.random.Generator,
    low: float = 1.0,
    high: float = 1.5,
    sd: tuple[float, float] = (0.7, 1.2),
) -> np.ndarray:
    """Draw a model as `draw_sem` and rows from it, shape (n_samples, n)."""
    return draw_sem(dag, rng, low, high, sd).sample(n_samples, rng)


def population_covariance(
    dag: DAG,
    rng: np.random.Generator,
    low: float = 1.0,
    high: float = 1.5,
    sd: tuple[float, float] = (0.7, 1.2),
) -> np.ndarray:
    """Draw a model as `draw_sem` and give its covariance, shape (n, n)."""
    return draw_sem(dag, rng, low, high, sd).covariance()


@dataclass(frozen=True, eq=False)
class Simulation:
    """Data and the truth behind it.

    Attributes
    ----------
    table : Table
        Rows over the observed variables.
    dag : DAG
        The graph over all variables.
    hidden : tuple of str
        Which of them were not observed.
    mag : MAG
        The latent projection: the truth over the observed variables.
    sem : LinearSEM
        The model the rows were drawn from, over all variables.
    """

    table: Table
    dag: DAG
    hidden: tuple[str, ...]
    mag: MAG
    sem: LinearSEM


def simulate(
    dag: DAG,
    n_samples: int,
    hidden: int | Sequence[str] = 0,
    seed: int | np.random.Generator = 0,
) -> Simulation:
    """Draw data from a linear model over a DAG and hide some of the variables.

    Parameters
    ----------
    dag : DAG
    n_samples : int
        Rows to draw.
    hidden : int or sequence of str
        Variables to hide: their names, or how many to choose at random among all.
    seed : int or numpy.random.Generator
        The same seed gives the same data.

    Raises
    ------
    ParameterError
        When a name is unknown, fewer than two variables would be left, or n_samples is below 1.

    Examples
    --------
    >>> from rolearn.data.networks import load_network
    >>> from rolearn.data.simulation import simulate
    >>> drawn = simulate(load_network("asia"), 1000, hidden=["smoke"], seed=0)
    >>> drawn.table
    Table(1000 rows, 7 columns)
    >>> drawn.mag.n_edges
    7
    """
    if n_samples < 1:
        raise ParameterError(f"the number of samples is {n_samples}; give at least 1")
    rng = np.random.default_rng(seed)
    chosen = _choose_hidden(dag, hidden, rng)
    sem = draw_sem(dag, rng)
    values = sem.sample(n_samples, rng)
    seen = [i for i, name in enumerate(dag.names) if name not in chosen]
    observed = np.ascontiguousarray(values[:, seen])
    observed.setflags(write=False)
    table = Table(tuple(dag.names[i] for i in seen), observed)
    return Simulation(table, dag, chosen, dag.project(hidden=list(chosen)), sem)


def _choose_hidden(dag: DAG, hidden: int | Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    names = dag.names
    if isinstance(hidden, (int, np.integer)):
        if not 0 <= hidden <= len(names) - 2:
            raise ParameterError(
                f"{hidden} of {len(names)} variables can't be hidden; hide from 0 to {len(names) - 2}"
            )
        return tuple(names[i] for i in sorted(rng.choice(len(names), int(hidden), replace=False)))
    unknown = [name for name in hidden if name not in names]
    if unknown:
        raise ParameterError(f"there is no variable {unknown[0]!r} to hide")
    if len(set(hidden)) > len(names) - 2:
        raise ParameterError(
            f"{len(set(hidden))} of {len(names)} variables can't be hidden; leave at least two"
        )
    return tuple(name for name in names if name in set(hidden))


def _arrows(dag: DAG) -> np.ndarray:
    return (dag.marks == ARROWHEAD) & (dag.marks.T == TAIL)


def _causes_first(arrows: np.ndarray) -> list[int]:
    """Order the vertices of an acyclic graph so that causes come before effects."""
    waiting = arrows.sum(axis=0)
    ready = [int(j) for j in np.flatnonzero(waiting == 0)]
    order: list[int] = []
    while ready:
        i = ready.pop()
        order.append(i)
        for j in np.flatnonzero(arrows[i]):
            waiting[j] -= 1
            if waiting[j] == 0:
                ready.append(int(j))
    return order
