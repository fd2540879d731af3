"""Runs of a benchmark: those that aren't done, each written down as it comes."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rolearn.benchmarks.calls import NOT_INSTALLED, STOPPED, Calls, over_the_limit
from rolearn.benchmarks.judging import judged
from rolearn.benchmarks.plans import Benchmark, Case
from rolearn.benchmarks.problems import Problem
from rolearn.benchmarks.registry import Method
from rolearn.benchmarks.rows import ResultFile, Row, as_text

__all__ = ["Results", "Runner"]

ProgressCallback = Callable[[int, int, Row], None]


@dataclass(frozen=True)
class Results:
    """What there is of what was asked for.

    Attributes
    ----------
    rows : list of dict
        By case, run and method.
    n_wanted : int
        As many as there were to be.
    n_kept : int
        How many of them an earlier call left in the file.
    interrupted : bool
        Whether a Ctrl-C ended it.
    """

    rows: list[Row]
    n_wanted: int
    n_kept: int
    interrupted: bool


@dataclass(frozen=True)
class Runner:
    """How runs are done.

    Attributes
    ----------
    path : Path
        The table of results, a CSV file.
    n_jobs : int
        Problems at once; -1 for all cores. Rows are the same, but seconds are those of a busier machine.
    slow_runs : int
        Runs of each problem, at most, of methods that are slow.
    limit : float
        Seconds for a run of a method, unless its file says that none holds for it.
    progress : callable or None
        Called with how many rows are there, how many are to be, and a row that came.
    """

    path: Path
    n_jobs: int = 1
    slow_runs: int = 3
    limit: float = 60.0
    progress: ProgressCallback | None = None

    def run(self, benchmark: Benchmark, methods: Sequence[Method], runs: int) -> Results:
        """Do the runs that the file hasn't; a Ctrl-C ends those at work and keeps those done."""
        import joblib

        file = ResultFile(self.path)
        units = [(case, run, self._of_run(methods, run)) for case in benchmark.cases for run in range(runs)]
        keys = [_key(case, run, method) for case, run, wanted in units for method in wanted]
        todo = [
            (case, run, missing)
            for case, run, wanted in units
            if (missing := [method for method in wanted if not self._is_done(file, case, run, method)])
        ]
        n_kept = len(keys) - sum(len(missing) for _, _, missing in todo)
        work = _Work(file, self, n_kept, len(keys))
        ours = [method for method in methods if not method.peer.packages]
        parallel = joblib.Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator_unordered")
        coming: Generator | None = None
        interrupted = False
        try:
            for method in ours if todo else ():  # compile once, so that no run has that in its memory
                case, run, _ = todo[0]
                work.calls.ask(method, case.draw(run).rows, runs=0, options=case.options)
            coming = parallel(joblib.delayed(work.do)(*unit) for unit in todo)
            for _ in coming:
                pass
        except KeyboardInterrupt:
            interrupted = True
        finally:
            work.calls.stop()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib would warn that work was lost
                if coming is not None:
                    coming.close()
            work.wait()
        file.arrange(keys)
        there = [row for key in keys if (row := file.get(key)) is not None]
        return Results(there, len(keys), n_kept, interrupted)

    def _of_run(self, methods: Sequence[Method], run: int) -> list[Method]:
        return [method for method in methods if run < self.slow_runs or not method.slow]

    def _is_done(self, file: ResultFile, case: Case, run: int, method: Method) -> bool:
        """Tell whether there is a row that stands: a peer may be installed now, another limit may do."""
        row = file.get(_key(case, run, method))
        if row is None or row["status"] == NOT_INSTALLED:
            return False
        limit = self.limit_of(method)
        over = row["status"].startswith("over the limit")
        return not over or (limit is not None and row["status"] == over_the_limit(limit))

    def limit_of(self, method: Method) -> float | None:
        """Give the limit that holds for a method."""
        return None if method.peer.unlimited else self.limit


def _key(case: Case, run: int, method: Method) -> tuple[str, ...]:
    return (case.problem, as_text(case.at), str(run), method.name, method.version)


class _Work:
    """What threads do, and what they share."""

    def __init__(self, file: ResultFile, runner: Runner, n_done: int, n_wanted: int) -> None:
        self.calls = Calls()
        self._file = file
        self._runner = runner
        self._n_done = n_done
        self._n_wanted = n_wanted
        self._counting = threading.Lock()
        self._at_work = threading.Semaphore(0)
        self._n_at_work = 0

    def do(self, case: Case, run: int, methods: Sequence[Method]) -> None:
        """Draw a problem and run methods on it."""
        if self.calls.stopped:
            return
        with self._counting:
            self._n_at_work += 1
        try:
            problem = case.draw(run)
            for method in methods:
                self._ask(case, run, method, problem)
        finally:
            self._at_work.release()

    def wait(self) -> None:
        """Wait for threads to notice that they are to stop."""
        for _ in range(self._n_at_work):
            self._at_work.acquire(timeout=10)

    def _ask(self, case: Case, run: int, method: Method, problem: Problem) -> None:
        if self.calls.stopped:
            return
        runner = self._runner
        outcome = self.calls.ask(method, problem.rows, runner.limit_of(method), options=case.options)
        if outcome.status == STOPPED:
            return
        row = self._file.add(
            {
                "problem": case.problem,
                "at": case.at,
                "run": run,
                "seed": "-".join(map(str, problem.seed)),
                "method": method.name,
                "version": method.version,
                "status": outcome.status,
                "variables": problem.rows.shape[1],
                "rows": problem.rows.shape[0],
                **judged(outcome, problem),
                "seconds": outcome.seconds,
                "processor_seconds": outcome.processor_seconds,
                "start_seconds": outcome.start_seconds,
                "peak_mb": outcome.peak_mb,
            }
        )
        with self._counting:
            self._n_done += 1
            if runner.progress is not None:
                runner.progress(self._n_done, self._n_wanted, row)
