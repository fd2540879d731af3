"""A lower bound of a district's deviance, in closed form.

Let the members of a district come in an order in which parents come before their children. Given its Markov
blanket, the others of its district among those so far and the parents of all these, a member is independent
of what else came before (Richardson 2003, "Markov properties for acyclic directed mixed graphs", Scand. J.
Stat. 30: the ordered local Markov property). These independences alone make the model of a DAG, in which the
blankets are the parents. The model of the district is part of it, so that its deviance isn't below the DAG's.
"""

from __future__ import annotations

import math

import numpy as np

from rolearn.independence.gaussian_kernels import NEGLIGIBLE
from rolearn.likelihood.district_kernels import log_variance
from rolearn.runtime.compile import kernel, part

__all__ = ["least_deviance"]


@part
def _read_edges(core, parents, joined):
    """Fill who is a parent (k, m) and who a spouse (k, k) of whom."""
    for x in range(len(core.rows)):
        a = core.rows[x]
        b = core.columns[x]
        if x < core.n_weights:
            parents[a, b] = a != b
        else:
            joined[a, b] = True
            joined[b, a] = True


@part
def _fill_blanket(v, parents, joined, placed, near, waiting, blanket):
    """Fill row v of the blankets, its size first; gives whether it has grown."""
    m = parents.shape[1]
    for u in range(m):
        near[u] = False
    near[v] = True
    waiting[0] = v
    count = 1
    done = 0
    while done < count:
        a = waiting[done]
        done += 1
        for b in range(len(joined)):
            if joined[a, b] and placed[b] and not near[b]:
                near[b] = True
                waiting[count] = b
                count += 1
    for t in range(count):
        for u in range(m):
            near[u] = near[u] or parents[waiting[t], u]
    size = 0
    for u in range(m):
        if near[u] and u != v:
            size += 1
            blanket[v, size] = u
    grown = blanket[v, 0] != size
    blanket[v, 0] = size
    return grown


@part
def _condition(core, u, t, factor, left):
    """Take u as the t-th that all others are given."""
    variance = left[u]
    for v in range(len(left)):
        entry = core.moments[u, v]
        for s in range(t):
            entry -= factor[u, s] * factor[v, s]
        factor[v, t] = entry / math.sqrt(variance) if variance > NEGLIGIBLE else 0.0
    for v in range(len(left)):
        left[v] -= factor[v, t] * factor[v, t]


@part
def _may_come(v, parents, placed):
    """Whether v has still to come and its parents among the members are there."""
    may = not placed[v]
    for u in range(len(placed)):
        may = may and (placed[u] or not parents[v, u])
    return may


@kernel
def least_deviance(core):
    """Give a bound that the deviance of a core isn't below.

    The next member is always the one that its blanket tells least of, compared with all that came before.
    In a district with a directed cycle, which has no such order, the bound is of those that came.
    """
    k = core.n_members
    m = len(core.moments)
    parents = np.zeros((k, m), np.bool_)
    joined = np.zeros((k, k), np.bool_)
    _read_edges(core, parents, joined)
    factor = np.zeros((m, m))
    left = np.empty(m)
    for u in range(m):
        left[u] = core.moments[u, u]
    for t in range(m - k):
        _condition(core, k + t, t, factor, left)
    placed = np.zeros(k, np.bool_)
    near = np.empty(m, np.bool_)
    waiting = np.empty(k, np.int64)
    blankets = np.zeros((k, m + 1), np.int64)
    blankets[:, 0] = -1
    given = np.zeros(k)
    total = 0.0
    for t in range(m - k, m):
        best = -1
        most = 0.0
        for v in range(k):
            if not _may_come(v, parents, placed):
                continue
            if _fill_blanket(v, parents, joined, placed, near, waiting, blankets):
                given[v] = log_variance(core.moments, v, blankets, v)
            excess = given[v] - math.log(max(left[v], NEGLIGIBLE))
            if best < 0 or excess > most:
                best = v
                most = excess
        if best < 0:
            break
        placed[best] = True
        total += given[best]
        _condition(core, best, t, factor, left)
    return total
