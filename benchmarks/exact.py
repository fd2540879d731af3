"""Exact search: the paper's table 1, how value iteration grows, and which problems best-first search proves.

    python benchmarks/exact.py table1 [--repetitions 10] [-o exact_table1.csv]
    python benchmarks/exact.py growth [--jobs 2] [-o exact_growth.csv]
    python benchmarks/exact.py proofs [--time-limit 300] [--memory 6] [-o exact_proofs.csv]
        [--method cutting-planes] [--only "degree 2, 25"]

table1: skeleton F1 and SHD, their means over repetitions and the standard errors of these, beside the paper's
columns. growth: seconds of a fit by value iteration on Er(n, n^-0.7). proofs: what a method (best-first, if
none is named) proves with the bic cost, within its limits, on real networks and on sparse random ones, or on
those whose name has a text in it; "gap" is by how much the order found exceeds what is proved. Each fit runs
in a process of its own, for its peak memory.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from problems import TABLE1, Problem, er, random_dag, table1
from tables import show_and_write

from rolearn import BIC, ROL, Exact, HillClimb, RolearnWarning, evaluate, paper

EXACT_BIC = BIC(parents="exact")

# Paper's table 1: F1 and SHD.
PUBLISHED = {
    "ROL_VI": {"earthquake": (0.96, 0.4), "survey": (1.0, 0.0), "asia": (0.97, 0.4), "sachs": (0.97, 1.0)},
    "ROL_HC": {"earthquake": (0.96, 0.4), "survey": (0.98, 0.2), "asia": (0.97, 0.4), "sachs": (0.95, 1.6)},
}
METHODS: dict[str, Callable[[np.ndarray], ROL]] = {
    "ROL_VI": paper.rol_vi,
    "ROL_HC": paper.rol_hc,
    "exact, bic": lambda rows: ROL("exact", latents=False).fit(rows),
    "hill-climb, bic": lambda rows: ROL(HillClimb(), cost=EXACT_BIC, latents=False).fit(rows),
}

NETWORKS = ("child", "insurance", "water", "mildew", "alarm", "ecoli70", "barley", "hailfinder")


def quietly(fit: Callable[[], ROL]) -> ROL:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        return fit()


def accuracy(name: str, method: str, repetitions: int) -> dict[str, object]:
    f1, shd, proved = [], [], 0
    for repetition in range(repetitions):
        problem = table1(name, repetition)
        model = quietly(partial(METHODS[method], problem.rows))
        graph = type(model.graph_).unchecked(model.graph_.marks, problem.dag.names)
        scores = evaluate(graph, problem.dag).skeleton
        f1.append(scores.f1)
        shd.append(scores.shd)
        proved += model.optimal_
    published = PUBLISHED.get(method, {}).get(name, ("", ""))
    return {
        "network": name,
        "method": method,
        "repetitions": repetitions,
        "f1": f"{np.mean(f1):.3f}",
        "f1_standard_error": f"{np.std(f1, ddof=1) / repetitions**0.5:.3f}",
        "published_f1": published[0],
        "shd": f"{np.mean(shd):.2f}",
        "shd_standard_error": f"{np.std(shd, ddof=1) / repetitions**0.5:.2f}",
        "published_shd": published[1],
        "proved": proved,
    }


def measured(fit: Callable[[], ROL], names: dict[str, object]) -> dict[str, object]:
    """Fit in a process of its own, and give what came of it after the given columns."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return {**names, **pool.apply(outcome, (fit,))}


def outcome(fit: Callable[[], ROL]) -> dict[str, object]:
    started, worked = time.perf_counter(), time.process_time()
    model = quietly(fit)
    seconds, processor_seconds = time.perf_counter() - started, time.process_time() - worked
    bound = model.lower_bound_
    return {
        "proved": model.optimal_,
        "cost": f"{model.cost_:.2f}",
        "gap": "" if bound is None else f"{model.cost_ - bound:.2f}",
        "seconds": f"{seconds:.1f}",
        "processor_seconds": f"{processor_seconds:.1f}",
        "peak_gb": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f}",
        "stop_reason": model.stop_reason_.name.lower(),
    }


def first_columns(name: str, repetition: int, n: int) -> Problem:
    """Leave out the columns of a network after the first n; the others' causes may be among those."""
    problem = table1(name, repetition)
    return Problem(problem.rows[:, :n], problem.dag, problem.dag.names[n:])


def by_value_iteration(n: int, cost: object, jobs: int) -> ROL:
    problem = er(n, n**-0.7, 0)
    return ROL(Exact("value-iteration"), cost=cost, latents=False, n_jobs=jobs).fit(problem.rows)


def by_bound(draw: Callable[[], Problem], method: str, time_limit: float, memory: float) -> ROL:
    search = Exact(method, memory=memory)
    return ROL(search, latents=False, time_limit=time_limit).fit(draw().rows)


def growth(jobs: int) -> list[dict[str, object]]:
    rows = []
    for cost in ("neighbors", "bic"):
        quietly(partial(by_value_iteration, 5, cost, jobs))  # compile
        for n in (10, 15, 20, 22, 24):
            fit = partial(by_value_iteration, n, cost, jobs)
            rows.append(measured(fit, {"cost_kind": cost, "n": n, "jobs": jobs}))
    return rows


def proofs(
    method: str, only: str, time_limit: float, memory: float, repetitions: int
) -> list[dict[str, object]]:
    draws: list[tuple[str, int, Callable[[], Problem]]] = [
        (name, repetition, partial(table1, name, repetition))
        for name in NETWORKS
        for repetition in range(repetitions)
    ]
    draws += [
        (f"alarm, first {n}", repetition, partial(first_columns, "alarm", repetition, n))
        for n in (20, 24, 28)
        for repetition in range(repetitions)
    ]
    draws += [
        (f"degree {degree}, {n} variables", repetition, partial(random_dag, n, degree, repetition, 50 * n))
        for degree, sizes in ((1, (20, 30, 40, 50, 62)), (2, (15, 20, 25, 30, 35, 40)))
        for n in sizes
        for repetition in range(repetitions)
    ]
    quietly(partial(by_bound, partial(table1, "asia", 0), method, 60, memory))  # compile
    rows = []
    for name, repetition, draw in draws:
        if only not in name:
            continue
        fit = partial(by_bound, draw, method, time_limit, memory)
        columns = draw().rows.shape[1]
        rows.append(
            measured(fit, {"problem": name, "repetition": repetition, "variables": columns, "method": method})
        )
        print(
            {key: rows[-1][key] for key in ("problem", "repetition", "proved", "gap", "seconds")}, flush=True
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("table1", "growth", "proofs"))
    parser.add_argument("--repetitions", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=300.0)
    parser.add_argument("--memory", type=float, default=6.0)
    parser.add_argument("--method", default="best-first")
    parser.add_argument("--only", default="", help="problems whose name has this text in it")
    parser.add_argument("-o", "--output", type=Path, help="write the table as CSV, too")
    arguments = parser.parse_args()
    if arguments.what == "table1":
        repetitions = arguments.repetitions or 10
        rows = [accuracy(name, method, repetitions) for name in TABLE1 for method in METHODS]
    elif arguments.what == "growth":
        rows = growth(arguments.jobs)
    else:
        rows = proofs(
            arguments.method,
            arguments.only,
            arguments.time_limit,
            arguments.memory,
            arguments.repetitions or 2,
        )
    show_and_write(rows, arguments.output)


if __name__ == "__main__":
    main()
