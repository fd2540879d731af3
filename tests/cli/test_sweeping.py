from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import rolearn
from rolearn.cli import large
from rolearn.cli.sweeping import Grid
from rolearn.export import read_graph


def test_several_levels_and_penalties_make_a_sweep(command, collider, tmp_path):
    outcome = command(
        *("learn", collider, "--alpha", ".01,.05", "--penalty", "1,2,4", "--format", "table"),
        *("-o", tmp_path / "graph.dot", "-o", tmp_path / "all.json"),
    )
    assert outcome.code == 0
    found = rolearn.sweep(pd.read_csv(collider), alpha=[0.01, 0.05], penalty=[1, 2, 4])
    assert outcome.out == f"{found}\n"
    assert "4 variables, 400 rows: 6 of 6 settings in " in outcome.err
    assert sorted(path.name for path in tmp_path.glob("*.dot")) == [
        f"graph_alpha{a}_penalty{b}.dot" for a in ("0.01", "0.05") for b in (1, 2, 4)
    ]
    document = json.loads((tmp_path / "all.json").read_text())
    assert len(document["sweep"]) == 6
    for setting in document["sweep"]:
        graph = found.graph(setting["alpha"], setting["penalty"])
        name = f"graph_alpha{setting['alpha']:g}_penalty{setting['penalty']:g}.dot"
        assert read_graph(tmp_path / name) == graph
        assert setting["n_edges"] == len(setting["edges"]) == graph.n_edges
        assert {edge["text"] for edge in setting["edges"]} == {
            edge["text"] for edge in rolearn.export.graph_document(graph)["edges"]
        }
    [pair] = [row for row in document["frequencies"] if row["pair"] == ["A", "C"]]
    came = {mark: share for mark, share in found.frequencies("A", "C").items() if share}
    assert {key: value for key, value in pair.items() if key != "pair"} == pytest.approx(came, abs=1e-6)
    assert (document["kind"], document["nodes"], document["stopped"]) == ("pag", list("ABCD"), 0)
    assert document["data"]["rows"] == 400
    assert "alpha" not in document["settings"]


def test_in_a_pipe_it_is_json(command, collider):
    document = json.loads(command("learn", collider, "--alpha", "0.01, 0.05").out)
    assert [(one["alpha"], one["penalty"]) for one in document["sweep"]] == [(0.01, 2.0), (0.05, 2.0)]
    assert document["seed"] == 0


def test_only_what_differs_is_in_names_of_files(command, collider, tmp_path):
    outcome = command("learn", collider, "--penalty", "1.5,3", "-o", tmp_path / "g.tetrad", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    assert {path.name for path in tmp_path.glob("g*")} == {"g_penalty1.5.tetrad", "g_penalty3.tetrad"}
    assert Grid([0.1, 0.2], None).path("a/b.c.AMAT.csv", 0.1, 2.0) == "a/b.c_alpha0.1.AMAT.csv"
    assert Grid([0.05], [2.0, 2.0000001]).files("g.dot") == ["g_penalty2.dot", "g_penalty2.0000001.dot"]


def test_one_penalty_is_a_setting_of_the_fit(command, collider):
    document = json.loads(command("learn", collider, "--penalty", "60").out)
    assert document["settings"]["cost"] == {"type": "BIC", "penalty": 60.0, "parents": "grow-shrink"}
    assert document["edges"] == []
    exact = json.loads(command("learn", collider, "--penalty", "3", "--search", "exact").out)
    assert exact["settings"]["cost"]["parents"] == "exact"
    assert exact["optimal"]


def test_a_penalty_with_tests_that_have_no_exact_parents(command, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 300))
    frame = pd.DataFrame(
        {"A": a, "B": b, "C": a + b, "two": np.where(a + rng.standard_normal(300) > 0, 1, 0)}
    )
    frame["C"] += rng.standard_normal(300)
    path = tmp_path / "table.csv"
    frame.assign(two=np.where(frame["two"] == 1, "yes", "no")).to_csv(path, index=False)
    asked = ("learn", path, "--search", "exact", "--penalty", "2")
    parents = lambda *more: json.loads(command(*asked, *more).out)["settings"]["cost"]["parents"]
    assert parents() == "grow-shrink"
    assert parents("--test", "fisher-z") == "exact"
    assert parents("--drop", "two") == "exact"
    assert parents("--drop", "two", "--test", "degenerate-gaussian") == "grow-shrink"
    monkeypatch.setattr(large, "LARGE", 100)
    assert parents() == "grow-shrink"
    assert parents("--drop", "two") == "exact"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--alpha", ".05,.05"], "--alpha has 0.05 twice; give each value once"),
        (["--alpha", ".05,2"], "--alpha is 2; give a level between 0 and 1"),
        (["--alpha", ".05,"], "--alpha is ''; give a level between 0 and 1"),
        (["--penalty", "1,-2"], "--penalty is -2; give a number greater than 0"),
        (["--penalty", "much"], "--penalty is 'much'; give a number greater than 0"),
        (["--penalty", "1", "--cost", "neighbors"], "--penalty is for the bic cost"),
        (["--penalty", "1,2", "--finder", "rsl"], "--penalty is for the bic cost"),
        (["--alpha", ".01,.05", "--bootstrap", "5"], "--bootstrap learns at one level and penalty"),
        (["--alpha", ".01,.05", "-o", "page.html"], "a report page shows one graph"),
        (["--alpha", ".01,.05", "--format", "dot"], "--format is 'dot'; allowed are table, json"),
        (["--alpha", ".01,.05", "-o", "no/folder.json"], "there is no folder no"),
        (["--alpha", ".01,.05", "-o", "no/folder.dot"], "there is no folder no"),
    ],
)
def test_what_is_not_allowed(command, collider, options, sentence):
    outcome = command("learn", collider, *options)
    assert outcome.code == 3
    assert sentence in outcome.error


def test_a_sweep_of_the_table_itself_is_refused(command, collider):
    (collider.parent / "x_alpha0.01.csv").write_bytes(collider.read_bytes())
    table, output = collider.parent / "x_alpha0.01.csv", collider.parent / "x.csv"
    outcome = command("learn", table, "--alpha", ".01,.05", "-o", output)
    assert "is the table itself" in outcome.error


def test_at_the_time_limit_what_is_done_is_written(command, collider, tmp_path):
    outcome = command("learn", collider, "--alpha", ".01,.05", "--time-limit", "0", "-o", tmp_path / "g.dot")
    assert outcome.code == 4
    document = json.loads(outcome.out)
    assert (document["sweep"], document["stopped"], document["stop_reason"]) == ([], 2, "time_limit")
    assert document["frequencies"] == []
    assert "note: the time limit was reached; the settings done by then are written" in outcome.err
    assert not list(tmp_path.glob("g*.dot"))


def test_knowledge_is_kept_to_and_said(command, collider, tmp_path):
    knowledge = tmp_path / "known.yaml"
    knowledge.write_text("required: [[A, D]]\n")
    outcome = command("learn", collider, "--alpha", ".01,.05", "--knowledge", knowledge)
    assert all(
        ("A", "D") in {(edge["source"], edge["target"]) for edge in one["edges"]}
        for one in json.loads(outcome.out)["sweep"]
    )
    assert "no marks that knowledge forces" in outcome.err
