"""How right what is learned is: skeletons, marks and scores on the problems of `problems.ACCURACY`.

    python benchmarks/accuracy.py [--problems water,er50] [--methods rolearn,fcit] [--repetitions 0-4]
        [--jobs 2] [--resume] [--set alpha=0.01] [-o accuracy.csv]

Writes a row for each problem, repetition and method to a CSV as it comes, and prints means with standard
errors and whether what must hold does. `rolearn` fits as a user would, knowing whether to allow for hidden
variables; other methods are those of `rolearn benchmark`, in processes of their own. `--resume` keeps rows of
the same version; `--set` tries other settings of `rolearn`.

score_gap is `rolearn.mag_score` of the graph found less that of the true MAG.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from problems import ACCURACY, Case, Problem, score_difference
from runs import as_they_come
from tables import RESULTS, as_table, number, read_csv, write_csv

import rolearn
from rolearn.benchmarks.calls import Outcome, call, version_of
from rolearn.benchmarks.registry import known_methods

KEY = ["problem", "repetition", "method", "version"]
COLUMNS = [*KEY, "status", "f1", "wrong_marks", "valid", "score_gap", "seconds"]
GAP_MEAN, GAP_SINGLE = 5.0, 30.0  # how much worse than the truth may score: in the mean, and once


def is_ours(method: str) -> bool:
    """Tell whether a method is `rolearn` by the settings of the command line, fitted in this process."""
    return method.split("(")[0] == "rolearn"


def fit_here(rows: np.ndarray, settings: dict) -> Outcome:
    """Fit rolearn in this process; a failure is an outcome, too."""
    started = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rolearn.RolearnWarning)
            graph = rolearn.learn(rows, **settings).graph_
    except Exception as error:  # whatever it is, the other rows are wanted
        return Outcome(f"failed: {type(error).__name__}: {error}"[:200])
    return Outcome("ok", graph.kind, graph.marks, time.perf_counter() - started)


def truth_for(kind: str, problem: Problem) -> rolearn.PAG | rolearn.CPDAG | None:
    """Give the graph whose marks a graph of a kind should have; None where it can't be right."""
    if kind == "pag":
        return problem.pag
    return None if problem.hidden else problem.cpdag


def score_gap(found: rolearn.PAG | rolearn.CPDAG, problem: Problem) -> float:
    """Give how much worse than the true MAG a member of what was found scores."""
    member = found.mag() if isinstance(found, rolearn.PAG) else found.dag()
    return score_difference(problem.rows, member, problem.mag)


def judged(outcome: Outcome, problem: Problem) -> dict[str, object]:
    """Compare what came of a method with the truth."""
    if outcome.marks is None:
        return {"status": outcome.status}
    kind = rolearn.PAG if outcome.kind == "pag" else rolearn.CPDAG
    found = kind.unchecked(outcome.marks, problem.mag.names)
    truth, valid = truth_for(outcome.kind, problem), found.is_valid()
    gap = score_gap(found, problem) if valid else math.nan
    return {
        "status": outcome.status,
        "f1": number(rolearn.evaluate(found, problem.mag).skeleton.f1, 4),
        "wrong_marks": "" if truth is None else rolearn.evaluate(found, truth).wrong_marks,
        "valid": int(valid),
        "score_gap": number(gap, 2),
        "seconds": number(outcome.seconds, 4),
    }


def measure(task: dict, settings: dict, limit: float | None) -> dict[str, object]:
    """Draw a problem, run a method on it and judge the result."""
    case = ACCURACY[task["problem"]]
    problem = case.draw(repetition=int(task["repetition"]))
    if is_ours(task["method"]):
        outcome = fit_here(problem.rows, {"latents": case.latents, **settings})
    else:
        outcome = call(task["method"], problem.rows, limit)
    return {**task, **judged(outcome, problem)}


def get_ready() -> None:
    """Compile and load, so that the first fit of a process takes no longer than others."""
    rows = ACCURACY["insurance"].draw(repetition=0).rows
    for latents in (True, False):
        fit_here(rows, {"latents": latents, "n_starts": 1})


def tasks(arguments: argparse.Namespace) -> Iterator[dict[str, str]]:
    """List what is asked for, repetitions of a problem in a row."""
    for problem in arguments.problems:
        for repetition in range(ACCURACY[problem].repetitions):
            if arguments.repetitions is not None and repetition not in arguments.repetitions:
                continue
            for method in arguments.methods:
                version = version_of("rolearn" if is_ours(method) else method)
                yield dict(zip(KEY, [problem, str(repetition), method, version], strict=True))


def key_of(row: dict) -> tuple[str, ...]:
    return tuple(row[column] for column in KEY)


def run(arguments: argparse.Namespace) -> list[dict]:
    """Do what is asked for and isn't there; gives the rows of all of it."""
    wanted = list(tasks(arguments))
    there = {} if arguments.fresh else {key_of(row): row for row in read_csv(arguments.output)}
    missing = [task for task in wanted if not (arguments.resume and key_of(task) in there)]
    work = [(task, arguments.settings, arguments.limit) for task in missing]
    for done, row in enumerate(as_they_come(measure, work, arguments.jobs, get_ready), 1):
        there[key_of(row)] = row
        write_csv(arguments.output, [there[key] for key in sorted(there)], COLUMNS)
        print(f"\r{done} of {len(missing)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [there[key_of(task)] for task in wanted]


def mean_and_error(values: list[float], digits: int) -> str:
    """Write a mean with its standard error."""
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{np.mean(values):.{digits}f} ±{np.std(values, ddof=1) / math.sqrt(len(values)):.{digits}f}"


def verdict(case: Case, f1: list[float], wrong: list[float], gaps: list[float]) -> str:
    """Say what of that which must hold of the means doesn't."""
    if not f1:
        return ""
    said = []
    if np.mean(f1) < case.f1:
        said.append(f"F1 < {case.f1}")
    if case.wrong_marks is not None and wrong and np.mean(wrong) > case.wrong_marks:
        said.append(f"marks > {case.wrong_marks}")
    if gaps and np.mean(gaps) > GAP_MEAN:
        said.append(f"gap > {GAP_MEAN:.0f}")
    if gaps and max(gaps) > GAP_SINGLE:
        said.append(f"one gap > {GAP_SINGLE:.0f}")
    return ", ".join(said) or ("holds" if len(f1) == case.repetitions else "holds so far")


def summary(rows: list[dict]) -> str:
    """Give a line for each problem and method: means, standard errors and what must hold."""
    lines = []
    for problem, method in dict.fromkeys((row["problem"], row["method"]) for row in rows):
        mine = [row for row in rows if (row["problem"], row["method"]) == (problem, method)]
        f1, wrong, gaps, seconds = (
            [float(row[column]) for row in mine if row.get(column, "") != ""]
            for column in ("f1", "wrong_marks", "score_gap", "seconds")
        )
        lines.append(
            [
                problem,
                method,
                f"{len(f1)}/{len(mine)}",
                mean_and_error(f1, 3),
                mean_and_error(wrong, 1),
                str(sum(row.get("valid", "") in (1, "1") for row in mine)),
                mean_and_error(gaps, 1),
                number(max(gaps, default=None), 1),
                number(float(np.median(seconds)) if seconds else None, 2),
                verdict(ACCURACY[problem], f1, wrong, gaps) if is_ours(method) else "",
            ]
        )
    heads = ["problem", "method", "done", "F1", "wrong marks", "valid", "score gap", "worst", "s", ""]
    return as_table(heads, lines)


def numbers(text: str) -> set[int]:
    """Read "0-4,7"."""
    ranges = [part.split("-") for part in text.split(",")]
    return {n for ends in ranges for n in range(int(ends[0]), int(ends[-1]) + 1)}


def setting(text: str) -> tuple[str, object]:
    """Read "alpha=0.01"; what isn't JSON is a string."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", default=",".join(ACCURACY), help="some of " + ", ".join(ACCURACY))
    parser.add_argument("--methods", default="rolearn", help="some of " + ", ".join(known_methods()))
    parser.add_argument("--repetitions", type=numbers, help="such as 0-4,7; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--limit", type=float, default=600, help="seconds for a method of the peers")
    parser.add_argument(
        "--set", type=setting, action="append", default=[], help="such as alpha=0.01, for rolearn"
    )
    parser.add_argument("--resume", action="store_true", help="keep rows that are there")
    parser.add_argument("--fresh", action="store_true", help="forget rows of other methods and versions")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "accuracy.csv")
    arguments = parser.parse_args()
    arguments.settings = dict(arguments.set)
    changes = ",".join(f"{name}={value}" for name, value in arguments.set)
    ours = f"rolearn({changes})" if changes else "rolearn"
    arguments.problems = arguments.problems.split(",")
    arguments.methods = [ours if name == "rolearn" else name for name in arguments.methods.split(",")]
    for kind, given, known in [
        ("problem", arguments.problems, ACCURACY),
        ("method", arguments.methods, known_methods()),
    ]:
        for name in given:
            if name not in known and name != ours:
                parser.error(f"there is no {kind} {name}; there are {', '.join(known)}")
    return arguments


if __name__ == "__main__":
    print(summary(run(read_arguments())))
