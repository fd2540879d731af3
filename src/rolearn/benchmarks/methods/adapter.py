"""Runs the search of a method file: a file of rows comes in, a file of edges and figures goes out.

    PYTHON adapter.py METHOD_FILE.py ROWS.npy RESULT.json SEARCH '{"option": value}' RUNS

Runs in a peer's environment: the standard library and numpy only. Once all is loaded and compiled, and the
clock of the search may start, there is a file RESULT.json.ready.
"""

from __future__ import annotations

import json
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

WARM_COLUMNS = 25


@dataclass
class Found:
    """A graph as an adapter hands it over.

    Attributes
    ----------
    kind : str
        "pag", "cpdag", "mag", "dag", or "skeleton" where marks mean nothing.
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
    columns = min(WARM_COLUMNS, max(3, rows.shape[1] // 2), rows.shape[1])
    return np.ascontiguousarray(rows[: len(rows) * columns // rows.shape[1], :columns])


def end_with_parent() -> None:
    """Have the kernel kill this process when the one that waits for it is killed; Linux only."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def serve(arguments: list[str]) -> None:
    """Answer the one question of the command line.

    ``search(name, rows, options)`` of the method file makes what isn't to be timed (a Java object out of
    rows, say) and gives the function that is. It is called with a few columns first, so that loading and
    compiling aren't timed either, with the options for that in a ``WARM`` of the file; each run afterwards
    starts from rows. No runs: only load and compile.
    """
    started = time.perf_counter()
    end_with_parent()
    method_path, rows_path, result_path, name, options, runs = arguments
    method = runpy.run_path(method_path)
    search: Callable[[str, np.ndarray, dict], Callable[[], Found]] = method["search"]
    rows, chosen = np.load(rows_path), json.loads(options)
    try:
        search(name, small(rows), {**chosen, **method.get("WARM", {}).get(name, {})})()
    except Exception:  # what fails on a few of the columns may do on all
        traceback.print_exc()
    start_seconds = time.perf_counter() - started
    Path(result_path + ".ready").touch()
    if runs == "0":
        return
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
        "start_seconds": start_seconds,
        "peak_mb": peak_megabytes(),
    }
    with open(result_path, "w") as file:
        json.dump(result, file)


if __name__ == "__main__":
    # method files import this one, and the learners that they may be called after: not each other
    sys.modules["adapter"] = sys.modules["__main__"]
    here = Path(__file__).resolve().parent
    sys.path = [place for place in sys.path if Path(place or ".").resolve() != here]
    serve(sys.argv[1:])
