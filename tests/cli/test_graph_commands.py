from __future__ import annotations

import json

import numpy as np
import pytest

from rolearn.data import read_table
from rolearn.export import read_graph, write_graph
from rolearn.graphs import CPDAG, PAG

TRUTH = PAG.from_edges(["A --> B", "B <-> C", "C o-> D", "A o-o C"])
LEARNED = PAG.from_edges(["A --> B", "B --> C", "C o-> D", "B o-o D"])


@pytest.fixture
def files(tmp_path):
    write_graph(LEARNED, tmp_path / "learned.json")
    write_graph(TRUTH, tmp_path / "truth.csv")
    return tmp_path / "learned.json", tmp_path / "truth.csv"


def test_evaluate(command, files):
    scores = json.loads(command("evaluate", *files).out)
    assert scores["skeleton"]["shd"] == 2
    assert scores["skeleton"]["f1"] == 0.75
    assert scores["wrong_marks"] == 5
    table = command("evaluate", *files, "--format", "table")
    assert table.code == 0
    assert table.err == ""
    assert "SHD         2 (1 extra, 1 missing)" in table.out
    assert "wrong marks 5 of 12 ordered pairs" in table.out


def test_evaluate_says_when_kinds_differ(command, files, tmp_path):
    write_graph(CPDAG.from_edges(["A --> B", "C --> B"], nodes="ABCD"), tmp_path / "cpdag.json")
    outcome = command("evaluate", tmp_path / "cpdag.json", files[1])
    assert outcome.code == 0
    assert "a CPDAG is compared with a PAG" in outcome.err


def test_compare(command, files):
    outcome = command("compare", *files, "--format", "table")
    assert outcome.out.splitlines() == [
        "A ... C  |  A o-o C",
        "B --> C  |  B <-> C",
        "B o-o D  |  B ... D",
    ]
    document = json.loads(command("compare", *files).out)
    assert document["differences"][1] == {
        "a": "B",
        "b": "C",
        "edge_in_first": "-->",
        "edge_in_second": "<->",
    }
    assert command("compare", files[0], files[0], "--format", "table").out == "no differences\n"
    lines = command("compare", *files, "--format", "csv").out.splitlines()
    assert lines[:2] == ["a,b,edge_in_first,edge_in_second", "A,C,...,o-o"]


def test_convert(command, files, tmp_path):
    assert command("convert", files[0], "-o", tmp_path / "again.csv").code == 0
    assert read_graph(tmp_path / "again.csv") == LEARNED
    assert command("convert", files[0], "--format", "txt").out == f"{LEARNED}\n"
    assert command("convert", files[0], "-o", "-", "--format", "txt").out == f"{LEARNED}\n"
    assert command("convert", files[0], "-o", tmp_path / "plain", "--format", "json").code == 0
    assert read_graph(tmp_path / "plain", format="json") == LEARNED


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (("evaluate", "learned.json", "nowhere.json"), 3, "no such file"),
        (("evaluate", "bad.json", "truth.csv"), 3, "line 1: this is not JSON"),
        (("evaluate", "learned.json", "other.csv"), 3, "different variables"),
        (("evaluate", "learned.json"), 2, "TRUTH"),
        (
            ("evaluate", "learned.json", "truth.csv", "--format", "csv"),
            3,
            "--format is 'csv'; allowed",
        ),
        (("compare", "learned.json", "other.csv"), 3, "different variables"),
        (("compare", "learned.txt", "truth.csv"), 3, "GRAPH is 'learned.txt'; graphs are read from"),
        (("convert", "learned.json"), 2, "-o FILE"),
        (("evaluate", "learned.json", "truth.svg"), 3, "TRUTH is 'truth.svg'"),
        (("convert", "learned.json", "-o", "-"), 2, "-o - names no format; give --format F"),
        (("convert", "learned.json", "-o", "graph.xyz"), 3, "-o is 'graph.xyz'; graphs are written to"),
        (("convert", "learned.json", "-o", "graph.xyz"), 3, ".json, .csv, .txt"),
        (("convert", "learned.json", "--format", "xyz"), 3, "--format is 'xyz'; allowed are json, csv, txt"),
        (("convert", "nowhere.json", "--format", "txt"), 3, "no such file"),
        (("nonsense",), 2, "nonsense"),
        (("--nonsense",), 2, "--nonsense"),
    ],
)
def test_errors(command, files, tmp_path, monkeypatch, arguments, code, part):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("pag")
    write_graph(PAG.from_edges(["A o-> Z"]), "other.csv")
    outcome = command(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert part in outcome.error
    assert "format=" not in outcome.error


def test_simulate_a_network(command, tmp_path):
    data, truth = tmp_path / "data.csv", tmp_path / "truth.json"
    arguments = ("simulate", "--network", "insurance", "--hidden", "3", "--samples", "60", "--seed", "4")
    outcome = command(*arguments, "-o", data, "--truth", truth)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    table, document = read_table(data), json.loads(truth.read_text(encoding="utf-8"))
    assert (table.n_rows, table.n_columns) == (60, 24)
    assert read_graph(truth).names == table.names
    assert len(document["hidden"]) == 3
    assert document["simulation"]["seed"] == 4
    assert command(*arguments).out == data.read_text()
    other = command(*arguments[:-1], "5")
    assert other.out != data.read_text()


def test_simulate_a_random_dag(command, tmp_path):
    truth = tmp_path / "truth.json"
    outcome = command("simulate", "--er", "40,4", "--samples", "5", "--truth", truth)
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 6
    edges = len(json.loads(truth.read_text())["dag"]["edges"])
    assert 50 < edges < 110  # 80 expected


def test_the_expected_degree_is_what_was_asked(command, tmp_path):
    truth = tmp_path / "truth.json"
    degrees = []
    for seed in range(20):
        command(
            "simulate",
            "--er",
            "20,3",
            "--samples",
            "2",
            "--truth",
            truth,
            "--seed",
            seed,
            "-o",
            tmp_path / "d.csv",
        )
        degrees.append(2 * len(json.loads(truth.read_text())["dag"]["edges"]) / 20)
    assert abs(np.mean(degrees) - 3) < 0.35


@pytest.mark.parametrize("suffix", ["tsv", "parquet", "feather"])
def test_simulate_into_other_files(command, tmp_path, suffix):
    arguments = ("simulate", "--network", "asia", "--samples", "8")
    assert command(*arguments, "-o", tmp_path / f"data.{suffix}").code == 0
    assert command(*arguments, "-o", tmp_path / "data.csv").code == 0
    other, table = read_table(tmp_path / f"data.{suffix}"), read_table(tmp_path / "data.csv")
    assert other.names == table.names
    np.testing.assert_array_equal(other.values, table.values)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((), "--samples"),
        (("--samples", "5"), "either --network NAME or --er N,DEGREE"),
        (("--samples", "5", "--network", "asia", "--er", "5,2"), "either"),
        (("--samples", "5", "--network", "azia"), "did you mean 'asia'"),
        (("--samples", "5", "--er", "5"), "50,4"),
        (("--samples", "5", "--er", "a,b"), "50,4"),
        (("--samples", "5", "--er", "5,9"), "degree from 0 to 4"),
        (("--samples", "5", "--er", "1,0"), "at least 2 vertices"),
        (("--samples", "5", "--er", "5,nan"), "degree from 0 to 4"),
        (("--samples", "0", "--network", "asia"), "--samples is 0; give a whole number of at least 1"),
        (("--samples", "x", "--network", "asia"), "--samples is 'x'; give a whole number"),
        (("--samples", "5", "--network", "asia", "--hidden", "7"), "hide from 0 to 6"),
        (("--samples", "5", "--network", "asia", "--hidden", "-1"), "--hidden is -1; give a whole number"),
        (("--samples", "5", "--network", "asia", "--seed", "-1"), "--seed is -1; give a whole number"),
        (("--samples", "5", "--network", "asia", "-o", "data.xlsx"), ".parquet"),
        (("--samples", "5", "--network", "asia", "-o", "nowhere/data.csv"), "no folder"),
        (("--samples", "5", "--network", "asia", "--truth", "nowhere/truth.json"), "no folder"),
        (("--samples", "5", "--network", "asia", "--truth", "t.csv"), "--truth is 't.csv'; give a file"),
        (("--samples", "5", "--network", "asia", "-o", "a.csv", "--truth", "./a.csv"), "are one file"),
    ],
)
def test_options_of_simulate_that_cannot_be_used(command, tmp_path, monkeypatch, arguments, part):
    monkeypatch.chdir(tmp_path)
    outcome = command("simulate", *arguments)
    grammar = part == "--samples" or part.startswith("either")
    assert (outcome.code, outcome.out) == (2 if grammar else 3, "")
    assert part in outcome.error
    assert list(tmp_path.iterdir()) == []


def test_simulate_learn_evaluate(command, tmp_path):
    data, truth, learned = (tmp_path / name for name in ("data.csv", "truth.json", "learned.json"))
    command("simulate", "--er", "12,2", "--hidden", "1", "--samples", "3000", "-o", data, "--truth", truth)
    assert command("learn", data, "-o", learned).code == 0
    scores = json.loads(command("evaluate", learned, truth).out)
    assert scores["skeleton"]["f1"] > 0.85


def test_a_cpdag_is_scored_against_the_true_cpdag(command, tmp_path):
    data, truth, learned = (tmp_path / name for name in ("data.csv", "truth.json", "learned.json"))
    command("simulate", "--network", "asia", "--samples", "5000", "-o", data, "--truth", truth)
    assert command("learn", data, "--no-latents", "-o", learned).code == 0
    outcome = command("evaluate", learned, truth)
    assert outcome.err == ""
    assert json.loads(outcome.out)["skeleton"]["f1"] > 0.85


def test_version_and_help(command):
    from rolearn._version import __version__

    assert command("--version").out == f"rolearn {__version__}\n"
    for arguments in (["--help"], ["-h"], ["simulate", "--help"], ["evaluate", "-h"], ["demo", "-h"]):
        outcome = command(*arguments)
        assert outcome.code == 0
        assert outcome.out.startswith("Usage: rolearn")
    for name in ("learn", "demo", "simulate", "evaluate", "compare", "convert", "benchmark"):
        assert name in command("--help").out


@pytest.mark.parametrize(
    "suffix", ["tetrad", "amat.csv", "causal-learn.csv", "dagitty", "graphml", "json", "csv"]
)
def test_convert_there_and_back(command, files, tmp_path, suffix):
    between, again = tmp_path / f"between.{suffix}", tmp_path / "again.json"
    assert command("convert", files[0], "-o", between).code == 0
    assert command("convert", between, "-o", again).code == 0
    assert read_graph(again) == LEARNED


def test_convert_from_a_format_by_name(command, tmp_path):
    (tmp_path / "graph.txt").write_text("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A o-> B\n\n")
    outcome = command("convert", tmp_path / "graph.txt", "--from", "tetrad", "--format", "dagitty")
    assert (outcome.code, outcome.out) == (0, "pag {\nA\nB\nA @-> B\n}\n")
    assert command("convert", tmp_path / "graph.txt", "--format", "dagitty").out == outcome.out
    (tmp_path / "graph.txt").write_text("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --> B\n\n")
    arguments = ("convert", tmp_path / "graph.txt", "--from", "tetrad", "--format", "dagitty", "--kind")
    assert command(*arguments, "dag").out.startswith("dag {")
    assert "--kind is 'tree'; allowed are dag" in command(*arguments, "tree").error
    outcome = command("convert", tmp_path / "graph.txt", "--from", "svg", "--format", "json")
    assert outcome.code == 3
    assert "--from is 'svg'; allowed are json, csv, tetrad" in outcome.error


def test_names_that_a_format_can_not_carry(command, tmp_path):
    graph = PAG.from_edges([("a b", "o->", "c")])
    write_graph(graph, tmp_path / "graph.json")
    outcome = command("convert", tmp_path / "graph.json", "-o", tmp_path / "graph.tetrad")
    assert outcome.code == 0
    assert "graph.tetrad.names.json says which" in outcome.err
    assert read_graph(tmp_path / "graph.tetrad") == graph
    outcome = command("convert", tmp_path / "graph.json", "--format", "tetrad")
    assert (outcome.code, outcome.out) == (3, "")
    assert "the format tetrad can't carry names" in outcome.error


def test_learn_in_other_formats(command, tmp_path):
    data, learned = tmp_path / "data.csv", tmp_path / "learned.json"
    command("simulate", "--er", "4,2", "--samples", "300", "-o", data)
    outputs = [tmp_path / f"learned.{suffix}" for suffix in ("dagitty", "amat.csv", "tetrad")]
    options = [part for path in outputs for part in ("-o", path)]
    outcome = command("learn", data, "-o", learned, *options, "--format", "tetrad")
    assert outcome.code == 0
    assert outcome.out.startswith("Graph Nodes:\nX1;X2;X3;X4\n")
    for path in outputs:
        assert read_graph(path) == read_graph(learned)
    renamed = data.read_text().replace("X1", "X 1", 1)
    data.write_text(renamed)
    outcome = command("learn", data, "--format", "tetrad")
    assert (outcome.code, outcome.out) == (3, "")
    assert "such as 'X 1'" in outcome.error
