"""What background knowledge costs and gains: time of a fit with and without it, and marks it settles.

    python benchmarks/knowledge.py [--repetitions 3] [-o FILE]

A sparse random DAG over 305 variables, 5 of them hidden, 2000 rows. Knowledge is true: 40,000 pairs of which
the first doesn't cause the second; three and ten tiers along a causal order; 50 required causes. Fits take
turns in one process, warm; `seconds` is processor time. Settled are the marks of the restricted graph that
aren't circles, wrong those of all that differ from the true PAG with the same knowledge.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from tables import RESULTS, show_and_write

import rolearn
from rolearn.graphs.restriction import restrict_pag
from rolearn.knowledge import constraints_of

P, HIDDEN, ROWS, PAIRS = 300, 5, 2000, 40_000


def problem(repetition: int) -> tuple[rolearn.DAG, list[str], np.ndarray]:
    """Give a DAG, the names of its observed variables, and rows of these."""
    generator = np.random.default_rng([52, repetition])
    n = P + HIDDEN
    weights = np.triu((generator.random((n, n)) < 3 / n) * generator.uniform(0.4, 1.2, (n, n)), 1)
    weights *= generator.choice([-1, 1], (n, n))
    rows = generator.standard_normal((ROWS, n)) @ np.linalg.inv(np.eye(n) - weights)
    names = [f"V{i}" for i in range(n)]
    dag = rolearn.DAG.from_edges([(names[i], names[j]) for i, j in np.argwhere(weights)], nodes=names)
    hidden = set(generator.choice(n, HIDDEN, replace=False).tolist())
    observed = [i for i in range(n) if i not in hidden]
    return dag, [names[i] for i in observed], rows[:, observed]


def knowledge_of(dag: rolearn.DAG, names: list[str], repetition: int) -> dict[str, rolearn.Knowledge | None]:
    """Give the kinds of knowledge, all true."""
    generator = np.random.default_rng([53, repetition])
    hidden = [name for name in dag.names if name not in set(names)]
    mag = dag.project(hidden)
    above = {name: mag.ancestors(name) for name in mag.names}
    apart = [(a, b) for a in names for b in names if a != b and a not in above[b]]
    arrows = [(edge.source, edge.target) for edge in mag.edges() if edge.picture == "-->"]

    def drawn(pairs: list, count: int) -> list:
        return [pairs[k] for k in generator.permutation(len(pairs))[:count]]

    def tiers(count: int) -> list[list[str]]:  # the names come in a causal order
        return [part.tolist() for part in np.array_split(np.array(names), count)]

    return {
        "none": None,
        "empty": rolearn.Knowledge(),
        "40,000 forbidden": rolearn.Knowledge(forbidden=drawn(apart, PAIRS)),
        "3 tiers": rolearn.Knowledge(tiers=tiers(3)),
        "10 tiers": rolearn.Knowledge(tiers=tiers(10)),
        "50 required": rolearn.Knowledge(required=drawn(arrows, 50)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "knowledge.csv")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", rolearn.RolearnWarning)
    small = np.random.default_rng(0).standard_normal((100, 4))
    rolearn.learn(small, knowledge={"tiers": [["X1"], ["X2"]]})
    found = []
    for repetition in range(arguments.repetitions):
        dag, names, rows = problem(repetition)
        table = {name: rows[:, i] for i, name in enumerate(names)}
        import pandas as pd

        frame = pd.DataFrame(table)
        mag = dag.project([name for name in dag.names if name not in set(names)])
        truth = np.array(mag.pag().reorder(names).marks)
        for label, knowledge in knowledge_of(dag, names, repetition).items():
            started = time.process_time()
            model = rolearn.learn(frame, knowledge=knowledge)
            seconds = time.process_time() - started
            graph = model.pag_ if knowledge is None else model.restricted_pag_
            known = constraints_of(knowledge, names)
            true = restrict_pag(truth, known.not_cause, known.required).marks
            found.append(
                {
                    "repetition": repetition,
                    "knowledge": label,
                    "seconds": f"{seconds:.2f}",
                    "order_cost": f"{model.cost_:.1f}",
                    "edges": graph.n_edges,
                    "settled": int((graph.marks > 1).sum()),
                    "settled_of_data": int((model.pag_.marks > 1).sum()),
                    "wrong": int((graph.marks != true).sum()),
                    "wrong_of_data": int((model.pag_.marks != truth).sum()),
                    "contradictions": len(model.knowledge_contradictions_),
                }
            )
            print(found[-1], flush=True)
    show_and_write(found, arguments.output)


if __name__ == "__main__":
    main()
