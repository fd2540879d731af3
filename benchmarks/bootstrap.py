"""How long a bootstrap takes, and how right its frequencies are.

    python benchmarks/bootstrap.py time [--resamples 200] [--jobs 2]
    python benchmarks/bootstrap.py frequencies [--resamples 40] [--repetitions 4] [--jobs 1]

`time` bootstraps the demo table (11 columns) and tables of 43 to 50 columns (`problems.py`), everything
compiled and loaded before, and writes `results/bootstrap_time.csv`. `processor_seconds` are of all threads;
with n cores to itself a bootstrap takes about an n-th part of them.

`frequencies` compares both kinds of resample with the truth that rows were drawn from, and the shorter
search of a resample's fit with the whole search of `rolearn.learn`: the mean squared error of edge
frequencies and of pattern frequencies (summed over the patterns of a pair), the mean frequency of an edge
beside the truth's, wrong marks of the fit to all rows and of the consensus, and the mean difference of
pattern frequencies (total variation) from those of the whole search. It writes
`results/bootstrap_frequencies.csv`; the last lines are means over all problems.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import joblib
import numpy as np
from problems import Problem, er, table2, weak
from tables import RESULTS, show_and_write, write_csv

import rolearn
from rolearn.confidence.patterns import PatternCounts
from rolearn.confidence.refit import RESAMPLES, drawn_rows
from rolearn.data.networks import load_sachs

TIMED: dict[str, Callable[[], tuple[object, dict]]] = {
    "demo": lambda: (load_sachs(), {"transform": "rank"}),
    "er50": lambda: (er(50, 50**-0.7, 0, hidden=5).rows, {}),
    "ecoli70": lambda: (table2("ecoli70", 0).rows, {}),
    "weak1000": lambda: (weak(0, 1000).rows, {}),
    "weak5000": lambda: (weak(0, 5000).rows, {}),
}

JUDGED: dict[str, Callable[[int], Problem]] = {
    "er12": lambda repetition: er(12, 0.3, repetition, hidden=2),
    "er12-few-rows": lambda repetition: er(12, 0.2, repetition, rows_each=25),
    "weak12": lambda repetition: weak(repetition, 600, n=12, degree=3, hidden=2),
    "weak14": lambda repetition: weak(repetition, 2000, n=14, degree=3, hidden=2),
    "er50": lambda repetition: er(50, 50**-0.7, repetition, hidden=5),
    "weak1000": lambda repetition: weak(repetition, 1000),
    "ecoli70": lambda repetition: table2("ecoli70", repetition),
}


def time_rows(arguments: argparse.Namespace) -> Iterator[dict]:
    """Bootstrap each table by both kinds of resample."""
    rolearn.bootstrap(load_sachs(), n=4, transform="rank", n_jobs=arguments.jobs)
    for name in arguments.problems or TIMED:
        rows, settings = TIMED[name]()
        for resample in RESAMPLES:
            started, processor = time.perf_counter(), time.process_time()
            found = rolearn.bootstrap(rows, arguments.resamples, resample, n_jobs=arguments.jobs, **settings)
            yield {
                "problem": name,
                "columns": len(found.feature_names_in_),
                "rows": int(found.model_.n_samples_),
                "resample": resample,
                "resamples": found.n_fitted_,
                "jobs": arguments.jobs,
                "seconds": f"{time.perf_counter() - started:.2f}",
                "processor_seconds": f"{time.process_time() - processor:.2f}",
            }


def truth_of(problem: Problem) -> np.ndarray:
    """Give the pattern of each pair in the true PAG, as counts of one graph."""
    positions = np.arange(len(problem.pag.names))
    return PatternCounts(problem.pag.names, [(problem.pag.marks, positions)]).shares()


def whole_fit(rows: np.ndarray) -> np.ndarray:
    """Give the marks that all of the search finds."""
    return rolearn.learn(rows).pag_.marks


def judged(problem: Problem, resample: str, n: int, jobs: int) -> dict[str, float]:
    """Compare a bootstrap with the truth and with the whole search."""
    columns = [f"X{i + 1}" for i in range(problem.rows.shape[1])]
    started = time.process_time()
    found = rolearn.bootstrap(problem.rows, n, resample, n_jobs=jobs)
    spent = time.process_time() - started
    every = np.arange(len(columns))
    started = time.process_time()
    drawn = [drawn_rows(len(problem.rows), resample, 0, number) for number in range(n)]
    fits = joblib.Parallel(n_jobs=jobs, prefer="threads")
    whole = fits(joblib.delayed(whole_fit)(problem.rows[rows]) for rows in drawn)
    spent_whole = time.process_time() - started
    pairs = np.triu_indices(len(columns), 1)
    brief = PatternCounts(columns, [(graph.marks, every) for graph in found.graphs_]).shares()[pairs]
    full = PatternCounts(columns, [(marks, every) for marks in whole]).shares()[pairs]
    truth = truth_of(problem)[pairs]

    def wrong(graph: rolearn.PAG) -> int:
        return int(np.count_nonzero(graph.marks != problem.pag.marks))

    return {
        "edge_error": float(np.square(brief[:, 0] - truth[:, 0]).mean()),
        "edge_error_whole_search": float(np.square(full[:, 0] - truth[:, 0]).mean()),
        "pattern_error": float(np.square(brief - truth).sum(1).mean()),
        "pattern_error_whole_search": float(np.square(full - truth).sum(1).mean()),
        "mean_edge": float(1 - brief[:, 0].mean()),
        "true_edge": float(1 - truth[:, 0].mean()),
        "variation": float(np.abs(brief - full).sum(1).mean() / 2),
        "wrong_marks_all_rows": wrong(found.model_.pag_),
        "wrong_marks_consensus": wrong(found.consensus_),
        "seconds_a_fit": spent / (n + 1),
        "seconds_a_whole_fit": spent_whole / n,
    }


def frequency_rows(arguments: argparse.Namespace) -> Iterator[dict]:
    """Judge both kinds of resample on each problem, then give the means."""
    sums: dict[str, list[dict[str, float]]] = {resample: [] for resample in RESAMPLES}
    for name in arguments.problems or JUDGED:
        for repetition in range(arguments.repetitions):
            problem = JUDGED[name](repetition)
            for resample in RESAMPLES:
                figures = judged(problem, resample, arguments.resamples, arguments.jobs)
                sums[resample].append(figures)
                yield {"problem": name, "repetition": repetition, "resample": resample, **written(figures)}
    for resample, rows in sums.items():
        mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
        yield {"problem": "mean", "repetition": "", "resample": resample, **written(mean)}


def written(figures: dict[str, float]) -> dict[str, str]:
    """Write figures as a table has them."""
    return {key: f"{value:.4f}" if isinstance(value, float) else str(value) for key, value in figures.items()}


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("what", choices=["time", "frequencies"])
    parser.add_argument("--resamples", type=int, default=None)
    parser.add_argument("--repetitions", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--problems", type=lambda text: text.split(","), default=None)
    arguments = parser.parse_args()
    arguments.resamples = arguments.resamples or (200 if arguments.what == "time" else 40)
    path = RESULTS / f"bootstrap_{arguments.what}.csv"
    rows: list[dict] = []
    for row in time_rows(arguments) if arguments.what == "time" else frequency_rows(arguments):
        rows.append(row)
        write_csv(path, rows, list(row))
    show_and_write(rows, path)


if __name__ == "__main__":
    main()
