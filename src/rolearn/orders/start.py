"""Where a search starts: the initial orders of the paper's appendix A.1, and one between two of them."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.boundaries import along_one_order
from rolearn.neighbors.finders import FINDERS, finder_named
from rolearn.orders.cost import LEDGER, STATISTICS, OrderCosts
from rolearn.orders.precedence import allowed_order
from rolearn.orders.recursive_kernels import boundary_sizes, remove_recursively
from rolearn.orders.window_kernels import NeighborCosts
from rolearn.runtime.parameters import check_choice

__all__ = ["STARTS", "check_removability", "initial_order"]

STARTS = ("recursive", "scattered", "boundary-size", "random")

_SCATTER = 0.3  # of the length of the order: how far a variable moves (a standard deviation)


def check_removability(name: str) -> str:
    """Give the name back if there is such a removability test.

    Raises
    ------
    ParameterError
        When there is none.
    """
    return check_choice("removability", name, ("auto", *FINDERS))


def initial_order(
    costs: OrderCosts, start: str, removability: str, generator: np.random.Generator
) -> np.ndarray:
    """Make the order a search starts from, one that is allowed; moves slot 0 along.

    Parameters
    ----------
    costs : OrderCosts
    start : "recursive", "scattered", "boundary-size" or "random"
        "scattered" is the recursive order with each variable moved by a random distance.
    removability : "auto", "rsl", "l-marvel" or "mbcs"
        Whose test of removability the recursive order uses; "auto" is the finder's own.
    generator : numpy.random.Generator
        Used by "random" and "scattered" alone.

    Returns
    -------
    int64 array, shape (p,)
        Where the signal goes up meanwhile, what was not yet placed follows by the size of its boundary
        if that is quick to tell, else as it stands.
    """
    p = costs.n_variables
    if start == "random":
        return allowed_order(generator.permutation(p).astype(np.int64), costs.precedence)
    remaining = np.ones(p, np.bool_)
    order = np.empty(p, np.int64)
    done = 0
    if start in ("recursive", "scattered"):
        done = _recursive(costs, removability, order, remaining)
    if done < p:
        order[done:] = _by_boundary_size(costs, remaining)
    if start == "scattered":
        order = order[np.argsort(np.arange(p) + generator.normal(0.0, _SCATTER * p, p), kind="stable")]
    return allowed_order(order, costs.precedence)


def _recursive(costs: OrderCosts, removability: str, order: np.ndarray, remaining: np.ndarray) -> int:
    """Fill the order as far as the budget goes; gives how far."""
    arrays = costs.arrays
    assert isinstance(arrays, NeighborCosts)  # the bic cost brings such costs for its start
    boundaries, finder = along_one_order(arrays.boundaries), arrays.finder
    if removability != "auto":
        finder = finder_named(removability, finder.alpha)
    known, against = np.zeros(len(order), np.int64), np.zeros(len(order))
    done, again = 0, True
    while again:
        done, again = costs.attempt(
            remove_recursively,
            boundaries,
            finder,
            STATISTICS,
            LEDGER,
            0,
            order,
            remaining,
            known,
            against,
            costs.precedence,
            done,
        )
    return done


def _by_boundary_size(costs: OrderCosts, remaining: np.ndarray) -> np.ndarray:
    left = np.flatnonzero(remaining)
    if costs.stopped:
        if not costs.statistics.compiled:
            return left
        costs.ledger = costs.ledger._replace(signal=np.zeros(1, np.uint8))
    sizes = np.zeros(costs.n_variables, np.int64)
    keys = np.zeros(costs.n_variables, np.int64)
    costs.call(boundary_sizes, costs.arrays.boundaries, STATISTICS, LEDGER, 0, remaining, sizes, keys)
    return left[np.argsort(sizes[left], kind="stable")]
