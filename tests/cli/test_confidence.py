from __future__ import annotations

import json
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from rolearn.cli import large
from rolearn.export import read_graph
from rolearn.independence import DegenerateGaussian, Discrete, Gaussian

# a Ctrl-C from a thread, as the shell would send it, once 20 resamples are done
INTERRUPTED = """
import os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from rolearn.cli import main
from rolearn.confidence.repeats import Repeats

def tell(self, fraction, calls=[]):
    calls.append(fraction)
    if len(calls) == 20:
        threading.Timer(0.01, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

Repeats._tell = tell
main()
"""


def test_frequencies_in_the_document(command, collider, tmp_path):
    outcome = command("learn", collider, "--bootstrap", 20, "--seed", 3, "-o", tmp_path / "graph.json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    told = document["bootstrap"]
    assert (told["resample"], told["resamples"], told["fitted"], told["seed"]) == ("half", 20, 20, 3)
    assert (told["degenerate"], told["stopped"], told["problems"]) == (0, 0, [])
    assert {(e["source"], e["text"], e["target"]) for e in told["consensus"]} == {
        ("A", "o->", "C"),
        ("B", "o->", "C"),
    }
    rows = {tuple(row.pop("pair")): row for row in document["frequencies"]}
    assert len(rows) == 6
    assert all(sum(row.values()) == pytest.approx(1.0) for row in rows.values())
    assert rows["A", "C"]["o->"] > 0.9
    assert outcome.out.count('{"pair": ["A", "C"], ') == 1  # one line a pair
    assert "20 of 20 resamples fitted (half)" in outcome.err
    assert read_graph(tmp_path / "graph.json").n_edges == 2


def test_frequencies_beside_the_edges(command, collider):
    outcome = command("learn", collider, "--bootstrap", 10, "--resample", "bootstrap", "--format", "table")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("A o-> C  edge 1.00  these marks ")
    assert "isolated: D" in lines
    assert "10 of 10 resamples fitted (bootstrap)" in outcome.err


def test_jobs_change_nothing(command, collider):
    documents = [
        json.loads(command("learn", collider, "--bootstrap", 12, "--jobs", jobs).out) for jobs in (1, 2)
    ]
    assert documents[0]["frequencies"] == documents[1]["frequencies"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--bootstrap", "0"], "--bootstrap is 0; give a whole number of at least 1"),
        (["--bootstrap", "many"], "--bootstrap is 'many'"),
        (
            ["--bootstrap", "5", "--resample", "jackknife"],
            "--resample is 'jackknife'; allowed are half, bootst",
        ),
    ],
)
def test_what_is_not_allowed(command, collider, options, sentence):
    outcome = command("learn", collider, *options)
    assert outcome.code == 3
    assert sentence in outcome.error


def test_columns_that_are_constant_in_resamples_are_noted(command, tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).standard_normal((60, 3)), columns=list("abc"))
    frame["c"] = [1.0] + 59 * [0.0]
    frame.to_csv(tmp_path / "table.csv", index=False)
    outcome = command("learn", tmp_path / "table.csv", "--bootstrap", 20, "--quiet")
    document = json.loads(outcome.out)
    assert 0 < document["bootstrap"]["degenerate"] < 20
    assert any("could not be fitted" in note for note in document["data"]["notes"])


def test_a_time_limit_writes_those_done(command, collider):
    outcome = command("learn", collider, "--bootstrap", 100_000, "--time-limit", 1)
    assert outcome.code == 4
    told = json.loads(outcome.out)["bootstrap"]
    assert told["fitted"] > 0
    assert told["fitted"] + told["stopped"] == 100_000


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_writes_those_done(collider):
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, "learn", str(collider), "--bootstrap", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.communicate(timeout=100)
    assert process.returncode == 4, err
    told = json.loads(out)["bootstrap"]
    assert 20 <= told["fitted"] < 1000
    assert told["fitted"] + told["stopped"] == 1_000_000
    assert b"Traceback" not in err


def test_a_large_file_is_summed_up(command, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    a, b, c, d = rng.standard_normal((4, 60_000))
    frame = pd.DataFrame({"A": a, "B": b, "C": a + b + 0.5 * c, "D": d})
    for name in ("table.csv", "table.parquet"):
        path = tmp_path / name
        frame.to_csv(path, index=False) if name.endswith("csv") else frame.to_parquet(path)
        whole = json.loads(command("learn", path).out)
        monkeypatch.setattr(large, "LARGE", 1000)
        outcome = command("learn", path)
        assert "is large; its correlations are summed up in one pass" in outcome.err
        document = json.loads(outcome.out)
        assert document["edges"] == whole["edges"]
        assert document["data"]["rows"] == 60_000
        assert "summed up" not in command("learn", path, "--transform", "rank").err
        assert "summed up" not in command("learn", path, "--bootstrap", 2).err
        assert json.loads(command("learn", path, "--drop", "D").out)["nodes"] == ["A", "B", "C"]
        monkeypatch.undo()


def test_a_large_file_of_levels_is_summed_up(command, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    n = 60_000
    cause, grade = rng.choice(["yes", "no"], n), rng.integers(0, 3, n)
    effect = np.where(rng.random(n) < 0.3, "x", np.where(cause == "yes", "y", "z"))
    frame = pd.DataFrame({"cause": cause, "grade": grade, "effect": effect})
    frame["number"] = rng.standard_normal(n) + (effect == "y") + (grade == 1)
    monkeypatch.setattr(large, "LARGE", 1000)
    for name in ("table.csv", "table.parquet"):
        path = tmp_path / name
        frame.to_csv(path, index=False) if name.endswith("csv") else frame.to_parquet(path)
        for drop, told in (
            ((), "correlations are summed up"),
            (("--drop", "number"), "distinct rows are counted"),
        ):
            asked = ("learn", path, "--discrete", "grade", *drop)
            outcome = command(*asked)
            assert f"is large; its {told} in one pass" in outcome.err
            assert "discrete: 'cause' (2 levels), 'grade' (3 levels), 'effect' (3 levels)" in outcome.err
            monkeypatch.undo()
            whole = json.loads(command(*asked).out)
            monkeypatch.setattr(large, "LARGE", 1000)
            document = json.loads(outcome.out)
            assert document["edges"] == whole["edges"]
            assert document["data"]["kinds"] == whole["data"]["kinds"]


def test_which_statistics_a_large_file_is_summed_up_to(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"A": rng.standard_normal(500), "B": rng.choice(["yes", "no"], 500)})
    monkeypatch.setattr(large, "LARGE", 100)
    for name in ("table.csv", "table.parquet"):
        path = tmp_path / name
        frame.to_csv(path, index=False) if name.endswith("csv") else frame.to_parquet(path)
        kind = lambda drop=(), path=path, **other: large.summed_up(
            str(path), None, None, drop, _SETTINGS | other
        )
        assert kind() is DegenerateGaussian
        assert kind(["B"]) is Gaussian
        assert kind(["A"]) is Discrete
        assert kind(discrete=["A"]) is Discrete
        assert kind(["A"], missing="pairwise") is Discrete
        assert kind(["A"], test="degenerate-gaussian") is DegenerateGaussian
        assert kind(test="fisher-z") is None
        assert kind(["B"], test="fisher-z") is Gaussian
        assert kind(["B"], test="fisher-z", discrete=["A"]) is None
        for rows in ({"missing": "pairwise"}, {"degenerate": "drop"}, {"transform": "rank"}):
            assert kind(**rows) is None


def test_what_is_decided_in_one_pass_is_a_note(command, tmp_path, monkeypatch):
    rows = np.random.default_rng(0).standard_normal((300, 3))
    rows[7, 1] = np.nan
    path = tmp_path / "table.csv"
    pd.DataFrame(rows, columns=list("ABC")).to_csv(path, index=False)
    monkeypatch.setattr(large, "LARGE", 1000)
    told = "1 of 300 rows have missing cells and are left out"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = command("learn", path, "--missing", "listwise")
        quiet = command("learn", path, "--missing", "listwise", "-q")
        swept = command("learn", path, "--missing", "listwise", "--alpha", ".01,.05", "-q")
    assert outcome.err.count(told) == 1
    assert f"note: {told}" in outcome.err
    for one in (outcome, quiet, swept):
        assert any(told in note for note in json.loads(one.out)["data"]["notes"])
    assert quiet.err == swept.err == ""


_SETTINGS = {
    "transform": None,
    "test": "auto",
    "discrete": "auto",
    "missing": "error",
    "degenerate": "error",
}
