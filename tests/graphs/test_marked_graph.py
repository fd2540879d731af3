from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest

from rolearn.graphs import CPDAG, DAG, MAG, PAG, Edge, Mark
from rolearn.runtime.errors import ParameterError

pytestmark = pytest.mark.pure


def test_edges_are_drawn_with_the_arrow_to_the_right():
    pag = PAG.from_edges(["B <-o A", "C --> B", "D <-> C", "E o-- F", "G o-o A"], nodes="ABCDEFGHI")
    assert [str(edge) for edge in pag.edges()] == ["A o-> B", "A o-o G", "C --> B", "C <-> D", "F --o E"]
    assert pag.edges()[0] == Edge("A", "B", Mark.CIRCLE, Mark.ARROWHEAD)
    assert pag.mark("A", "B") is Mark.ARROWHEAD
    assert pag.mark("B", "A") is Mark.CIRCLE
    assert pag.mark("A", "C") is Mark.NO_EDGE
    assert pag.adjacent("C", "D")
    assert not pag.adjacent("A", "D")
    assert pag.n_edges == 5
    assert pag.isolated() == ["H", "I"]


def test_text_is_aligned_and_lists_isolated_vertices():
    pag = PAG.from_edges(
        [("long name", "o->", "B"), ("A", "<->", "B")], nodes=["long name", "A", "B", "C", "D"]
    )
    assert str(pag) == "long name o-> B\nA         <-> B\nisolated: C, D"
    assert repr(pag) == "<PAG: 5 vertices, 2 edges>"
    assert str(PAG(np.zeros((0, 0)))) == ""


def test_equality_ignores_the_order_of_columns():
    first = PAG.from_edges(["A o-> B", "B --> C"], nodes=["A", "B", "C"])
    second = PAG.from_edges(["B --> C", "A o-> B"], nodes=["C", "A", "B"])
    assert first == second
    assert hash(first) == hash(second)
    assert first.reorder(["C", "A", "B"]).names == ("C", "A", "B")
    assert first.reorder(["C", "A", "B"]) == first
    assert first != PAG.from_edges(["A o-o B", "B --> C"])
    assert first != PAG.from_edges(["A o-> B", "B --> D"])
    assert DAG.from_edges([("A", "B")]) != MAG.from_edges([("A", "B")])
    assert first != "A o-> B"


def test_frozen():
    marks = np.array([[0, 2], [3, 0]])
    dag = DAG(marks)
    marks[0, 1] = 3
    assert dag.names == ("X1", "X2")
    assert dag.marks.dtype == np.int8
    assert str(dag) == "X1 --> X2"
    with pytest.raises(ValueError, match="read-only"):
        dag.marks[0, 1] = 3
    with pytest.raises(AttributeError, match="can't be changed"):
        dag.names = ("A", "B")
    with pytest.raises(AttributeError, match="can't be changed"):
        del dag.names
    for other in (pickle.loads(pickle.dumps(dag)), copy.deepcopy(dag), copy.copy(dag)):
        assert other == dag
        assert not other.marks.flags.writeable


@pytest.mark.parametrize(
    ("marks", "names", "sentence"),
    [
        ([[0, 1]], None, "square"),
        ([0, 1], None, "square"),
        ([[0, 4], [1, 0]], None, "0 \\(no edge\\)"),
        ([[0, 258], [2, 0]], None, "0 \\(no edge\\)"),
        ([[0, 1.5], [1, 0]], None, "0 \\(no edge\\)"),
        ([[1, 0], [0, 0]], None, "diagonal"),
        ([[0, 1], [0, 0]], None, "counterpart"),
        ([["a"]], None, "square array of the integers"),
        ([[0, 1], [1, 0]], ["A"], "1 names for 2 nodes"),
        ([[0, 1], [1, 0]], ["A", "A"], "more than one node is named 'A'"),
        ([[0, 1], [1, 0]], [1, "1"], "are both '1' as text"),
        ([[0, 1], [1, 0]], "AB", "names is one string"),
    ],
)
def test_bad_marks_and_names(marks, names, sentence):
    with pytest.raises(ParameterError, match=sentence):
        PAG(marks, names)


@pytest.mark.parametrize(
    ("edges", "nodes", "sentence"),
    [
        (["A B"], None, "'A B' isn't of the form"),
        (["A x-> B"], None, "'x->' is no edge"),
        ([("A", 3, "B")], None, "3 is no edge"),
        ([("A",)], None, "two names"),
        (["A -> A"], None, "to itself"),
        (["A -> B", "B -> A"], None, "two edges between 'B' and 'A'"),
        (["A -> B"], ["A"], "'B', which is not among the nodes"),
    ],
)
def test_bad_edges(edges, nodes, sentence):
    with pytest.raises(ParameterError, match=sentence):
        PAG.from_edges(edges, nodes)


def test_names_that_are_not_strings_or_hold_spaces():
    dag = DAG.from_edges([(1, 2), (2, "a b"), (("top", "sub"), 2)])
    assert dag.names == ("1", "2", "a b", "('top', 'sub')")
    assert dag.m_separated(1, ("top", "sub"))
    assert not dag.m_separated(1, ("top", "sub"), given=["a b"])
    assert dag.index(2) == 1
    with pytest.raises(ParameterError, match="no 'nowhere'"):
        dag.index("nowhere")


def test_short_pictures_mean_the_long_ones():
    assert PAG.from_edges(["A -> B", "B <- C", "C -- D"]) == PAG.from_edges(["A --> B", "C --> B", "C --- D"])


def test_subgraph():
    mag = MAG.from_edges(["A <-> B", "B -> C", "C -> D"])
    assert mag.subgraph(["C", "B"]) == MAG.from_edges(["B -> C"])
    assert mag.subgraph([]).names == ()
    with pytest.raises(ParameterError, match="twice"):
        mag.subgraph(["A", "A"])


def test_networkx_carries_both_marks():
    graph = PAG.from_edges(["A o-> B"], nodes=["A", "B", "C"]).to_networkx()
    assert isinstance(graph, nx.DiGraph)
    assert list(graph) == ["A", "B", "C"]
    assert graph.edges["A", "B"] == {"mark": "arrow", "code": 2}
    assert graph.edges["B", "A"] == {"mark": "circle", "code": 1}


def test_one_kind_from_another():
    dag = DAG.from_edges(["A -> B", "C -> B", "B -> D"])
    assert dag.mag() == MAG.from_edges(["A -> B", "C -> B", "B -> D"])
    assert dag.cpdag() == CPDAG.from_edges(["A -> B", "C -> B", "B -> D"])
    assert dag.cpdag().dag() == dag
    assert dag.pag() == PAG.from_edges(["A o-> B", "C o-> B", "B --> D"])
    assert dag.mag().pag() == dag.pag()
    assert dag.project("B") == MAG.from_edges(["A -> D", "C -> D"])
    assert dag.project(hidden=[]) == dag.mag()
    assert dag.kind == "dag"
    assert [kind.kind for kind in (DAG, CPDAG, MAG, PAG)] == ["dag", "cpdag", "mag", "pag"]


def test_equivalence_needs_the_same_names():
    first = DAG.from_edges([("A", "B")])
    assert first.markov_equivalent(DAG.from_edges([("B", "A")]))
    assert first.markov_equivalent(MAG.from_edges(["A <-> B"]))
    assert not first.markov_equivalent(DAG.from_edges([("A", "C")]))
