from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rolearn
from examples import random_rows
from report.fitted import HOSTILE, model_of
from rolearn.graphs.marks import Mark
from rolearn.report import report_page
from rolearn.report.contents import page_contents
from rolearn.report.writing import script_json

NAMES = ("B", "a", "C with space", "D", "E", "F")


@pytest.fixture(scope="module")
def model():
    return model_of(NAMES)


@pytest.fixture(scope="module")
def contents(model):
    return page_contents(model, ["a note"], {"source": "data.csv"}, None)


class Elements(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, text):
        tag, attributes = self.tags[-1] if self.tags else ("", {})
        self.texts.setdefault((tag, attributes.get("type")), text)


def data_of(page):
    return json.loads(Elements(page).texts["script", "application/json"])


def test_every_pair_is_an_edge_or_has_its_reason(model, contents):
    names = contents["names"]
    assert sorted(names) == names == sorted(NAMES)
    edges = {frozenset(edge["ends"]): edge for edge in contents["edges"]}
    absent = {frozenset(row[:2]): row for row in contents["absent"]}
    assert len(edges) == model.pag_.n_edges > 3
    assert len(edges) + len(absent) == len(names) * (len(names) - 1) // 2
    for edge in edges.values():
        i, j = edge["ends"]
        assert edge["marks"] == (model.pag_.mark(names[j], names[i]), model.pag_.mark(names[i], names[j]))
    for i, j, given_, p_value, reason, rows in absent.values():
        separation = model.separating_sets_[names[i], names[j]]
        assert {names[k] for k in given_} == set(separation.given)
        assert p_value == separation.p_value
        assert rows == (None if separation.n_used == model.n_samples_ else separation.n_used)
        assert contents["reasons"][reason][0] == separation.reason


def test_run_and_settings(model, contents):
    assert [contents["names"][i] for i in contents["order"]] == list(model.order_)
    assert contents["notes"] == ["a note"]
    shown = {name: (value, usual) for name, value, usual in contents["settings"]}
    assert shown["alpha"] == ("0.05", True)
    assert "progress" not in shown
    changed = rolearn.learn(rolearn.Oracle(rolearn.DAG.from_edges(["A --> B"])), cost="neighbors", alpha=0.01)
    shown = {
        name: (value, usual) for name, value, usual in page_contents(changed, (), None, None)["settings"]
    }
    assert shown["alpha"] == ("0.01", False)
    assert shown["cost"] == ("neighbors", False)


def test_sentences_are_those_of_the_graph(model, contents):
    for edge in contents["edges"]:
        a, b = (contents["names"][i] for i in edge["ends"])
        assert edge["says"] == model.pag_.explain(a, b)


def test_a_graph_that_is_not_valid_has_its_page():
    with pytest.warns(rolearn.RolearnWarning, match="not a valid"):
        model = rolearn.paper.rol_hc(random_rows(10, 3, 120, density=0.8))
    found = page_contents(model, (), None, None)
    assert found["problems"] == model.pag_.problems() != []
    assert len(found["edges"]) == model.pag_.n_edges


def test_frequencies_are_read_from_the_lesser_name_to_the_greater(model):
    found = page_contents(model, (), None, {("a", "B"): {"o->": 0.25, "none": 0.7, "-->": 0.05}})
    i, j = found["names"].index("B"), found["names"].index("a")
    assert found["frequencies"] == [[i, j, {"none": 0.7, "<-o": 0.25, "<--": 0.05}]]
    assert i < j


@pytest.mark.parametrize(
    ("frequencies", "words"),
    [
        ({("a", "z"): {"-->": 1.0}}, "'z'"),
        ({("a", "B"): {"->": 1.0}}, "'->'"),
        ({("a", "B"): {"-->": 1.5}}, "1.5"),
        ({("a", "B"): {"-->": float("nan")}}, "nan"),
    ],
)
def test_frequencies_that_cannot_be(model, frequencies, words):
    with pytest.raises(rolearn.ParameterError, match=re.escape(words)):
        page_contents(model, (), None, frequencies)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
@settings(max_examples=200, deadline=None)
def test_no_text_ends_the_script(value):
    text = script_json(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")
    assert text.isascii()


def test_hostile_names_are_data():
    page = report_page(model_of(HOSTILE), HOSTILE, {"source": HOSTILE[0], "command": HOSTILE[1]})
    plain = report_page(model_of(tuple(f"V{i}" for i in range(len(HOSTILE)))))
    assert [tag for tag, _ in Elements(page).tags] == [tag for tag, _ in Elements(plain).tags]
    assert data_of(page)["names"] == sorted(HOSTILE)
    assert data_of(page)["notes"] == list(HOSTILE)


def test_nothing_is_fetched_and_nothing_else_runs(model):
    page = report_page(model)
    assert "$policy" not in page
    attributes = [value for _, given_ in Elements(page).tags for value in given_.values()]
    assert not [value for value in attributes if re.match("https?:|//", value or "")]
    [policy] = [a["content"] for tag, a in Elements(page).tags if "Content-Security-Policy" in a.values()]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_same_page_from_any_column_order():
    rows = np.random.default_rng(0).standard_normal((300, 4)) @ np.triu(np.ones((4, 4)))
    names = np.array(["w", "x", "y", "z"])
    one, other = (
        data_of(report_page(rolearn.learn(dict_frame(names[order], rows[:, order]))))
        for order in ([0, 1, 2, 3], [2, 0, 3, 1])
    )
    assert one == other


def dict_frame(names, rows):
    import pandas

    return pandas.DataFrame(rows, columns=names)


def test_python_lines_repeat_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((200, 4)) @ np.triu(np.ones((4, 4)))
    np.savetxt("it's.csv", rows, delimiter=";", header="id;A;B;C", comments="")
    from rolearn.data.readers import read_table

    table = read_table("it's.csv", ";", drop=["id"])
    model = rolearn.learn(table, transform="rank", search=rolearn.Exact(memory=1.0), alpha=0.01)
    reading = {"source": "it's.csv", "delimiter": ";", "missing_marker": None, "drop": ["id"]}
    lines = page_contents(model, (), reading, None)["python"]
    scope: dict = {}
    exec(lines, scope)
    assert scope["model"].get_params() == model.get_params()
    assert scope["model"].pag_ == model.pag_
    assert scope["model"].cost_ == model.cost_
    assert (tmp_path / "report.html").exists()


def test_written_where_it_can_be(model, tmp_path):
    rolearn.write_report(model, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(rolearn.ParameterError, match="can't be written"):
        rolearn.write_report(model, tmp_path / "nowhere" / "page.html")


def test_bends_are_those_of_the_picture(contents, model):
    from rolearn.export.scene import scene_of

    scene = scene_of(model.pag_)
    for edge, drawn in zip(contents["edges"], scene.edges, strict=True):
        start, middle, stop = drawn.curve
        along = stop - start
        expected = (start + stop) / 2 + edge["bend"] * np.array([-along[1], along[0]])
        np.testing.assert_allclose(middle, expected, atol=0.1)
        assert all(mark in (Mark.CIRCLE, Mark.ARROWHEAD, Mark.TAIL) for mark in edge["marks"])


class Resampled:
    """As `rolearn.bootstrap` gives it: every pair has every pattern."""

    def frequencies(self, a, b):
        patterns = dict.fromkeys(("none", "-->", "<--", "o->", "<-o", "o-o", "<->", "---", "--o", "o--"), 0.0)
        share = 1.0 if {a, b} == {"B", "a"} else 0.0
        return {**patterns, "none": 1.0 - share, "-->" if a < b else "<--": share}


def test_frequencies_of_a_bootstrap(model):
    found = page_contents(model, (), None, Resampled())
    i, j = found["names"].index("B"), found["names"].index("a")
    assert found["frequencies"] == [[i, j, {"-->": 1.0}]]
    assert page_contents(model, (), None, None)["frequencies"] is None


def test_knowledge_shows_in_the_graph_and_is_said():
    dag = rolearn.DAG.from_edges(["A --> C", "B --> C", "C --> D", "A --> E"])
    model = rolearn.learn(rolearn.Oracle(dag), knowledge={"tiers": [["A", "B"], ["C", "D", "E"]]})
    found = page_contents(model, (), None, None)
    assert model.restricted_pag_ != model.pag_
    assert len(found["knowledge"]) == len(model.knowledge_contradictions_)
    shown = {edge["text"] for edge in found["edges"]}
    assert shown == {str(edge) for edge in model.restricted_pag_.edges()}
    assert page_contents(rolearn.learn(rolearn.Oracle(dag)), (), None, None)["knowledge"] is None


def test_a_model_that_was_saved_has_the_same_page(tmp_path):
    rows = np.random.default_rng(0).standard_normal((200, 5)) @ np.triu(np.ones((5, 5)))
    model = rolearn.learn(rows)
    model.save(tmp_path / "model.rolearn")
    assert report_page(rolearn.load(tmp_path / "model.rolearn")) == report_page(model)


def test_resampling_is_repeated_as_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(1).standard_normal((120, 4)) @ np.triu(np.ones((4, 4)))
    np.savetxt("data.csv", rows, delimiter=",", header="A,B,C,D", comments="")
    from rolearn.data.readers import read_table

    resamples = rolearn.bootstrap(
        read_table("data.csv"), n=4, resample="bootstrap", alpha=0.01, random_state=3
    )
    found = page_contents(resamples.model_, (), {"source": "data.csv"}, resamples)
    scope: dict = {}
    exec(found["python"], scope)
    again = page_contents(scope["resamples"].model_, (), {"source": "data.csv"}, scope["resamples"])
    assert found == again
    assert found["frequencies"]


def test_what_no_report_is_of():
    for other in (None, rolearn.ROL(), "model"):
        with pytest.raises(rolearn.ParameterError, match="a report is of a fitted ROL; this is"):
            report_page(other)
    with pytest.raises(rolearn.ParameterError, match="frequencies is a int"):
        report_page(model_of(HOSTILE), frequencies=5)
