"""Causes and adjustment by their definitions, over all DAGs of all MAGs of a class: slow, for small graphs.

A DAG with hidden common causes is an ADMG here: `directed` (n, n) bool, [i, j] for i -> j, and `hidden`
(n, n) bool, symmetric, for pairs with a hidden common cause.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from graphs.brute_force import ARROWHEAD, TAIL, class_of, classes, is_maximal, skeletons_up_to_isomorphism
from graphs.brute_force import KINDS as EDGES
from rolearn.graphs import DAG


def with_causes(directed: np.ndarray, hidden: np.ndarray) -> tuple[DAG, list[str]]:
    """The DAG with each hidden cause a vertex of its own, and their names."""
    n = len(directed)
    edges = [(str(i), str(j)) for i, j in np.argwhere(directed)]
    causes = []
    for i, j in np.argwhere(np.triu(hidden)):
        causes.append(f"U{i}-{j}")
        edges += [(causes[-1], str(i)), (causes[-1], str(j))]
    return DAG.from_edges(edges, nodes=[*map(str, range(n)), *causes]), causes


def is_of(directed: np.ndarray, hidden: np.ndarray, marks: np.ndarray) -> bool:
    """Whether the DAG's independences among measured variables are those of the MAG."""
    dag, causes = with_causes(directed, hidden)
    return np.array_equal(dag.project(causes).marks, marks)


def dags_of(marks: np.ndarray, latents: bool = True) -> list[tuple[np.ndarray, np.ndarray]]:
    """The DAGs of a MAG with as many hidden causes of pairs as there can be together.

    An adjustment set of one with more is one of those with fewer: these have fewer paths to block, and the
    same causes.
    """
    directed = (marks == ARROWHEAD) & (marks.T == TAIL)
    bare = (marks == ARROWHEAD) & (marks.T == ARROWHEAD)
    if not latents:
        return [(directed, np.zeros_like(bare))]
    pairs = np.argwhere(directed).tolist()
    found: list[frozenset] = []
    for size in range(len(pairs), -1, -1):
        for chosen in combinations(map(tuple, pairs), size):
            if any(frozenset(chosen) <= larger for larger in found):
                continue
            hidden = bare.copy()
            for i, j in chosen:
                hidden[i, j] = hidden[j, i] = True
            if is_of(directed, hidden, marks):
                found.append(frozenset(chosen))
    admgs = []
    for chosen in found:
        hidden = bare.copy()
        for i, j in chosen:
            hidden[i, j] = hidden[j, i] = True
        admgs.append((directed, hidden))
    return admgs


def below(directed: np.ndarray) -> np.ndarray:
    reach = np.eye(len(directed), dtype=bool) | directed
    for k in range(len(directed)):
        reach |= np.outer(reach[:, k], reach[k])
    return reach


def proper_paths(directed, hidden, x: tuple, y: tuple):
    """All paths from x to y with only the first vertex in x: a list of (vertex, arrow into it) steps each.

    A step is (v, into_previous, into_v).
    """

    def extend(path, steps):
        last = path[-1]
        if last in y:
            yield path, steps
        for w in range(len(directed)):
            if w in path or w in x:
                continue
            if directed[last, w]:
                yield from extend((*path, w), (*steps, (False, True)))
            if directed[w, last]:
                yield from extend((*path, w), (*steps, (True, False)))
            if hidden[last, w]:
                yield from extend((*path, w), (*steps, (True, True)))

    for a in x:
        yield from extend((a,), ())


class Criterion:
    """The adjustment criterion (Shpitser, VanderWeele and Robins 2010) of one DAG for one x and y."""

    def __init__(self, directed, hidden, x, y) -> None:
        reach = below(directed)
        self.forbidden = 0
        self.conditions = []
        for path, steps in proper_paths(directed, hidden, x, y):
            if all(step == (False, True) for step in steps):
                for v in path[1:]:
                    self.forbidden |= sum(1 << int(d) for d in np.flatnonzero(reach[v]))
                continue
            blockers, openers = 0, []
            for v, before, after in zip(path[1:], steps, steps[1:], strict=False):
                if before[1] and after[0]:
                    openers.append(sum(1 << int(d) for d in np.flatnonzero(reach[v])))
                else:
                    blockers |= 1 << v
            self.conditions.append((blockers, openers))

    def valid(self, given) -> bool:
        bits = sum(1 << v for v in given)
        if bits & self.forbidden:
            return False
        return not any(
            not blockers & bits and all(opener & bits for opener in openers)
            for blockers, openers in self.conditions
        )


@cache
def small_classes(n: int) -> list[list[np.ndarray]]:
    """All Markov classes of MAGs over n vertices, up to isomorphism of their skeletons."""
    pairs = n * (n - 1) // 2
    return [group for skeleton in skeletons_up_to_isomorphism(n, pairs) for group in classes(skeleton, n)]


@cache
def small_dag_classes(n: int) -> list[list[np.ndarray]]:
    pairs = n * (n - 1) // 2
    return [
        group
        for skeleton in skeletons_up_to_isomorphism(n, pairs)
        for group in classes(skeleton, n, EDGES[:2])
    ]


def sampled_class(seed: int, n: int = 5, most: int = 6) -> list[np.ndarray]:
    """The class of a random MAG over n vertices with at most so many edges."""
    generator = np.random.default_rng(seed)
    while True:
        n_hidden = int(generator.integers(0, 4))
        total = n + n_hidden
        weights = np.triu(generator.random((total, total)) < 0.4, 1)
        order = generator.permutation(total)
        directed = weights[np.ix_(order, order)]
        marks = (ARROWHEAD * directed + TAIL * directed.T).astype(np.int8)
        mag = DAG(marks, list(map(str, range(total)))).project([str(v) for v in range(n, total)])
        if n - 1 <= mag.n_edges <= most:
            assert is_maximal(mag.marks)
            return class_of(mag.marks, EDGES[:3])
