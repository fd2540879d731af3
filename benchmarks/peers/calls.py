"""Ask a method for a graph, in a process of its own; whatever happens there, an answer comes back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import rolearn
from peers.catalog import HERE, METHODS, PEERS

MARKS = {"circle": 1, "arrowhead": 2, "tail": 3}
THREADS = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMBA_NUM_THREADS RAYON_NUM_THREADS"
ONE_THREAD = dict.fromkeys(THREADS.split(), "1")


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes
    ----------
    status : str
        "ok", "not installed", "over the limit" or "failed: " and why; without "ok" there is nothing else.
    marks : int8 array, shape (p, p)
        As everywhere in rolearn: ``marks[i, j]`` is the mark at j.
    kind : str
        "pag" or "cpdag".
    seconds, processor_seconds : float
        Of the search alone (the fastest run): imports, compiling and the start of a JVM left out.
    peak_mb : float
        The most memory of the process.
    """

    status: str
    kind: str = ""
    marks: np.ndarray | None = None
    seconds: float = float("nan")
    processor_seconds: float = float("nan")
    peak_mb: float = float("nan")


@cache
def version_of(method_name: str) -> str:
    """Give the version of a method; ours with a digest of the text, which changes while the number stays."""
    peer = PEERS[METHODS[method_name].peer]
    if peer.version:
        return peer.version
    folder = Path(rolearn.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return f"{rolearn.__version__}+{digest.hexdigest()[:8]}"


def call(
    method_name: str, rows: np.ndarray, limit: float | None = None, runs: int = 1, **more: object
) -> Outcome:
    """Learn from rows by a method of the catalog, on one thread; kill it after `limit` seconds.

    More options than the catalog has, such as ``levels`` (of each column, 0 for a continuous one), are handed
    on to the adapter.
    """
    method = METHODS[method_name]
    peer = PEERS[method.peer]
    if not peer.installed:
        return Outcome("not installed")
    with tempfile.TemporaryDirectory() as folder:
        rows_path, result_path = Path(folder, "rows.npy"), Path(folder, "result.json")
        np.save(rows_path, rows)
        question = [rows_path, result_path, method.search, json.dumps({**dict(method.options), **more}), runs]
        status = run_to_end([peer.python, HERE / peer.adapter, *question], Path(folder), limit)
        if status != "ok":
            return Outcome(status)
        try:
            return read_outcome(json.loads(result_path.read_text()), rows.shape[1])
        except (OSError, ValueError):
            return Outcome("failed: no result")


def run_to_end(command: list, folder: Path, limit: float | None) -> str:
    """Run a command in a session of its own, so that all of it can be killed; give how it ended."""
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
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            return "over the limit"
        finally:
            kill(process)
        if code == 0:
            return "ok"
        output.seek(0)
        said = output.read().decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(said) if line.strip()), "no word")
    return f"failed: {last[:200]} (exit code {code})"


def kill(process: subprocess.Popen) -> None:
    """End a process, where it hasn't, and what it started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read_outcome(result: dict, n: int) -> Outcome:
    """Read what an adapter wrote about n columns."""
    marks = np.zeros((n, n), np.int8)
    for i, j, at_i, at_j in result.pop("edges"):
        marks[j, i], marks[i, j] = MARKS[at_i], MARKS[at_j]
    return Outcome("ok", marks=marks, **result)
