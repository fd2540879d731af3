"""Members of a class, and DAGs with hidden causes for other programs, against brute force."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs.brute_force import shared_marks
from graphs.causal_truth import sampled_class, small_classes, small_dag_classes
from needs import needs
from rolearn.data.simulation import random_dag
from rolearn.graphs import DAG, MAG, PAG
from rolearn.graphs.members import equivalent_graphs
from rolearn.graphs.relations import visible_edges
from rolearn.runtime.errors import ParameterError


def as_bytes(members):
    return {np.array(marks, dtype=np.int8).tobytes() for marks in members}


def check_handed(handed, graph):
    """It is of the class, all its hidden causes are where they may be, and what is chosen is listed."""
    assert handed.dag.project(handed.hidden) == handed.member
    assert nx.is_directed_acyclic_graph(handed.graph)
    assert set(handed.graph) == {*graph.names, *handed.hidden}
    assert {name for name, seen in handed.graph.nodes(data="observed") if seen == "no"} == set(handed.hidden)
    effects = {frozenset(handed.graph.successors(name)) for name in handed.hidden}
    without = {frozenset(c[:2]) for c in handed.choices if c.chosen.endswith("no hidden cause")}
    visible = visible_edges(handed.member.marks, handed.member.kind)
    for edge in handed.member.edges():
        pair = frozenset((edge.source, edge.target))
        i, j = handed.member.index(edge.source), handed.member.index(edge.target)
        wanted = edge.picture == "<->" or (not visible[i, j] and pair not in without)
        assert (pair in effects) == wanted
        shown = graph.mark(edge.source, edge.target), graph.mark(edge.target, edge.source)
        changed = shown != (edge.mark_target, edge.mark_source)
        listed = [c for c in handed.choices if {c.source, c.target} == set(pair)]
        assert any(c.found != c.chosen and "cause" not in c.chosen for c in listed) == changed
        assert (not visible[i, j] and edge.picture == "-->") == any("cause" in c.chosen for c in listed)
    return without


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_members_of_small_classes(n):
    for members in small_classes(n):
        pag = PAG(shared_marks(members))
        start = np.array(pag.mag().marks)
        assert as_bytes(equivalent_graphs(start, "pag")) == as_bytes(members)
        handed = pag.to_dowhy_members(1000)
        assert as_bytes(each.member.marks for each in handed) == as_bytes(members)
        for each in handed[:20]:
            check_handed(each, pag)
            assert each.member.pag() == pag
        assert not check_handed(pag.to_dowhy(), pag)  # the first has all hidden causes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_all_members_of_sampled_classes(seed):
    members = sampled_class(seed)
    pag = PAG(shared_marks(members))
    assert as_bytes(equivalent_graphs(np.array(pag.mag().marks), "pag")) == as_bytes(members)
    assert not check_handed(pag.to_dowhy(), pag)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_dags_of_small_classes(n):
    for members in small_dag_classes(n):
        cpdag = DAG(members[0]).cpdag()
        assert as_bytes(equivalent_graphs(np.array(cpdag.dag().marks), "cpdag")) == as_bytes(members)
        handed = cpdag.to_dowhy_members(1000)
        assert len(handed) == len(members)
        for each in handed:
            assert each.hidden == ()
            assert each.dag.cpdag() == cpdag


@pytest.mark.parametrize("seed", range(6))
def test_larger_graphs(seed):
    generator = np.random.default_rng(seed)
    dag = random_dag(34, 0.07, generator)
    pag = dag.project(dag.names[:4]).pag()
    check_handed(pag.to_dowhy(), pag)


def test_the_order_of_columns_changes_nothing():
    pag = PAG.from_edges(["A o-o B", "B o-o C", "C o-o D"])
    other = pag.reorder("CADB")
    for mine, theirs in zip(pag.to_dowhy_members(), other.to_dowhy_members(), strict=True):
        assert set(mine.graph.edges) == set(theirs.graph.edges)
        assert set(mine.choices) == set(theirs.choices)


def test_hidden_causes_get_names_of_their_own():
    handed = PAG.from_edges(["U1 <-> U3", "U1 o-> U4"], nodes=["U1", "U3", "U4"]).to_dowhy_members
    with pytest.raises(ParameterError, match="stands for no MAG"):
        handed()
    mag = MAG.from_edges(["U1 <-> U3", "U1 --> U4"])
    assert set(mag.to_dowhy().hidden) == {"U2"}


def test_what_can_not_be_handed_on():
    with pytest.raises(ParameterError, match="stands for no"):
        PAG.from_edges(["A --- B"]).to_dowhy()
    with pytest.raises(ParameterError, match="limit is 0"):
        PAG.from_edges(["A o-o B"]).to_dowhy_members(0)


def test_a_dag_is_handed_on_as_it_is():
    dag = DAG.from_edges(["A --> B", "C --> B"], nodes="ABCD")
    handed = dag.to_dowhy()
    assert handed.dag == dag
    assert handed.choices == handed.hidden == ()


@needs("dowhy")
def test_dowhy_finds_what_we_find():
    """The effect of X on Y by DoWhy's own backdoor search and estimate, names with spaces included."""
    import pandas as pd
    from dowhy import CausalModel

    generator = np.random.default_rng(0)
    a, b, noise_x, noise_y = generator.standard_normal((4, 20_000))
    x = a + b + noise_x
    y = 2.0 * x + b + noise_y
    table = pd.DataFrame({"A": a, "the cause": x, "B & co": b, "Y": y})
    pag = PAG.from_edges(
        [
            ("A", "o->", "the cause"),
            ("B & co", "o->", "the cause"),
            ("the cause", "-->", "Y"),
            ("B & co", "-->", "Y"),
        ]
    )
    assert pag.adjustment_set("the cause", "Y") == {"B & co"}
    handed = pag.to_dowhy()
    model = CausalModel(data=table, treatment="the cause", outcome="Y", graph=handed.graph)
    estimand = model.identify_effect(proceed_when_unidentifiable=False)
    assert "B & co" in estimand.get_backdoor_variables()
    assert not set(estimand.get_backdoor_variables()) & set(handed.hidden)
    estimate = model.estimate_effect(estimand, method_name="backdoor.linear_regression")
    assert estimate.value == pytest.approx(2.0, abs=0.05)
    confounded = CausalModel(data=table, treatment="A", outcome="the cause", graph=handed.graph)
    assert confounded.identify_effect(proceed_when_unidentifiable=False).estimands["backdoor"] is None


@needs("dowhy", "pydot")
@pytest.mark.parametrize("names", [("A", "X", "B", "Y"), ("a.b", "x y", "b&c", "größe")])
def test_dowhy_reads_our_dot_of_a_dag(names):
    import pandas as pd
    from dowhy import CausalModel

    from rolearn.export import graph_text

    a, x, b, y = names
    dag = DAG.from_edges([(a, x), (b, x), (x, y), (b, y)])
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((50, 4)), columns=list(names))
    model = CausalModel(data=table, treatment=x, outcome=y, graph=graph_text(dag, "dot"))
    read_by = model._graph._graph  # names such as data.dotted it takes for a file: hand on to_dowhy().graph
    assert {node.strip('"') for node in read_by} == set(names)
    assert {(u.strip('"'), v.strip('"')) for u, v in read_by.edges()} == {
        (e.source, e.target) for e in dag.edges()
    }
