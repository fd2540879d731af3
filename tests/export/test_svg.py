from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn import CPDAG, DAG, PAG, read_graph, write_graph
from rolearn.data.networks import load_network
from rolearn.export import graph_text
from rolearn.export.layout import bezier, lay_out
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, Mark
from rolearn.runtime.errors import ParameterError

SVG = "{http://www.w3.org/2000/svg}"


def drawing(graph):
    return ElementTree.fromstring(graph_text(graph, "svg"))


def groups(root, kind):
    """The groups of a class at the top, by their titles."""
    found = [g for g in root.findall(f"{SVG}g") if g.get("class") == kind]
    titles = [g.find(f"{SVG}title").text or "" for g in found]
    assert len(set(titles)) == len(titles)
    return dict(zip(titles, found, strict=True))


def box(node):
    rect = node.find(f"{SVG}rect")
    x, y, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
    return np.array([x, y]), np.array([x + width, y + height])


def gap(point, node):
    """How far a point is outside a box; negative within."""
    low, high = box(node)
    beyond = np.maximum(low - point, point - high)
    return float(np.hypot(*np.maximum(beyond, 0.0)) if beyond.max() > 0 else beyond.max())


def ends(edge):
    """The two ends of the line."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", edge.find(f"{SVG}path").get("d"))]
    return np.array(numbers[:2]), np.array(numbers[-2:])


def marks(edge):
    """The marks drawn: what, and where it touches its box."""
    circles = [
        (CIRCLE, np.array([float(c.get("cx")), float(c.get("cy"))])) for c in edge.findall(f"{SVG}circle")
    ]
    polygons = [p.get("points").split()[0].split(",") for p in edge.findall(f"{SVG}polygon")]
    return circles + [(ARROWHEAD, np.array([float(x), float(y)])) for x, y in polygons]


def check_marks(graph):
    root = drawing(graph)
    nodes, edges = groups(root, "node"), groups(root, "edge")
    assert set(nodes) == set(graph.names)
    assert len(edges) == graph.n_edges
    for edge in graph.edges():
        seen = edges.get(str(edge)) or edges[str(edge.reversed())]
        left = {edge.source: edge.mark_source, edge.target: edge.mark_target}
        for what, at in marks(seen):
            name = min(left, key=lambda name: abs(gap(at, nodes[name]) - (4.0 if what == CIRCLE else 0.0)))
            assert left.pop(name) == what
            assert gap(at, nodes[name]) == pytest.approx(4.0 if what == CIRCLE else 0.0, abs=0.15)
        assert all(mark == Mark.TAIL for mark in left.values())
        for name in left:
            assert min(abs(gap(end, nodes[name])) for end in ends(seen)) < 0.15
        for end in ends(seen):
            assert all(gap(end, nodes[name]) > -0.15 for name in (edge.source, edge.target))


@pytest.mark.parametrize("picture", ["o->", "-->", "<->", "o-o", "<-o", "<--", "---", "--o", "o--"])
@pytest.mark.parametrize("names", [("A", "B"), ("a_name_of_some_length", "b"), ("z", "a much longer name")])
def test_marks_are_at_their_ends_on_the_border(picture, names):
    check_marks(PAG.from_edges([(names[0], picture, names[1])]))


@pytest.mark.parametrize("name", ["ecoli70", "insurance", "water"])
def test_every_mark_of_a_network(name):
    dag = load_network(name)
    check_marks(dag)
    hidden = [dag.names[i] for i in np.random.default_rng(1).choice(len(dag.names), 5, replace=False)]
    check_marks(dag.project(hidden=hidden).pag())


def check_layout(graph):
    root = drawing(graph)
    nodes = list(groups(root, "node").values())
    lows, highs = (np.array(corners) for corners in zip(*map(box, nodes), strict=True))
    for i in range(len(nodes)):
        apart = (lows > highs[i]).any(axis=1) | (highs < lows[i]).any(axis=1)
        assert np.flatnonzero(~apart).tolist() == [i]
    x, y, width, height = map(float, root.get("viewBox").split())
    assert (lows > [x, y]).all()
    assert (highs < [x + width, y + height]).all()
    for node in nodes:
        text = node.find(f"{SVG}text")
        if text.get("textLength"):
            low, high = box(node)
            assert float(text.get("textLength")) <= high[0] - low[0] - 8


@given(st.integers(0, 2**32 - 1), st.integers(2, 25), st.floats(0.0, 0.5))
@settings(max_examples=15, deadline=None)
def test_boxes_never_overlap(seed, n, density):
    rng = np.random.default_rng(seed)
    below = np.tril(rng.random((n, n)) < density, -1)
    names = ["x" * int(rng.integers(1, 30)) + str(i) for i in range(n)]
    check_layout(DAG(np.where(below, 2, 0) + np.where(below.T, 3, 0), names))


def test_edges_pass_beside_the_other_boxes():
    graph = load_network("ecoli70")
    sizes = np.full((len(graph.names), 2), [50.0, 28.0])
    centers, curves = lay_out(graph.skeleton, sizes)
    for (i, j), curve in curves.items():
        off = np.abs(bezier(curve, np.linspace(0, 1, 100))[:, None] - np.delete(centers, [i, j], axis=0))
        assert not (off < [25.0, 14.0]).all(axis=2).any()


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=2, max_size=5, unique=True
    )
)
@settings(max_examples=60, deadline=None)
def test_any_name_is_text(names):
    root = drawing(PAG.from_edges([(names[0], "o->", names[1])], nodes=names))
    nodes = [g for g in root.findall(f"{SVG}g") if g.get("class") == "node"]
    assert len(nodes) == len(names)
    allowed = {"svg", "title", "rect", "g", "text", "path", "circle", "polygon"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed


def test_names_are_data():
    hostile = [
        '"><script>f()</script>',
        "</text>",
        "&amp;",
        "<!--",
        "]]>",
        "a\nb",
        "\x00\x1b[31m",
        "' x='",
    ]
    graph = PAG.from_edges([(hostile[0], "<->", hostile[1])], nodes=hostile)
    text = graph_text(graph, "svg")
    assert "<script" not in text
    assert "<!--" not in text
    shown = [node.find(f"{SVG}text").text for node in groups(ElementTree.fromstring(text), "node").values()]
    visible = [name.replace("\n", "␊").replace("\x00", "␀").replace("\x1b", "␛") for name in hostile]
    assert sorted(shown) == sorted(visible)


def test_long_names_are_shortened_unless_they_would_read_the_same():
    start, stop = "a" * 40, "b" * 40
    [node] = groups(drawing(PAG.from_edges([], nodes=[start + stop])), "node").values()
    assert len(node.find(f"{SVG}text").text) < 30
    assert node.find(f"{SVG}title").text == start + stop
    twins = [start + "1" + stop, start + "2" + stop]
    nodes = groups(drawing(PAG.from_edges([], nodes=twins)), "node")
    assert {node.find(f"{SVG}text").text for node in nodes.values()} == set(twins)


def test_isolated_vertices_are_below():
    root = drawing(PAG.from_edges(["A o-> B", "B o-o C"], nodes=["alone", "A", "B", "C", "other"]))
    nodes = groups(root, "node")
    joined = max(box(nodes[name])[1][1] for name in "ABC")
    assert all(box(nodes[name])[0][1] > joined for name in ("alone", "other"))


def test_legend_has_the_edges_that_occur():
    def legend(graph):
        root = drawing(graph)
        lines = [g for g in root.findall(f"{SVG}g") if g.get("class") == "legend"]
        return {line.find(f"{SVG}g/{SVG}title").text: line.findall(f"{SVG}text")[-1].text for line in lines}

    pag = legend(PAG.from_edges(["A o-> B", "C <-> B"]))
    assert set(pag) == {"A o-> B", "A <-> B"}
    cpdag = legend(CPDAG.from_edges(["A --- B"]))
    assert "which" in cpdag["A --- B"]
    assert cpdag["A --- B"] != legend(PAG.from_edges(["A --- B"]))["A --- B"]
    assert legend(PAG.from_edges([], nodes=["A"])) == {}


@pytest.mark.parametrize("nodes", [[], ["A"], ["A", "B"]])
def test_without_edges(nodes):
    assert set(groups(drawing(PAG.from_edges([], nodes=nodes)), "node")) == set(nodes)


def test_same_picture_from_any_column_order():
    graph = load_network("insurance").cpdag()
    text = graph_text(graph, "svg")
    assert graph_text(graph, "svg") == text
    names = list(np.random.default_rng(0).permutation(graph.names))
    assert graph_text(graph.reorder(names), "svg") == text


def test_large_graphs_take_the_quick_layout():
    rng = np.random.default_rng(0)
    below = np.tril(rng.random((160, 160)) < 0.01, -1) | np.eye(160, k=-1, dtype=bool)
    graph = DAG(np.where(below, 2, 0) + np.where(below.T, 3, 0))
    check_layout(graph)
    assert len(groups(drawing(graph), "edge")) == graph.n_edges


def test_written_by_suffix_and_not_read_back(tmp_path):
    path = tmp_path / "graph.svg"
    write_graph(PAG.from_edges(["A o-> B"]), path)
    assert path.read_text(encoding="utf-8").startswith("<svg xmlns")
    with pytest.raises(ParameterError, match="svg can't be read back"):
        read_graph(path)


def test_needs_no_plotting_library():
    code = (
        "import sys; from rolearn import PAG; from rolearn.export import graph_text;"
        "graph_text(PAG.from_edges(['A o-> B', 'B o-o C']), 'svg');"
        "print([name for name in ('matplotlib', 'pandas', 'scipy.stats') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr
