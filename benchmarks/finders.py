"""Finders of neighbors side by side, on networks of the paper's table 2: mean over repetitions.

    python benchmarks/finders.py [--repetitions 5] [-o finders.csv]

Each finder counts neighbors in hill climbing as the paper sets it (rol_hc, from RSL's recursive order), and
as a method of its own: recursive for rsl and l-marvel, without an order for mbcs. Level .01, no legal step;
skeletons alone, since rsl assumes no latents.
The paper chose the hidden variables otherwise, so its column is an anchor, not a target.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from problems import table2
from tables import show_and_write

from rolearn import NeighborCount, RolearnWarning, paper

NETWORKS = ("insurance", "water", "ecoli70")
BASELINES = {"rsl": paper.rsl, "l-marvel": paper.l_marvel, "mbcs": paper.mbcs}
PUBLISHED = {
    ("rol_hc", "rsl"): (0.89, 0.86, 0.93),
    ("alone", "l-marvel"): (0.87, 0.78, 0.93),
    ("alone", "mbcs"): (0.77, 0.62, 0.90),
}


def climbed(finder: str) -> Callable:
    """Give the paper's ROL_HC with this finder."""
    return lambda rows: paper.rol_hc(rows, cost=NeighborCount(finder))


def fitted(method: Callable, rows: np.ndarray):
    """Fit and give the model and the seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        started = time.perf_counter()
        model = method(rows)
    return model, time.perf_counter() - started


def measure(network: str, search: str, finder: str, repetitions: int) -> dict[str, object]:
    method = climbed(finder) if search == "rol_hc" else BASELINES[finder]
    scores, tests, seconds = [], [], []
    for repetition in range(repetitions):
        problem = table2(network, repetition)
        model, took = fitted(method, problem.rows)
        learned, truth = model.skeleton_, problem.mag.skeleton
        both = (learned & truth).sum()
        scores.append((2 * both / (learned.sum() + truth.sum()), both / learned.sum(), both / truth.sum()))
        tests.append(model.n_tests_)
        seconds.append(took)
    f1, precision, recall = np.mean(scores, axis=0)
    published = PUBLISHED.get((search, finder))
    return {
        "network": network,
        "search": search,
        "finder": finder,
        "repetitions": repetitions,
        "f1": round(float(f1), 3),
        "published_f1": published[NETWORKS.index(network)] if published else "",
        "precision": round(float(precision), 3),
        "recall": round(float(recall), 3),
        "tests": round(float(np.mean(tests))),
        "median_s": round(float(np.median(seconds)), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, help="write the table as CSV, too")
    arguments = parser.parse_args()
    ways = [(search, finder) for search in ("rol_hc", "alone") for finder in BASELINES]
    small = table2("insurance", 0).rows[:400, :8]
    for search, finder in ways:  # compile first
        fitted(climbed(finder) if search == "rol_hc" else BASELINES[finder], small)
    rows = [measure(name, *way, arguments.repetitions) for name in NETWORKS for way in ways]
    show_and_write(rows, arguments.output)


if __name__ == "__main__":
    main()
