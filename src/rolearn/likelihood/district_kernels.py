"""Districts: who is in one, and what of its likelihood has a closed form.

The deviance of a district is the least ``log|Omega| + tr(Omega^-1 R) - size`` over the coefficients of its
members on their parents and over the covariances Omega of their residuals, which are free at bidirected edges
and zero elsewhere; R is the covariance matrix of the residuals that the coefficients leave.

A member whose spouses are all spouses of each other and have all its parents leaves in closed form. Its
spouses take it as a parent: their residuals given its own are their old ones less a multiple of its own,
hence a regression on it and on its parents, which they have; and what those multiples take from Omega lies at
pairs of spouses, where it is free. The map is one to one, so the two models are the same. For bidirected
edges alone this is in Drton and Richardson (2008), "Graphical methods for efficient likelihood inference in
Gaussian covariance models", JMLR 9.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, TAIL
from rolearn.independence.gaussian_kernels import NEGLIGIBLE, cholesky
from rolearn.runtime.compile import kernel, lean_kernel, part

__all__ = ["District", "district_of", "log_variance", "open_district", "remove_closed", "vertex_deviance"]


class District(NamedTuple):
    """The k members of a district over p variables.

    The first k ``members`` are variables. Row i of ``parents`` (k, p + 1) has the number of parents of member
    i, then the parents. ``spouses`` (k, k) says whom a bidirected edge joins; on the diagonal, who is left.
    """

    members: np.ndarray
    parents: np.ndarray
    spouses: np.ndarray


@lean_kernel
def district_of(marks, near, x, members, seen):
    """Fill the members of the district of x in ascending order and return their number.

    ``members`` (p) is int64, ``seen`` (p) room for p booleans, all false before and after.
    """
    members[0] = x
    seen[x] = True
    size = 1
    done = 0
    while done < size:
        v = members[done]
        done += 1
        for k in range(near.sizes[v]):
            w = near.lists[v, k]
            if marks[v, w] == ARROWHEAD and marks[w, v] == ARROWHEAD and not seen[w]:
                seen[w] = True
                members[size] = w
                size += 1
    for m in range(size):
        v = members[m]
        seen[v] = False
        place = m
        while place > 0 and members[place - 1] > v:
            members[place] = members[place - 1]
            place -= 1
        members[place] = v
    return size


@lean_kernel
def _fill_parents(marks, x, parents, row):
    size = 0
    for v in range(len(marks)):
        if marks[x, v] == TAIL and marks[v, x] == ARROWHEAD:
            size += 1
            parents[row, size] = v
    parents[row, 0] = size


@kernel
def log_variance(correlation, x, parents, row):
    """Log variance of x given the parents in a row; at least that of NEGLIGIBLE."""
    size = parents[row, 0]
    factor = np.empty((size + 1, size + 1))
    for i in range(size):
        for j in range(i + 1):
            factor[i, j] = correlation[parents[row, i + 1], parents[row, j + 1]]
        factor[size, i] = correlation[x, parents[row, i + 1]]
    factor[size, size] = correlation[x, x]
    cholesky(factor, size + 1)
    return math.log(max(factor[size, size] ** 2, NEGLIGIBLE))


@kernel
def vertex_deviance(correlation, marks, x):
    """Give the deviance of a vertex without bidirected edges: the log of its variance given its parents."""
    parents = np.empty((1, len(marks) + 1), np.int64)
    row = len(parents) - 1  # a plain 0 would be compiled for itself
    _fill_parents(marks, x, parents, row)
    return log_variance(correlation, x, parents, row)


@kernel
def open_district(marks, members, size):
    """Read a district from the marks of the graph."""
    parents = np.empty((size, len(marks) + 1), np.int64)
    spouses = np.empty((size, size), np.bool_)
    for i in range(size):
        x = members[i]
        _fill_parents(marks, x, parents, i)
        for j in range(size):
            y = members[j]
            spouses[i, j] = i == j or (marks[x, y] == ARROWHEAD and marks[y, x] == ARROWHEAD)
    return District(members, parents, spouses)


@part
def _is_closed(district, i):
    """Whether the spouses that i has left are spouses of each other and have its parents."""
    spouses = district.spouses
    parents = district.parents
    for j in range(len(spouses)):
        if spouses[i, j] and j != i:
            for k in range(j):
                if spouses[i, k] and not spouses[j, k]:
                    return False
            for s in range(parents[i, 0]):
                found = False
                for t in range(parents[j, 0]):
                    found = found or parents[j, t + 1] == parents[i, s + 1]
                if not found:
                    return False
    return True


@part
def _leave(district, i):
    spouses = district.spouses
    for j in range(len(spouses)):
        if spouses[i, j] and j != i:
            size = district.parents[j, 0] + 1
            district.parents[j, 0] = size
            district.parents[j, size] = district.members[i]
        spouses[i, j] = False
        spouses[j, i] = False


@lean_kernel
def remove_closed(correlation, district):
    """Take out members in closed form while there are any; give the sum of their deviances.

    Whoever leaves becomes a parent of its spouses. Who stays doesn't depend on the order.
    """
    size = len(district.spouses)
    total = 0.0
    left = True
    while left:
        left = False
        for i in range(size):
            if district.spouses[i, i] and _is_closed(district, i):
                total += log_variance(correlation, district.members[i], district.parents, i)
                _leave(district, i)
                left = True
    return total
