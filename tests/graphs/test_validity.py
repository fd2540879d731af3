from __future__ import annotations

from itertools import product

import brute_force
import numpy as np
import pytest

from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.graphs.validity import is_valid_cpdag, is_valid_pag
from rolearn.runtime.errors import ParameterError

ALL_EDGES = list(product((1, 2, 3), repeat=2))


def true_pags(n: int) -> set[bytes]:
    return {brute_force.shared_marks(group).tobytes() for group in brute_force.mag_classes(n)}


def all_pags(n: int):
    pairs = brute_force.all_pairs(n)
    for chosen in product([(0, 0), *ALL_EDGES], repeat=len(pairs)):
        marks = np.zeros((n, n), dtype=np.int8)
        for (i, j), (at_i, at_j) in zip(pairs, chosen, strict=True):
            marks[j, i], marks[i, j] = at_i, at_j
        yield marks


def changed_in_one_edge(marks: np.ndarray):
    for i, j in np.argwhere(np.triu(np.ones_like(marks), 1)).tolist():
        for at_i, at_j in [(0, 0), *ALL_EDGES]:
            other = marks.copy()
            other[j, i], other[i, j] = at_i, at_j
            yield other


def test_every_graph_of_three_vertices():
    valid = true_pags(3)
    for marks in all_pags(3):
        is_one = marks.tobytes() in valid
        assert is_valid_pag(marks) == is_one
        assert (PAG(marks).problems() == []) == is_one


def test_every_graph_one_edge_away_from_a_pag_of_four_vertices():
    valid = true_pags(4)
    n_valid = 0
    for pag in valid:
        for marks in changed_in_one_edge(np.frombuffer(pag, dtype=np.int8).reshape(4, 4)):
            assert is_valid_pag(marks) == (marks.tobytes() in valid)
            n_valid += marks.tobytes() in valid
    assert n_valid > len(valid)


def test_graphs_near_pags_of_five_vertices():
    rng = np.random.default_rng(2)
    for _ in range(4):
        pairs = [brute_force.all_pairs(5)[k] for k in rng.permutation(10)[:6]]
        pags = [brute_force.shared_marks(group) for group in brute_force.classes(pairs, 5)]
        valid = {pag.tobytes() for pag in pags}
        for pag in pags:
            for marks in changed_in_one_edge(pag):
                if ((marks != 0) == (pag != 0)).all():
                    assert is_valid_pag(marks) == (marks.tobytes() in valid)


def test_random_graphs_of_four_vertices():
    valid = true_pags(4)
    rng = np.random.default_rng(0)
    pairs = brute_force.all_pairs(4)
    for _ in range(5000):
        marks = np.zeros((4, 4), dtype=np.int8)
        for i, j in pairs:
            if rng.random() < 0.8:
                marks[i, j], marks[j, i] = rng.choice([1, 2, 2, 3], 2)
        assert is_valid_pag(marks) == (marks.tobytes() in valid)


def test_problems_are_there_exactly_when_invalid():
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = int(rng.integers(3, 8))
        dag = brute_force.random_dag(n, 0.4, rng)
        pag = DAG(dag).pag().marks.copy()
        i, j = rng.integers(0, n, 2)
        if pag[i, j]:
            pag[i, j] = rng.integers(1, 4)
        graph = PAG(pag)
        assert graph.is_valid() == (graph.problems() == [])
        if graph.is_valid():
            assert graph.mag().pag() == graph
        else:
            with pytest.raises(ParameterError, match="stands for no MAG"):
                graph.mag()


@pytest.mark.pure
@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        (["A --- B"], "A --- B: a tail without an arrowhead"),
        (["A --o B", "B o-> C"], "A --o B: a tail without an arrowhead"),
        (["A o-o B", "B o-o C", "C o-o D", "D o-o A"], "among A, B, C, D are not chordal"),
        (["A --> B", "B --> C", "C --> A"], "directed cycle: A -> B -> C -> A"),
        (["A --> B", "B --> C", "A <-> C"], "almost directed cycle: A <-> C, but A -> B -> C"),
        (
            ["A <-> B", "B <-> C", "C <-> D", "B --> D", "C --> A"],
            "A and D are not adjacent, but an inducing path joins them",
        ),
        (["A --> B", "C o-> D"], "A --> B should be o-o; C o-> D should be o-o"),
    ],
)
def test_sentences(edges, sentence):
    problems = PAG.from_edges(edges).problems()
    assert len(problems) == 1
    assert sentence in problems[0]


@pytest.mark.pure
def test_only_the_first_differences_are_named():
    problems = PAG.from_edges([f"A --> B{i}" for i in range(8)]).problems()
    assert "and 3 more" in problems[0]


# MAG, DAG and CPDAG check what they promise


def test_mags_are_told_from_other_graphs():
    for pairs in brute_force.skeletons(4):
        for marks in brute_force.graphs_over(pairs, 4):
            if not brute_force.is_ancestral(marks):
                expected = False
            else:
                expected = brute_force.is_maximal(marks)
            assert _accepts(MAG, marks) == expected


def _accepts(kind, marks) -> bool:
    try:
        kind(marks)
    except ParameterError:
        return False
    return True


@pytest.mark.pure
@pytest.mark.parametrize(
    ("kind", "edges", "sentence"),
    [
        (DAG, ["A -> B", "B -> C", "C -> A"], "directed cycle: A -> B -> C -> A"),
        (DAG, ["A <-> B"], "directed edges only, not A <-> B"),
        (MAG, ["A o-> B"], "edges --> and <-> only, not A o-> B"),
        (MAG, ["A --- B"], "not A --- B"),
        (MAG, ["A -> B", "B -> C", "A <-> C"], "almost directed cycle: A <-> C, but A -> B -> C"),
        (CPDAG, ["A --> B"], "A --> B should be ---"),
        (CPDAG, ["A o-> B"], "A o-> B: a CPDAG has edges --> and --- only"),
        (CPDAG, ["A --- B", "B --- C", "C --- D", "D --- A"], "undirected edges among A, B, C, D"),
    ],
)
def test_constructors_refuse(kind, edges, sentence):
    with pytest.raises(ParameterError, match=sentence.replace("|", r"\|")):
        kind.from_edges(edges)


# CPDAGs


def test_cpdags_of_all_dags_with_up_to_four_vertices():
    for n in (2, 3, 4):
        for group in brute_force.dag_classes(n):
            stack = np.stack(group)
            agreed = (stack == stack[0]).all(axis=0)
            expected = np.where(agreed & agreed.T, stack[0], np.where(stack[0], 3, 0))
            members = {marks.tobytes() for marks in group}
            for marks in group:
                cpdag = DAG(marks).cpdag()
                assert (cpdag.marks == expected).all()
                assert cpdag.problems() == []
                assert cpdag.dag().marks.tobytes() in members


def test_every_cpdag_of_three_vertices_and_those_near_one_of_four():
    kinds = [(0, 0), (3, 2), (2, 3), (3, 3), (2, 2), (1, 2)]
    for n in (3, 4):
        valid = {DAG(group[0]).cpdag().marks.tobytes() for group in brute_force.dag_classes(n)}
        for pag in valid:
            marks = np.frombuffer(pag, dtype=np.int8).reshape(n, n)
            for i, j in brute_force.all_pairs(n):
                for at_i, at_j in kinds:
                    other = marks.copy()
                    other[j, i], other[i, j] = at_i, at_j
                    assert is_valid_cpdag(other) == (other.tobytes() in valid)


@pytest.mark.pure
def test_an_unchecked_cpdag_still_shows_and_is_judged():
    graph = CPDAG.unchecked(DAG.from_edges([("A", "B")]).marks, ["A", "B"])
    assert str(graph) == "A --> B"
    assert not graph.is_valid()
    with pytest.raises(ParameterError, match="stands for no DAG"):
        graph.dag()
