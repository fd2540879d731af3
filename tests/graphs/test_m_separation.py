from __future__ import annotations

import brute_force
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn.graphs import DAG, MAG
from rolearn.graphs.separating import separating_set, separating_sets
from rolearn.graphs.traversal import ancestors_of, m_separated, neighbor_lists
from rolearn.graphs.traversal_kernels import m_connected
from rolearn.runtime.compile import uncompiled
from rolearn.runtime.errors import ParameterError


def random_mag(n: int, hidden: int, seed: int) -> np.ndarray:
    from rolearn.graphs.projection import project

    dag = brute_force.random_dag(n + hidden, 0.45, np.random.default_rng(seed))
    return project(dag, range(n, n + hidden))


@pytest.mark.pure
@settings(deadline=None, max_examples=60)
@given(n=st.integers(2, 9), density=st.floats(0.1, 0.9), seed=st.integers(0, 2**32))
def test_dags_agree_with_networkx(n, density, seed):
    rng = np.random.default_rng(seed)
    marks = brute_force.random_dag(n, density, rng)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(np.argwhere((marks == 2) & (marks.T == 3)).tolist())
    for _ in range(5):
        parts = rng.integers(0, 4, n)
        x, y, z = (set(np.flatnonzero(parts == k).tolist()) for k in range(3))
        if x and y:
            assert m_separated(marks, x, y, z) == nx.is_d_separator(graph, x, y, z)


@pytest.mark.pure
@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 6), hidden=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_mags_agree_with_the_definition(n, hidden, seed):
    marks = random_mag(n, hidden, seed)
    rng = np.random.default_rng(seed)
    for x, y in brute_force.all_pairs(n):
        given_set = [v for v in range(n) if v not in (x, y) and rng.random() < 0.5]
        expected = brute_force.m_separated(marks, x, y, given_set)
        assert m_separated(marks, [x], [y], given_set) == expected
        assert m_separated(marks, [y], [x], given_set) == expected


@pytest.mark.pure
@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_ancestors(n, seed):
    marks = random_mag(n, 2, seed)
    assert (ancestors_of(marks) == brute_force.ancestors(marks)).all()


@settings(deadline=None, max_examples=20)
@given(n=st.integers(2, 7), seed=st.integers(0, 2**32))
def test_compiled_or_not_is_the_same(n, seed):
    marks = random_mag(n, 2, seed)
    starts, neighbors = neighbor_lists(marks)
    given_mask = np.random.default_rng(seed).random(n) < 0.3
    given_mask[0] = False
    fast, slow = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    m_connected(starts, neighbors, marks, ancestors_of(marks), 0, given_mask, fast)
    uncompiled(m_connected)(starts, neighbors, marks, ancestors_of(marks), 0, given_mask, slow)
    assert (fast == slow).all()


@pytest.mark.pure
@settings(deadline=None, max_examples=30)
@given(n=st.integers(2, 6), hidden=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_separating_sets_separate_and_are_minimal(n, hidden, seed):
    marks = random_mag(n, hidden, seed)
    sets = separating_sets(marks)
    for x, y in brute_force.all_pairs(n):
        found = separating_set(marks, x, y)
        assert (found is None) == bool(marks[x, y])
        assert sets.get((x, y)) == found
        if found is None:
            continue
        conditions = brute_force.connecting_conditions(marks, x, y)
        for bits in range(1 << len(found)):
            part = [v for k, v in enumerate(found) if bits >> k & 1]
            as_bits = sum(1 << v for v in part)
            connected = any(
                not blockers & as_bits and all(opener & as_bits for opener in openers)
                for blockers, openers in conditions
            )
            assert connected == (len(part) < len(found))


@pytest.mark.pure
def test_a_dag_that_is_not_maximal_has_no_separating_set_for_the_pair():
    # an ancestral graph with an inducing path between 0 and 3
    marks = MAG.unchecked(np.zeros((4, 4)), "ABCD").marks.copy()
    for a, b, at_a, at_b in ((0, 1, 2, 2), (1, 2, 2, 2), (2, 3, 2, 2), (1, 3, 3, 2), (2, 0, 3, 2)):
        marks[b, a], marks[a, b] = at_a, at_b
    assert separating_set(marks, 0, 3) is None
    assert not brute_force.is_maximal(marks)


@pytest.mark.pure
def test_names_and_sets_of_names():
    dag = DAG.from_edges(["A -> C", "B -> C", "C -> D", "E -> F"])
    assert dag.m_separated("A", "B", ())
    assert dag.m_separated("A", "B")
    assert not dag.m_separated("A", "B", "D")
    assert not dag.m_separated({"A", "E"}, ["B", "F"])
    assert dag.m_separated({"A", "B"}, {"E", "F"}, {"D"})
    assert dag.separating_set("A", "D") == {"C"}
    assert dag.separating_set("A", "C") is None
    assert dag.ancestors("D") == {"A", "B", "C", "D"}
    with pytest.raises(ParameterError, match="'Z'"):
        dag.m_separated("A", "Z")
    with pytest.raises(ParameterError, match="'A' is in two"):
        dag.m_separated("A", {"A", "B"})
    with pytest.raises(ParameterError, match="itself"):
        dag.separating_set("A", "A")
