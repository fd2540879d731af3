"""Causes, visible edges and adjustment sets against their definitions, over all DAGs of a class."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.brute_force import ancestors, shared_marks
from graphs.causal_truth import (
    Criterion,
    dags_of,
    is_of,
    sampled_class,
    small_classes,
    small_dag_classes,
)
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.runtime.errors import ParameterError


def names(n):
    return [str(v) for v in range(n)]


def subsets(vertices):
    return chain.from_iterable(combinations(vertices, size) for size in range(len(vertices) + 1))


def questions(n, joint):
    singles = [((a,), (b,)) for a in range(n) for b in range(n) if a != b]
    if not joint:
        return singles
    pairs = [(x, (b,)) for x in combinations(range(n), 2) for b in range(n) if b not in x]
    return [*singles, *pairs, *((b, x) for x, b in pairs)]


def check_adjustment(graph, dags, joint):
    n = len(graph.names)
    for x, y in questions(n, joint):
        criteria = [Criterion(*dag, x, y) for dag in dags]
        rest = [v for v in range(n) if v not in (*x, *y)]
        valid = [set(chosen) for chosen in subsets(rest) if all(c.valid(chosen) for c in criteria)]
        for chosen in subsets(rest):
            told = graph.is_adjustment_set([str(v) for v in x], [str(v) for v in y], [str(v) for v in chosen])
            assert told == (set(chosen) in valid), (str(graph), x, y, chosen)
        answer = graph.adjustment_set([str(v) for v in x], [str(v) for v in y])
        assert bool(answer) == bool(valid), (str(graph), x, y)
        if valid:
            found = {int(name) for name in answer}
            assert found in valid
            assert not any(other < found and len(other) == len(found) - 1 for other in valid)
        else:
            assert "not identifiable by adjustment" in str(answer)


def check_causes(graph, members):
    reach = [ancestors(member) for member in members]
    for v in range(len(graph.names)):
        name = str(v)
        for told, truth in [
            (graph.possible_ancestors(name), np.any(reach, axis=0)[:, v]),
            (graph.definite_ancestors(name), np.all(reach, axis=0)[:, v]),
            (graph.possible_descendants(name), np.any(reach, axis=0)[v]),
            (graph.definite_descendants(name), np.all(reach, axis=0)[v]),
        ]:
            assert told == {str(w) for w in np.flatnonzero(truth)}, (str(graph), v)


def check_visible(graph, members):
    """Visible: in no DAG of any member do the two have a hidden common cause."""
    told = {(int(edge.source), int(edge.target)) for edge in graph.visible_edges()}
    truth = set()
    for i, j in np.argwhere((graph.marks == 2) & (graph.marks.T == 3)).tolist():
        if not any(_can_share(member, i, j) for member in members):
            truth.add((i, j))
    assert told == truth, str(graph)


def _can_share(member, i, j):
    directed = (member == 2) & (member.T == 3)
    hidden = (member == 2) & (member.T == 2)
    hidden[i, j] = hidden[j, i] = True
    return is_of(directed, hidden, member)


@pytest.mark.parametrize("n", [2, 3])
def test_all_pags_over_few_vertices(n):
    for members in small_classes(n):
        pag = PAG(shared_marks(members), names(n))
        check_causes(pag, members)
        check_visible(pag, members)
        check_adjustment(pag, [dag for member in members for dag in dags_of(member)], True)
        for member in members:
            check_adjustment(MAG(member, names(n)), dags_of(member), True)


@pytest.mark.slow
def test_all_pags_over_four_vertices():
    for members in small_classes(4):
        pag = PAG(shared_marks(members), names(4))
        check_causes(pag, members)
        check_visible(pag, members)
        check_adjustment(pag, [dag for member in members for dag in dags_of(member)], len(members) < 30)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_sampled_pags_over_five_vertices(seed):
    members = sampled_class(seed)
    pag = PAG(shared_marks(members), names(5))
    check_causes(pag, members)
    check_visible(pag, members)
    check_adjustment(pag, [dag for member in members for dag in dags_of(member)], len(members) < 10)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_cpdags_over_few_vertices(n):
    for members in small_dag_classes(n):
        cpdag = DAG(members[0], names(n)).cpdag()
        check_causes(cpdag, members)
        check_adjustment(cpdag, [dag for member in members for dag in dags_of(member, False)], n < 4)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_regression_on_an_adjustment_set_gives_the_effect(seed):
    """In the population of a linear model with hidden variables, for whatever its PAG calls identifiable."""
    generator = np.random.default_rng(seed)
    n, n_hidden = int(generator.integers(3, 11)), int(generator.integers(0, 4))
    total = n + n_hidden
    weights = np.triu(
        generator.uniform(0.4, 1.5, (total, total)) * generator.choice([-1, 1], (total, total)), 1
    )
    weights *= generator.random((total, total)) < 2.5 / total
    effects = np.linalg.inv(np.eye(total) - weights)  # [i, j]: the total effect of i on j
    covariance = effects.T @ np.diag(generator.uniform(0.5, 2, total)) @ effects
    measured = np.sort(generator.permutation(total)[:n])
    marks = np.where(weights, 2, np.where(weights.T, 3, 0))
    dag = DAG(marks, names(total))
    hidden = [str(v) for v in range(total) if v not in measured]
    pag = dag.project(hidden).pag()
    for x in measured:
        for y in measured:
            if x == y or not (answer := pag.adjustment_set(str(x), str(y))):
                continue
            given = [x, *map(int, answer)]
            coefficients = np.linalg.solve(covariance[np.ix_(given, given)], covariance[given, y])
            assert coefficients[0] == pytest.approx(effects[x, y], abs=1e-8)


EXAMPLE = PAG.from_edges(["A o-> X", "B o-> X", "X --> Y", "B --> Y"], nodes=["A", "X", "B", "Y", "alone"])


def test_an_answer_reads_as_a_set_where_there_is_one():
    answer = EXAMPLE.adjustment_set("X", "Y")
    assert answer
    assert answer.identifiable
    assert answer == {"B"}
    assert answer.given == frozenset({"B"})
    assert list(answer) == ["B"]
    assert len(answer) == 1
    assert "B" in answer
    assert str(answer) == "the effect of X on Y: adjust for B"


def test_an_answer_says_where_there_is_none():
    answer = EXAMPLE.adjustment_set("A", "Y")
    assert not answer
    assert answer.given is None
    assert answer != set()
    assert answer != frozenset()
    assert "not identifiable by adjustment: A o-> X may have an unmeasured common cause" in str(answer)
    for use in (list, len, lambda a: "B" in a):
        with pytest.raises(ParameterError, match="not identifiable by adjustment"):
            use(answer)


def test_no_effect_needs_a_set_too():
    answer = EXAMPLE.adjustment_set("Y", "X")
    assert not answer  # Y <- X is open, whatever is adjusted for
    assert "no set of measured variables" in str(answer)
    none = EXAMPLE.adjustment_set("Y", "alone")
    assert none == set()
    assert "Y can't be a cause of alone" in str(none)


def test_answers_do_not_depend_on_the_order_of_columns():
    for seed in range(30):
        members = small_classes(4)[seed * 3 % len(small_classes(4))]
        pag = PAG(shared_marks(members), ["w", "x", "y", "z"])
        other = pag.reorder(["z", "x", "w", "y"])
        for a in pag.names:
            for b in pag.names:
                if a != b:
                    assert str(pag.adjustment_set(a, b)) == str(other.adjustment_set(a, b))


@pytest.mark.parametrize(
    ("x", "y", "part"),
    [
        ("X", "X", "'X' is in both"),
        (["X", "A"], ["Y", "X"], "'X' is in both"),
        ([], "Y", "one of them is empty"),
        ("X", "Q", "no 'Q' in this graph"),
    ],
)
def test_questions_that_can_not_be_asked(x, y, part):
    with pytest.raises(ParameterError, match=part):
        EXAMPLE.adjustment_set(x, y)
    with pytest.raises(ParameterError, match=part):
        EXAMPLE.is_adjustment_set(x, y)


def test_what_is_asked_about_is_not_adjusted_for():
    with pytest.raises(ParameterError, match="'X' is asked about"):
        EXAMPLE.is_adjustment_set("X", "Y", ["B", "X"])


def test_an_invalid_pag_has_no_adjustment_sets():
    with pytest.raises(ParameterError, match="stands for no MAG"):
        PAG.from_edges(["A --> B", "B --> C", "C --> A"]).adjustment_set("A", "B")


@pytest.mark.parametrize(
    ("graph", "a", "b", "sentence"),
    [
        (
            PAG.from_edges(["B o-> A"]),
            "A",
            "B",
            "A is not a cause of B; B may cause A, or both share an unmeasured cause.",
        ),
        (
            PAG.from_edges(["A <-> B"]),
            "A",
            "B",
            "Neither of A and B is a cause of the other; they share an unmeasured cause.",
        ),
        (
            PAG.from_edges(["a o-o b"]),
            "a",
            "b",
            "a may cause b, b may cause a, or both share an unmeasured cause.",
        ),
        (
            PAG.from_edges(["A --> B"]),
            "B",
            "A",
            "A is a cause of B, directly or through others; an unmeasured variable may cause both as well.",
        ),
        (DAG.from_edges(["A --> B"]), "B", "A", "A is a direct cause of B."),
        (
            CPDAG.from_edges(["A --- B"]),
            "A",
            "B",
            "One of A and B is a direct cause of the other; the data don't tell which.",
        ),
        (EXAMPLE, "A", "Y", "A and Y are not adjacent: they are independent given X and B."),
        (EXAMPLE, "A", "B", "A and B are not adjacent: they are independent without any condition."),
        (
            PAG.from_edges(["A --> B", "B --> C", "C --> A"], nodes="ABCD"),
            "A",
            "D",
            "A and D are not adjacent: some set of the others makes them independent.",
        ),
    ],
)
def test_explain(graph, a, b, sentence):
    assert graph.explain(a, b) == sentence


def test_explain_takes_edges_in_any_form():
    edge = EXAMPLE.edges()[0]
    expected = EXAMPLE.explain("A", "X")
    for form in (edge, edge.reversed(), "A o-> X", "X <-o A", ("A", "X"), ("A", "o->", "X"), ["A", "X"]):
        assert EXAMPLE.explain(form) == expected
    with pytest.raises(ParameterError, match="there is no edge A --> X; it is A o-> X"):
        EXAMPLE.explain("A --> X")
    with pytest.raises(ParameterError, match="the two are not adjacent"):
        EXAMPLE.explain("A --> Y")
    with pytest.raises(ParameterError, match="name two vertices"):
        EXAMPLE.explain("A", "A")


def test_edge_table():
    table = EXAMPLE.edge_table()
    assert table.columns == ("source", "edge", "target", "mark_source", "mark_target", "visible", "text")
    assert [tuple(row)[:6] for row in table] == [
        ("A", "o->", "X", "circle", "arrow", None),
        ("X", "-->", "Y", "tail", "arrow", True),
        ("B", "o->", "X", "circle", "arrow", None),
        ("B", "-->", "Y", "tail", "arrow", False),
    ]
    assert table.to_dicts()[1]["visible"] is True
    assert table.to_csv().splitlines()[1].startswith("A,o->,X,circle,arrow,,")
    assert str(table).splitlines()[0].split() == list(table.columns)


def test_edge_table_as_a_file_and_a_dataframe(tmp_path):
    import pandas as pd

    table = PAG.from_edges([('a "b", c', "o->", "x\ny")]).edge_table()
    table.to_csv(tmp_path / "edges.csv")
    read_by = pd.read_csv(tmp_path / "edges.csv")
    assert read_by.loc[0, "source"] == 'a "b", c'
    assert read_by.loc[0, "target"] == "x\ny"
    assert list(pd.DataFrame(table).columns) == list(table.columns)
    with pytest.raises(ParameterError, match="can't be written"):
        table.to_csv(tmp_path / "nowhere" / "edges.csv")
    assert PAG.from_edges([], nodes=["A"]).edge_table().to_csv().count("\n") == 1


@pytest.mark.parametrize("other", [None, 3, ("A",), "A"])
def test_what_is_no_edge_is_said(other):
    with pytest.raises(ParameterError, match="edge"):
        DAG.from_edges([("A", "B")]).explain(other)
