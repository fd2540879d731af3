"""The cases of the accuracy table: seeded problems of `rolearn.benchmarks.problems`, and what must hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from rolearn import DAG, MAG, mag_score
from rolearn.benchmarks.problems import (
    TABLE1,
    TABLE2,
    Problem,
    causes_first,
    dag_of,
    draw_rows,
    er,
    problem,
    random_dag,
    random_edges,
    table1,
    table2,
    weak,
)

__all__ = [
    "ACCURACY",
    "TABLE1",
    "TABLE2",
    "Case",
    "Problem",
    "causes_first",
    "dag_of",
    "draw_rows",
    "er",
    "problem",
    "random_dag",
    "random_edges",
    "score_difference",
    "table1",
    "table2",
    "weak",
]


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
