"""From orders to the graph: separations, the legal step, and the last search over graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, TAIL
from rolearn.graphs.orientation import Orientation
from rolearn.graphs.validity import check_pag
from rolearn.likelihood.last_search import LARGE, SAME_SCORE, SMALL, LastSearch, new_bench
from rolearn.likelihood.move_kernels import Bench, Objective
from rolearn.neighbors.grow_shrink_kernels import GrowShrink
from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import LIKELIHOOD_COSTS, OrderCosts, Removal
from rolearn.separations.candidates import with_candidates
from rolearn.separations.evidence import PairEvidence, boundary_pairs
from rolearn.separations.legal import accept_all, accept_legal, target_graph
from rolearn.separations.required import with_required

__all__ = ["Benches", "Conclusion", "by_score", "by_tests", "distinct_graphs", "searched"]


@dataclass(frozen=True)
class Conclusion:
    """A graph and what speaks for it.

    Attributes
    ----------
    removals : list of Removal
    evidence : PairEvidence
    orientation : Orientation
    asked : tuple of Asked
        Tests asked beyond those of the costs.
    score : float
        Of the graph by its likelihood; 0 where that wasn't asked.
    """

    removals: list[Removal]
    evidence: PairEvidence
    orientation: Orientation
    asked: tuple[Asked, ...] = ()
    score: float = 0.0


class Benches:
    """Benches for graphs of p vertices, each used by one search at a time; in another process new ones."""

    def __init__(self, n_variables: int) -> None:
        self.n_variables = n_variables
        self._free: SimpleQueue[Bench] = SimpleQueue()

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave what is known here: it is large, and changes no result of a search that isn't brief."""
        return Benches, (self.n_variables,)

    def take(self) -> Bench:
        """Give one that is free, or a new one."""
        try:
            return self._free.get_nowait()
        except Empty:
            return new_bench(self.n_variables)

    def put_back(self, bench: Bench) -> None:
        """Let another search have it."""
        self._free.put(bench)


def by_tests(
    costs: OrderCosts,
    removals: list[Removal],
    alpha: float,
    legal: bool,
    latents: bool,
    signal: np.ndarray,
    kept: np.ndarray,
) -> Conclusion:
    """Believe what tests separated: all of it, or as much as leaves the graph valid.

    With the bic cost no finder has looked at the parents. Without latents there is nothing to look for.
    Pairs that are `kept` (p, p) bool stay adjacent.
    """
    asked: tuple[Asked, ...] = ()
    joined = with_required(removals, kept)
    if latents and isinstance(costs.arrays, LIKELIHOOD_COSTS):
        joined, tests = with_candidates(joined, costs.statistics, alpha, costs.ledger.keys, signal)
        joined = with_required(joined, kept)
        asked = (tests,)
    evidence, target = PairEvidence(joined), target_graph(latents)
    if legal:
        orientation = accept_legal(evidence, target, lambda: bool(signal[0]))
    else:
        orientation = accept_all(evidence, target)
    return Conclusion(removals, evidence, orientation, asked)


def distinct_graphs(costs: OrderCosts, orders: Sequence[np.ndarray]) -> list[list[Removal]]:
    """Give the removals of each order, without those of an order whose DAG an earlier one has."""
    found: dict[tuple, list[Removal]] = {}
    for order in orders:
        removals = list(costs.removals(order))
        key = tuple(sorted((removal.variable, removal.boundary) for removal in removals))
        found.setdefault(key, removals)
    return list(found.values())


def by_score(
    costs: OrderCosts,
    removals: list[Removal],
    alpha: float,
    benches: Benches,
    generator: np.random.Generator,
    signal: np.ndarray,
    kept: np.ndarray,
    brief: bool = False,
) -> Conclusion:
    """Believe tests while the PAG stays valid, then search over MAGs from there by their likelihood.

    Where the order's own DAG is better than what comes of that, search from the DAG, too: strong effects that
    cancel make tests say what no likelihood bears out, and the way back is long. Each search goes no further
    than some work, which only dense graphs come to, and less far where the DAG remains far better; `searched`
    goes on without.
    Takes a bench that is free and puts it back: searches come by the same districts.
    """
    legal = by_tests(costs, removals, alpha, True, True, signal, kept)
    bench = benches.take()
    try:
        search = _last_search(costs, legal, SMALL, generator, signal, kept, bench)
        other = search.beginning_at(_dag_marks(with_required(removals, kept)))
        score_of_dag = other.score
        if brief:
            search.run_briefly()
        else:
            search.run_within_limit(score_of_dag)
        if not signal[0] and score_of_dag < search.score - SAME_SCORE:
            run = other.run_briefly if brief else other.run_within_limit
            run()
            search = min(search, other, key=lambda one: one.score)
    finally:
        benches.put_back(bench)
    return _found(legal, search)


def _dag_marks(removals: Sequence[Removal]) -> np.ndarray:
    """Give the marks of the DAG in which a variable's boundary are its parents."""
    marks = np.zeros((len(removals), len(removals)), np.int8)
    children, parents = boundary_pairs(removals)
    marks[parents, children], marks[children, parents] = ARROWHEAD, TAIL
    return marks


def searched(
    costs: OrderCosts,
    start: Conclusion,
    generator: np.random.Generator,
    signal: np.ndarray,
    kept: np.ndarray,
) -> Conclusion:
    """Search on from the best graph known, in larger districts and with kicks."""
    search = _last_search(costs, start, LARGE, generator, signal, kept)
    search.run()
    search.kick()
    search.wander()
    return _found(start, search)


def _last_search(
    costs: OrderCosts,
    start: Conclusion,
    largest: int,
    generator: np.random.Generator,
    signal: np.ndarray,
    kept: np.ndarray,
    bench: Bench | None = None,
) -> LastSearch:
    score: GrowShrink = costs.arrays.boundaries
    objective = Objective(score.correlation, score.n_samples, score.threshold, largest)
    member = check_pag(start.orientation.marks).member
    return LastSearch(objective, member, _candidate_pairs(start.evidence), generator, signal, bench, kept)


def _found(start: Conclusion, search: LastSearch) -> Conclusion:
    start.evidence.settle(search.marks != 0)
    orientation = Orientation(search.pag(), (), start.orientation.fired)
    return replace(start, orientation=orientation, score=search.score)


def _candidate_pairs(evidence: PairEvidence) -> np.ndarray:
    pairs = np.zeros_like(evidence.adjacent)
    for candidate in evidence.candidates:
        pairs[candidate.x, candidate.y] = pairs[candidate.y, candidate.x] = True
    return pairs
