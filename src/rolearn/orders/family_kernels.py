"""Which parents a variable may have in a DAG that a linear program prices: see `families`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import cholesky, invert
from rolearn.neighbors.subset_kernels import best_subset, best_superset
from rolearn.runtime.compile import kernel

__all__ = [
    "CELLS",
    "DONE",
    "FOUND",
    "FULL",
    "HALTED",
    "Prices",
    "grow_clusters",
    "list_families",
    "log_variances",
    "reach",
    "weigh",
]

# Why `list_families` comes back, and what its counts count.
DONE, FULL, HALTED = 0, 1, 2
CELLS, FOUND = 0, 1


class Prices(NamedTuple):
    """Prices of cuts: ``weight`` of each covariance (cuts, p, p), ``price`` of each cluster's mask."""

    covariance: np.ndarray
    weight: np.ndarray
    cluster: np.ndarray
    price: np.ndarray


@kernel
def log_variance(covariance, x, mask):
    """Give the log variance of x that is left given the members of a mask."""
    p = len(covariance)
    members = np.empty(p, np.int64)
    size = 0
    for y in range(p):
        if (mask >> y) & 1:
            members[size] = y
            size += 1
    members[size] = x
    factor = np.empty((size + 1, size + 1))
    for i in range(size + 1):
        for j in range(i + 1):
            factor[i, j] = covariance[members[i], members[j]]
    cholesky(factor, size + 1)
    return 2.0 * math.log(factor[size, size])


@kernel
def log_variances(covariance, variables, masks, found):
    """Fill the log variance of each variable given its mask."""
    for i in range(len(variables)):
        found[i] = log_variance(covariance, variables[i], masks[i])


@kernel
def reach(prices, n_samples, x, mask):
    """Give what a family may cost before its reduced cost is above 0; less, the more parents it has."""
    total = 0.0
    for k in range(len(prices.weight)):
        total += prices.weight[k] * log_variance(prices.covariance[k], x, mask)
    total *= n_samples
    for k in range(len(prices.price)):
        if (prices.cluster[k] >> x) & 1 and prices.cluster[k] & mask == 0:
            total += prices.price[k]
    return total


@kernel
def _best_within(score, x, mask, allowed, room, signal, out):
    """Give the best set of x within a mask, as a mask; -1 when halted."""
    for y in range(len(allowed)):
        allowed[y] = (mask >> y) & 1 == 1
    size = best_subset(score, x, allowed, room, signal, out)
    if size < 0:
        return -1
    best = 0
    for i in range(size):
        best |= 1 << out[i]
    return best


@kernel
def list_families(score, prices, x, before, level, patience, room, signal, cells, masks, values, counts):
    """Fill the useful parent sets of x of reduced cost `level` at most; says why it came back.

    Cuts count who has to come ``before`` x, a mask, with its parents.
    Comes back after `patience` cells, as when room is out. ``cells`` (rows, 2) is a stack of masks, required
    and excluded, ``counts[CELLS]`` of them; a call goes on from there. ``values`` (rows, 2) are cost and
    reduced cost. A cell holds all sets between the required and what is not excluded. Its best set P, and
    what is the best D within P: whatever in the cell holds all of D is P itself or costs no less than D and
    so isn't useful. So the cell splits into P and, for each d of D that is not required, what leaves out d
    and holds those before it.
    """
    p = len(score.correlation)
    allowed = np.zeros(p, np.bool_)
    required = np.zeros(p, np.bool_)
    out = np.empty(p, np.int64)
    slack = 1e-9 * score.n_samples
    looked_at = 0
    while counts[CELLS] > 0:
        if signal[0] != 0:
            return HALTED
        if looked_at == patience:
            return FULL
        looked_at += 1
        if counts[FOUND] == len(masks) or counts[CELLS] + p >= len(cells):
            return FULL
        inside = cells[counts[CELLS] - 1, 0]
        outside = cells[counts[CELLS] - 1, 1]
        limit = level + reach(prices, score.n_samples, x, inside | before)
        size = 0
        for y in range(p):
            size += (inside >> y) & 1
        everything = ((1 << p) - 1) & ~outside  # explains most; quicker to tell than by the search below
        bound = score.n_samples * log_variance(score.correlation, x, everything) + score.threshold * size
        if bound > limit + slack:
            counts[CELLS] -= 1
            continue
        if inside != 0:
            best = _best_within(score, x, inside, allowed, room, signal, out)
            if best < 0:
                return HALTED
            size = 0
            for y in range(p):
                size += (best >> y) & 1
            cost = score.n_samples * log_variance(score.correlation, x, best) + score.threshold * size
            limit = min(limit, cost)
        for y in range(p):
            required[y] = (inside >> y) & 1 == 1
            allowed[y] = (outside >> y) & 1 == 0
        size = best_superset(score, x, required, allowed, limit + slack, room, signal, out)
        if size == -1:
            return HALTED
        counts[CELLS] -= 1
        if size < 0:
            continue
        mask = 0
        for i in range(size):
            mask |= 1 << out[i]
        best = _best_within(score, x, mask, allowed, room, signal, out)
        if best < 0:
            counts[CELLS] += 1
            return HALTED
        if best == mask:
            cost = score.n_samples * log_variance(score.correlation, x, mask) + score.threshold * size
            reduced = cost - reach(prices, score.n_samples, x, mask | before)
            if reduced <= level:
                masks[counts[FOUND]] = mask
                values[counts[FOUND], 0] = cost
                values[counts[FOUND], 1] = reduced
                counts[FOUND] += 1
        left = best & ~inside
        while left != 0:  # who explains most first: the more the required explain, the less is in a cell
            most = -1.0
            strongest = -1
            for y in range(p):
                if (left >> y) & 1:
                    gain = log_variance(score.correlation, x, best & ~(1 << y))
                    if strongest < 0 or gain > most:
                        most = gain
                        strongest = y
            cells[counts[CELLS], 0] = inside
            cells[counts[CELLS], 1] = outside | (1 << strongest)
            counts[CELLS] += 1
            inside |= 1 << strongest
            left &= ~(1 << strongest)
    return DONE


@kernel
def weigh(covariance, variables, masks, weights, gram):
    """Fill the sum of w b b' / var over families, b the residual of the variable; gives that of w log var."""
    p = len(covariance)
    gram[:, :] = 0.0
    members = np.empty(p, np.int64)
    total = 0.0
    for j in range(len(variables)):
        size = 0
        for y in range(p):
            if (masks[j] >> y) & 1:
                members[size] = y
                size += 1
        members[size] = variables[j]
        size += 1
        small = np.empty((size, size))
        precision = np.empty((size, size))
        for a in range(size):
            for b in range(a + 1):
                small[a, b] = covariance[members[a], members[b]]
        invert(small, size, precision)
        last = size - 1
        total -= weights[j] * math.log(precision[last, last])
        for a in range(size):
            for b in range(size):
                gram[members[a], members[b]] += (
                    weights[j] * precision[a, last] * precision[b, last] / precision[last, last]
                )
    return total


@kernel
def grow_clusters(variables, masks, weights, p, found, uncovered):
    """Grow a cluster from each pair by who lowers most the weight of families without parents in it.

    Fills a mask and that weight for each pair of different variables; gives how many.
    """
    count = 0
    for a in range(p):
        for b in range(a):
            mask = (1 << a) | (1 << b)
            least = _uncovered(variables, masks, weights, mask)
            while True:
                best = -1
                for y in range(p):
                    if (mask >> y) & 1 == 0:
                        weight = _uncovered(variables, masks, weights, mask | (1 << y))
                        if weight < least - 1e-9:
                            least = weight
                            best = y
                if best < 0:
                    break
                mask |= 1 << best
            found[count] = mask
            uncovered[count] = least
            count += 1
    return count


@kernel
def _uncovered(variables, masks, weights, cluster):
    total = 0.0
    for j in range(len(variables)):
        if (cluster >> variables[j]) & 1 and cluster & masks[j] == 0:
            total += weights[j]
    return total
