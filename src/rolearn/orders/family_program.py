"""The linear program over families: one parent set a variable, and cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rolearn.orders.cuts import Choice, Covariance, Cut
from rolearn.orders.warm_program import WarmProgram

__all__ = ["PRICED", "FamilyProgram", "Solution"]

PRICED = 1e-4  # a reduced cost that doesn't count while families are looked for
_LARGEST = 100.0  # coefficients are scaled down to that
_SLACK = 1e-6  # that a scaled row is let off, so that rounding leaves DAGs in; bounds are computed without
_PRESENT = 1e-7  # a weight that counts
_TAKEN = 30  # families of a variable that the program takes in at a time
_PATIENCE = 8  # rounds that a cut may go unused


@dataclass(frozen=True)
class Solution:
    """An optimum over some families: these, their weights, its cost, and the cuts' prices, at least 0."""

    families: np.ndarray
    weights: np.ndarray
    cost: float
    prices: np.ndarray


class FamilyProgram:
    """Families, their costs and the cuts on them. The solver has those families that were taken in.

    Parameters
    ----------
    n_samples : float
        What covariances count.
    masks, costs : arrays, shape (p,)
        Parents of each variable in some DAG, the first families, and their costs. Coefficients and costs
        are taken relative to these, so that they are small.
    before : int64 array, shape (p,)
        Masks of who has to come before each variable, which cuts count with its parents.
    signal : uint8 array, shape (1,)

    Attributes
    ----------
    variables, masks : int64 array, shape (families,)
    costs : float64 array, shape (families,)
    cuts : list of Cut
    """

    def __init__(
        self, n_samples: float, masks: np.ndarray, costs: np.ndarray, before: np.ndarray, signal: np.ndarray
    ) -> None:
        self.n_samples, self.p, self.before = n_samples, len(masks), before
        self._first_masks, self._first_costs = masks, costs
        self.variables, self.masks = np.empty(0, np.int64), np.empty(0, np.int64)
        self.costs = np.empty(0)
        self.cuts: list[Cut] = []
        self._rows: list[np.ndarray] = []  # of cuts: coefficients of families, NaN where not worked out
        self._firsts: list[np.ndarray] = []
        self._unused: list[int] = []
        self._solver = WarmProgram(self.p, signal)
        self._scale: list[float] = []  # of cuts that the solver has
        self._column = np.empty(0, np.int64)  # of families, -1 where the solver has none
        self._family = np.empty(0, np.int64)  # of columns
        self.add_families(np.arange(self.p), masks, costs)
        self._bring_in(np.arange(self.p))

    def add_families(self, variables: np.ndarray, masks: np.ndarray, costs: np.ndarray) -> None:
        """Add families that aren't there."""
        self.variables = np.concatenate([self.variables, variables])
        self.masks = np.concatenate([self.masks, masks])
        self.costs = np.concatenate([self.costs, costs])
        unknown = np.full(len(costs), np.nan)
        self._rows = [np.concatenate([row, unknown]) for row in self._rows]
        self._column = np.concatenate([self._column, np.full(len(costs), -1)])

    def keep_families(self, kept: np.ndarray) -> None:
        """Drop all families but those of a mask."""
        self.variables, self.masks, self.costs = self.variables[kept], self.masks[kept], self.costs[kept]
        self._rows = [row[kept] for row in self._rows]
        stay = kept[self._family]
        self._solver.drop_columns(np.flatnonzero(~stay))
        self._family = (np.cumsum(kept) - 1)[self._family[stay]]
        self._column = np.full(len(self.costs), -1)
        self._column[self._family] = np.arange(len(self._family))

    def add_cut(self, cut: Cut) -> None:
        """Add a cut."""
        self.cuts.append(cut)
        self._rows.append(np.full(len(self.costs), np.nan))
        self._firsts.append(self._worked_out(cut, np.arange(self.p), self._first_masks))
        self._unused.append(0)

    def drop_unused(self, solution: Solution, fixed: int) -> None:
        """Drop cuts that had no price for some rounds; the first `fixed` stay."""
        for i, price in enumerate(solution.prices):
            self._unused[i] = 0 if price > 1e-9 or i < fixed else self._unused[i] + 1
        goes = [unused > _PATIENCE for unused in self._unused]
        self._solver.drop_rows(np.flatnonzero(goes[: len(self._scale)]))
        kept = [i for i, gone in enumerate(goes) if not gone]
        self._scale = [self._scale[i] for i in kept if i < len(self._scale)]
        self.cuts, self._unused = [self.cuts[i] for i in kept], [self._unused[i] for i in kept]
        self._rows, self._firsts = [self._rows[i] for i in kept], [self._firsts[i] for i in kept]

    def least(self, cut: Cut) -> float:
        """Give what a cut's sum is at least."""
        return cut.least * (self.n_samples if isinstance(cut, Covariance) else 1.0)

    def reduced_costs(self, paid: np.ndarray, families: np.ndarray | None = None) -> np.ndarray:
        """Give costs less what the cuts' prices pay."""
        places = np.arange(len(self.costs)) if families is None else families
        reduced = self.costs[places].copy()
        for i in np.flatnonzero(paid > 0.0).tolist():
            reduced -= paid[i] * self._coefficients(i, places)
        return reduced

    def constant(self, paid: np.ndarray) -> float:
        """Give what the prices of cuts bring, to which the least reduced cost of each variable adds."""
        return float(
            sum(price * self.least(cut) for price, cut in zip(paid, self.cuts, strict=False) if price > 0.0)
        )

    def least_of_each(self, reduced: np.ndarray, families: np.ndarray) -> np.ndarray:
        """Give the least reduced cost of each variable; infinite without a family."""
        least = np.full(self.p, np.inf)
        np.minimum.at(least, self.variables[families], reduced)
        return least

    def choice(self, solution: Solution) -> Choice:
        """Give the families of positive weight, with those that have to come before among the parents."""
        present = solution.weights > _PRESENT
        families = solution.families[present]
        variables = self.variables[families]
        return Choice(variables, self.masks[families] | self.before[variables], solution.weights[present])

    def take_in(self, paid: np.ndarray, families: np.ndarray) -> int:
        """Take in those of some families that would lower the cost, some of each variable; gives how many."""
        reduced = self.reduced_costs(paid, families)
        has_column = self._column[families] >= 0
        least = self.least_of_each(reduced[has_column], families[has_column])
        below = reduced - least[self.variables[families]]
        candidates = np.flatnonzero(~has_column & (below < -PRICED))
        candidates = candidates[np.argsort(below[candidates], kind="stable")]
        of = self.variables[families[candidates]]
        taken = [families[candidates[of == v][:_TAKEN]] for v in range(self.p)]
        self._bring_in(np.concatenate(taken))
        return sum(map(len, taken))

    def solve(self, families: np.ndarray) -> Solution | None:
        """Give an optimum over those taken in of some families; None where all of them have none.

        Raises
        ------
        HaltedError
            When the signal went up meanwhile.
        StuckError
            When the solver gives up.
        """
        if len(np.unique(self.variables[families])) < self.p:
            return None
        self._bring_cuts()
        for again in (False, True):
            if again:
                self._bring_in(families[self._column[families] < 0])
            present = families[self._column[families] >= 0]
            self._solver.allow(self._column[present])
            found = self._solver.solve()
            if found is not None:
                weights, duals = found[0][self._column[present]], found[1]
                cost = float(self.costs[present] @ weights)
                return Solution(present, weights, cost, np.maximum(duals, 0.0) * np.array(self._scale))
        return None

    def _bring_in(self, families: np.ndarray) -> None:
        rows = np.empty((len(self._scale), len(families)))
        for i, scale in enumerate(self._scale):
            rows[i] = scale * self._relative(i, families)
        of = self.variables[families]
        self._solver.add_columns(of, self.costs[families] - self._first_costs[of], rows)
        self._column[families] = len(self._family) + np.arange(len(families))
        self._family = np.concatenate([self._family, families])

    def _bring_cuts(self) -> None:
        rows, least = [], []
        for i in range(len(self._scale), len(self.cuts)):
            row = self._relative(i, self._family)
            scale = min(1.0, _LARGEST / max(float(np.abs(row).max()), 1e-9))
            self._scale.append(scale)
            rows.append(row * scale)
            least.append((self.least(self.cuts[i]) - self._firsts[i].sum()) * scale - _SLACK)
        self._solver.add_rows(np.array(rows), np.array(least))

    def _relative(self, i: int, families: np.ndarray) -> np.ndarray:
        return self._coefficients(i, families) - self._firsts[i][self.variables[families]]

    def _coefficients(self, i: int, families: np.ndarray) -> np.ndarray:
        row = self._rows[i]
        unknown = families[np.isnan(row[families])]
        if len(unknown):
            row[unknown] = self._worked_out(self.cuts[i], self.variables[unknown], self.masks[unknown])
        return row[families]

    def _worked_out(self, cut: Cut, variables: np.ndarray, masks: np.ndarray) -> np.ndarray:
        found = cut.coefficients(variables, masks | self.before[variables])
        return found * self.n_samples if isinstance(cut, Covariance) else found
