"""156 small MAGs and what follows from them, made by a reference that shares no code with the package."""

from __future__ import annotations

from itertools import permutations

import brute_force
import numpy as np
import pytest

from rolearn.graphs import DAG, MAG, PAG
from rolearn.graphs.orientation import MagEvidence, orient_pag, separation_evidence
from rolearn.graphs.removal import removable_vertices
from rolearn.graphs.separating import separating_sets

CASES = brute_force.cases()
by_id = pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))


def dag_of(case) -> DAG:
    names = [f"X{i + 1}" for i in range(case["n"] + case["latents"])]
    return DAG.from_edges([(names[a], names[b]) for a, b in case["dag"]], nodes=names)


def test_all_cases_are_here():
    assert len(CASES) == 156


@pytest.mark.pure
@by_id
def test_projection(case):
    dag = dag_of(case)
    assert dag.project(hidden=dag.names[case["n"] :]) == MAG(case["mag"])


@pytest.mark.pure
@by_id
def test_pag(case):
    mag, pag = MAG(case["mag"]), PAG(case["pag"])
    assert mag.pag() == pag
    assert pag.problems() == []
    assert pag.is_valid()


@pytest.mark.pure
@by_id
def test_member(case):
    member = PAG(case["pag"]).mag()
    assert MAG(member.marks) == member  # it keeps what a MAG promises
    assert member.markov_equivalent(MAG(case["mag"]))


@by_id
def test_pag_from_separating_sets(case):
    mag = MAG(case["mag"])
    evidence = separation_evidence(case["n"], separating_sets(mag.marks))
    orientation = orient_pag(mag.skeleton, evidence)
    assert (orientation.marks == np.array(case["pag"])).all()
    assert orientation.conflicts == ()


@pytest.mark.pure
@by_id
def test_removable(case):
    mag = MAG(case["mag"])
    assert mag.removable() == [mag.names[i] for i in case["removable"]]
    for i, name in enumerate(mag.names):
        assert mag.is_removable(name) == (i in case["removable"])


@by_id
def test_r_orders(case):
    mag = MAG(case["mag"])
    if case["n"] <= 5:
        found = [
            order for order in permutations(range(case["n"])) if mag.is_r_order([mag.names[i] for i in order])
        ]
        assert len(found) == case["n_r_orders"]
        if "r_orders" in case:
            assert found == sorted(tuple(order) for order in case["r_orders"])
    assert count_r_orders(mag.marks, {}) == case["n_r_orders"]


def count_r_orders(marks: np.ndarray, known: dict[bytes, int]) -> int:
    if len(marks) <= 1:
        return 1
    key = marks.tobytes()
    if key not in known:
        without = (np.delete(np.delete(marks, x, 0), x, 1) for x in removable_vertices(marks))
        known[key] = sum(count_r_orders(smaller, known) for smaller in without)
    return known[key]


@by_id
def test_c_orders(case):
    # the MAG's directed part is a DAG; the file counts the orders in which descendants leave first
    mag = np.array(case["mag"])
    below = (mag == 2) & (mag.T == 3)
    dag = DAG((2 * below + 3 * below.T).astype(int))
    if case["n"] <= 5:
        orders = permutations(dag.names)
        assert sum(dag.is_c_order(order) for order in orders) == case["n_c_orders"]


def test_every_rule_without_selection_bias_fires():
    fired = sum(
        orient_pag(np.array(case["mag"]) != 0, MagEvidence(np.array(case["mag"]))).fired for case in CASES
    )
    assert (fired[[0, 1, 2, 3, 4, 8, 9, 10]] > 0).all()
    assert (fired[[5, 6, 7]] == 0).all()
