"""The cheapest DAG by a linear program over families, with cuts, and branch and bound.

A family is a variable and its parents. The program chooses one for each variable, in fractions, at the least
cost, subject to cuts that all DAGs satisfy (`cuts`). What it then costs is a lower bound. Not all families
are listed: `FamilySearch` finds those that could lower the cost at the cuts' present prices; at first among
parents near by in the best DAG known, until the prices are about right, which makes looking among all much
quicker. Once nothing lowers the cost, the same search lists all families of a DAG that is cheaper than the
best known, and branch and bound over these (`family_branching`) ends it.

Whatever prices of at least 0 the cuts have, what they bring and the least reduced cost of each variable add
up to a lower bound. It is computed like that from the prices each time, in double precision; the solver's own
bound isn't used. Taken on trust is only its word, given twice (from scratch the second time), that a branch
has no solution at all.
"""

from __future__ import annotations

import numpy as np

from rolearn.independence import Gaussian
from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import OrderCosts
from rolearn.orders.cut_search import broken_cuts
from rolearn.orders.cuts import Covariance, Cut, implied, members, prices, sources_first, triangulated
from rolearn.orders.family_branching import branch
from rolearn.orders.family_program import PRICED, FamilyProgram, Solution
from rolearn.orders.family_search import FamilySearch
from rolearn.orders.precedence import allowed_order, closure, predecessors, successors
from rolearn.orders.progress import Trace
from rolearn.orders.warm_program import HaltedError, StuckError
from rolearn.runtime.budget import StopReason

__all__ = ["CuttingPlanes"]

_PROOF = 1e-5  # tolerance of a proof, in units of the cost
_NEAR = 2  # edges to who is near by
_CLOSE = 4.0  # edges' worth of reduced cost within which all families are listed, at first
_ROUNDS = 6  # of cuts between looks for families
_STALLED = 0.05  # part of the gap, by which a look's rounds lower it at least
_SMOOTHED = 0.5  # part of the best bound's prices, in those that families near by are looked for at
_CELLS = 2000  # of a variable, that are looked at at a time, at first
_MORE = 2  # times as many each time that some lower the cost: looking starts again then
_SHOWN = 3.0  # edges' worth of reduced cost up to which families near by are kept
_SINGULAR = 1e-7  # least eigenvalue of correlations that are used beside the data's
_IN_USE = 1e-6  # price of a covariance from which others are looked for
_SHARE = 1e-3  # of the gap, that a cut is to be broken by
_COPIES = 4  # of the coefficients


class CuttingPlanes:
    """Linear programming with cuts over families; needs the costs of `BIC(parents="exact")`.

    Parameters
    ----------
    costs : OrderCosts
    order : int64 array, shape (p,)
        The best order so far.
    cost : float
        Its cost.
    memory : float
        Bytes.
    trace : Trace
    """

    def __init__(
        self, costs: OrderCosts, order: np.ndarray, cost: float, memory: float, trace: Trace
    ) -> None:
        assert isinstance(costs.statistics, Gaussian)
        self.costs, self.order, self.cost = costs.branch(), order, cost
        self.memory, self.trace = memory, trace
        self.score, self.p = self.costs.arrays.boundaries, costs.n_variables
        self.signal = self.costs.ledger.signal
        self.n_samples = float(self.score.n_samples)
        self.bound = self.n_samples * float(np.linalg.slogdet(self.score.correlation)[1])
        self.tolerance = _PROOF + 1e-9 * self.n_samples
        closed = closure(costs.precedence)
        self.never, self.before = predecessors(closed), successors(closed)
        self.search = FamilySearch(self.score, self.signal, self.before, trace.threads)

    def run(self) -> StopReason:
        """Search until it is proved, time or memory are up, or the solver gives up; gives which."""
        try:
            self._start()
            self._look_near()
            return self._look_everywhere()
        except HaltedError:
            return self.trace.budget.reason or StopReason.INTERRUPTED
        except StuckError:
            return StopReason.SOLVER

    @property
    def lower_bound(self) -> float:
        """What every order costs at least, so far as is proved."""
        return min(self.bound, self.cost)

    def asked(self) -> Asked:
        """Give the tests asked."""
        return self.costs.asked()

    def _start(self) -> None:
        parents, masks = {}, np.zeros(self.p, np.int64)
        for removal in self.costs.branch().removals(self.order):
            parents[removal.variable] = list(removal.boundary)
            masks[removal.variable] = sum(1 << y for y in removal.boundary)
        if self.costs.stopped:
            raise HaltedError
        correlation, causes_first = self.score.correlation, self.order[::-1].tolist()
        more, more_first = triangulated(parents, self.p)
        fitted = implied(correlation, parents, causes_first), implied(correlation, more, more_first)
        self.bases = [correlation, *(base for base in fitted if np.linalg.eigvalsh(base)[0] > _SINGULAR)]
        costs = np.array([self._cost_of(v, int(masks[v])) for v in range(self.p)])
        self.program = FamilyProgram(self.n_samples, masks, costs, self.before, self.signal)
        for base in self.bases:
            self.program.add_cut(Covariance(base))
        self.far = _far(parents, self.p) | self.never

    def _cost_of(self, v: int, mask: int) -> float:
        family = [*members(mask), v]
        factor = np.linalg.cholesky(self.score.correlation[np.ix_(family, family)])
        penalty = self.score.threshold * (len(family) - 1)
        return 2.0 * self.n_samples * float(np.log(factor[-1, -1])) + penalty

    def _look_near(self) -> None:
        """Find prices that are about right, by families of parents near by alone: bounds aren't yet proved.

        They are looked for at prices half way between those of the best bound and a solution's, which
        don't swing as a solution's do while families are few.
        """
        program, shown = self.program, _SHOWN * self.score.threshold
        best: dict[int, tuple[Cut, float]] = {id(program.cuts[0]): (program.cuts[0], 1.0)}
        reached, share = self.bound, _SMOOTHED
        while True:
            before = reached
            solution = self._solution()
            while True:
                paid = np.array([best.get(id(cut), (cut, 0.0))[1] for cut in program.cuts])
                paid *= share
                paid[: len(solution.prices)] += (1.0 - share) * solution.prices
                least, new = self._price(paid, shown, self.far)
                bound = program.constant(paid) + float(least.sum())
                if not new and bound > reached:
                    reached = bound
                    best = {
                        id(cut): (cut, price) for cut, price in zip(program.cuts, paid, strict=True) if price
                    }
                if new or share == 0.0:
                    break
                share = 0.0
            share = _SMOOTHED if new > self.p else 0.0
            gap = self.cost - reached
            about_right = gap < self.score.threshold or reached - before < _STALLED * gap
            if (about_right and not new) or self._too_large():
                return

    def _look_everywhere(self) -> StopReason:
        """Look for families among all, until those of a cheaper DAG are all there; and branch."""
        program, close, cells = self.program, _CLOSE * self.score.threshold, _CELLS
        while True:
            solution = self._cut_deeply()
            paid = np.zeros(len(program.cuts))
            paid[: len(solution.prices)] = solution.prices
            known = program.least_of_each(program.reduced_costs(paid), np.arange(len(program.costs)))
            gap = max(self.cost - program.constant(paid) - float(known.sum()), 0.0) + self.p * PRICED
            within = min(max(gap, self.score.threshold), close)  # who costs little more may soon be less
            least, new = self._price(paid, within, self.never, cells)
            if self._too_large():
                return StopReason.MEMORY_LIMIT
            if new:
                cells *= _MORE
                continue
            bound = program.constant(paid) + float(least.sum())
            self.bound = max(self.bound, bound)
            if self.cost - self.bound <= self.tolerance:
                return StopReason.PROVED
            if self.cost - bound <= within:
                level = least + (self.cost - bound)
                program.keep_families(program.reduced_costs(paid) <= level[program.variables])
                branch(self)
                self.bound = self.cost
                return StopReason.PROVED
            close *= 2.0

    def _cut_deeply(self) -> Solution:
        """Solve and cut as long as that helps."""
        before = -np.inf
        while True:
            solution = self._solution()
            gap = self.cost - solution.cost
            if gap < self.score.threshold or solution.cost - before < _STALLED * gap:
                return solution
            before = solution.cost

    def _solution(self) -> Solution:
        solution = self.cut(np.arange(len(self.program.costs)))
        assert solution is not None  # the first order's families keep to all cuts
        self.try_order(solution)
        return solution

    def cut(self, families: np.ndarray, rounds: int = _ROUNDS) -> Solution | None:
        """Solve and cut in turn, over some families; None where these have no solution."""
        program = self.program
        while True:
            solution = program.solve(families)
            if solution is None:
                return None
            if program.take_in(solution.prices, families):
                continue
            if rounds == 0 or not self._add_cuts(solution):
                return solution
            rounds -= 1
            program.drop_unused(solution, len(self.bases))

    def _add_cuts(self, solution: Solution) -> int:
        """Add cuts that a solution breaks; gives how many."""
        cuts = self.program.cuts
        in_use = [cut for cut, price in zip(cuts, solution.prices, strict=False) if price > _IN_USE]
        starts = [*self.bases, *(cut.matrix for cut in in_use if isinstance(cut, Covariance))]
        lacking = max(_SHARE * (self.cost - solution.cost), 1e-4) / self.n_samples
        found = broken_cuts(self.program.choice(solution), starts, lacking)
        for cut in found:
            self.program.add_cut(cut)
        return len(found)

    def try_order(self, solution: Solution) -> None:
        """Try the order that a solution suggests."""
        choice = self.program.choice(solution)
        causes_first = [v for v, _, _ in sources_first(choice, self.p)]
        order = allowed_order(np.array(causes_first[::-1], np.int64), self.costs.precedence)
        cost = self.costs.whole(order)
        if self.costs.stopped:
            raise HaltedError
        if cost < self.cost - 1e-6:
            self.cost, self.order = cost, order
            self.trace.add(cost)
        else:
            self.trace.tell(None)

    def _price(
        self, paid: np.ndarray, within: float, outside: np.ndarray, cells: int = _CELLS
    ) -> tuple[np.ndarray, int]:
        """Look for families of reduced costs within the least of those known, until some are less than that.

        Gives the least reduced costs that are known now, and how many families lower them. Where none do,
        all families within were found, unless memory is up.
        """
        program, known = self.program, len(self.program.costs)
        in_use = np.flatnonzero(paid > 0.0)
        priced = prices([program.cuts[i] for i in in_use], paid[in_use], self.p)
        least = program.least_of_each(program.reduced_costs(paid), np.arange(known))
        there = set(zip(program.variables.tolist(), program.masks.tolist(), strict=True))
        lowest, new = least.copy(), 0
        for found in self.search.rounds(priced, least + within, outside, cells):
            pairs = zip(found.variables.tolist(), found.masks.tolist(), strict=True)
            fresh = np.array([pair not in there for pair in pairs], bool)
            program.add_families(found.variables[fresh], found.masks[fresh], found.costs[fresh])
            np.minimum.at(lowest, found.variables, found.reduced)
            new += int((found.reduced[fresh] < least[found.variables[fresh]] - PRICED).sum())
            if new or self._too_large():
                break
        return lowest, new

    def _too_large(self) -> bool:
        return 8.0 * _COPIES * len(self.program.costs) * len(self.program.cuts) > self.memory


def _far(parents: dict[int, list[int]], p: int) -> np.ndarray:
    """Give for each variable the mask of those that more than `_NEAR` edges are between."""
    joined = np.eye(p, dtype=int)
    for v, given in parents.items():
        joined[v, given] = joined[given, v] = 1
    near = np.linalg.matrix_power(joined, _NEAR) > 0
    return np.array([sum(1 << y for y in range(p) if not near[v, y]) for v in range(p)], np.int64)
