"""Branch and bound over listed families: the end of `cutting_planes`."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from rolearn.orders.cuts import members
from rolearn.orders.family_program import FamilyProgram, Solution

if TYPE_CHECKING:
    from rolearn.orders.cutting_planes import CuttingPlanes

__all__ = ["branch"]

_FIRST_ROUNDS = 20  # of cuts, before there are branches
_ROUNDS = 4
_STALLED = 0.002  # part of the gap


def branch(planes: CuttingPlanes) -> None:
    """Go through the families listed, by the lowest bound first, splitting on who is a parent of whom.

    When it is through, no DAG of these families is cheaper than the best order.
    """
    program, count = planes.program, 0
    heap = [(planes.bound, 0, np.arange(len(program.costs)))]
    while heap:
        bound, number, families = heapq.heappop(heap)
        planes.bound = max(planes.bound, min(bound, planes.cost))
        planes.trace.tell(None)
        if bound >= planes.cost - planes.tolerance:
            return
        bound, families, solution = _bounded(planes, bound, families, _ROUNDS if number else _FIRST_ROUNDS)
        if solution is None or bound >= planes.cost - planes.tolerance:
            continue
        split = _split(program, families, solution)
        if split is None:  # one family a variable is left, which no solution need have had alone
            planes.try_order(Solution(families, np.ones(len(families)), 0.0, solution.prices))
            continue
        parent, v = split
        holds = program.masks[families] >> parent & 1 == 1
        of_v = program.variables[families] == v
        for part in (~of_v | holds, ~of_v | ~holds):
            count += 1
            heapq.heappush(heap, (bound, count, families[part]))


def _bounded(
    planes: CuttingPlanes, bound: float, families: np.ndarray, rounds: int
) -> tuple[float, np.ndarray, Solution | None]:
    """Bound what the families allow, and leave out those that cost too much."""
    program, before = planes.program, -np.inf
    for _ in range(rounds):
        solution = planes.cut(families, 1)
        if solution is None:
            return np.inf, families, None
        planes.try_order(solution)
        reduced = program.reduced_costs(solution.prices, families)
        least = program.least_of_each(reduced, families)
        present = program.constant(solution.prices) + float(least.sum())
        bound = max(bound, present)
        gap = planes.cost - bound
        if gap <= planes.tolerance:
            break
        # an inherited bound had other prices; at these a family is ruled out by their own alone
        families = families[reduced <= least[program.variables[families]] + (planes.cost - present)]
        if bound - before < _STALLED * gap:
            break
        before = bound
    return bound, families, solution


def _split(program: FamilyProgram, families: np.ndarray, solution: Solution) -> tuple[int, int] | None:
    """Give a parent of a variable in some of its families only, the one most nearly chosen by half."""
    p, of = program.p, solution.families
    edge, undecided = np.zeros((p, p)), np.zeros((p, p), bool)
    for v, mask, weight in zip(program.variables[of], program.masks[of], solution.weights, strict=True):
        if weight > 0.0:
            edge[members(int(mask)), v] += weight
    for v in range(p):
        masks = program.masks[families[program.variables[families] == v]]
        some, all_ = int(np.bitwise_or.reduce(masks)), int(np.bitwise_and.reduce(masks))
        undecided[members(some & ~all_), v] = True
    if not undecided.any():
        return None
    parent, v = divmod(int(np.argmin(np.where(undecided, np.abs(edge - 0.5), np.inf))), p)
    return parent, v
