"""The definitions, written out without any kernel: slow, for small graphs, and shared by the tests."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np

ARROWHEAD, TAIL, CIRCLE = 2, 3, 1
# marks at (j, i) and (i, j) for i < j: -->, <--, <->, and --- for selection bias
KINDS = ((TAIL, ARROWHEAD), (ARROWHEAD, TAIL), (ARROWHEAD, ARROWHEAD), (TAIL, TAIL))


def cases() -> list[dict]:
    path = Path(__file__).parents[1] / "vectors" / "pag_cases.json"
    return json.loads(path.read_text())["cases"]


def ancestors(marks: np.ndarray) -> np.ndarray:
    n = len(marks)
    above = np.eye(n, dtype=bool) | ((marks == ARROWHEAD) & (marks.T == TAIL))
    for k in range(n):
        above |= np.outer(above[:, k], above[k])
    return above


def paths(marks: np.ndarray, x: int, y: int):
    """All simple paths, as tuples of vertices."""

    def extend(path):
        if path[-1] == y:
            yield path
            return
        for w in np.flatnonzero(marks[path[-1]]).tolist():
            if w not in path:
                yield from extend((*path, w))

    yield from extend((x,))


def connecting_conditions(marks: np.ndarray, x: int, y: int) -> list[tuple[int, list[int]]]:
    """For each path: its noncolliders as a bit set, and for each collider the bit set of its descendants."""
    above = ancestors(marks)
    found = []
    for path in paths(marks, x, y):
        blockers, openers = 0, []
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            if marks[a, b] == ARROWHEAD and marks[c, b] == ARROWHEAD:
                openers.append(sum(1 << int(d) for d in np.flatnonzero(above[b])))
            else:
                blockers |= 1 << b
        found.append((blockers, openers))
    return found


def m_separated(marks: np.ndarray, x: int, y: int, given) -> bool:
    bits = sum(1 << g for g in given)
    return not any(
        not blockers & bits and all(opener & bits for opener in openers)
        for blockers, openers in connecting_conditions(marks, x, y)
    )


def answers(marks: np.ndarray, vertices):
    """All m-separations among some vertices given sets of these, one after the other."""
    for x, y in combinations(vertices, 2):
        conditions = connecting_conditions(marks, x, y)
        others = [v for v in vertices if v not in (x, y)]
        for chosen in product((0, 1), repeat=len(others)):
            bits = sum(1 << v for v, inside in zip(others, chosen, strict=True) if inside)
            yield not any(
                not blockers & bits and all(opener & bits for opener in openers)
                for blockers, openers in conditions
            )


def model(marks: np.ndarray, vertices=None) -> tuple[bool, ...]:
    """All m-separations among some vertices (all of them by default), given sets of these."""
    return tuple(answers(marks, range(len(marks)) if vertices is None else vertices))


def class_of(marks: np.ndarray, kinds) -> list[np.ndarray]:
    """The Markov class of one MAG: all ancestral graphs over its skeleton with the same m-separations."""
    n = len(marks)
    target = model(marks)
    pairs = np.argwhere(np.triu(marks)).tolist()
    candidates = (other for other in graphs_over(pairs, n, kinds) if is_ancestral(other))
    # a graph with the same skeleton and separations is as maximal as this one
    return [
        other
        for other in candidates
        if all(a == b for a, b in zip(answers(other, range(n)), target, strict=True))
    ]


def is_ancestral(marks: np.ndarray) -> bool:
    above = ancestors(marks)
    heads = marks == ARROWHEAD
    if (heads & (marks.T == TAIL) & above.T).any() or (heads & heads.T & above).any():
        return False
    has_undirected = ((marks == TAIL) & (marks.T == TAIL)).any(axis=0)
    return not (heads.any(axis=0) & has_undirected).any()


def separates_all(marks: np.ndarray, model_of_all: tuple[bool, ...]) -> bool:
    """From all its m-separations: some set separates every pair that isn't adjacent."""
    n = len(marks)
    per_pair = 2 ** (n - 2)
    return all(
        marks[x, y] or any(model_of_all[k * per_pair : (k + 1) * per_pair])
        for k, (x, y) in enumerate(combinations(range(n), 2))
    )


def is_maximal(marks: np.ndarray) -> bool:
    return separates_all(marks, model(marks))


def graphs_over(pairs, n: int, kinds=KINDS[:3]):
    """All graphs with edges of these kinds on just these pairs."""
    for chosen in product(kinds, repeat=len(pairs)):
        marks = np.zeros((n, n), dtype=np.int8)
        for (i, j), (at_i, at_j) in zip(pairs, chosen, strict=True):
            marks[j, i], marks[i, j] = at_i, at_j
        yield marks


def shared_marks(members: list[np.ndarray]) -> np.ndarray:
    """Marks that all members share, circles elsewhere: by definition the PAG of their class."""
    stack = np.stack(members)
    return np.where((stack == stack[0]).all(axis=0), stack[0], CIRCLE).astype(np.int8)


def classes(pairs, n: int, kinds=KINDS[:3]) -> list[list[np.ndarray]]:
    """All MAGs with edges on just these pairs, in their Markov classes."""
    groups: dict[tuple[bool, ...], list[np.ndarray]] = {}
    for marks in graphs_over(pairs, n, kinds):
        if is_ancestral(marks):
            separations = model(marks)
            if separates_all(marks, separations):
                groups.setdefault(separations, []).append(marks)
    return list(groups.values())


def all_pairs(n: int) -> list[tuple[int, int]]:
    return list(combinations(range(n), 2))


def skeletons(n: int, most: int | None = None):
    """All skeletons over n vertices with at most so many edges, as lists of pairs."""
    pairs = all_pairs(n)
    for size in range((len(pairs) if most is None else most) + 1):
        yield from (list(chosen) for chosen in combinations(pairs, size))


def skeletons_up_to_isomorphism(n: int, most: int):
    seen = set()
    for pairs in skeletons(n, most):
        forms = (tuple(sorted(tuple(sorted((p[i], p[j]))) for i, j in pairs)) for p in permutations(range(n)))
        form = min(forms)
        if form not in seen:
            seen.add(form)
            yield pairs


@cache
def mag_classes(n: int) -> list[list[np.ndarray]]:
    """All MAGs over n labelled vertices, without selection bias, in their Markov classes."""
    return [group for pairs in skeletons(n) for group in classes(pairs, n)]


@cache
def dag_classes(n: int) -> list[list[np.ndarray]]:
    """All DAGs over n labelled vertices in their Markov classes."""
    return [group for pairs in skeletons(n) for group in classes(pairs, n, KINDS[:2])]


def random_dag(n: int, density: float, rng: np.random.Generator) -> np.ndarray:
    below = np.triu(rng.random((n, n)) < density, 1)
    shuffle = rng.permutation(n)
    below = below[np.ix_(shuffle, shuffle)]
    return (ARROWHEAD * below + TAIL * below.T).astype(np.int8)
