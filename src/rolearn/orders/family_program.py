"""The linear program over families: one parent set a variable, and cuts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rolearn.orders.cuts import Choice, Covariance, Cut

__all__ = ["FamilyProgram", "HaltedError", "Solution", "StuckError"]

_LARGEST = 100.0  # coefficients are scaled down to that
_PRESENT = 1e-7  # a weight that counts
_PATIENCE = 8  # rounds that a cut may go unused
_GLANCE = 0.02  # seconds
_INFEASIBLE = 2  # scipy's status


class HaltedError(Exception):
    """The budget's signal went up."""


class StuckError(Exception):
    """The solver gave up, for rounding."""


@dataclass(frozen=True)
class Solution:
    """An optimum over some families: their weights, and the cuts' prices, at least 0."""

    families: np.ndarray
    weights: np.ndarray
    prices: np.ndarray


class FamilyProgram:
    """Families, their costs and the cuts on them. Programs are solved over some of the families.

    Parameters
    ----------
    n_samples : float
        What covariances count.
    center : int64 array, shape (p,)
        Masks of the parents in some DAG: coefficients are taken relative to it, so that they are small.
    signal : uint8 array, shape (1,)

    Attributes
    ----------
    variables, masks : int64 array, shape (families,)
    costs : float64 array, shape (families,)
    cuts : list of Cut
    """

    def __init__(self, n_samples: float, center: np.ndarray, signal: np.ndarray) -> None:
        self.n_samples, self.center, self.signal = n_samples, center, signal
        self.variables, self.masks = np.empty(0, np.int64), np.empty(0, np.int64)
        self.costs = np.empty(0)
        self.cuts: list[Cut] = []
        self._rows: list[np.ndarray] = []
        self._centers: list[np.ndarray] = []
        self._unused: list[int] = []

    def add_families(self, variables: np.ndarray, masks: np.ndarray, costs: np.ndarray) -> None:
        """Add families that aren't there."""
        for i, cut in enumerate(self.cuts):
            self._rows[i] = np.concatenate([self._rows[i], self._coefficients(cut, variables, masks)])
        self.variables = np.concatenate([self.variables, variables])
        self.masks = np.concatenate([self.masks, masks])
        self.costs = np.concatenate([self.costs, costs])

    def keep_families(self, kept: np.ndarray) -> None:
        """Drop all families but those of a mask or at these places."""
        self.variables, self.masks, self.costs = self.variables[kept], self.masks[kept], self.costs[kept]
        self._rows = [row[kept] for row in self._rows]

    def add_cut(self, cut: Cut) -> None:
        """Add a cut."""
        everyone = np.arange(len(self.center))
        self.cuts.append(cut)
        self._rows.append(self._coefficients(cut, self.variables, self.masks))
        self._centers.append(self._coefficients(cut, everyone, self.center))
        self._unused.append(0)

    def drop_unused(self, solution: Solution, fixed: int) -> None:
        """Drop cuts that had no price for some rounds; the first `fixed` stay."""
        for i, price in enumerate(solution.prices):
            self._unused[i] = 0 if price > 1e-9 or i < fixed else self._unused[i] + 1
        kept = [i for i, unused in enumerate(self._unused) if unused <= _PATIENCE]
        self.cuts = [self.cuts[i] for i in kept]
        self._rows, self._centers = [self._rows[i] for i in kept], [self._centers[i] for i in kept]
        self._unused = [self._unused[i] for i in kept]

    def least(self, cut: Cut) -> float:
        """Give what a cut's sum is at least."""
        return cut.least * (self.n_samples if isinstance(cut, Covariance) else 1.0)

    def reduced_costs(self, paid: np.ndarray, families: np.ndarray | None = None) -> np.ndarray:
        """Give costs less what the cuts' prices pay."""
        places = slice(None) if families is None else families
        reduced = self.costs[places].copy()
        for price, row in zip(paid, self._rows, strict=False):
            if price > 0.0:
                reduced -= price * row[places]
        return reduced

    def constant(self, paid: np.ndarray) -> float:
        """Give what the prices of cuts bring, to which the least reduced cost of each variable adds."""
        return float(
            sum(price * self.least(cut) for price, cut in zip(paid, self.cuts, strict=False) if price > 0.0)
        )

    def least_of_each(self, reduced: np.ndarray, families: np.ndarray) -> np.ndarray:
        """Give the least reduced cost of each variable; infinite without a family."""
        least = np.full(len(self.center), np.inf)
        np.minimum.at(least, self.variables[families], reduced)
        return least

    def choice(self, solution: Solution) -> Choice:
        """Give the families of positive weight."""
        present = solution.weights > _PRESENT
        families = solution.families[present]
        return Choice(self.variables[families], self.masks[families], solution.weights[present])

    def solve(self, families: np.ndarray) -> Solution | None:
        """Give an optimum over the families at these places; None where there is none.

        Raises
        ------
        HaltedError
            When the signal went up meanwhile.
        StuckError
            When the solver gives up.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        p, of = len(self.center), self.variables[families]
        if len(np.unique(of)) < p:
            return None
        shift = np.full(p, np.inf)
        np.minimum.at(shift, of, self.costs[families])
        rows, least, scale = np.empty((len(self.cuts), len(families))), [], []
        for i, (cut, row, center) in enumerate(zip(self.cuts, self._rows, self._centers, strict=True)):
            rows[i] = row[families] - center[of]
            scale.append(min(1.0, _LARGEST / max(float(np.abs(rows[i]).max()), 1e-9)))
            rows[i] *= scale[-1]
            least.append((self.least(cut) - center.sum()) * scale[-1])
        chosen = csr_array((np.ones(len(of)), (of, np.arange(len(of)))), shape=(p, len(of)))
        model = {
            "c": self.costs[families] - shift[of],
            "A_ub": csr_array(-rows),
            "b_ub": -np.array(least),
            "A_eq": chosen,
            "b_eq": np.ones(p),
        }
        for method in ("highs", "highs-ds", "highs-ipm"):
            found = _unless_signaled(partial(linprog, **model, method=method), self.signal)
            if found.status == _INFEASIBLE:
                return None
            if found.status == 0:
                prices = np.maximum(-found.ineqlin.marginals, 0.0) * np.array(scale)
                return Solution(families, found.x, prices)
        raise StuckError

    def _coefficients(self, cut: Cut, variables: np.ndarray, masks: np.ndarray) -> np.ndarray:
        found = cut.coefficients(variables, masks)
        return found * self.n_samples if isinstance(cut, Covariance) else found


def _unless_signaled(function: Callable[[], Any], signal: np.ndarray) -> Any:
    """Give what a function gives; leaves it to itself when the signal goes up."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((function(), None))
        except Exception as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run)  # no daemon: the solver can't be cut off as Python ends
    thread.start()
    while thread.is_alive():
        thread.join(_GLANCE)
        if signal[0]:
            raise HaltedError
    result, error = outcome[0]
    if error is not None:
        raise error
    return result
