"""The paper's own settings, one call each: alpha 0.01, no legal step, neighbors as each method finds them.

Each returns a fitted `rolearn.ROL`. Without the legal step the graph is what the tests say, as in the paper,
and may be no valid PAG on data; a `rolearn.RolearnWarning` then says why.
"""

from __future__ import annotations

from typing import Any

from rolearn.estimators import (
    ROL,
    ColliderSets,
    Exact,
    HillClimb,
    NeighborCount,
    PolicyGradient,
    Recursive,
)

__all__ = ["l_marvel", "mbcs", "rol_hc", "rol_pg", "rol_vi", "rsl"]


def rol_hc(X: Any, alpha: float = 0.01, **parameters: Any) -> ROL:
    """Learn by hill climbing, ROL_HC: algorithm 4 from RSL's recursive order, 20 swaps up to 10 apart.

    Parameters
    ----------
    X
        As `rolearn.ROL.fit` takes it.
    alpha : float
    **parameters
        Others of `rolearn.ROL`, such as ``time_limit``.

    Returns
    -------
    ROL
        Fitted.

    Raises
    ------
    DataError, ParameterError
        As `rolearn.ROL.fit`.

    Examples
    --------
    >>> import rolearn
    >>> truth = rolearn.DAG.from_edges([("A", "C"), ("B", "C")])
    >>> print(rolearn.paper.rol_hc(rolearn.Oracle(truth)).pag_)
    A o-> C
    B o-> C
    """
    search = HillClimb(max_swap=10, max_iter=20, start="recursive", removability="rsl")
    return _fit(X, "rsl", dict(search=search, alpha=alpha, **parameters))


def rol_vi(X: Any, alpha: float = 0.01, memory: float = 4.0, **parameters: Any) -> ROL:
    """Learn by value iteration, ROL_VI: an order proved to have the fewest neighbors.

    Takes the parameters of `rol_hc`. Time and memory double with each variable; more variables than `memory`
    gigabytes are enough for are refused.
    """
    search = Exact("value-iteration", memory)
    return _fit(X, "rsl", dict(search=search, alpha=alpha, **parameters))


def rol_pg(X: Any, alpha: float = 0.01, **parameters: Any) -> ROL:
    """Learn by policy gradient, ROL_PG: from a random policy, without imitation or hill climbing.

    Takes the parameters of `rol_hc`. The paper doesn't say how many orders it drew; this stops once 50 rounds
    of 64 bring nothing, after 300 at most. Needs PyTorch: ``pip install 'rolearn[rl]'``.
    """
    search = PolicyGradient(warm_start=False, copying=0.0, polish=False)
    return _fit(X, "rsl", dict(search=search, alpha=alpha, **parameters))


def l_marvel(X: Any, alpha: float = 0.01, **parameters: Any) -> ROL:
    """Learn by L-MARVEL (Akbari et al. 2021): remove what tests removable; complete for MAGs.

    Takes the parameters of `rol_hc`. Tests subsets of Markov boundaries, so slow where those are large.
    """
    return _fit(X, "l-marvel", dict(search=Recursive("l-marvel"), alpha=alpha, **parameters))


def mbcs(X: Any, alpha: float = 0.01, **parameters: Any) -> ROL:
    """Learn by MBCS* (Pellet and Elisseeff 2008): moral graph, collider sets, possible-d-sep, no order.

    Takes the parameters of `rol_hc`. Tests subsets of what two Markov boundaries share, and of each
    possible-d-sep, so slow where those are large.

    Theirs are the steps and the sets that are tested. Ours are: boundaries by total conditioning at a level
    of their own, as for all methods here; of the smallest sets that separate the one with the largest
    p-value; possible-d-sep within a boundary (`rolearn.ColliderSets`); and all rules of Zhang (2008).

    Examples
    --------
    >>> import rolearn
    >>> truth = rolearn.DAG.from_edges([("A", "C"), ("B", "C"), ("L", "B"), ("L", "D")])
    >>> print(rolearn.paper.mbcs(rolearn.Oracle(truth, hidden=["L"])).pag_)
    A o-> C
    B o-> C
    B o-o D
    """
    return _fit(X, "mbcs", dict(search=ColliderSets(), alpha=alpha, **parameters))


def rsl(X: Any, alpha: float = 0.01, **parameters: Any) -> ROL:
    """Learn by RSL (Mokhtarian et al. 2022), which assumes no latents and diamond-free DAGs: a CPDAG.

    Takes the parameters of `rol_hc`.
    """
    return _fit(X, "rsl", dict(search=Recursive("rsl"), alpha=alpha, latents=False, **parameters))


def _fit(X: Any, finder: str, parameters: dict[str, Any]) -> ROL:
    settings = {"cost": NeighborCount(finder), "legal": False, **parameters}
    return ROL().set_params(**settings).fit(X)
