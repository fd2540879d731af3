from __future__ import annotations

import json
import re

import pytest

from export.hostile import ASYMMETRIC, EVERY_EDGE, NAMES, random_pag
from rolearn.export import FORMATS, from_causal_learn, from_networkx, graph_text, read_graph, write_graph
from rolearn.graphs import PAG
from rolearn.runtime.errors import DataError, ParameterError

READABLE = [known.name for known in FORMATS if known.read is not None]


@pytest.mark.parametrize("format", READABLE)
def test_200_random_pags_come_back(tmp_path, format):
    edges = set()
    for seed in range(200):
        pag = random_pag(seed)
        edges |= {edge.picture for edge in pag.edges()}
        write_graph(pag, tmp_path / "graph", format)
        assert read_graph(tmp_path / "graph", format) == pag, (seed, pag.names)
    assert edges == {"-->", "o->", "<->", "o-o"}


@pytest.mark.parametrize("graph", [ASYMMETRIC, EVERY_EDGE, PAG.from_edges([], nodes=NAMES)])
@pytest.mark.parametrize("format", READABLE)
def test_every_edge_and_every_name_comes_back(tmp_path, format, graph):
    write_graph(graph, tmp_path / "graph", format)
    again = read_graph(tmp_path / "graph", format)
    assert again == graph
    if format != "csv":  # whose isolated vertices come last
        assert again.names == graph.names


def test_200_random_pags_come_back_from_networkx_and_causal_learn_matrices():
    for seed in range(200):
        pag = random_pag(seed)
        assert from_networkx(pag.to_networkx()) == pag
        assert from_causal_learn(pag.to_causal_learn_matrix(), pag.names) == pag


def test_names_that_do_not_fit_are_in_the_table_beside(tmp_path):
    graph = PAG.from_edges([("a b", "o->", "a_b"), ("a;b", "o->", "c")])
    path = tmp_path / "graph.tetrad"
    write_graph(graph, path)
    lines = path.read_text().splitlines()
    assert lines[1] == "a_b_2;a_b;a_b_3;c"
    table = json.loads((tmp_path / "graph.tetrad.names.json").read_text())
    assert table == {"format_version": 1, "names": {"a_b_2": "a b", "a_b_3": "a;b"}}


def test_names_keep_their_letters_where_they_can():
    for name in ("temperature", "größe", "a.b", "x-1"):
        assert name in graph_text(PAG.from_edges([], nodes=[name]), "tetrad")


def test_a_table_left_by_another_graph_goes(tmp_path):
    path = tmp_path / "graph.tetrad"
    write_graph(PAG.from_edges([("a b", "o->", "c")]), path)
    plain = PAG.from_edges(["a_b o-> c"])
    write_graph(plain, path)
    assert [file.name for file in tmp_path.iterdir()] == ["graph.tetrad"]
    assert read_graph(path) == plain


def test_a_file_that_is_no_table_of_names_is_left_and_complained_of(tmp_path):
    path, beside = tmp_path / "graph.tetrad", tmp_path / "graph.tetrad.names.json"
    beside.write_text("{}")
    write_graph(ASYMMETRIC, path)
    assert beside.exists()
    with pytest.raises(DataError, match="is no table of names"):
        read_graph(path)
    beside.write_text('{"names": {"A": "B"}}')
    with pytest.raises(DataError, match="two vertices have the same name"):
        read_graph(path)


@pytest.mark.parametrize(
    ("format", "name"),
    [("tetrad", "a b"), ("tetrad", "(a)"), ("dagitty", "graph"), ("graphml", "\x07"), ("dagitty", "x\ny")],
)
def test_one_text_refuses_what_needs_a_table(format, name):
    with pytest.raises(ParameterError, match=re.escape(f"such as {name!r}")):
        graph_text(PAG.from_edges([], nodes=["A", name]), format)
