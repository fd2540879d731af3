"""How right what is learned of mixed and discrete tables is, beside Tetrad and causal-learn with such tests.

    python benchmarks/mixed_discrete.py [--problems mixed,alarm] [--methods rolearn,pc-gsq]
        [--repetitions 0-4] [--limit 60] [-o mixed_discrete.csv]

Writes a row for each problem, repetition and method to a CSV as it comes, and prints means. rolearn reads
the columns as a user would give them, text and numbers; its seconds have that in them. Peers get codes, in
processes of their own, on one thread, and their seconds are of the search alone. All seconds are of the
processor, since a machine may be busy.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from accuracy import numbers
from mixed_problems import PEERS_OF, PROBLEMS, TableProblem
from tables import RESULTS, as_table, number, read_csv, write_csv

import rolearn
from rolearn.benchmarks.calls import Outcome, call, version_of

KEY = ["problem", "repetition", "method", "version"]
COLUMNS = [*KEY, "status", "f1", "wrong_marks", "processor_seconds"]
OURS = {"rolearn": {}, "rolearn-no-latents": {"latents": False}}


def fit(frame: pd.DataFrame, settings: dict) -> Outcome:
    """Fit rolearn in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rolearn.RolearnWarning)
        started = time.process_time()
        graph = rolearn.learn(frame, **settings).graph_
        seconds = time.process_time() - started
    return Outcome("ok", graph.kind, graph.marks, processor_seconds=seconds)


def measured(name: str, repetition: int, method: str, limit: float) -> dict[str, object]:
    """Draw a problem, run a method on it and compare with the truth."""
    problem = PROBLEMS[name](repetition)
    row = dict(zip(KEY, [name, str(repetition), method, version_of(method)], strict=True))
    if method in OURS:
        fit(problem.frame.head(500), OURS[method])  # compile and load
        outcome = fit(problem.frame, OURS[method])
    else:
        mixed = {"levels": problem.levels} if name == "mixed" else {}
        outcome = call(method, problem.codes, limit, **mixed)
    return {**row, **judged(outcome, problem)}


def judged(outcome: Outcome, problem: TableProblem) -> dict[str, object]:
    if outcome.marks is None:
        return {"status": outcome.status}
    kind, truth = (rolearn.PAG, problem.pag) if outcome.kind == "pag" else (rolearn.CPDAG, problem.cpdag)
    scores = rolearn.evaluate(kind.unchecked(outcome.marks, problem.mag.names), truth)
    return {
        "status": outcome.status,
        "f1": number(scores.skeleton.f1, 4),
        "wrong_marks": scores.wrong_marks,
        "processor_seconds": number(outcome.processor_seconds, 4),
    }


def summary(rows: list[dict]) -> str:
    """Give a line for each problem and method."""
    lines = []
    for problem, method in dict.fromkeys((row["problem"], row["method"]) for row in rows):
        mine = [row for row in rows if (row["problem"], row["method"]) == (problem, method)]
        done = [row for row in mine if row["status"] == "ok"]
        means = [
            number(float(np.mean([float(row[column]) for row in done])) if done else None, digits)
            for column, digits in (("f1", 3), ("wrong_marks", 1), ("processor_seconds", 3))
        ]
        lines.append([problem, method, f"{len(done)}/{len(mine)}", *means])
    return as_table(["problem", "method", "done", "F1", "wrong marks", "s"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", default=",".join(PROBLEMS), help="some of " + ", ".join(PROBLEMS))
    parser.add_argument("--methods", help="by default ours and those that suit a problem")
    parser.add_argument("--repetitions", type=numbers, default=set(range(5)), help="such as 0-4,7")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a peer")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "mixed_discrete.csv")
    arguments = parser.parse_args()
    rows = {tuple(row[column] for column in KEY): row for row in read_csv(arguments.output)}
    for name in arguments.problems.split(","):
        methods = arguments.methods.split(",") if arguments.methods else [*OURS, *PEERS_OF[name]]
        for method in methods:
            for other in [k for k in rows if (k[0], k[2]) == (name, method) and k[3] != version_of(method)]:
                del rows[other]  # of an earlier version
            for repetition in sorted(arguments.repetitions):
                row = measured(name, repetition, method, arguments.limit)
                rows[tuple(str(row[column]) for column in KEY)] = row
                write_csv(arguments.output, [rows[key] for key in sorted(rows)], COLUMNS)
    print(summary([rows[key] for key in sorted(rows)]))


if __name__ == "__main__":
    main()
