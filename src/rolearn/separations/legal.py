"""The legal step: believe as many separations as leave the graph valid, the most independent first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.graphs.orientation import Orientation, draw_cpdag, draw_pag, orient_cpdag, orient_pag
from rolearn.graphs.validity import is_valid_cpdag, is_valid_pag
from rolearn.separations.evidence import Candidate, PairEvidence

__all__ = ["Target", "accept_all", "accept_legal", "target_graph"]


@dataclass(frozen=True)
class Target:
    """The kind of graph that separations lead to: how to orient it, and when it is valid."""

    orient: Callable[..., Orientation]
    draw: Callable[..., np.ndarray]
    is_valid: Callable[[np.ndarray], bool]

    def graph_of(self, evidence: PairEvidence) -> Orientation:
        """Orient what the evidence says by now."""
        return self.orient(evidence.adjacent, evidence.arrays())

    def is_legal(self, evidence: PairEvidence) -> bool:
        """Whether what the evidence says by now makes a valid graph."""
        return self.is_valid(self.draw(evidence.adjacent, evidence.arrays()))


def target_graph(latents: bool) -> Target:
    """Give the target: a PAG where causes may be hidden, else a CPDAG."""
    if latents:
        return Target(orient_pag, draw_pag, is_valid_pag)
    return Target(orient_cpdag, draw_cpdag, is_valid_cpdag)


def accept_all(evidence: PairEvidence, target: Target) -> Orientation:
    """Believe every separation: the paper's graph of the order, which may be invalid on data."""
    evidence.accept(evidence.candidates)
    return target.graph_of(evidence)


def accept_legal(evidence: PairEvidence, target: Target, stopped: Callable[[], bool]) -> Orientation:
    """Believe separations while the graph stays valid.

    The graph of no separations is that of a DAG, so valid. All candidates are tried at once; a batch that
    breaks validity is halved, its more independent half first. What was refused is tried again as long as
    that helps, since separations can be legal together that are not alone.

    Parameters
    ----------
    evidence : PairEvidence
        Changed: ends with the separations accepted.
    target : Target
    stopped : callable
        Asked before each try; when true no more are made, and what stands is valid.
    """
    refused = evidence.candidates
    while refused and not stopped():
        left = _accept(refused, evidence, target, stopped)
        if len(left) == len(refused):
            break
        refused = left
    return target.graph_of(evidence)


def _accept(
    batch: Sequence[Candidate], evidence: PairEvidence, target: Target, stopped: Callable[[], bool]
) -> list[Candidate]:
    """Accept what can be of a batch; gives what can't."""
    if stopped():
        return list(batch)
    evidence.accept(batch)
    if target.is_legal(evidence):
        return []
    evidence.take_back(batch)
    if len(batch) == 1:
        return list(batch)
    middle = len(batch) // 2
    return _accept(batch[:middle], evidence, target, stopped) + _accept(
        batch[middle:], evidence, target, stopped
    )
