"""Microseconds and steps of the likelihood of one district, by size.

    python benchmarks/likelihood.py [--repetitions 20] [-o likelihood.csv]

Districts of true MAGs of networks of which a fifth of the variables is hidden, and of the same with up to
three edges changed. "closed" is the share that needs no step; "hessians" are those of the first start, over
the others; times are of whole calls.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from problems import TABLE2, problem
from tables import show_and_write

from rolearn.data.moments import correlation_matrix
from rolearn.data.networks import load_network
from rolearn.graphs.traversal import ancestors_of
from rolearn.likelihood.core_kernels import make_core
from rolearn.likelihood.descent_kernels import descend
from rolearn.likelihood.deviance_kernels import district_deviance
from rolearn.likelihood.district_kernels import district_of, open_district, remove_closed
from rolearn.likelihood.near_kernels import near_of
from rolearn.runtime.compile import kernel

SIZES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 9), (10, 14), (15, 99))


@kernel
def repeat(correlation, n_samples, marks, members, size, times):
    total = 0.0
    for _ in range(times):
        total += district_deviance(correlation, n_samples, marks, members, size, times > 0)[0]
    return total


def microseconds(*district) -> float:
    repeat(*district, 1)
    started = time.perf_counter()
    repeat(*district, 3)
    times = int(min(1000, max(3, 0.002 / ((time.perf_counter() - started) / 3))))
    started = time.perf_counter()
    repeat(*district, times)
    return 1e6 * (time.perf_counter() - started) / times


def hessians(correlation, n_samples, marks, members, size) -> int | None:
    """How many Hessians the first start takes; None for a closed form."""
    district = open_district(marks, members, size)
    remove_closed(correlation, district)
    if not district.spouses.any():
        return None
    core, counts = make_core(correlation, district), np.zeros(1, np.int64)
    room = np.zeros((2, 5, core.n_members, len(core.moments)))
    descend(core, room, 1.0, 1e-4 / n_samples, counts)
    return int(counts[0])


def changed(marks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Up to three adjacent pairs get an edge of another kind, where the graph stays ancestral."""
    for _ in range(3):
        other = marks.copy()
        i, j = np.argwhere(np.triu(marks))[generator.integers(np.count_nonzero(marks) // 2)]
        other[i, j], other[j, i] = [(2, 2), (2, 3), (3, 2)][generator.integers(3)]
        above = ancestors_of(other)
        heads = other == 2
        if not (heads & above.T).any():
            marks = other
    return marks


def districts(repetitions: int, wrong: bool):
    for name in TABLE2:
        dag = load_network(name)
        for repetition in range(repetitions):
            generator = np.random.default_rng([repetition, sum(map(ord, name))])
            made = problem(dag, len(dag.names) // 5, 50, generator)
            correlation, marks = correlation_matrix(made.rows), made.mag.marks.copy()
            if wrong:
                marks = changed(marks, generator)
            near, seen = near_of(marks), np.zeros(len(marks), np.bool_)
            for x in range(len(marks)):
                members = np.empty(len(marks), np.int64)
                size = district_of(marks, near, x, members, seen)
                if members[0] == x:
                    yield correlation, float(len(made.rows)), marks, members, size


def measure(repetitions: int, wrong: bool) -> list[dict[str, object]]:
    times, steps = defaultdict(list), defaultdict(list)
    for district in districts(repetitions, wrong):
        bounds = next(b for b in SIZES if b[0] <= district[-1] <= b[1])
        if len(times[bounds]) < 300:
            times[bounds].append(microseconds(*district))
            steps[bounds].append(hessians(*district))
    rows = []
    for low, high in sorted(times):
        spent, taken = times[low, high], [s for s in steps[low, high] if s is not None]
        rows.append(
            {
                "graph": "wrong" if wrong else "true",
                "size": low if low == high else f"{low}-{high}",
                "districts": len(spent),
                "closed": round(1.0 - len(taken) / len(spent), 2),
                "median_us": round(float(np.median(spent)), 2),
                "mean_us": round(float(np.mean(spent)), 2),
                "most_us": round(max(spent), 1),
                "mean_hessians": round(float(np.mean(taken)), 1) if taken else "",
                "most_hessians": max(taken, default=""),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("-o", "--output", type=Path, help="write the table as CSV, too")
    arguments = parser.parse_args()
    rows = measure(arguments.repetitions, False) + measure(arguments.repetitions, True)
    show_and_write(rows, arguments.output)


if __name__ == "__main__":
    main()
