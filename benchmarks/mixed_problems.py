"""Seeded tables with discrete columns: mixed random models, and rows of published networks.

The draws are fixed for good, as those of `problems.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
from problems import causes_first, dag_of, random_edges

from rolearn import CPDAG, DAG, MAG, PAG
from rolearn.data.discrete_networks import load_discrete_network

N_ROWS = 5000


@dataclass(frozen=True)
class TableProblem:
    """Columns of numbers and of text, and the DAG that they come from; nothing is hidden."""

    frame: pd.DataFrame
    dag: DAG

    @cached_property
    def mag(self) -> MAG:
        return self.dag.mag()

    @cached_property
    def pag(self) -> PAG:
        return self.mag.pag()

    @cached_property
    def cpdag(self) -> CPDAG:
        return self.dag.cpdag()

    @cached_property
    def levels(self) -> list[int]:
        """How many levels each column has; 0 for one of numbers."""
        return [0 if column.dtype.kind == "f" else column.nunique() for _, column in self.frame.items()]

    @cached_property
    def codes(self) -> np.ndarray:
        """The table for tools that take numbers: text by its place in sorted order."""
        columns = [
            column.to_numpy() if count == 0 else np.unique(column, return_inverse=True)[1]
            for (_, column), count in zip(self.frame.items(), self.levels, strict=True)
        ]
        return np.column_stack(columns).astype(np.float64)


def mixed(repetition: int, n_rows: int = N_ROWS, n: int = 30, degree: int = 3) -> TableProblem:
    """Every second variable has 2 to 4 categories, made while drawing: children depend on the category."""
    generator = np.random.default_rng([repetition, n_rows, n, degree, 0, 2])
    adjacency = random_edges(n, degree / (n - 1), generator)
    levels = [0 if v % 2 == 0 else int(generator.integers(2, 5)) for v in range(n)]
    values = np.zeros((n_rows, n))
    for v in causes_first(adjacency):
        drawn = generator.standard_normal(n_rows)
        for parent in np.flatnonzero(adjacency[:, v]):
            drawn = drawn + _effect(values[:, parent], levels[parent], generator)
        if levels[v]:
            cuts = np.quantile(drawn, np.sort(generator.uniform(0.15, 0.85, levels[v] - 1)))
            drawn = np.searchsorted(cuts, drawn)
        values[:, v] = drawn
    dag = dag_of(adjacency)
    columns = {name: _column(values[:, v], levels[v]) for v, name in enumerate(dag.names)}
    return TableProblem(pd.DataFrame(columns), dag)


def _effect(cause: np.ndarray, levels: int, generator: np.random.Generator) -> np.ndarray:
    weight = generator.uniform(0.7, 1.2) * generator.choice([-1, 1])
    if levels:
        part = generator.standard_normal(levels)[cause.astype(int)]
        return weight * ((part - part.mean()) / (part.std() + 1e-9))
    return weight * ((cause - cause.mean()) / cause.std())


def _column(values: np.ndarray, levels: int) -> np.ndarray:
    return np.char.add("level ", values.astype(int).astype(str)) if levels else values


def discrete(name: str, repetition: int, n_rows: int = N_ROWS) -> TableProblem:
    """Rows drawn from the published probabilities of a network."""
    generator = np.random.default_rng([repetition, n_rows, sum(map(ord, name)), 3])
    network = load_discrete_network(name)
    return TableProblem(pd.DataFrame(network.sample(n_rows, generator)), network.dag)


PROBLEMS: dict[str, Callable[[int], TableProblem]] = {
    "mixed": mixed,
    **{name: partial(discrete, name) for name in ("asia", "sachs", "child", "alarm")},
}

# What each is compared with: the same kind of test, and score where there is one.
PEERS_OF = {
    "mixed": ("boss-fci", "boss-fci-penalty-1", "tetrad-fci"),
    **dict.fromkeys(("asia", "sachs", "child", "alarm"), ("pc-gsq", "fci-gsq")),
}
