from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_oracle
from rolearn import DAG
from rolearn.graphs.possible_d_sep import colliders_of, possible_d_seps

pytestmark = pytest.mark.pure


def by_paths(adjacent, heads, x, v):
    """By the definition: every path from x to v, and every vertex within it."""
    others = [z for z in range(len(adjacent)) if z not in (x, v)]
    for count in range(len(others) + 1):
        for inner in permutations(others, count):
            path = (x, *inner, v)
            triples = list(zip(path, path[1:], path[2:], strict=False))
            if all(adjacent[a, b] for a, b in pairwise(path)) and all(
                adjacent[a, c] or (heads[a, b] and heads[c, b]) for a, b, c in triples
            ):
                return True
    return False


def by_walks(adjacent, heads, x, v):
    """By steps from edge to edge, each allowed by the definition, that don't come by x again."""
    edges = [(int(a), int(b)) for a, b in np.argwhere(adjacent) if b != x]
    steps = np.eye(len(edges), dtype=bool)
    for i, (a, b) in enumerate(edges):
        for j, (other, c) in enumerate(edges):
            steps[i, j] |= b == other and a != c and (adjacent[a, c] or (heads[a, b] and heads[c, b]))
    reached = np.linalg.matrix_power(steps.astype(float), max(len(edges), 1)) > 0
    return any(
        reached[i, j] for i, (a, _) in enumerate(edges) for j, (_, c) in enumerate(edges) if (a, c) == (x, v)
    )


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_paths_lead_there(n, seed):
    """All that paths lead to; a walk may come by a vertex twice where no path leads on, which adds some."""
    generator = np.random.default_rng(seed)
    adjacent = np.triu(generator.random((n, n)) < 0.5, 1)
    adjacent |= adjacent.T
    heads = adjacent & (generator.random((n, n)) < 0.6)
    found = possible_d_seps(adjacent, heads)
    for x in range(n):
        for v in range(n):
            assert found[x, v] == (v != x and by_walks(adjacent, heads, x, v))
            assert found[x, v] or v == x or not by_paths(adjacent, heads, x, v)


@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 6), hidden=st.integers(0, 4), seed=st.integers(0, 10**6))
def test_what_separates_two_is_possible(p, hidden, seed):
    """D-sep of x and y, the ancestors of both that colliders connect to x, is in it, and separates them."""
    _, dag, unseen = random_oracle(p, hidden, seed, density=0.5)
    mag = dag.project(hidden=unseen)
    heads = mag.marks == 2
    separated = {
        (a, c): {b for b in range(p) if not (heads[a, b] and heads[c, b])}
        for a in range(p)
        for c in range(a + 1, p)
        if not mag.skeleton[a, c]
    }
    found = possible_d_seps(mag.skeleton, colliders_of(mag.skeleton, separated))
    for x, y in separated:
        names = [mag.names[x], mag.names[y]]
        d_sep = within_d_sep(mag, x, y)
        assert all(found[x, v] for v in d_sep)
        assert mag.m_separated(*names, [mag.names[v] for v in d_sep])


def within_d_sep(mag, x, y):
    """Give the vertices on collider paths from x whose every vertex is an ancestor of x or y."""
    above = ancestors(mag, x) | ancestors(mag, y)
    found, waiting, seen = set(), [(x, b) for b in np.flatnonzero(mag.skeleton[x]) if b in above], set()
    while waiting:
        a, b = waiting.pop()
        if (a, b) in seen or b in (x, y):
            continue
        seen.add((a, b))
        found.add(int(b))
        for c in np.flatnonzero(mag.skeleton[b]):
            if c != a and c in above and mag.marks[a, b] == 2 and mag.marks[c, b] == 2:
                waiting.append((b, c))
    return found


def ancestors(mag, x):
    found, waiting = set(), [x]
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting += [u for u in range(len(mag.marks)) if mag.marks[u, v] == 2 and mag.marks[v, u] == 3]
    return found


def test_colliders_are_the_unshielded_ones():
    dag = DAG.from_edges(["A --> C", "B --> C", "C --> D"], nodes=["A", "B", "C", "D"])
    heads = colliders_of(dag.skeleton, {(0, 1): set(), (0, 3): {2}, (1, 3): {2}})
    assert np.argwhere(heads).tolist() == [[0, 2], [1, 2]]
