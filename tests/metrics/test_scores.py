from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolearn import DAG, ROL
from rolearn.metrics import compare, evaluate, skeleton_scores, wrong_marks
from rolearn.runtime.errors import ParameterError

pytestmark = pytest.mark.pure

CODES = {"o": 1, ">": 2, "<": 2, "-": 3}


@dataclass
class Drawn:
    """Names and marks: all that a score may look at."""

    names: tuple[str, ...]
    marks: np.ndarray


def draw(names, *edges):
    """Make a graph from pictures such as "A o-> B"."""
    marks = np.zeros((len(names), len(names)), np.int8)
    for edge in edges:
        a, picture, b = edge.split()
        i, j = names.index(a), names.index(b)
        marks[i, j], marks[j, i] = CODES[picture[2]], CODES[picture[0]]
    return Drawn(tuple(names), marks)


TRUTH = draw("ABCD", "A --> B", "B <-> C", "C o-> D", "A o-o C")
LEARNED = draw("ABCD", "A --> B", "B --> C", "C o-> D", "B o-o D")


def test_skeleton_scores_by_hand():
    scores = evaluate(LEARNED, TRUTH).skeleton
    assert (scores.true_positives, scores.false_positives, scores.false_negatives) == (3, 1, 1)
    assert scores.precision == scores.recall == scores.f1 == 0.75
    assert scores.shd == 2


def test_mark_scores_by_hand():
    scores = evaluate(LEARNED, TRUTH)
    assert (scores.arrowheads.learned, scores.arrowheads.true, scores.arrowheads.correct) == (3, 4, 3)
    assert (scores.arrowheads.precision, scores.arrowheads.recall) == (1.0, 0.75)
    assert (scores.tails.learned, scores.tails.true, scores.tails.correct) == (2, 1, 1)
    assert (scores.tails.precision, scores.tails.recall) == (0.5, 1.0)
    # the tail at B on B --> C, and both ends of the missing and of the extra edge
    assert scores.wrong_marks == 5
    assert scores.n_pairs == 12


def test_direction_matters():
    """A transposed convention would score this as right."""
    scores = evaluate(draw("AB", "B --> A"), draw("AB", "A --> B"))
    assert scores.skeleton.f1 == 1.0
    assert scores.arrowheads.correct == scores.tails.correct == 0
    assert scores.wrong_marks == 2


def test_empty_graphs():
    empty = draw("ABCD")
    scores = evaluate(empty, TRUTH)
    assert (scores.skeleton.precision, scores.skeleton.recall, scores.skeleton.f1) == (1.0, 0.0, 0.0)
    assert scores.skeleton.shd == 4
    assert (scores.arrowheads.precision, scores.arrowheads.recall) == (1.0, 0.0)
    scores = evaluate(empty, empty)
    assert (scores.skeleton.precision, scores.skeleton.recall, scores.skeleton.f1) == (1.0, 1.0, 1.0)
    assert scores.wrong_marks == 0
    assert evaluate(TRUTH, empty).skeleton.precision == 0.0


def test_names_are_matched_whatever_their_order():
    order = [2, 0, 3, 1]
    shuffled = Drawn(tuple(LEARNED.names[i] for i in order), LEARNED.marks[np.ix_(order, order)])
    assert evaluate(shuffled, TRUTH) == evaluate(LEARNED, TRUTH)
    assert compare(shuffled, LEARNED) == []


def test_different_variables_are_named():
    other = draw("ABXY")
    for function in (evaluate, compare):
        with pytest.raises(ParameterError, match=r"the first has no 'X', 'Y'; the second has no 'C', 'D'"):
            function(LEARNED, other)


def test_comparison_lists_every_mark_that_differs():
    differences = compare(LEARNED, TRUTH)
    assert [tuple(d) for d in differences] == [
        ("A", "C", "...", "o-o"),
        ("B", "C", "-->", "<->"),
        ("B", "D", "o-o", "..."),
    ]
    assert str(differences[1]) == "B --> C  |  B <-> C"
    assert compare(TRUTH, TRUTH) == []


def test_comparison_of_reversed_edges_reads_from_the_same_side():
    assert [tuple(d) for d in compare(draw("AB", "B o-> A"), draw("AB", "A --> B"))] == [
        ("A", "B", "<-o", "-->")
    ]


def test_scores_as_plain_numbers():
    document = evaluate(LEARNED, TRUTH).as_dict()
    assert document["skeleton"]["f1"] == 0.75
    assert document["wrong_marks"] == 5
    assert type(document["arrowheads"]["correct"]) is int


@st.composite
def graphs(draw_from, n=5):
    marks = np.zeros((n, n), np.int8)
    for i in range(n):
        for j in range(i):
            if draw_from(st.booleans()):
                marks[i, j] = draw_from(st.integers(1, 3))
                marks[j, i] = draw_from(st.integers(1, 3))
    return Drawn(tuple("ABCDE"[:n]), marks)


@given(graphs(), graphs())
def test_scores_agree_with_sets_of_edges(learned, truth):
    """The definitions of the paper's C.3 over Python sets."""

    def edges(graph):
        n = len(graph.names)
        return {frozenset((i, j)) for i in range(n) for j in range(n) if graph.marks[i, j]}

    def ends(graph, mark):
        n = len(graph.names)
        return {(i, j) for i in range(n) for j in range(n) if graph.marks[i, j] == mark}

    scores = evaluate(learned, truth)
    found, there = edges(learned), edges(truth)
    assert scores.skeleton.shd == len(found ^ there)
    assert scores.skeleton.true_positives == len(found & there)
    if found and there:
        precision, recall = len(found & there) / len(found), len(found & there) / len(there)
        assert scores.skeleton.precision == precision
        assert scores.skeleton.recall == recall
        if precision + recall:
            assert scores.skeleton.f1 == pytest.approx(2 / (1 / precision + 1 / recall) if precision else 0)
    for mark, found_scores in ((2, scores.arrowheads), (3, scores.tails)):
        assert found_scores.correct == len(ends(learned, mark) & ends(truth, mark))
        assert found_scores.learned == len(ends(learned, mark))
        assert found_scores.true == len(ends(truth, mark))
    labels = [ends(graph, mark) for graph in (learned, truth) for mark in range(4)]
    same = sum(len(labels[mark] & labels[4 + mark]) for mark in range(4))
    assert scores.wrong_marks == 25 - same
    assert len(compare(learned, truth)) == len(
        {frozenset(p) for p in np.argwhere(learned.marks != truth.marks).tolist()}
    )


@given(graphs(), graphs())
def test_scores_are_symmetric_where_they_should_be(learned, truth):
    forth, back = evaluate(learned, truth), evaluate(truth, learned)
    assert forth.wrong_marks == back.wrong_marks == wrong_marks(learned.marks, truth.marks)
    assert forth.skeleton.shd == back.skeleton.shd
    assert forth.skeleton.f1 == pytest.approx(back.skeleton.f1)
    assert skeleton_scores(learned.marks != 0, truth.marks != 0) == forth.skeleton


def test_what_is_no_graph_is_said():
    graph = DAG.from_edges([("A", "B")])
    for ask in (compare, evaluate):
        for pair in ((graph, None), ("A --> B", graph), (ROL(), graph)):
            with pytest.raises(ParameterError, match=r"graphs are compared, not a (NoneType|str|ROL)"):
                ask(*pair)
