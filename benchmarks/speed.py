"""How fast rolearn is beside its peers, and how time and memory grow.

    python benchmarks/speed.py flop [--sizes 200x4,500x8] [--repetitions 2] [--runs 5]
    python benchmarks/speed.py fcit [--fits 1]
    python benchmarks/speed.py growth
    python benchmarks/speed.py steps

Each fit starts from raw rows, on one thread of a process of its own, with everything compiled and loaded by
a small fit before (`rolearn/benchmarks/methods/adapter.py`). Methods take turns, so that what else the
machine does meets all of them. Prints a table, and writes a row for each fit to `results/speed_WHAT.csv`.

BIC is n log(residual variance) + 2 log n for each edge, of a DAG of the class found; where what was found is
no DAG's class, it is carried over from `rolearn.mag_score`. FLOP draws at random without a seed, so that its
runs differ by some hundreds: the table compares medians over the runs, and also with the peer's best run.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from problems import Problem, er, random_dag, score_difference
from steps import STEPS
from tables import RESULTS, as_table, number, write_csv

import rolearn
from rolearn.benchmarks.calls import Outcome, call, version_of

COLUMNS = ["problem", "variables", "degree", "rows", "repetition", "method", "version", "run", "status"]
COLUMNS += ["seconds", "processor_seconds", "peak_mb", "edges", "bic", "true_bic"]
OURS_AND_FLOP = ["rolearn-no-latents-one-start", "rolearn", "flop"]
WITHIN = ["rolearn-one-start", "rolearn", "rolearn-no-latents-one-start", "rolearn-no-latents"]
ROWS = 2000


@dataclass(frozen=True)
class Setup:
    """A problem and how it is called."""

    name: str
    variables: int
    degree: float
    repetition: int
    problem: Problem

    @property
    def columns(self) -> dict[str, object]:
        return {
            "problem": self.name,
            "variables": self.variables,
            "degree": self.degree,
            "rows": len(self.problem.rows),
            "repetition": self.repetition,
        }


def random_setup(variables: int, degree: int, repetition: int) -> Setup:
    """Nothing hidden, strong effects (`problems.random_dag`)."""
    return Setup("random", variables, degree, repetition, random_dag(variables, degree, repetition, ROWS))


def er_setup(variables: int, repetition: int) -> Setup:
    """The paper's random graphs, 5 variables hidden."""
    probability = variables**-0.7
    degree = round(probability * (variables - 1), 1)
    return Setup("er", variables, degree, repetition, er(variables, probability, repetition, hidden=5))


def bic(rows: np.ndarray, dag: rolearn.DAG, penalty: float = 2.0) -> float:
    """Score a DAG: n log(residual variance) and penalty log n for each parent, of standardized columns."""
    n, total = len(rows), 0.0
    correlation = np.corrcoef(rows, rowvar=False)
    for v in range(len(correlation)):
        parents = np.flatnonzero(dag.marks[:, v] == 2)
        slopes = np.linalg.solve(correlation[np.ix_(parents, parents)], correlation[parents, v])
        total += n * math.log(1.0 - correlation[v, parents] @ slopes) + penalty * len(parents) * math.log(n)
    return total


def bic_of_mag(rows: np.ndarray, mag: rolearn.MAG, dag: rolearn.DAG) -> float:
    """Score a MAG on the scale of `bic`, by how much it differs from any DAG in `rolearn.mag_score`."""
    if (mag.marks + mag.marks.T != 4)[mag.marks != 0].all():  # no <->: the MAG is a DAG
        return bic(rows, rolearn.DAG.unchecked(mag.marks, mag.names))
    return bic(rows, dag) + score_difference(rows, mag, dag)


def scored(outcome: Outcome, problem: Problem) -> dict[str, object]:
    """Give edges and BIC of what was found; no BIC where it stands for no graph that has one."""
    if outcome.marks is None:
        return {}
    names = problem.mag.names if problem.hidden else problem.dag.names
    kind = rolearn.PAG if outcome.kind == "pag" else rolearn.CPDAG
    found = kind.unchecked(outcome.marks, names)
    value, truth = math.nan, math.nan
    if not problem.hidden:
        truth = bic(problem.rows, problem.dag)
        if found.is_valid():
            value = (
                bic_of_mag(problem.rows, found.mag(), problem.dag)
                if outcome.kind == "pag"
                else bic(problem.rows, found.dag())
            )
    return {"edges": found.n_edges, "bic": number(value, 2), "true_bic": number(truth, 2)}


def take_turns(
    setups: list[Callable[[], Setup]], methods: list[str], runs: int, limit: float, inner_runs: int = 1
) -> list[dict]:
    """Fit each problem by each method in turn, `runs` times; a row for each fit."""
    rows = []
    for make in setups:
        setup = make()
        for run in range(runs):
            for method in methods:
                outcome = call(method, setup.problem.rows, limit, inner_runs)
                rows.append(
                    {
                        **setup.columns,
                        "method": method,
                        "version": version_of(method),
                        "run": run,
                        "status": outcome.status,
                        "seconds": number(outcome.seconds, 4),
                        "processor_seconds": number(outcome.processor_seconds, 4),
                        "peak_mb": number(outcome.peak_mb, 0),
                        **scored(outcome, setup.problem),
                    }
                )
                told = f"{outcome.status} {number(outcome.seconds, 2)}"
                print(f"# {setup.name} {setup.variables}x{setup.degree} {method}: {told}", flush=True)
    return rows


def summary(rows: list[dict], beside: str | None) -> str:
    """Give a line for each problem and method: seconds, and how they and the BIC compare with one method."""
    groups: dict[tuple, list[dict]] = {}
    for row in rows:
        where = (row["problem"], row["variables"], row["degree"], row["repetition"])
        groups.setdefault((*where, row["method"]), []).append(row)
    lines = []
    for (*where, method), mine in groups.items():
        problem, variables, degree, repetition = where
        peer = groups.get((*where, beside), [])
        seconds, scores = column(mine, "seconds"), column(mine, "bic")
        theirs, their_scores = column(peer, "seconds"), column(peer, "bic")
        lines.append(
            [
                f"{problem} {variables}x{degree} #{repetition}",
                method,
                f"{min(seconds):.3g}" if seconds else mine[-1]["status"],
                f"{median(seconds):.3g}" if seconds else "",
                number(min(seconds) / min(theirs), 2) if seconds and theirs else "",
                number(median(seconds) / median(theirs), 2),
                number(max(column(mine, "peak_mb"), default=None), 0),
                number(median(column(mine, "edges")), 0),
                number(median(scores) - median(their_scores), 1),
                number(median(scores) - min(their_scores, default=math.nan), 1),
                number(median(scores) - median(column(mine, "true_bic")), 1),
            ]
        )
    heads = ["problem", "method", "fastest s", "median s", "ratio", "of medians", "MB", "edges"]
    return as_table([*heads, "BIC over peer", "over its best", "over truth"], lines)


def column(rows: list[dict], name: str) -> list[float]:
    """Give the numbers of a column; rows without one are left out."""
    return [float(row[name]) for row in rows if row.get(name, "") != ""]


def median(values: list[float]) -> float:
    return statistics.median(values) if values else math.nan


def sizes(text: str) -> list[tuple[int, int]]:
    """Read "200x4,500x8": variables and degree."""
    return [(int(p), int(degree)) for p, degree in (part.split("x") for part in text.split(","))]


def grid(chosen: list[tuple[int, int]], repetitions: int) -> list[Callable[[], Setup]]:
    """Give the makers of random problems, drawn when their turn comes."""
    return [
        lambda p=p, degree=degree, repetition=repetition: random_setup(p, degree, repetition)
        for p, degree in chosen
        for repetition in range(repetitions)
    ]


def time_steps(chosen: list[tuple[int, int]], repetitions: int, runs: int) -> list[dict]:
    """Time the parts of a fit (`steps.STEPS`) in this process, the fastest of some runs each."""
    rows = []
    for make in grid(chosen, repetitions):
        setup = make()
        for name, prepare in STEPS.items():
            step = prepare(setup.problem.rows)
            step()
            seconds = []
            for _ in range(runs):
                started = time.perf_counter()
                step()
                seconds.append(time.perf_counter() - started)
            rows.append(
                {
                    **setup.columns,
                    "method": name,
                    "version": version_of("rolearn"),
                    "status": "ok",
                    "seconds": f"{min(seconds):.9f}",
                }
            )
    return rows


GROWTH = sizes("25x4,50x4,100x4,200x4,500x4,1000x4,100x2,100x6,100x8,100x12")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["flop", "fcit", "growth", "steps"])
    parser.add_argument("--sizes", type=sizes, help="variables x degree, such as 200x4,500x8; not for fcit")
    parser.add_argument("--repetitions", type=int, default=1, help="problems of a size")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--fits", type=int, default=3, help="a process, the fastest counts; for fcit")
    parser.add_argument("--limit", type=float, default=900, help="seconds for one fit")
    parser.add_argument("--methods", help="instead of those that are compared as a rule")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    methods = given.methods.split(",") if given.methods else None
    beside = None
    if given.what == "flop":
        problems = grid(given.sizes or sizes("200x4,500x4,1000x4,500x8"), given.repetitions)
        rows, beside = take_turns(problems, methods or OURS_AND_FLOP, given.runs, given.limit), "flop"
    elif given.what == "fcit":
        problems = [lambda p=p, r=r: er_setup(p, r) for p in (50, 100) for r in range(given.repetitions)]
        # of several fits a process the fastest counts: Java compiles as it goes
        wanted = methods or ["rolearn", "rolearn-one-start", "fcit"]
        rows = take_turns(problems, wanted, given.runs, given.limit, inner_runs=given.fits)
        beside = "fcit"
    elif given.what == "growth":
        problems = grid(given.sizes or GROWTH, given.repetitions)
        rows = take_turns(problems, methods or WITHIN, given.runs, given.limit)
    else:
        rows = time_steps(given.sizes or GROWTH, given.repetitions, given.runs)
    write_csv(given.output or RESULTS / f"speed_{given.what}.csv", rows, COLUMNS)
    print(summary(rows, beside))


if __name__ == "__main__":
    main()
