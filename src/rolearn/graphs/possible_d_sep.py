"""What may separate a vertex from others, in a graph of which the skeleton and the colliders are known."""

from __future__ import annotations

import numpy as np

__all__ = ["colliders_of", "possible_d_seps"]


def colliders_of(adjacent: np.ndarray, separated: dict[tuple[int, int], set[int]]) -> np.ndarray:
    """Give where unshielded colliders have their arrowheads (rule R0).

    Parameters
    ----------
    adjacent : bool array, shape (n, n)
        Symmetric.
    separated : dict
        For each pair a < c that isn't adjacent, the set that separates it.

    Returns
    -------
    bool array, shape (n, n)
        At [a, b] whether there is an arrowhead at b on the edge between a and b.
    """
    heads = np.zeros(adjacent.shape, np.bool_)
    for (a, c), given in separated.items():
        for b in np.flatnonzero(adjacent[a] & adjacent[c]).tolist():
            if b not in given:
                heads[a, b] = heads[c, b] = True
    return heads


def possible_d_seps(adjacent: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Give the possible-d-sep of each vertex (Spirtes, Glymour and Scheines 2000, chapter 6).

    Parameters
    ----------
    adjacent : bool array, shape (n, n)
    heads : bool array, shape (n, n)
        As `colliders_of` gives it.

    Returns
    -------
    bool array, shape (n, n)
        At [x, v] whether there is a path from x to v on which each inner vertex is a collider or makes a
        triangle with the two beside it; or a walk that doesn't come by x again, which is quicker to tell.
    """
    neighbors = [np.flatnonzero(row).tolist() for row in adjacent]
    onward = {
        (a, b): [c for c in neighbors[b] if c != a and (adjacent[a, c] or (heads[a, b] and heads[c, b]))]
        for b in range(len(adjacent))
        for a in neighbors[b]
    }
    found = np.zeros(adjacent.shape, np.bool_)
    for x in range(len(adjacent)):
        waiting = [(x, b) for b in neighbors[x]]
        seen = set(waiting)
        while waiting:
            a, b = waiting.pop()
            found[x, b] = True
            news = {(b, c) for c in onward[a, b] if c != x} - seen
            seen |= news
            waiting.extend(news)
    return found
