from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn.export import FORMATS, find_format, graph_document, graph_text, read_graph, write_graph
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.runtime.errors import DataError, ParameterError, RolearnWarning

ASYMMETRIC = PAG.from_edges(["A --> B", "B <-> C", "C o-> D", "A o-o C"], nodes=["A", "B", "C", "D", "alone"])

GRAPHS = [
    ASYMMETRIC,
    DAG.from_edges([("A", "B"), ("C", "B")], nodes=["C", "B", "A", "E"]),
    MAG.from_edges(["A --> B", "B <-> C", "D --> C"]),
    CPDAG.from_edges(["A --> B", "C --> B", "B --> D", "E --- F"]),
    PAG.from_edges([], nodes=["A", "B"]),
    PAG.from_edges(["A --- B", "C --o D"]),
    PAG.from_edges(
        [
            ("a b", "o->", 'say "x"'),
            ("größe, αβ", "-->", "a b"),
            ("6/4.5", "<->", "a b"),
            ("line\nbreak", "o-o", "a b"),
            ("0", "o->", "00"),
        ],
        nodes=["a b", 'say "x"', "größe, αβ", "6/4.5", "line\nbreak", "0", "00", " padded "],
    ),
]

READABLE = [known.name for known in FORMATS if known.read is not None]


@pytest.mark.parametrize("format", READABLE)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: f"{graph.kind}-{len(graph.names)}")
def test_round_trip(tmp_path, graph, format):
    path = tmp_path / f"graph.{format}"
    write_graph(graph, path)
    again = read_graph(path)
    assert type(again) is type(graph)
    assert again == graph
    assert set(again.names) == set(graph.names)


@pytest.mark.parametrize("format", READABLE)
def test_named_format_beats_the_suffix(tmp_path, format):
    path = tmp_path / "graph.dat"
    write_graph(ASYMMETRIC, path, format=format)
    assert read_graph(path, format=format) == ASYMMETRIC
    assert path.read_text(encoding="utf-8") == graph_text(ASYMMETRIC, format)


MARKS = ["o->", "-->", "<->", "o-o", "<-o", "<--", "---", "--o", "o--"]


@settings(deadline=None)  # files, and a parser that others wrote
@given(
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=5, unique=True),
    data=st.data(),
)
def test_round_trip_of_any_names(tmp_path_factory, names, data):
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    edges = [(a, data.draw(st.sampled_from(MARKS)), b) for a, b in pairs if data.draw(st.booleans())]
    graph = PAG.from_edges(edges, nodes=names)
    folder = tmp_path_factory.mktemp("graphs")
    for format in READABLE:
        write_graph(graph, folder / f"graph.{format}")
        assert read_graph(folder / f"graph.{format}") == graph


def test_json_says_marks_in_words(tmp_path):
    path = tmp_path / "graph.json"
    write_graph(ASYMMETRIC, path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["format_version"] == 1
    assert document["kind"] == "pag"
    assert document["nodes"] == ["A", "B", "C", "D", "alone"]
    edges = {(e["source"], e["target"]): e for e in document["edges"]}
    assert edges["A", "B"] == {
        "source": "A",
        "target": "B",
        "mark_source": "tail",
        "mark_target": "arrow",
        "text": "-->",
        "visible": False,
    }
    assert edges["C", "D"]["visible"] is None
    assert edges["C", "D"]["mark_source"] == "circle"
    assert edges["C", "D"]["text"] == "o->"


def test_edge_list_has_isolated_vertices(tmp_path):
    path = tmp_path / "graph.csv"
    write_graph(ASYMMETRIC, path)
    with path.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 5
    assert {
        "source": "A",
        "target": "B",
        "mark_source": "tail",
        "mark_target": "arrow",
        "kind": "pag",
    } in rows
    assert rows[-1]["source"] == "alone"
    assert rows[-1]["target"] == rows[-1]["mark_source"] == ""


def test_edge_list_without_a_kind_is_a_pag(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("source,target,mark_source,mark_target\nA,B,circle,arrow\nC,,,\n")
    assert read_graph(path) == PAG.from_edges(["A o-> B"], nodes=["A", "B", "C"])


def test_text_is_what_print_shows(tmp_path):
    path = tmp_path / "graph.txt"
    write_graph(ASYMMETRIC, path)
    assert path.read_text(encoding="utf-8") == f"{ASYMMETRIC}\n"
    with pytest.raises(ParameterError, match="can't be read back; convert from json, csv"):
        read_graph(path)


def test_unknown_formats_list_the_known(tmp_path):
    with pytest.raises(ParameterError, match=r"\.json, \.csv, \.txt"):
        write_graph(ASYMMETRIC, tmp_path / "graph.xyz")
    with pytest.raises(ParameterError, match="'xyz'; known are json, csv, txt"):
        write_graph(ASYMMETRIC, tmp_path / "graph.json", format="xyz")
    with pytest.raises(ParameterError, match=r"\.json, \.csv"):
        read_graph(tmp_path / "graph")
    assert find_format("GRAPH.JSON").name == "json"


def test_unwritable_paths(tmp_path):
    with pytest.raises(ParameterError, match="can't be written"):
        write_graph(ASYMMETRIC, tmp_path / "nowhere" / "graph.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(ParameterError, match="can't be written"):
        write_graph(ASYMMETRIC, tmp_path / "folder.json")


def bad(**changes):
    return json.dumps({**graph_document(GRAPHS[1]), **changes})


def edge(**changes):
    return {"source": "A", "target": "B", "mark_source": "tail", "mark_target": "arrow", **changes}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "line 1: this is not JSON"),
        ('{\n"kind": pag}', "line 2: this is not JSON"),
        ("[1, 2]", "not an object"),
        ("{}", "no kind and no nodes and no edges"),
        ('{"kind": "dag", "nodes": []}', "no edges"),
        ("[" * 100_000, "nested too deeply"),
        (bad(format_version=99), "format_version 99 and this rolearn reads up to 1"),
        (bad(format_version="1"), "format_version '1'"),
        (bad(kind="tree"), "no kind of graph 'tree'; known are dag, cpdag, mag, pag"),
        (bad(kind=["dag"]), "no kind of graph"),
        (bad(nodes="ABC"), "nodes is not a list of names"),
        (bad(nodes=["A", 1]), "nodes is not a list of names"),
        (bad(nodes=["A", "B"]), "an edge names 'C', which is not among the nodes"),
        (bad(nodes=["A", "B", "C", "C"]), "'C'"),
        (bad(edges={}), "edges is not a list"),
        (bad(edges=[{"source": "A"}]), "edge 1 lacks"),
        (bad(edges=[edge(), edge(target=3)]), "edge 2 lacks"),
        (bad(edges=[edge(mark_target="head")]), "no mark 'head'; known are circle, arrow, tail"),
        (bad(edges=[edge(target="A")]), "joins 'A' to itself"),
        (bad(edges=[edge(), edge(source="B", target="A")]), "two edges between 'B' and 'A'"),
        (bad(edges=[edge(mark_source="circle")]), "FILE: "),
    ],
)
def test_bad_json(tmp_path, text, part):
    path = tmp_path / "graph.json"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_graph(path)
    sentence = str(caught.value).replace(str(path), "FILE")
    assert sentence.startswith("FILE")
    assert part in sentence
    assert "\n" not in sentence


def test_a_cycle_is_no_dag(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(bad(edges=[edge(), edge(source="B", target="C"), edge(source="C", target="A")]))
    with pytest.raises(DataError, match="cycle"):
        read_graph(path)


def test_what_is_no_cpdag_of_a_dag_still_loads(tmp_path):
    graph = CPDAG.unchecked(PAG.from_edges(["A --> B", "B --> C"]).marks, "ABC")
    for format in READABLE:
        path = tmp_path / f"graph.{format}"
        write_graph(graph, path)
        with pytest.warns(RolearnWarning, match=path.name):
            again = read_graph(path)
        assert type(again) is CPDAG
        assert again == graph


@pytest.mark.parametrize("changes", [{"nodes": ["A", "B", "B"]}, {"edges": [edge(mark_source="circle")]}])
def test_what_can_not_be_any_cpdag(tmp_path, changes):
    path = tmp_path / "graph.json"
    path.write_text(bad(kind="cpdag", **changes))
    with pytest.raises(DataError, match=r"graph\.json"):
        read_graph(path)


HEADER = "source,target,mark_source,mark_target\n"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no column 'source'"),
        ("a,b,c\n1,2,3\n", "no column 'source'"),
        (HEADER + "A,B,tail,\n", "line 2: the edge lacks a mark"),
        (HEADER + "A,B\n", "line 2: the edge lacks a mark"),
        (HEADER + "A,B,tail,head\n", "no mark 'head'"),
        (HEADER + "A,B,tail,arrow\nB,A,tail,arrow\n", "two edges"),
    ],
)
def test_bad_edge_list(tmp_path, text, part):
    path = tmp_path / "graph.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_graph(path)
    assert part in str(caught.value)
    assert str(path) in str(caught.value)


def test_files_that_can_not_be_read(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_graph(tmp_path / "graph.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read_graph(tmp_path / "folder.json")
    (tmp_path / "latin.json").write_bytes("é".encode("latin-1"))
    with pytest.raises(DataError, match="UTF-8"):
        read_graph(tmp_path / "latin.json")


def test_the_kind_where_a_file_does_not_say(tmp_path):
    path = tmp_path / "graph.tetrad"
    path.write_text("Graph Nodes:\nA;B;C\n\nGraph Edges:\n1. A --> B\n2. B --- C\n")
    assert isinstance(read_graph(path), PAG)
    path.write_text("Graph Nodes:\nA;B;C\n\nGraph Edges:\n1. A --> B\n2. C --> B\n")
    assert read_graph(path, kind="dag") == DAG.from_edges(["A --> B", "C --> B"])
    assert isinstance(read_graph(path, kind="mag"), MAG)
    assert isinstance(read_graph(path, kind="cpdag"), CPDAG)
    path.write_text("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A o-> B\n")
    with pytest.raises(DataError, match=r"graph\.tetrad: a DAG has directed edges only"):
        read_graph(path, kind="dag")
    with pytest.raises(ParameterError, match="no kind of graph 'tree'; known are dag, cpdag, mag, pag"):
        read_graph(path, kind="tree")


def test_tetrads_files_end_in_txt(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_bytes(b"\xef\xbb\xbfGraph Nodes:\r\nA;B\r\n\r\nGraph Edges:\r\n1. A o-> B\r\n\r\n")
    assert read_graph(path) == PAG.from_edges(["A o-> B"])


def test_a_matrix_is_no_edge_list(tmp_path):
    (tmp_path / "graph.csv").write_text(",A,B\nA,0,2\nB,1,0\n")
    with pytest.raises(DataError, match="for a matrix of marks name the format, pcalg or causal-learn"):
        read_graph(tmp_path / "graph.csv")
    assert read_graph(tmp_path / "graph.csv", "pcalg") == PAG.from_edges(["A o-> B"])


def test_what_is_no_graph_is_not_written(tmp_path):
    with pytest.raises(ParameterError, match="not a ndarray; of a fitted model give pag_"):
        write_graph(ASYMMETRIC.marks, tmp_path / "graph.json")
