"""The cheapest DAG by a linear program over families, with cuts, and branch and bound.

A family is a variable and its parents. The program chooses one for each variable, in fractions, at the least
cost, subject to cuts that all DAGs satisfy (`cuts`). What it then costs is a lower bound. Not all families
are listed: the kernel `list_families` finds those that could lower the cost at the cuts' present prices, and
once the bound is close to the cost of an order known, all those of a DAG that is cheaper. Branch and bound
over these ends it.

Whatever prices of at least 0 the cuts have, what they bring and the least reduced cost of each variable add
up to a lower bound. It is computed like that from the prices each time, in double precision; the solver's own
bound isn't used. Taken on trust is only its word that a branch has no solution at all.
"""

from __future__ import annotations

import heapq

import numpy as np

from rolearn.independence import Gaussian
from rolearn.neighbors.ledger import Asked
from rolearn.neighbors.subsets import new_subset_room
from rolearn.orders.cost import OrderCosts
from rolearn.orders.cuts import (
    Cluster,
    Covariance,
    Cut,
    broken_clusters,
    implied,
    members,
    prices,
    sharpened,
    sources_first,
    triangulated,
)
from rolearn.orders.family_kernels import CELLS, DONE, FOUND, FULL, HALTED, list_families
from rolearn.orders.family_program import FamilyProgram, HaltedError, Solution, StuckError
from rolearn.orders.progress import Trace
from rolearn.runtime.budget import StopReason

__all__ = ["CuttingPlanes"]

_PROOF = 1e-5  # tolerance of a proof, in units of the cost
_PRICED = 1e-4  # a reduced cost that doesn't count while families are looked for
_FIRST_LISTED = 3000  # families of a variable that are listed in all before branching, at first
_MORE_LISTED = 4  # times as many, when the bound stalls
_STALLED = 0.01  # part of the gap
_CLOSE = 3.0  # edges that a gap is worth, from which on all families are listed
_NEARER = 0.8  # part of the gap at which families were too many
_ROUNDS = 6  # of cuts between looks for families
_SMOOTHED = 0.5  # part of the best bound's prices, in those that families are looked for at
_CELLS = 4096  # room for those still to be looked at
_PATIENCE = 2000  # cells of a variable, if a family is found by then
_NEW_FAMILIES = 2000  # of a variable, that are looked for at a time
_SHOWN = 3.0  # edges' worth of reduced cost up to which families met are kept
_TAKEN = 30  # families of a variable that the program takes in at a time
_POOL = 8
_KNOWN = 20_000  # families, beyond which half of that are kept
_SINGULAR = 1e-9  # least eigenvalue of correlations that are used beside the data's
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
        self.room = new_subset_room(self.score)
        self.n_samples = float(self.score.n_samples)
        self.bound = self.n_samples * float(np.linalg.slogdet(self.score.correlation)[1])
        self.pool: list[np.ndarray] = []
        self.best_prices: dict[int, tuple[Cut, float]] = {}  # by id; the cut is kept for its id's sake
        self.share = _SMOOTHED
        self.tolerance = _PROOF + 1e-9 * self.n_samples

    def run(self) -> StopReason:
        """Search until the best order is proved to be, or time or memory are up; gives which."""
        try:
            self._start()
            return self._cut_and_price()
        except HaltedError:
            return self.trace.budget.reason or StopReason.INTERRUPTED
        except StuckError:
            return StopReason.CONVERGED

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
        self.program = FamilyProgram(self.n_samples, masks, self.signal)
        costs = [self._cost_of(v, int(masks[v])) for v in range(self.p)]
        self.program.add_families(np.arange(self.p), masks, np.array(costs))
        self.active = np.ones(self.p, bool)
        for base in self.bases:
            self.program.add_cut(Covariance(base))
        for a in range(self.p):
            for b in range(a):
                self.program.add_cut(Cluster(1 << a | 1 << b))
        self.fixed = len(self.program.cuts)
        saturated = self.program.cuts[0]
        self.best_prices = {id(saturated): (saturated, 1.0)}

    def _cost_of(self, v: int, mask: int) -> float:
        family = [*members(mask), v]
        factor = np.linalg.cholesky(self.score.correlation[np.ix_(family, family)])
        penalty = self.score.threshold * (len(family) - 1)
        return 2.0 * self.n_samples * float(np.log(factor[-1, -1])) + penalty

    def _cut_and_price(self) -> StopReason:
        tried, most = np.inf, _FIRST_LISTED
        while True:
            before = self.bound
            solution = self._cut_until_stalled()
            self._try_orders(solution)
            paid, least, new = self._priced(solution)
            gap = self.cost - self.bound
            if gap <= self.tolerance:
                return StopReason.PROVED
            self._forget(paid)
            if self._too_large():
                return StopReason.MEMORY_LIMIT
            stalled = new == 0 and self.bound - before < _STALLED * gap
            most = _MORE_LISTED * most if stalled else most
            if least is not None and (gap < min(_NEARER * tried, _CLOSE * self.score.threshold) or stalled):
                tried = gap
                if self._list_all(paid, least + gap, most):
                    return self._branch()

    def _priced(self, solution: Solution) -> tuple[np.ndarray, np.ndarray | None, int]:
        """Look for families at prices between those of the best bound and a solution's.

        Prices between don't swing as a solution's do while families are few, and are closer to where families
        are soon ruled out. Gives the prices, the least reduced cost of each variable, None where that isn't
        known, and how many families are new.
        """
        program, total = self.program, 0
        while True:
            best = np.array([self.best_prices.get(id(cut), (cut, 0.0))[1] for cut in program.cuts])
            paid = self.share * best
            paid[: len(solution.prices)] += (1.0 - self.share) * solution.prices
            new, least = self._price(paid)
            total += new
            if least is not None:
                bound = program.constant(paid) + float(least.sum())
                if bound > self.bound:
                    self.bound = bound
                    self.best_prices = {
                        id(cut): (cut, price)
                        for cut, price in zip(program.cuts, paid, strict=True)
                        if price > 0.0
                    }
            if new or self.share == 0.0:
                self.share = _SMOOTHED if new > self.p else 0.0
                return paid, least, total
            self.share = 0.0

    def _forget(self, paid: np.ndarray) -> None:
        """Keep of the families known those of least reduced cost, where they are many."""
        program = self.program
        if len(program.costs) > _KNOWN:
            reduced = program.reduced_costs(paid)
            least = program.least_of_each(reduced, np.arange(len(reduced)))
            reduced = np.where(self.active, -np.inf, reduced - least[program.variables])
            kept = np.sort(np.argsort(reduced, kind="stable")[: _KNOWN // 2])
            program.keep_families(kept)
            self.active = self.active[kept]

    def _too_large(self) -> bool:
        return 8.0 * _COPIES * len(self.program.costs) * len(self.program.cuts) > self.memory

    def _cut_until_stalled(self) -> Solution:
        """Solve and cut in turn; the program takes in the families known that would lower the cost."""
        program, cuts = self.program, 0
        while True:
            solution = program.solve(np.flatnonzero(self.active))
            assert solution is not None  # the first order's families satisfy all cuts
            if self._take_in(solution.prices):
                continue
            if cuts == _ROUNDS or not self._cut(solution):
                return solution
            cuts += 1
            program.drop_unused(solution, self.fixed)

    def _take_in(self, paid: np.ndarray) -> int:
        """Make those families active that would lower the cost, some of each variable; gives how many."""
        program = self.program
        reduced = program.reduced_costs(paid)
        least = program.least_of_each(reduced[self.active], np.flatnonzero(self.active))
        below = reduced - least[program.variables]
        taken = 0
        for v in range(self.p):
            mine = np.flatnonzero((program.variables == v) & ~self.active & (below < -_PRICED))
            mine = mine[np.argsort(below[mine], kind="stable")[:_TAKEN]]
            self.active[mine] = True
            taken += len(mine)
        return taken

    def _cut(self, solution: Solution) -> int:
        """Add cuts that a solution breaks; gives how many."""
        choice = self.program.choice(solution)
        clusters = broken_clusters(choice, self.p)
        for cluster in clusters:
            self.program.add_cut(cluster)
        if len(clusters) >= 10:
            return len(clusters)
        first, others = self.bases[0], self.bases[1:]
        mixed = [share * first + (1.0 - share) * other for other in others for share in (0.25, 0.5, 0.75)]
        found: list[tuple[float, int, np.ndarray]] = []
        for start in [*self.bases, *self.pool[-_POOL:], *mixed]:
            matrix, broken = sharpened(choice, start)
            if matrix is not None and self.n_samples * broken > max(_SHARE * (self.cost - self.bound), 1e-4):
                self.program.add_cut(Covariance(matrix))
                found.append((-broken, len(found), matrix))
        self.pool += [matrix for _, _, matrix in sorted(found)[:4]]
        return len(clusters) + len(found)

    def _try_orders(self, solution: Solution) -> None:
        """Try the order that a solution suggests."""
        choice = self.program.choice(solution)
        causes_first = [v for v, _, _ in sources_first(choice, self.p)]
        order = np.array(causes_first[::-1], np.int64)
        cost = self.costs.whole(order)
        if self.costs.stopped:
            raise HaltedError
        if cost < self.cost - 1e-6:
            self.cost, self.order = cost, order
            self.trace.add(cost)
        else:
            self.trace.tell(None)

    def _price(self, paid: np.ndarray) -> tuple[int, np.ndarray | None]:
        """Look for families of less reduced cost than those known.

        Gives how many, and the least of each variable, None where there may be more.
        """
        program = self.program
        known = len(program.costs)
        least = program.least_of_each(program.reduced_costs(paid), np.arange(known)) - _PRICED
        complete = self._list(paid, least, least + _SHOWN * self.score.threshold, _NEW_FAMILIES, _PATIENCE)
        reduced, variables = program.reduced_costs(paid)[known:], program.variables[known:]
        new = int((reduced < least[variables]).sum())
        if complete:
            np.minimum.at(least, variables, reduced)
        return new, least if complete else None

    def _list(self, paid: np.ndarray, level: np.ndarray, shown: np.ndarray, most: int, patience: int) -> bool:
        """Add families of reduced costs up to a level, so many of a variable; gives whether these are all.

        With patience, a variable that has one such family by then isn't looked at further.
        """
        program = self.program
        in_use = np.flatnonzero(paid > 0.0)
        priced = prices([program.cuts[i] for i in in_use], paid[in_use], self.p)
        known = set(zip(program.variables.tolist(), program.masks.tolist(), strict=True))
        complete = True
        for v in range(self.p):
            cells, counts = np.zeros((_CELLS, 2), np.int64), np.zeros(2, np.int64)
            counts[CELLS] = 1
            cells[0, 1] = 1 << v
            masks, values = np.empty(most, np.int64), np.empty((most, 2))
            why, below = FULL, 0
            while why == FULL and below == 0 and counts[FOUND] < most:
                why = list_families(
                    self.score,
                    priced,
                    v,
                    level[v],
                    shown[v],
                    patience,
                    self.room,
                    self.signal,
                    cells,
                    masks,
                    values,
                    counts,
                )
                below = 0 if patience < 0 else int((values[: counts[FOUND], 1] <= level[v]).sum())
            if why == HALTED:
                raise HaltedError
            found = [i for i in range(counts[FOUND]) if (v, int(masks[i])) not in known]
            program.add_families(np.full(len(found), v), masks[found], values[found, 0])
            complete &= why == DONE
        self.active = np.append(self.active, np.zeros(len(program.costs) - len(self.active), bool))
        return complete

    def _list_all(self, paid: np.ndarray, level: np.ndarray, most: int) -> bool:
        """List all families up to a level, unless a variable has too many, and drop the others."""
        if not self._list(paid, level, level, most, -1):
            return False
        reduced = self.program.reduced_costs(paid)
        self.program.keep_families(reduced <= level[self.program.variables])
        self.active = np.ones(len(self.program.costs), bool)
        return True

    def _branch(self) -> StopReason:
        """Go through the families listed, by the lowest bound first, splitting on who is a parent of whom."""
        program, count = self.program, 0
        heap = [(self.bound, 0, np.arange(len(program.costs)))]
        while heap:
            bound, _, families = heapq.heappop(heap)
            self.bound = max(self.bound, min(bound, self.cost))
            self.trace.tell(None)
            if bound >= self.cost - self.tolerance:
                break
            bound, families, solution = self._bounded(bound, families, 100 if count == 0 else 4)
            if solution is None or bound >= self.cost - self.tolerance:
                continue
            split = self._split(families, solution)
            if split is None:  # nothing to choose: its one DAG, if it is one, was tried
                continue
            parent, v = split
            holds = program.masks[families] >> parent & 1 == 1
            ofv = program.variables[families] == v
            for part in (~ofv | holds, ~ofv | ~holds):
                count += 1
                heapq.heappush(heap, (bound, count, families[part]))
        self.bound = self.cost
        return StopReason.PROVED

    def _bounded(
        self, bound: float, families: np.ndarray, rounds: int
    ) -> tuple[float, np.ndarray, Solution | None]:
        """Bound what the families allow, and leave out those that cost too much."""
        program, solution, before = self.program, None, -np.inf
        for _ in range(rounds):
            if solution is not None:
                program.drop_unused(solution, self.fixed)
            solution = program.solve(families)
            if solution is None:
                return np.inf, families, None
            self._try_orders(solution)
            reduced = program.reduced_costs(solution.prices, families)
            least = program.least_of_each(reduced, families)
            bound = max(bound, program.constant(solution.prices) + float(least.sum()))
            gap = self.cost - bound
            if gap <= self.tolerance:
                break
            kept = reduced <= least[program.variables[families]] + gap
            solution = Solution(families[kept], solution.weights[kept], solution.prices)
            families = families[kept]
            if bound - before < 0.002 * gap:
                break
            before = bound
            if not self._cut(solution):
                break
        return bound, families, solution

    def _split(self, families: np.ndarray, solution: Solution) -> tuple[int, int] | None:
        """Give a parent of a variable in some of its families only, the one most nearly chosen by half."""
        program, choice = self.program, self.program.choice(solution)
        edge, undecided = np.zeros((self.p, self.p)), np.zeros((self.p, self.p), bool)
        for v, mask, weight in zip(choice.variables, choice.masks, choice.weights, strict=True):
            edge[members(int(mask)), v] += weight
        for v in range(self.p):
            masks = program.masks[families[program.variables[families] == v]]
            some, all_ = int(np.bitwise_or.reduce(masks)), int(np.bitwise_and.reduce(masks))
            undecided[members(some & ~all_), v] = True
        if not undecided.any():
            return None
        parent, v = divmod(int(np.argmin(np.where(undecided, np.abs(edge - 0.5), np.inf))), self.p)
        return parent, v
