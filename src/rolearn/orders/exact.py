"""ROL_VI and beyond: what the search for the cheapest of all orders is asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.progress import SearchResult, Trace
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_number
from rolearn.runtime.parameters import check_choice

__all__ = ["Exact"]

_METHODS = ("auto", "value-iteration", "best-first", "cutting-planes")


@dataclass(frozen=True)
class Exact:
    """Find the cheapest of all orders, and prove that it is.

    Value iteration (ROL_VI of the paper) looks at all subsets of the variables, which doubles with each
    variable. Best-first search (A*) looks at those that a lower bound doesn't rule out; it needs the cost
    ``BIC(parents="exact")``, which is also what "bic" and "auto" mean here, or an `Oracle` whose neighbors
    are counted. Tables with discrete columns take value iteration. Cutting planes solve linear programs over
    who may have which parents, and then branch and bound; they need ``BIC(parents="exact")`` and
    ``pip install 'rolearn[exact]'``, and reach furthest where a network is sparse.

    Parameters
    ----------
    method : "auto", "value-iteration", "best-first" or "cutting-planes"
        "auto" is best-first where there is a bound, and value iteration once that has reached so many of
        the subsets that going through all of them is quicker. With the bic cost of more than 24 variables
        cutting planes follow a short best-first search, where they can be had.
    memory : float
        Gigabytes (1e9 bytes) it may take. Value iteration that would take more is refused before it starts;
        the others stop there, with the best order so far and what is proved of all others.

    Raises
    ------
    ParameterError
        When one of these is not allowed.

    Examples
    --------
    >>> import rolearn
    >>> from rolearn.data.networks import load_sachs
    >>> rolearn.learn(load_sachs(), transform="rank", search=rolearn.Exact(memory=1.0)).optimal_
    True
    """

    method: str = "auto"
    memory: float = 4.0

    name = "exact"

    def __post_init__(self) -> None:
        check_choice("method", self.method, _METHODS)
        if not is_number(self.memory) or not 0.0 < self.memory < np.inf:
            raise ParameterError(f"memory is {self.memory!r}; give a number of gigabytes greater than 0")

    def starts(self, n_starts: int) -> list[Exact]:
        """Give one search: there is nothing to gain from another."""
        return [self]

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Find the order, or at the limit of time or memory the best so far and a lower bound.

        Raises
        ------
        ParameterError
            When this can't be done with these costs, or for so many variables.
        """
        # a dozen modules, which most commands would load for nothing
        from rolearn.orders.exact_search import ExactSearch

        return ExactSearch(self.method, 1e9 * self.memory).run(costs, trace, generator, more)
