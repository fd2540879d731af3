"""What all adapters share: a file of rows comes in, a file of edges and figures goes out.

    PYTHON ADAPTER.py ROWS.npy RESULT.json SEARCH '{"option": value}' RUNS

Runs in a peer's environment: the standard library and numpy only.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

WARM_COLUMNS = 25


@dataclass
class Found:
    """A graph as an adapter hands it over.

    Attributes
    ----------
    kind : str
        "pag" or "cpdag".
    edges : list of (int, int, str, str)
        Column, column, and the mark at the end of each: "tail", "arrowhead" or "circle".
    """

    kind: str
    edges: list[tuple[int, int, str, str]]


def edges_of_cpdag(directed: np.ndarray, undirected: np.ndarray) -> list[tuple[int, int, str, str]]:
    """List edges of two adjacency matrices, causes in rows; the undirected one symmetric."""
    arrows = [(int(i), int(j), "tail", "arrowhead") for i, j in np.argwhere(directed)]
    return arrows + [(int(i), int(j), "tail", "tail") for i, j in np.argwhere(np.triu(undirected))]


def peak_megabytes() -> float:
    """Give the most memory this process has had.

    Linux's own count first: that of getrusage has in it what a parent held when it forked.
    """
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
    except (OSError, StopIteration):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return used / (1024**2 if sys.platform == "darwin" else 1024)


def small(rows: np.ndarray) -> np.ndarray:
    """Give some columns, with as many rows a column as there are: something to load and compile with."""
    columns = min(WARM_COLUMNS, rows.shape[1])
    return np.ascontiguousarray(rows[: len(rows) * columns // rows.shape[1], :columns])


def serve(search: Callable[[str, np.ndarray, dict], Callable[[], Found]]) -> None:
    """Answer the one question of the command line.

    ``search(name, rows, options)`` makes what isn't to be timed (a Java object out of rows, say) and gives
    the function that is. It is called with a few columns first, so that loading and compiling aren't timed
    either; each run afterwards starts from rows.
    """
    rows_path, result_path, name, options, runs = sys.argv[1:]
    rows, chosen = np.load(rows_path), json.loads(options)
    search(name, small(rows), chosen)()
    seconds, processor_seconds = [], []
    for _ in range(int(runs)):
        run = search(name, rows, chosen)
        started, processor_started = time.perf_counter(), time.process_time()
        found = run()
        seconds.append(time.perf_counter() - started)
        processor_seconds.append(time.process_time() - processor_started)
    result = {
        "kind": found.kind,
        "edges": found.edges,
        "seconds": min(seconds),
        "processor_seconds": min(processor_seconds),
        "peak_mb": peak_megabytes(),
    }
    with open(result_path, "w") as file:
        json.dump(result, file)
