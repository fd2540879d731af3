"""Marks from background knowledge against brute force: all members of a class that agree with it."""

from __future__ import annotations

import brute_force as bf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn import CPDAG, DAG, PAG
from rolearn.graphs.restricted import RestrictedCPDAG, RestrictedPAG
from rolearn.graphs.restriction import restrict_cpdag, restrict_pag

STATEMENTS = ["tiers", "member", "random"]  # kinds of `drawn_statements`


def agreeing(group, not_cause, required):
    return [
        marks
        for marks in group
        if not (bf.ancestors(marks) & not_cause).any()
        and ((marks == bf.ARROWHEAD) & (marks.T == bf.TAIL))[required].all()
    ]


def statements_of_tiers(n, rng):
    tier = rng.integers(0, 3, n)
    return tier[:, None] > tier, np.zeros((n, n), bool)


def statements_of_a_member(n, rng, member):
    """Part of what holds in a member of the class, so that there is one that agrees."""
    above, arrows = bf.ancestors(member), (member == bf.ARROWHEAD) & (member.T == bf.TAIL)
    return ~above & (rng.random((n, n)) < 0.4), arrows & (rng.random((n, n)) < 0.3)


def statements_at_random(n, rng):
    not_cause = rng.random((n, n)) < 0.25
    np.fill_diagonal(not_cause, False)
    return not_cause, np.zeros((n, n), bool)


def drawn_statements(kind, n, rng, group):
    if kind == "tiers":
        return statements_of_tiers(n, rng)
    if kind == "member":
        return statements_of_a_member(n, rng, group[rng.integers(len(group))])
    return statements_at_random(n, rng)


def shared(group, latents):
    """What the members share; in a CPDAG what they don't is undirected."""
    marks = bf.shared_marks(group)
    if latents:
        return marks
    differs = (marks == bf.CIRCLE) | (marks.T == bf.CIRCLE)
    marks[differs] = bf.TAIL
    return marks


def check(group, kind, rng, latents):
    """Compare with brute force; give how many marks were left open that needn't be."""
    n = len(group[0])
    not_cause, required = drawn_statements(kind, n, rng, group)
    restrict = restrict_pag if latents else restrict_cpdag
    found = restrict(shared(group, latents), not_cause, required)
    members = agreeing(group, not_cause, required)
    if not members:
        return None, bool(found.contradictions)
    assert found.contradictions == ()
    exact = shared(members, latents)
    settled = found.marks != bf.CIRCLE if latents else (found.marks == 2) | (found.marks.T == 2)
    assert np.array_equal(found.marks[settled], exact[settled])
    return int((found.marks != exact).sum()), False


@pytest.mark.pure
@pytest.mark.parametrize("kind", STATEMENTS)
@pytest.mark.parametrize("latents", [True, False])
def test_all_classes_of_three_vertices(kind, latents):
    rng = np.random.default_rng(0)
    groups = bf.mag_classes(3) if latents else bf.dag_classes(3)
    results = [check(group, kind, rng, latents) for group in groups for _ in range(15)]
    assert all(left in (0, None) for left, _ in results)
    assert all(seen for left, seen in results if left is None)  # no contradiction goes by unseen


@pytest.mark.slow
@pytest.mark.parametrize("kind", STATEMENTS)
@pytest.mark.parametrize("latents", [True, False])
def test_classes_of_four_vertices(kind, latents):
    """Sound always; complete for tiers and without latents, else but for a few marks in a thousand graphs."""
    rng = np.random.default_rng(1)
    groups = bf.mag_classes(4) if latents else bf.dag_classes(4)
    chosen = rng.permutation(len(groups))[:600]
    results = [check(groups[k], kind, rng, latents) for _ in range(4) for k in chosen]
    left = [open_ for open_, _ in results if open_ is not None]
    assert len(left) > 200
    if kind == "tiers" or not latents:
        assert sum(left) == 0
    else:
        assert sum(left) <= 0.02 * len(left)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(STATEMENTS))
def test_classes_of_five_vertices(seed, kind):
    rng = np.random.default_rng(seed)
    names = [str(v) for v in range(7)]
    mag = DAG(bf.random_dag(7, rng.uniform(0.2, 0.5), rng), names).project(names[5:])
    if mag.n_edges <= 7:
        left, _ = check(bf.class_of(np.array(mag.marks), bf.KINDS[:3]), kind, rng, True)
        assert left is None or kind != "tiers" or left == 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 9))
def test_what_is_true_gives_marks_of_the_truth(seed, n):
    rng = np.random.default_rng(seed)
    names = [str(v) for v in range(n + 2)]
    mag = DAG(bf.random_dag(n + 2, rng.uniform(0.1, 0.6), rng), names).project(names[n:])
    pag = np.array(mag.pag().marks)
    for not_cause, required in (
        statements_of_a_member(n, rng, np.array(mag.marks)),
        (~bf.ancestors(np.array(mag.marks)), (mag.marks == 2) & (mag.marks.T == 3)),
    ):
        found = restrict_pag(pag, not_cause, required)
        assert found.contradictions == ()
        settled = found.marks != bf.CIRCLE
        assert np.array_equal(found.marks[settled], mag.marks[settled])
    assert np.array_equal(found.marks, mag.marks)  # all that holds was known


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 8), data=st.data())
def test_the_order_of_vertices_changes_nothing(seed, n, data):
    rng = np.random.default_rng(seed)
    names = [str(v) for v in range(n + 2)]
    pag = np.array(DAG(bf.random_dag(n + 2, 0.4, rng), names).project(names[n:]).pag().marks)
    not_cause, required = statements_at_random(n, rng)
    other = np.ix_(*[data.draw(st.permutations(range(n)))] * 2)
    first = restrict_pag(pag, not_cause, required)
    second = restrict_pag(pag[other], not_cause[other], required[other])
    assert np.array_equal(first.marks[other], second.marks)
    assert bool(first.contradictions) == bool(second.contradictions)
    # whatever the graph says, what is forbidden is not there
    assert (first.marks.T[(first.marks != 0) & not_cause] == bf.ARROWHEAD).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 8))
def test_nothing_known_adds_nothing(seed, n):
    rng = np.random.default_rng(seed)
    names = [str(v) for v in range(n + 2)]
    dag = DAG(bf.random_dag(n + 2, 0.4, rng), names)
    nothing = np.zeros((n, n), bool)
    pag = np.array(dag.project(names[n:]).pag().marks)
    assert np.array_equal(restrict_pag(pag, nothing, nothing).marks, pag)
    # also where it says what the graph says
    implied = ((pag == bf.ARROWHEAD) & True).T
    assert np.array_equal(restrict_pag(pag, implied, nothing).marks, pag)
    cpdag = np.array(dag.subgraph(names[:n]).cpdag().marks)
    assert np.array_equal(restrict_cpdag(cpdag, nothing, nothing).marks, cpdag)


def test_meeks_fourth_rule():
    """Where d -> c -> b is known in a - b, a - c, a - d, c - b, c - d, b is an effect of a."""
    names = list("abcd")
    undirected = CPDAG.from_edges(["a --- b", "a --- c", "a --- d", "b --- c", "c --- d"], nodes=names)
    required = np.zeros((4, 4), bool)
    required[3, 2] = required[2, 1] = True
    found = RestrictedCPDAG(restrict_cpdag(undirected.marks, np.zeros((4, 4), bool), required).marks, names)
    assert found.mark("a", "b") == 2
    assert found.mark("b", "a") == 3


def test_where_the_graph_contradicts_knowledge():
    names = list("abcd")
    pag = PAG.from_edges(["a o-> c", "b o-> c", "c --> d"], nodes=names)
    not_cause, required = np.zeros((2, 4, 4), bool)
    not_cause[2, 3] = True  # c doesn't cause d
    not_cause[0, 2] = True  # a doesn't cause c: no contradiction
    found = restrict_pag(pag.marks, not_cause, required)
    assert [tuple(c) for c in found.contradictions] == [("mark", (3, 2))]
    assert RestrictedPAG(found.marks, names) == PAG.from_edges(["a <-> c", "b o-> c", "c <-> d"], nodes=names)
    with_cycle = np.zeros((4, 4), bool)
    with_cycle[2, 0] = True  # c -> a against the arrowhead at c
    found = restrict_pag(pag.marks, np.zeros((4, 4), bool), with_cycle)
    assert {tuple(c) for c in found.contradictions} == {("mark", (0, 2))}
    assert RestrictedPAG(found.marks, names).mark("a", "c") == 3


def test_without_hidden_causes_neither_causing_the_other_is_a_contradiction():
    undirected = CPDAG.from_edges(["a --- b", "b --- c"], nodes=list("abc"))
    not_cause = np.zeros((3, 3), bool)
    not_cause[0, 1] = not_cause[1, 0] = True
    found = restrict_cpdag(undirected.marks, not_cause, np.zeros((3, 3), bool))
    assert [tuple(c) for c in found.contradictions] == [("both", (0, 1))]
    assert np.array_equal(found.marks, undirected.marks)


def test_a_contradiction_met_on_the_way():
    """A chain whose ends are both effects, and whose middle would have to be a collider."""
    pag = PAG.from_edges(["a o-o b", "b o-o c"], nodes=list("abc"))
    not_cause = np.zeros((3, 3), bool)
    not_cause[1, 0] = not_cause[1, 2] = True
    found = restrict_pag(pag.marks, not_cause, np.zeros((3, 3), bool))
    assert found.contradictions[0].kind == "collider"
    assert RestrictedPAG(found.marks, list("abc")) == PAG.from_edges(
        ["a o-> b", "c o-> b"], nodes=list("abc")
    )


def test_restricted_graphs_say_so():
    graph = RestrictedPAG.from_edges(["a --> b"])
    assert graph == PAG.from_edges(["a --> b"])
    assert str(graph).splitlines()[0] == "a --> b"
    assert "background knowledge" in str(graph).splitlines()[-1]
    assert not graph.is_valid()
    assert graph.restricted
    assert not PAG.from_edges(["a --> b"]).restricted
    assert "background knowledge" in str(RestrictedCPDAG.from_edges(["a --> b"]))
    assert type(graph.reorder(["b", "a"])) is RestrictedPAG
