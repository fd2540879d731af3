"""Inequalities that the parents of a DAG satisfy, and what of them a fractional choice of parents breaks.

A choice gives each variable v one parent set P; x(v, P) is 1 for that family. For a set function f that is
submodular, with f of nothing 0, every DAG has

    sum of x(v, P) (f(P and v) - f(P))  >=  f(all variables),

since along an order that it agrees with, f(P and v) - f(P) is no less than what f gains when v comes to all
before it, and those gains add up to f of all. Two kinds of f are used:

*Clusters* C (Jaakkola et al. 2010): f = 1 for sets that meet C. Some member of C has no parent in C.

*Covariances* K (any positive definite matrix): f = log det K(A), submodular as entropies are. The sum of
x(v, P) log var_K(v | P) is at least log det K. With the correlations of the data for K this says that no DAG
explains more than the saturated model; with those that a DAG implies, it counts no chance dependences
either, and is sharp at that DAG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rolearn.orders.family_kernels import Prices, grow_clusters, log_variances, weigh

__all__ = [
    "Choice",
    "Cluster",
    "Covariance",
    "Cut",
    "broken_clusters",
    "implied",
    "members",
    "prices",
    "sharpened",
    "sources_first",
    "triangulated",
]

_BROKEN = 1e-4  # of a cluster, how much has to lack
_MOST_CLUSTERS = 60  # of a round
_SINGULAR = 1e-7  # ratio of eigenvalues below which a covariance isn't used


Cut: TypeAlias = "Cluster | Covariance"


@dataclass(frozen=True)
class Choice:
    """A fractional choice: families of positive weight, by variable and mask of parents."""

    variables: np.ndarray
    masks: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Cluster:
    """At least one of the members of a mask has no parent in it."""

    mask: int

    @property
    def least(self) -> float:
        """What the sum over chosen families is at least."""
        return 1.0

    def coefficients(self, variables: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Give f(P and v) - f(P) of families."""
        inside = (np.int64(self.mask) >> variables) & 1 == 1
        return (inside & (masks & np.int64(self.mask) == 0)).astype(float)


@dataclass(frozen=True)
class Covariance:
    """The log variances left are together at least the log determinant."""

    matrix: np.ndarray

    @property
    def least(self) -> float:
        """What the sum over chosen families is at least."""
        return float(np.linalg.slogdet(self.matrix)[1])

    def coefficients(self, variables: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Give f(P and v) - f(P) of families."""
        found = np.empty(len(masks))
        log_variances(self.matrix, variables, masks, found)
        return found


def prices(cuts: Sequence[Cut], weights: np.ndarray, p: int) -> Prices:
    """Put prices on cuts in the form that kernels take."""
    covariances = [
        (cut.matrix, w) for cut, w in zip(cuts, weights, strict=True) if isinstance(cut, Covariance)
    ]
    clusters = [(cut.mask, w) for cut, w in zip(cuts, weights, strict=True) if isinstance(cut, Cluster)]
    return Prices(
        np.array([matrix for matrix, _ in covariances]).reshape(-1, p, p),
        np.array([w for _, w in covariances], float),
        np.array([mask for mask, _ in clusters], np.int64),
        np.array([w for _, w in clusters], float),
    )


def broken_clusters(choice: Choice, p: int) -> list[Cluster]:
    """Give clusters that the choice breaks, most broken first: grown from pairs, and left after sources."""
    found, uncovered = np.empty(p * p, np.int64), np.empty(p * p)
    count = grow_clusters(choice.variables, choice.masks, choice.weights, p, found, uncovered)
    least = dict(zip(found[:count].tolist(), uncovered[:count].tolist(), strict=True))
    least.update(_after_sources(choice, p))
    broken = [mask for mask, weight in least.items() if weight < 1.0 - _BROKEN]
    return [Cluster(mask) for mask in sorted(broken, key=lambda mask: (least[mask], mask))[:_MOST_CLUSTERS]]


def sources_first(choice: Choice, p: int) -> Iterable[tuple[int, int, float]]:
    """Take away who is most a source; gives each, the mask it is taken from, and the weight without parents.

    What is left of a whole choice once no source is left is a cluster that it breaks.
    """
    mask = (1 << p) - 1
    while mask:
        free = np.where(choice.masks & np.int64(mask) == 0, choice.weights, 0.0)
        source = np.bincount(choice.variables, free, p)
        source[[v for v in range(p) if not mask >> v & 1]] = -1.0
        v = int(np.argmax(source))
        yield v, mask, float(source[source > 0.0].sum())
        mask &= ~(1 << v)


def _after_sources(choice: Choice, p: int) -> dict[int, float]:
    return {mask: weight for _, mask, weight in sources_first(choice, p)}


def sharpened(choice: Choice, start: np.ndarray, steps: int = 1) -> tuple[np.ndarray | None, float]:
    """Give a covariance that the choice breaks more than it does the start, and by how much.

    log det K less the sum of x log var_K(v | P) is to rise. Each log var is concave in K, so below its
    tangent; by the tangents the best K is the inverse of the sum of x b b' / var, with b = 1 at v and minus
    the coefficients at P. A step goes there. Gives None where that is nearly singular at once.
    """
    best, broken, gram = None, 0.0, np.empty_like(start)
    matrix = start
    weigh(matrix, choice.variables, choice.masks, choice.weights, gram)
    for _ in range(steps):
        eigenvalues = np.linalg.eigvalsh(gram)
        if eigenvalues[0] <= _SINGULAR * eigenvalues[-1]:
            break
        matrix = np.linalg.inv(gram)
        deviation = np.sqrt(np.diag(matrix))
        matrix = matrix / np.outer(deviation, deviation)
        matrix = 0.5 * (matrix + matrix.T)
        total = weigh(matrix, choice.variables, choice.masks, choice.weights, gram)
        best, broken = matrix, float(np.linalg.slogdet(matrix)[1]) - total
    return best, broken


def implied(
    correlation: np.ndarray, parents: dict[int, list[int]], causes_first: Iterable[int]
) -> np.ndarray:
    """Give the correlations that a DAG with these parents implies, fitted to the data's."""
    p = len(correlation)
    matrix = np.zeros((p, p))
    done: list[int] = []
    for v in causes_first:
        given = np.array(parents[v], np.int64)
        matrix[v, v] = 1.0
        if len(given):
            weights = np.linalg.solve(correlation[np.ix_(given, given)], correlation[given, v])
            matrix[v, done] = matrix[done, v] = matrix[done][:, given] @ weights
            matrix[v, v] -= weights @ correlation[given, v]
            matrix[v, v] += weights @ matrix[np.ix_(given, given)] @ weights
        done.append(v)
    deviation = np.sqrt(np.diag(matrix))
    return matrix / np.outer(deviation, deviation)


def triangulated(parents: dict[int, list[int]], p: int) -> tuple[dict[int, list[int]], list[int]]:
    """Give a decomposable supergraph of the moral graph as a DAG's parents, and its order, causes first.

    Eliminates who needs the fewest edges more (min-fill).
    """
    joined: dict[int, set[int]] = {v: set() for v in range(p)}
    for v, given in parents.items():
        _join(joined, [v, *given])
    found: dict[int, list[int]] = {}
    order: list[int] = []
    while joined:
        v = min(joined, key=lambda y: (_missing(joined, y), y))
        found[v] = sorted(joined[v])
        _join(joined, found[v])
        for y in joined.pop(v):
            joined[y].discard(v)
        order.append(v)
    return found, order[::-1]


def _join(joined: dict[int, set[int]], members: list[int]) -> None:
    for y in members:
        joined[y].update(z for z in members if z != y)


def _missing(joined: dict[int, set[int]], v: int) -> int:
    near = sorted(joined[v])
    return sum(z not in joined[y] for i, y in enumerate(near) for z in near[:i])


def members(mask: int) -> list[int]:
    """Give the variables of a mask."""
    return [y for y in range(mask.bit_length()) if mask >> y & 1]
