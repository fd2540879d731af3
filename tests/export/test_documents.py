from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

from rolearn.data.networks import load_network
from rolearn.data.simulation import simulate
from rolearn.export import document_text, read_graph, truth_document
from rolearn.export.truth import read_truth
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.runtime.documents import plain
from rolearn.runtime.errors import DataError


def write(path, document):
    path.write_text(document_text(document), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def confounded():
    return simulate(
        DAG.from_edges([("L", "A"), ("L", "B"), ("A", "C"), ("D", "B")]), 20, hidden=["L"], seed=3
    )


def test_truth_is_a_graph_file(tmp_path, confounded):
    path = write(tmp_path / "truth.json", truth_document(confounded, {"seed": 3}))
    assert read_graph(path) == confounded.mag.pag()
    assert read_truth(path, "pag") == confounded.mag.pag()
    assert read_truth(path, "mag") == confounded.mag


def test_truth_over_other_variables_is_not_given(tmp_path, confounded):
    path = write(tmp_path / "truth.json", truth_document(confounded, {"seed": 3}))
    assert isinstance(read_truth(path, "dag"), PAG)
    assert isinstance(read_truth(path, "cpdag"), PAG)


def test_truth_without_hidden_variables_has_all_kinds(tmp_path):
    drawn = simulate(load_network("asia"), 20)
    path = write(tmp_path / "truth.json", truth_document(drawn, {}))
    assert read_truth(path, "cpdag") == drawn.dag.cpdag()
    assert read_truth(path, "dag") == drawn.dag
    for kind, graph in (("cpdag", CPDAG), ("dag", DAG), ("mag", MAG), ("pag", PAG)):
        assert type(read_truth(path, kind)) is graph


def test_truth_repeats_the_simulation(confounded):
    document = json.loads(document_text(truth_document(confounded, {"seed": 3, "samples": 20})))
    assert document["hidden"] == ["L"]
    assert document["simulation"]["seed"] == 3
    model = document["simulation"]["model"]
    weights = {(c["source"], c["target"]): c["coefficient"] for c in model["coefficients"]}
    assert set(weights) == {("L", "A"), ("L", "B"), ("A", "C"), ("D", "B")}
    place = {name: i for i, name in enumerate(confounded.dag.names)}
    assert weights["D", "B"] == confounded.sem.weights[place["D"], place["B"]]
    assert set(model["noise_sd"]) == set("LABCD")
    assert set(document["versions"]) >= {"rolearn", "python", "numpy", "scipy", "numba"}


def test_other_graph_files_are_truths_too(tmp_path):
    from rolearn.export import write_graph

    graph = PAG.from_edges(["A o-> B", "C o-> B"])
    write_graph(graph, tmp_path / "truth.csv")
    assert read_truth(tmp_path / "truth.csv", "pag") == graph
    (tmp_path / "bad.json").write_text('{"kind": "pag"}')
    with pytest.raises(DataError, match="no nodes"):
        read_truth(tmp_path / "bad.json", "pag")


class Color(Enum):
    RED = "a sentence"


@dataclass
class Cost:
    finder: str = "rsl"
    level: float | None = None


class Estimator:
    def get_params(self):
        return {"steps": np.int64(3)}


def some_test(x, y, given):
    return 0.5


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (3, 3),
        ("text", "text"),
        (0.5, 0.5),
        (float("inf"), None),
        (np.float64("nan"), None),
        (np.int64(4), 4),
        (np.bool_(True), True),
        (Color.RED, "red"),
        ((1, np.float64(2.5)), [1, 2.5]),
        (np.arange(3), [0, 1, 2]),
        ({"a": np.int64(1)}, {"a": 1}),
        (Cost(), {"type": "Cost", "finder": "rsl", "level": None}),
        (Estimator(), {"type": "Estimator", "steps": 3}),
        (some_test, f"{__name__}.some_test"),
    ],
)
def test_settings_become_plain(value, expected):
    result = plain(value)
    assert result == expected
    assert type(result) is type(expected)
    json.dumps(result, allow_nan=False)
