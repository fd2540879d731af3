"""``rolearn learn --knowledge``: the inputs that broke other programs, and what the command says."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from rolearn import PAG, Knowledge
from rolearn.export import read_graph


def simulated(path, n, seed, **equations):
    rng = np.random.default_rng(seed)
    values: dict[str, np.ndarray] = {}
    for name, causes in equations.items():
        values[name] = rng.standard_normal(n) + sum(values[c] for c in causes)
    shown = pd.DataFrame({name: column for name, column in values.items() if not name.startswith("_")})
    shown.to_csv(path, index=False)
    return path


@pytest.fixture
def learned(command, tmp_path):
    """Learn from simulated columns with knowledge written as text; gives the JSON and what stderr says."""

    def learned(text, equations, *options, n=3000, seed=0, name="knowledge.txt"):
        table = simulated(tmp_path / "table.csv", n, seed, **equations)
        (tmp_path / name).write_text(text, encoding="utf-8")
        outcome = command("learn", table, "--knowledge", tmp_path / name, *options)
        assert outcome.code == 0, outcome.err
        return json.loads(outcome.out), outcome.err

    return learned


def edges(document):
    return {f"{edge['source']} {edge['text']} {edge['target']}" for edge in document["edges"]}


def test_a_tier_adds_no_tail(learned):  # causal-learn 266
    equations = {"_U": (), "X": (), "Z": ("X", "_U"), "Q": ("Z",), "Y": ("X", "_U", "Q")}
    document, _ = learned("/knowledge\naddtemporal\n0 X Z Q\n1 Y\n", equations, n=4000)
    assert {"Z o-> Y", "X o-> Y", "Q o-> Y"} <= edges(document)


def test_many_forbidden_pairs(learned):  # causal-learn 90
    names = [f"v{i}" for i in range(30)]
    equations = {name: (names[i - 1],) if i else () for i, name in enumerate(names)}
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    text = "from,to,kind\n" + "".join(f"{a},{b},forbidden\n" for a, b in pairs)
    document, _ = learned(text, equations, name="k.csv")
    assert edges(document) == {f"{a} --> {b}" for a, b in pairwise(names[1:])} | {"v0 o-> v1"}
    assert len(document["settings"]["knowledge"]["forbidden"]) == len(pairs)


def test_what_a_bootstrap_shows_is_said(command, tmp_path):
    table = simulated(tmp_path / "table.csv", 500, 0, a=(), b=("a",))
    (tmp_path / "k.yaml").write_text("tiers: [[a], [b]]\n", encoding="utf-8")
    options = ("--knowledge", tmp_path / "k.yaml", "--format", "table")
    outcome = command("learn", table, *options)
    assert outcome.out.startswith("a o-> b\n")
    assert "the graph has the marks that knowledge forces" in outcome.err
    outcome = command("learn", table, *options, "--bootstrap", 4, "-o", tmp_path / "graph.csv")
    assert outcome.out == "a o-o b  edge 1.00  these marks 1.00\n"
    assert "frequencies are of the graph without the marks that knowledge forces" in outcome.err
    assert str(read_graph(tmp_path / "graph.csv")) == "a o-> b"


def test_required_between_independent_columns(learned):  # tetrad 1947
    document, _ = learned("requiredirect\na b\n", {"a": (), "b": ()})
    assert edges(document) == {"a --> b"}
    assert edges(document["without_knowledge"]) == {"a o-o b"}


def test_hidden_common_causes_across_tiers_stay_possible(learned):  # tetrad 1271
    equations = {"_L": (), "I": (), "J": (), "A": ("_L", "I"), "B": ("_L", "J")}
    text = "tiers:\n- [I, J, A]\n- [B]\n"
    document, _ = learned(text, equations, n=5000, seed=1, name="k.yaml")
    assert edges(document) == {"I o-> A", "A <-> B", "J o-> B"}


def test_no_causes_within_a_tier_makes_no_collider(learned):  # py-tetrad 18
    document, err = learned("addtemporal\n0* X2 X6\n", {"X2": (), "X3": ("X2",), "X6": ("X3",)})
    assert edges(document) == {"X3 o-> X2", "X3 o-> X6"}
    assert edges(document["without_knowledge"]) == {"X2 o-o X3", "X3 o-o X6"}
    assert "contradict" not in err


def test_all_pairs_but_the_true_ones_and_separating_sets(learned):  # tetrad 1246, pgmpy 2138
    text = "forbiddengroup\nc\na b\nforbiddengroup\nb\na\n"
    document, _ = learned(text, {"a": (), "b": ("a",), "c": ("b",)})
    assert edges(document) == {"a o-> b", "b --> c"}
    assert document["separating_sets"][0]["given"] == ["b"]


def test_tiers_win_over_colliders_and_contradictions_are_told(learned):  # dowhy 1343
    equations = {"a": (), "b": (), "c": ("a", "b"), "d": ("c",)}
    document, err = learned("addtemporal\n0 d\n1 c\n", equations)
    assert document["restricted"] is True
    shown = edges(document)
    assert not any("c --> d" in edge or "c o-> d" in edge for edge in shown)
    if document["knowledge_contradictions"]:
        assert "note: background knowledge contradicts" in err


def test_only_the_next_tier(learned):  # the suffix that Tetrad writes and doesn't read
    for tier in ("1*-", "1-"):
        document, err = learned(f"/knowledge\naddtemporal\n0 a\n{tier} b\n", {"a": (), "b": ("a",)})
        assert edges(document) == {"a o-> b"}
        assert "direct causes" in err


def test_every_output_has_the_restricted_graph(command, collider, tmp_path):
    path = tmp_path / "k.yaml"
    Knowledge(tiers=[["A", "B"], ["C"]], forbidden=["A -> C"]).write(path)
    expected = PAG.from_edges(["A <-> C", "B o-> C"], nodes=list("ABCD"))
    outcome = command(
        "learn",
        collider,
        "--knowledge",
        path,
        "--format",
        "table",
        "-o",
        tmp_path / "g.json",
        "-o",
        tmp_path / "g.csv",
    )
    assert outcome.out.splitlines()[:2] == ["A <-> C", "B o-> C"]
    assert "background knowledge" in outcome.out.splitlines()[-1]
    assert "the JSON has the one without them" in outcome.err
    assert read_graph(tmp_path / "g.json") == read_graph(tmp_path / "g.csv") == expected
    assert read_graph(tmp_path / "g.json").restricted
    document = json.loads((tmp_path / "g.json").read_text())
    assert edges(document["without_knowledge"]) == {"A o-> C", "B o-> C"}
    assert document["settings"]["knowledge"]["tiers"] == [["A", "B"], ["C"]]


def test_without_latents(command, collider, tmp_path):
    path = tmp_path / "k.txt"
    path.write_text("requiredirect\nA D\n")
    outcome = command("learn", collider, "--no-latents", "--knowledge", path)
    document = json.loads(outcome.out)
    assert (document["kind"], document["restricted"]) == ("cpdag", True)
    assert edges(document) == {"A --> C", "B --> C", "A --> D"}
    (tmp_path / "again.json").write_text(outcome.out)
    assert read_graph(tmp_path / "again.json").mark("D", "A") == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("requiredirect\nA E\n", "names 'E', but no variable has this name"),
        ("requiredirect\nA B\nB A\n", "circle: A -> B -> A"),
        ("addtemporal\n0 A\n1 B\nrequiredirect\nB A\n", "later tier"),
        ("forbiddirect\nA\n", "line 2: 'A' is no pair"),
        ("tiers: [[A]\n", "this is no YAML"),
    ],
)
def test_knowledge_that_can_not_be_used_is_an_error(command, collider, tmp_path, text, sentence):
    path = tmp_path / "k.txt"
    path.write_text(text)
    outcome = command("learn", collider, "--knowledge", path)
    assert (outcome.code, outcome.out) == (3, "")
    assert sentence in outcome.error


def test_a_missing_file_is_an_error(command, collider, tmp_path):
    outcome = command("learn", collider, "--knowledge", tmp_path / "none.yaml")
    assert outcome.code == 3
    assert "there is no knowledge file" in outcome.error
