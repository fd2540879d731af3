"""``rolearn benchmark`` from its options to its files; what it runs is tested in tests/benchmarks."""

import csv

import pytest

from needs import needs

METHODS = """
from adapter import Found

METHODS = {"chain": {}}

def search(name, rows, options):
    return lambda: Found("pag", [(i, i + 1, "circle", "circle") for i in range(rows.shape[1] - 1)])
"""


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.py"
    path.write_text(METHODS)
    return path


@needs("matplotlib")
def test_a_benchmark_writes_a_table_a_text_and_a_figure(command, tmp_path, chain):
    asked = (
        "benchmark",
        "table1",
        "--problems",
        "earthquake,asia",
        "--runs",
        2,
        "--methods",
        chain,
        "-o",
        tmp_path,
    )
    first = command(*asked)
    assert first.code == 0
    assert first.err.splitlines() == [f"4 of 4 rows are in {tmp_path / 'table1.csv'}"]
    assert first.out == (tmp_path / "table1.txt").read_text()
    assert [line.split()[:3] for line in first.out.splitlines()[1:]] == [
        ["earthquake", "chain", "2/2"],
        ["asia", "chain", "2/2"],
        ["mean", "over", "problems"],
    ]
    assert "<svg" in (tmp_path / "table1.svg").read_text()
    with open(tmp_path / "table1.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["problem"], row["run"], row["status"]) for row in rows] == [
        (problem, run, "ok") for problem in ("earthquake", "asia") for run in "01"
    ]
    again = command(*asked, "--quiet")
    assert (again.out, again.err) == (first.out, "")
    assert "4 of them from before" in command(*asked).err


def test_peers_that_are_not_installed_are_rows(command, tmp_path, monkeypatch):
    monkeypatch.setenv("ROLEARN_PEERS", str(tmp_path / "none"))
    asked = ("--problems", "insurance", "--runs", 1, "--methods", "flop,boss", "-o", tmp_path / "results")
    done = command("benchmark", "table2", *asked)
    assert done.code == 0
    assert "note: flop, tetrad: not installed; --install sets up what is missing" in done.err
    assert "no figure: no run came to an end" in done.err
    assert done.out.count("1 not installed") == 2
    assert "insurance         27     52          3       9" in done.out
    assert (tmp_path / "results" / "structures.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["table3"], "there is no benchmark 'table3' (did you mean 'table"),
        (["table1", "--methods", "rolhc"], "there is no method 'rolhc' (did you mean 'rol_hc'"),
        (["table1", "--problems", "alarm"], "table1 has no problem 'alarm'"),
        (["table1", "--runs", "0"], "--runs is 0; give a whole number of at least 1"),
        (["table1", "--limit", "soon"], "--limit is 'soon'; give a number of seconds"),
        (["table1", "--jobs", "0"], "--jobs is 0; give a number of threads"),
        (["table1", "-o", "/dev/null/here"], "-o is '/dev/null/here', where nothing can be written"),
        (["table1", "--methods", ","], "--methods names none"),
    ],
)
def test_what_cannot_be_run_is_said(command, arguments, said):
    outcome = command("benchmark", *arguments)
    assert outcome.code == 3
    assert said in outcome.error
