"""Removable vertices and orders: the paper's definitions, propositions, figure 2 and lemmas."""

from __future__ import annotations

from itertools import permutations

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn.graphs import DAG, MAG
from rolearn.graphs.projection import project
from rolearn.graphs.removal import removable_vertices, violates_r_order
from rolearn.graphs.traversal import m_separated
from rolearn.runtime.errors import ParameterError


def some_mags(n: int, every: int) -> list[np.ndarray]:
    return [marks for group in brute_force.mag_classes(n) for marks in group][::every]


def random_mag(n: int, hidden: int, seed: int) -> np.ndarray:
    dag = brute_force.random_dag(n + hidden, 0.4, np.random.default_rng(seed))
    return project(dag, range(n, n + hidden))


def induced(marks: np.ndarray, x: int) -> np.ndarray:
    return np.delete(np.delete(marks, x, 0), x, 1)


def r_orders(marks: np.ndarray) -> set[tuple[int, ...]]:
    return {order for order in permutations(range(len(marks))) if violates_r_order(marks, order) is None}


@pytest.mark.parametrize(("n", "every"), [(3, 1), (4, 5)])
def test_removable_is_definition_3(n, every):
    for marks in some_mags(n, every):
        expected = [
            x
            for x in range(n)
            if brute_force.model(marks, [v for v in range(n) if v != x])
            == brute_force.model(induced(marks, x))
        ]
        assert removable_vertices(marks) == expected


@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 8), hidden=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_removable_iff_the_induced_graph_is_the_projection(n, hidden, seed):
    marks = random_mag(n, hidden, seed)
    expected = [x for x in range(n) if np.array_equal(induced(marks, x), project(marks, [x]))]
    assert removable_vertices(marks) == expected


@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 6), hidden=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_projection_keeps_the_separations_of_what_is_observed(n, hidden, seed):
    dag = brute_force.random_dag(n + hidden, 0.45, np.random.default_rng(seed))
    mag = project(dag, range(n, n + hidden))
    assert brute_force.is_ancestral(mag)
    assert brute_force.model(mag) == brute_force.model(dag, range(n))


@settings(deadline=None, max_examples=40)
@given(n=st.integers(3, 7), hidden=st.integers(0, 2), seed=st.integers(0, 2**32))
def test_boundary_of_a_removable_vertex_is_within_that_of_each_neighbor(n, hidden, seed):
    # lemma: X removable, Y a neighbor of X, then Mb(X) is within Mb(Y) and Y
    marks = random_mag(n, hidden, seed)

    def boundary(x: int) -> set[int]:
        others = set(range(n)) - {x}
        return {y for y in others if not m_separated(marks, [x], [y], others - {y})}

    for x in removable_vertices(marks):
        for y in np.flatnonzero(marks[x]).tolist():
            assert boundary(x) <= boundary(y) | {y}


def test_proposition_1_dags_of_a_class_share_no_c_order():
    for group in brute_force.dag_classes(4):
        orders = [
            {order for order in permutations(dag.names) if dag.is_c_order(order)} for dag in map(DAG, group)
        ]
        assert sum(map(len, orders)) == len(set().union(*orders))
        assert all(orders)


def test_proposition_2_mags_of_a_class_share_all_r_orders():
    for group in brute_force.mag_classes(4):
        if len(group) > 1:
            first = r_orders(group[0])
            assert all(r_orders(other) == first for other in group[1 :: max(1, len(group) // 4)])


def test_proposition_3_c_orders_of_a_dag_are_r_orders():
    for group in brute_force.dag_classes(4):
        dag = DAG(group[0])
        for order in permutations(dag.names):
            if dag.is_c_order(order):
                assert dag.is_r_order(order)


@pytest.mark.pure
def test_figure_2():
    edges = ["X3 -> X2", "X3 -> X1", "X4 -> X2", "X4 -> X1"]
    names = ["X1", "X2", "X3", "X4"]
    first = DAG.from_edges([*edges, "X2 -> X1"], nodes=names)
    second = DAG.from_edges([*edges, "X1 -> X2"], nodes=names)
    assert first.markov_equivalent(second)
    assert first.cpdag() == second.cpdag()
    orders = list(permutations(names))
    assert all(first.is_r_order(order) and second.is_r_order(order) for order in orders)
    assert [order for order in orders if first.is_c_order(order)] == [
        ("X1", "X2", "X3", "X4"),
        ("X1", "X2", "X4", "X3"),
    ]
    assert [order for order in orders if second.is_c_order(order)] == [
        ("X2", "X1", "X3", "X4"),
        ("X2", "X1", "X4", "X3"),
    ]


@pytest.mark.pure
def test_an_order_names_every_vertex_once():
    mag = MAG.from_edges(["A -> B", "C -> B"])
    assert mag.removable() == ["A", "B", "C"]
    assert mag.is_r_order(["B", "C", "A"])
    chain = DAG.from_edges(["A -> B", "B -> C"])
    assert not chain.is_removable("B")
    assert not chain.is_r_order(["B", "A", "C"])
    assert chain.is_c_order(["C", "B", "A"])
    assert not chain.is_c_order(["A", "B", "C"])
    with pytest.raises(ParameterError, match="C missing"):
        chain.is_r_order(["B", "A"])
    with pytest.raises(ParameterError, match="some named twice"):
        chain.is_c_order(["B", "A", "C", "C"])
    with pytest.raises(ParameterError, match="no 'Z'"):
        chain.is_removable("Z")
