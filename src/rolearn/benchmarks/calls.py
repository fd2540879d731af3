"""Ask a method for a graph, in a process of its own; whatever happens there, an answer comes back."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.benchmarks.registry import METHOD_FILES, Method, find_methods
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, TAIL

__all__ = [
    "NOT_INSTALLED",
    "ONE_THREAD",
    "STOPPED",
    "Calls",
    "Outcome",
    "call",
    "over_the_limit",
    "version_of",
]

NOT_INSTALLED, STOPPED = "not installed", "stopped"
START_LIMIT = 300.0  # seconds to load, compile and search a few of the columns
MARKS = {"circle": CIRCLE, "arrowhead": ARROWHEAD, "tail": TAIL}
THREADS = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMBA_NUM_THREADS RAYON_NUM_THREADS"
ONE_THREAD = dict.fromkeys(THREADS.split(), "1")


def over_the_limit(limit: float) -> str:
    """Word the status of a run that was killed after a number of seconds."""
    return f"over the limit of {limit:g} s"


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes
    ----------
    status : str
        "ok", "not installed", "over the limit of ... s", "stopped", or "failed: " and why; without "ok" there
        is nothing else.
    marks : int8 array, shape (p, p)
        As everywhere in rolearn: ``marks[i, j]`` is the mark at j.
    kind : str
        "pag", "cpdag", "mag", "dag" or "skeleton".
    seconds, processor_seconds : float
        Of the search alone (the fastest run): imports, compiling and the start of a JVM left out.
    start_seconds : float
        Of these, and of a search on a few of the columns.
    peak_mb : float
        The most memory of the process.
    """

    status: str
    kind: str = ""
    marks: np.ndarray | None = None
    seconds: float = float("nan")
    processor_seconds: float = float("nan")
    start_seconds: float = float("nan")
    peak_mb: float = float("nan")


class Calls:
    """Calls that can be ended together, from any thread."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def stop(self) -> None:
        """End those that run, and let no other begin."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    def ask(
        self,
        method: Method,
        rows: np.ndarray,
        limit: float | None = None,
        runs: int = 1,
        options: dict[str, Any] | None = None,
    ) -> Outcome:
        """Learn from rows by a method, on one thread.

        Parameters
        ----------
        limit : float, optional
            Seconds for all runs, counted once all is loaded and compiled; then the process is killed.
        options : dict, optional
            For the method's ``search``, besides its own.
        """
        peer = method.peer
        if not peer.installed:
            return Outcome(NOT_INSTALLED)
        chosen = {**method.options, **(options or {})}
        chosen.pop("search", None)
        with tempfile.TemporaryDirectory() as folder:
            rows_path, result_path = Path(folder, "rows.npy"), Path(folder, "result.json")
            np.save(rows_path, rows)
            files = [METHOD_FILES / "adapter.py", peer.file, rows_path, result_path]
            status = self._run(
                [peer.python, *files, method.search, json.dumps(chosen), runs], result_path, limit
            )
            if status != "ok":
                return Outcome(status)
            try:
                return read_outcome(json.loads(result_path.read_text()), rows.shape[1])
            except (OSError, ValueError, KeyError, TypeError, IndexError):
                return Outcome("failed: no result")

    def _run(self, command: list, result_path: Path, limit: float | None) -> str:
        """Run a command in a session of its own, so that all of it can be killed; give how it ended."""
        folder = result_path.parent
        with open(folder / "output.txt", "w+b") as output:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **ONE_THREAD},
                cwd=folder,
                start_new_session=True,
            )
            try:
                status = self._wait(process, Path(f"{result_path}.ready"), limit)
            finally:
                kill(process)
            if status is not None:
                return status
            if process.returncode == 0:
                return "ok"
            output.seek(0)
            said = output.read().decode(errors="replace").split("\n")
        last = next((" ".join(line.split()) for line in reversed(said) if line.strip()), "no word")
        return f"failed: {last[:200]} (exit code {process.returncode})"

    def _wait(self, process: subprocess.Popen, ready: Path, limit: float | None) -> str | None:
        """Wait for the end of a process; give why it has to be killed, None where it has ended."""
        since, is_ready = time.monotonic(), False
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
                return None
            now = time.monotonic()
            if not is_ready and ready.exists():
                since, is_ready = now, True
            if self.stopped:
                return STOPPED
            if is_ready and limit is not None and now - since > limit:
                return over_the_limit(limit)
            if not is_ready and now - since > START_LIMIT:
                return f"failed: over {START_LIMIT:g} s for loading and a search of a few of the columns"


def kill(process: subprocess.Popen) -> None:
    """End a process, where it hasn't, and what it started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


def read_outcome(result: dict, n: int) -> Outcome:
    """Read what an adapter wrote about n columns."""
    marks = np.zeros((n, n), np.int8)
    for i, j, at_i, at_j in result.pop("edges"):
        marks[j, i], marks[i, j] = MARKS[at_i], MARKS[at_j]
    return Outcome("ok", marks=marks, **result)


def call(
    method_name: str, rows: np.ndarray, limit: float | None = None, runs: int = 1, **more: Any
) -> Outcome:
    """Learn from rows by a method that is named; `more` are options of its search, as in `Calls.ask`."""
    return Calls().ask(find_methods([method_name])[0], rows, limit, runs, more)


def version_of(method_name: str) -> str:
    """Give the version of a method that is named."""
    return find_methods([method_name])[0].version
