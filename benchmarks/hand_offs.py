"""Seconds to write, read and question a PAG, by size.

    python benchmarks/hand_offs.py [-o hand_offs.csv]

PAGs of random DAGs of expected degree 4 with 8 variables hidden; the best of three runs, the first of which
compiles. "pydot" is its reader on our DOT, where it is installed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from tables import show_and_write

from rolearn.data.simulation import random_dag
from rolearn.export import FORMATS, graph_text, read_graph, write_graph
from rolearn.graphs import PAG

SIZES = (10, 60, 150)


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return round(best, 4)


def random_pag(n: int) -> PAG:
    dag = random_dag(n + 8, 4 / (n + 7), np.random.default_rng(1))
    return dag.project(dag.names[:8]).pag()


def questions(pag: PAG) -> dict[str, Callable[[], object]]:
    a, b = pag.names[0], pag.names[-1]
    return {
        "edge_table": pag.edge_table,
        "adjustment_set": lambda: pag.adjustment_set(a, b),
        "definite_ancestors": lambda: pag.definite_ancestors(a),
        "to_dowhy": pag.to_dowhy,
    }


def measure(n: int, folder: Path) -> list[dict]:
    pag = random_pag(n)
    size = {"variables": n, "edges": pag.n_edges}
    rows = []
    for known in FORMATS:
        path = folder / "graph"
        row = {**size, "what": known.name, "write": seconds(lambda: write_graph(pag, path, known.name))}  # noqa: B023
        row["read"] = seconds(lambda: read_graph(path, known.name)) if known.read else ""  # noqa: B023
        rows.append(row)
    if find_spec("pydot"):
        import pydot

        text = graph_text(pag, "dot")
        read = seconds(lambda: pydot.graph_from_dot_data(text))
        rows.append({**size, "what": "pydot", "write": "", "read": read})
    for what, work in questions(pag).items():
        rows.append({**size, "what": what, "write": "", "read": seconds(work)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, help="write the table as CSV, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for n in SIZES for row in measure(n, Path(folder))]
    show_and_write(rows, arguments.output)


if __name__ == "__main__":
    main()
