from __future__ import annotations

import brute_force
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rolearn.graphs import DAG, MAG, PAG
from rolearn.graphs.orientation import MagEvidence, orient_cpdag, orient_pag, separation_evidence
from rolearn.graphs.orientation_kernels import apply_rules


def edges(graph) -> set[str]:
    return {str(edge) for edge in graph.edges()}


def oriented(marks: np.ndarray, selection: bool = False) -> np.ndarray:
    return orient_pag(marks != 0, MagEvidence(marks), selection).marks


# by definition


def test_pags_of_all_mags_with_three_or_four_vertices():
    for n in (3, 4):
        for group in brute_force.mag_classes(n):
            expected = brute_force.shared_marks(group)
            for marks in group:
                assert (oriented(marks) == expected).all()


@pytest.mark.slow
def test_pags_of_all_mags_with_five_vertices():
    # one skeleton of each form; over the complete one all MAGs are equivalent
    n_graphs = 0
    for pairs in brute_force.skeletons_up_to_isomorphism(5, 9):
        for group in brute_force.classes(pairs, 5):
            expected = brute_force.shared_marks(group)
            for marks in group:
                assert (oriented(marks) == expected).all()
            n_graphs += len(group)
    assert n_graphs > 10_000


def test_pags_under_selection_bias_of_all_mags_with_four_vertices():
    fired = np.zeros(11, dtype=np.int64)
    for pairs in brute_force.skeletons_up_to_isomorphism(4, 6):
        for group in brute_force.classes(pairs, 4, brute_force.KINDS):
            expected = brute_force.shared_marks(group)
            for marks in group:
                orientation = orient_pag(marks != 0, MagEvidence(marks), selection=True)
                assert (orientation.marks == expected).all()
                fired += orientation.fired
    assert fired[5] > 0


@pytest.mark.parametrize("tail", [["D --> A"], ["D --> A", "A --> B"], ["D --> A", "D --> B"]])
def test_pags_under_selection_bias_beside_an_undirected_cycle(tail):
    undirected = ["D --- E", "E --- F", "F --- G", "G --- D"]
    marks = PAG.from_edges([*undirected, *tail]).marks
    orientation = orient_pag(marks != 0, MagEvidence(marks), selection=True)
    expected = brute_force.shared_marks(brute_force.class_of(marks, brute_force.KINDS))
    assert (orientation.marks == expected).all()
    assert orientation.fired[5] == 8
    assert orientation.fired[6] == len([e for e in tail if e.startswith("D")])
    assert orientation.fired[7] == len([e for e in tail if e.startswith("A")])


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_pags_of_random_mags_with_five_vertices(seed):
    from rolearn.graphs.projection import project

    rng = np.random.default_rng(seed)
    mag = project(brute_force.random_dag(7, 0.35, rng), [5, 6])
    assume(np.count_nonzero(mag) <= 12)
    members = brute_force.class_of(mag, brute_force.KINDS[:3])
    assert (oriented(mag) == brute_force.shared_marks(members)).all()


# rule by rule


@pytest.mark.pure
def test_unshielded_collider_and_what_follows():
    mag = MAG.from_edges(["A -> C", "B -> C", "C -> D"])
    orientation = orient_pag(mag.skeleton, MagEvidence(mag.marks))
    assert edges(PAG(orientation.marks, mag.names)) == {"A o-> C", "B o-> C", "C --> D"}
    assert orientation.fired[:2].tolist() == [2, 2]


@pytest.mark.pure
def test_discriminating_path_both_ways():
    first = DAG.from_edges(["D -> A", "L1 -> A", "L1 -> B", "A -> C", "B -> C"]).project("L1")
    assert edges(first.pag()) == {"D o-> A", "B o-> A", "A --> C", "B --> C"}
    second = DAG.from_edges(["D -> A", "L1 -> A", "L1 -> B", "A -> C", "L2 -> B", "L2 -> C"])
    assert edges(second.project(["L1", "L2"]).pag()) == {"D o-> A", "A <-> B", "B <-> C", "A --> C"}


@pytest.mark.pure
def test_hidden_common_cause_of_three_leaves_no_tail():
    dag = DAG.from_edges(
        [("L2", "X4"), ("L2", "X5"), ("L2", "X6"), ("X5", "X7"), ("X1", "X4"), ("X1", "X7"), ("X3", "X7")]
    )
    assert edges(dag.project("L2").pag()) == {
        "X1 o-> X4",
        "X5 o-> X4",
        "X6 o-> X4",
        "X5 o-o X6",
        "X1 o-> X7",
        "X3 o-> X7",
        "X5 o-> X7",
    }


@pytest.mark.pure
def test_circle_cycles_through_one_vertex():
    pairs = [(0, 1), (1, 3), (3, 5), (5, 0), (0, 2), (2, 4), (4, 6), (6, 0)]
    marks = np.zeros((7, 7), dtype=np.int8)
    for i, j in pairs:
        marks[i, j] = marks[j, i] = 3
    assert (oriented(marks, selection=True) == marks).all()
    assert (oriented(marks, selection=False)[marks != 0] == 1).all()


@pytest.mark.pure
def test_a_dag_without_colliders_is_all_circles():
    dag = DAG.from_edges(["A -> B", "B -> C", "B -> D"])
    assert edges(dag.pag()) == {"A o-o B", "B o-o C", "B o-o D"}
    assert edges(dag.cpdag()) == {"A --- B", "B --- C", "B --- D"}


@pytest.mark.pure
def test_applying_the_rules_again_changes_nothing():
    rng = np.random.default_rng(5)
    from rolearn.graphs.orientation import _packed, _sketch

    for _ in range(30):
        dag = brute_force.random_dag(8, 0.4, rng)
        sketch = _sketch(dag != 0, 1)
        evidence = _packed(MagEvidence(dag))
        apply_rules(sketch, evidence, np.zeros(11, dtype=np.int64))
        before = sketch.marks.copy()
        apply_rules(sketch, evidence, np.zeros(11, dtype=np.int64))
        assert (sketch.marks == before).all()


# separating sets, right and wrong


def random_evidence(n: int, density: float, seed: int):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < density, 1)
    adjacent = upper | upper.T
    sets = {}
    for x, y in brute_force.all_pairs(n):
        if not adjacent[x, y] and rng.random() < 0.9:
            sets[x, y] = [v for v in range(n) if v not in (x, y) and rng.random() < 0.5]
    return adjacent, sets


@pytest.mark.parametrize("orient", [orient_pag, orient_cpdag])
@settings(deadline=None, max_examples=150)
@given(n=st.integers(3, 9), density=st.floats(0.2, 0.8), seed=st.integers(0, 2**32))
def test_column_order_is_of_no_account_even_where_sets_contradict(orient, n, density, seed):
    adjacent, sets = random_evidence(n, density, seed)
    plain = orient(adjacent, separation_evidence(n, sets))
    shuffle = np.random.default_rng(seed + 1).permutation(n)
    place = np.argsort(shuffle)
    moved = {(place[x], place[y]): [place[v] for v in given_set] for (x, y), given_set in sets.items()}
    other = orient(adjacent[np.ix_(shuffle, shuffle)], separation_evidence(n, moved))
    assert (other.marks == plain.marks[np.ix_(shuffle, shuffle)]).all()
    assert (other.fired == plain.fired).all()

    def named(conflicts):
        # a triple reads the same from both ends
        named_ = [(c.kind, tuple(shuffle[v] for v in c.vertices)) for c in conflicts]
        return {(k, v[::-1] if k == "collider" and v[0] > v[-1] else v) for k, v in named_}

    if orient is orient_pag:
        assert named(other.conflicts) == {(c.kind, c.vertices) for c in plain.conflicts}
    else:
        assert len(other.conflicts) == len(plain.conflicts)


@settings(deadline=None, max_examples=100)
@given(n=st.integers(3, 8), density=st.floats(0.2, 0.8), seed=st.integers(0, 2**32))
def test_contradicted_colliders_are_reported(n, density, seed):
    adjacent, sets = random_evidence(n, density, seed)
    orientation = orient_pag(adjacent, separation_evidence(n, sets))
    marks = orientation.marks
    expected = {
        (a, b, c)
        for (a, c), given_set in sets.items()
        for b in range(n)
        if adjacent[a, b] and adjacent[c, b] and (b in given_set) and marks[a, b] == 2 and marks[c, b] == 2
    }
    assert {c.vertices for c in orientation.conflicts if c.kind == "collider"} == expected


@pytest.mark.pure
def test_sets_that_contradict_each_other_are_reported():
    # a path A - B - C - D whose sets make both inner vertices colliders, and one that says B is none
    adjacent = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3)):
        adjacent[i, j] = adjacent[j, i] = True
    fine = orient_pag(adjacent, separation_evidence(4, {(0, 2): [], (1, 3): [2], (0, 3): []}))
    assert fine.conflicts == ()
    both = orient_cpdag(adjacent, separation_evidence(4, {(0, 2): [], (1, 3): [], (0, 3): []}))
    assert {c.kind for c in both.conflicts} == {"collider", "rule"}
    star = np.zeros((4, 4), dtype=bool)
    star[0, 1:] = star[1:, 0] = True
    sets = {(1, 2): [], (1, 3): [], (2, 3): [0]}
    orientation = orient_pag(star, separation_evidence(4, sets))
    assert [(c.kind, c.vertices) for c in orientation.conflicts] == [("collider", (2, 0, 3))]


@pytest.mark.pure
def test_pairs_without_a_set_start_no_collider():
    adjacent = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    assert (orient_pag(adjacent, separation_evidence(3, {})).marks[adjacent] == 1).all()
