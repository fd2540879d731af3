"""Runs of a benchmark: a row for each, whatever happens, and none done twice."""

import csv
import os
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

from rolearn import DAG, DataError
from rolearn.benchmarks import Runner, find_methods
from rolearn.benchmarks.plans import Benchmark, Case
from rolearn.benchmarks.problems import Problem
from rolearn.benchmarks.rows import COLUMNS, ResultFile, read_rows

CHAIN = DAG.from_edges([f"X{i} --> X{i + 1}" for i in range(5)])
METHOD_FILE = """
import os, sys, time
from pathlib import Path
from adapter import Found

VERSION = "1.0"
METHODS = {"right": {}, "empty": {}, "crashing": {}, "hanging": {}}

def search(name, rows, options):
    columns = rows.shape[1]
    if columns == 6:
        with open(%r, "a") as file:
            file.write(f"{name} {rows[0, 0]:g}\\n")
    if name == "right":
        edges = [(i, i + 1, "circle", "circle") for i in range(columns - 1)]
    else:
        edges = []

    def learn():
        if columns == 6 and name == "crashing":
            sys.exit("no memory")
        if columns == 6 and name == "hanging":
            time.sleep(60)
        return Found("pag", edges)

    return learn
"""


def draw(run, at):
    return Problem(np.full((12, 6), 10.0 * at + run), CHAIN, seed=(run, 7))


TOY = Benchmark(
    "toy", "a toy", tuple(Case("chain", partial(draw, at=at), at) for at in (1, 2)), (), axis="place"
)


@pytest.fixture
def toy(tmp_path):
    """Run methods of the toy file; gives results and what was really run."""
    path, asked = tmp_path / "toy_methods.py", tmp_path / "asked"
    path.write_text(METHOD_FILE % str(asked))
    methods = {method.name: method for method in find_methods([str(path)])}

    def run(*names, runs=2, **options):
        asked.write_text("")
        results = Runner(tmp_path / "toy.csv", **{"limit": 2.0, **options}).run(
            TOY, [methods[name] for name in names], runs
        )
        # each method is started once more, to compile: that asks with the first problem, and isn't run
        done = asked.read_text().splitlines()
        return results, done

    return run


def test_what_happens_is_a_row(toy, tmp_path):
    results, _ = toy("right", "empty", "crashing", "hanging", runs=1, n_jobs=2)
    assert [row["status"] for row in results.rows] == 2 * [
        "ok",
        "ok",
        "failed: no memory (exit code 1)",
        "over the limit of 2 s",
    ]
    right, empty, crashed = results.rows[:3]
    assert (right["f1"], right["wrong_marks"], right["valid"], right["seed"]) == ("1", "0", "1", "0-7")
    assert (empty["f1"], empty["recall"], empty["shd"], empty["wrong_marks"]) == ("0", "0", "5", "10")
    assert (crashed["f1"], crashed["seconds"], crashed["variables"], crashed["rows"]) == ("", "", "6", "12")
    assert read_rows(tmp_path / "toy.csv") == results.rows
    assert not results.interrupted


def test_rows_done_are_not_run_again(toy, tmp_path):
    first, asked = toy("right", "crashing", runs=1)
    assert sorted(asked) == ["crashing 10", "crashing 20", "right 10", "right 20"]
    again, asked = toy("right", "crashing", runs=1)
    assert (asked, again.n_kept, again.rows) == ([], 4, first.rows)
    more, asked = toy("right", "crashing", runs=2)
    assert sorted(asked) == ["crashing 11", "crashing 21", "right 11", "right 21"]
    assert [(row["at"], row["run"], row["method"]) for row in more.rows] == [
        (at, run, method) for at in "12" for run in "01" for method in ("right", "crashing")
    ]
    assert read_rows(tmp_path / "toy.csv") == more.rows


def test_fewer_runs_are_done_of_what_is_slow(toy, tmp_path):
    path = tmp_path / "toy_methods.py"
    path.write_text('SLOW = ("empty",)\n' + path.read_text())
    slow, quick = (find_methods([str(path)])[place] for place in (1, 0))
    assert (slow.name, slow.slow, quick.slow) == ("empty", True, False)
    runner = Runner(tmp_path / "toy.csv", slow_runs=1)
    results = runner.run(TOY, [quick, slow], 2)
    assert [(row["at"], row["run"], row["method"]) for row in results.rows] == [
        (at, run, method) for at in "12" for run, method in (("0", "right"), ("0", "empty"), ("1", "right"))
    ]
    assert results.n_wanted == 6
    assert runner.run(TOY, [quick, slow], 2).n_kept == 6


def test_a_timeout_stands_for_its_limit_alone(toy):
    toy("hanging", runs=1, limit=0.2)
    _, asked = toy("hanging", runs=1, limit=0.2)
    assert not asked
    results, asked = toy("hanging", runs=1, limit=0.3)
    assert len(asked) == 2
    assert {row["status"] for row in results.rows} == {"over the limit of 0.3 s"}


def test_a_peer_is_run_once_it_is_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("ROLEARN_PEERS", str(tmp_path / "environments"))
    path = tmp_path / "later.py"
    path.write_text(
        METHOD_FILE.replace('VERSION = "1.0"', 'VERSION = "1.0"\nPACKAGES = ("some",)')
        % str(tmp_path / "asked")
    )
    method = find_methods([str(path)])[0]
    runner = Runner(tmp_path / "toy.csv")
    assert {row["status"] for row in runner.run(TOY, [method], 1).rows} == {"not installed"}
    home = method.peer.home / "bin"
    home.mkdir(parents=True)
    (home / "python").symlink_to(sys.executable)
    (home.parent / "pyvenv.cfg").write_text(
        f"home = {os.path.dirname(os.path.realpath(sys.executable))}\ninclude-system-site-packages = true\n"
    )
    (home.parent / "receipt.txt").write_text("some")
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(np.__file__)))
    results = runner.run(TOY, [method], 1)
    assert {row["status"] for row in results.rows} == {"ok"}
    assert len(read_rows(tmp_path / "toy.csv")) == 2


def timeless(rows):
    clocks = {"seconds", "processor_seconds", "start_seconds", "peak_mb"}
    return [{column: value for column, value in row.items() if column not in clocks} for row in rows]


def test_any_number_of_jobs_gives_the_same_rows(toy, tmp_path):
    alone, _ = toy("right", "empty", "crashing", n_jobs=1)
    (tmp_path / "toy.csv").unlink()
    together, _ = toy("right", "empty", "crashing", n_jobs=3)
    assert timeless(alone.rows) == timeless(together.rows) == timeless(read_rows(tmp_path / "toy.csv"))


def test_progress_counts_all_rows(toy):
    seen = []
    toy("right", runs=1, progress=lambda done, total, row: seen.append((done, total, row["at"])))
    assert seen == [(1, 2, "1"), (2, 2, "2")]
    toy("right", "empty", runs=1, progress=lambda done, total, row: seen.append((done, total, row["method"])))
    assert seen[2:] == [(3, 4, "empty"), (4, 4, "empty")]


@pytest.mark.parametrize("kept", [1, 30, 80, 120, 10_000])
def test_half_a_row_is_dropped(toy, tmp_path, kept):
    whole, _ = toy("right", "empty", runs=1)
    path = tmp_path / "toy.csv"
    text = path.read_bytes()
    head = text.index(b"\n") + 1
    last = text.rindex(b"\n", 0, -1) + 1
    path.write_bytes(text[: min(last + kept, len(text) - 1)])
    again, asked = toy("right", "empty", runs=1)
    assert timeless(again.rows) == timeless(whole.rows)
    assert (asked, again.n_kept) == (["empty 20"], 3)
    path.write_bytes(text[: head - 5])  # not even the head was written
    again, _ = toy("right", "empty", runs=1)
    assert again.n_kept == 0


def test_statuses_with_commas_and_quotes_come_back(tmp_path):
    file = ResultFile(tmp_path / "a.csv")
    row = file.add(
        {"problem": "a, b", "at": 0.5, "run": 0, "method": 'the "m"', "version": "1", "status": "x,\ty"}
    )
    assert read_rows(tmp_path / "a.csv") == [row]
    assert ResultFile(tmp_path / "a.csv").get(("a, b", "0.5", "0", 'the "m"', "1")) == row


def test_other_tables_are_left_alone(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="isn't a table of this version's benchmarks"):
        ResultFile(path)
    assert path.read_text() == "a,b\n1,2\n"


SCRIPT = """
import sys
from pathlib import Path
from rolearn.cli import main
sys.argv = ["rolearn", "benchmark", "table1", "--problems", "asia,sachs", "--runs", "2",
            "--jobs", "2", "--limit", "50", "--methods", sys.argv[1], "-o", sys.argv[2]]
main()
"""
SLOW = """
import sys, time
from pathlib import Path
from adapter import Found

METHODS = {"quick": {}, "slow": {}}

def search(name, rows, options):
    def learn():
        if rows.shape[1] >= 8 and name == "slow":
            Path(%r).joinpath(f"{rows[0, 0]}").touch()
            time.sleep(100)
        return Found("pag", [])
    return learn
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_rows_survive_the_end_of_the_command(tmp_path, ending):
    """Two runs are at work when a signal comes; their first methods' rows stay, and no process is left."""
    marks = tmp_path / "marks"
    marks.mkdir()
    methods = tmp_path / "slow.py"
    methods.write_text(SLOW % str(marks))
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(methods), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 100
    while len(list(marks.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(ending)
    out, err = process.communicate(timeout=20)
    with open(tmp_path / "table1.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [tuple(row) for row in rows[:1]] == [COLUMNS]
    assert {(row["method"], row["status"]) for row in rows} == {("quick", "ok")}
    assert len(rows) == 2
    assert not children_with(str(methods))
    if ending == signal.SIGINT:
        assert process.returncode == 4
        assert "2 of 8 rows" in err
        assert "the same command goes on" in err
        assert "quick" in out


def children_with(text):
    """List processes whose command line has a text, after a moment to end."""
    for _ in range(50):
        lines = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True).stdout.splitlines()
        left = [line for line in lines if text in line and not line.startswith("Z")]
        if not left:
            return []
        time.sleep(0.1)
    return left
