"""From a skeleton and evidence about colliders to the marks of a PAG or a CPDAG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.evidence_kernels import Evidence
from rolearn.graphs.marks import CIRCLE, TAIL
from rolearn.graphs.meek_kernels import apply_meek_rules
from rolearn.graphs.orientation_kernels import apply_rules, apply_selection_rules, contradicted_triples
from rolearn.graphs.sketch_kernels import Sketch
from rolearn.graphs.traversal import neighbor_lists, writable_marks

__all__ = [
    "AncestorEvidence",
    "Conflict",
    "MagEvidence",
    "Orientation",
    "SeparationEvidence",
    "draw_cpdag",
    "draw_pag",
    "extend_cpdag",
    "extend_pag",
    "orient_cpdag",
    "orient_pag",
    "separation_evidence",
]

_N_RULES = 11


class MagEvidence(NamedTuple):
    """The graph itself is known: ``marks`` (n, n) int8 of a MAG or DAG."""

    marks: np.ndarray


class AncestorEvidence(NamedTuple):
    """A MAG of the class is known by who is an ancestor of whom: ``ancestors`` (n, n) bool, reflexive.

    The ancestors of two vertices that aren't adjacent separate them (Richardson and Spirtes 2002, theorem
    4.2), in every MAG of the class. Other than the MAG's marks, this also tells for a discriminating path
    that is one in another MAG of the class alone.
    """

    ancestors: np.ndarray


class SeparationEvidence(NamedTuple):
    """A separating set for each pair that isn't adjacent.

    ``number`` (n, n) int32, symmetric, holds the number s of the pair's set, -1 for none; the set is
    ``members[starts[s]:starts[s + 1]]`` (``starts`` int64, ``members`` int32).
    """

    number: np.ndarray
    starts: np.ndarray
    members: np.ndarray


class Conflict(NamedTuple):
    """Two pieces of evidence that can't both hold.

    ``kind`` is ``"collider"`` with ``vertices`` a, b, c: an unshielded triple that the graph shows otherwise
    than its separating set has it; or ``"rule"`` with i, j: in one round, both an arrowhead and a tail were
    concluded at j on the edge between i and j (for a CPDAG: both directions of it).
    """

    kind: str
    vertices: tuple[int, ...]


@dataclass(frozen=True)
class Orientation:
    """What the rules made: ``marks`` (n, n) int8, the conflicts met, and how often each rule fired.

    ``fired[k]`` counts the marks that rule Rk was the first to draft (for a CPDAG the edges that the
    colliders, ``fired[0]``, and Meek's rules directed).
    """

    marks: np.ndarray
    conflicts: tuple[Conflict, ...]
    fired: np.ndarray


def separation_evidence(n: int, sets: Mapping[tuple[int, int], Iterable[int]]) -> SeparationEvidence:
    """Pack separating sets, by pairs of indices below ``n`` in any order, for the orientation kernels."""
    number = np.full((n, n), -1, dtype=np.int32)
    starts = np.zeros(len(sets) + 1, dtype=np.int64)
    members: list[int] = []
    for s, ((x, y), given) in enumerate(sets.items()):
        number[x, y] = number[y, x] = s
        members.extend(sorted(given))
        starts[s + 1] = len(members)
    return SeparationEvidence(number, starts, np.array(members, dtype=np.int32))


def orient_pag(
    adjacent: ArrayLike, evidence: MagEvidence | SeparationEvidence, selection: bool = False
) -> Orientation:
    """Orient a skeleton by R0 to R4 and R8 to R10 of Zhang (2008).

    Parameters
    ----------
    adjacent
        (n, n) boolean, symmetric, with an empty diagonal.
    evidence
        Says which triples are colliders. Triples it knows nothing about start no collider.
    selection
        Allow selection bias: R5 to R7 too, and tail-tail edges may come out.

    Returns
    -------
    Orientation
        The same up to relabeling for any order of the vertices, whatever the evidence.
    """
    sketch, packed = _sketch(adjacent, CIRCLE), _packed(evidence)
    fired = np.zeros(_N_RULES, dtype=np.int64)
    apply_rules(sketch, packed, fired)
    while selection and apply_selection_rules(sketch, fired) > 0:
        apply_rules(sketch, packed, fired)
    return Orientation(sketch.marks, _conflicts(sketch, packed), fired)


def draw_pag(adjacent: ArrayLike, evidence: MagEvidence | SeparationEvidence) -> np.ndarray:
    """Give the marks of `orient_pag` without a look for conflicts, which takes as long again."""
    sketch = _sketch(adjacent, CIRCLE)
    apply_rules(sketch, _packed(evidence), np.zeros(_N_RULES, dtype=np.int64))
    return sketch.marks


def orient_cpdag(adjacent: ArrayLike, evidence: MagEvidence | SeparationEvidence) -> Orientation:
    """Orient a skeleton by its unshielded colliders and Meek's rules R1 to R3.

    Parameters and result are those of `orient_pag`; edges left open are tail-tail, and so are edges that
    contradicting evidence directs both ways in the same round.
    """
    sketch, packed = _sketch(adjacent, TAIL), _packed(evidence)
    fired = np.zeros(_N_RULES, dtype=np.int64)
    apply_meek_rules(sketch, packed, fired)
    return Orientation(sketch.marks, _conflicts(sketch, packed), fired)


def draw_cpdag(adjacent: ArrayLike, evidence: MagEvidence | SeparationEvidence) -> np.ndarray:
    """Give the marks of `orient_cpdag` without a look for conflicts."""
    sketch = _sketch(adjacent, TAIL)
    apply_meek_rules(sketch, _packed(evidence), np.zeros(_N_RULES, dtype=np.int64))
    return sketch.marks


def extend_pag(marks: ArrayLike, evidence: AncestorEvidence | SeparationEvidence) -> Orientation:
    """Apply the rules of `orient_pag` to a graph in which marks (n, n) are known already.

    For a PAG with marks from background knowledge. The rules are sound then: all that they conclude holds in
    every MAG of the class that has these marks. They need not conclude all that does.
    """
    sketch, packed = _sketch_of(writable_marks(marks)), _packed(evidence)
    fired = np.zeros(_N_RULES, dtype=np.int64)
    apply_rules(sketch, packed, fired)
    return Orientation(sketch.marks, _conflicts(sketch, packed), fired)


def extend_cpdag(marks: ArrayLike, evidence: MagEvidence | SeparationEvidence) -> Orientation:
    """Apply Meek's rules to a CPDAG in which edges (n, n) were directed by background knowledge.

    They conclude all that directions of single edges imply (Meek 1995, theorem 4).
    """
    sketch, packed = _sketch_of(writable_marks(marks)), _packed(evidence)
    fired = np.zeros(_N_RULES, dtype=np.int64)
    apply_meek_rules(sketch, packed, fired)
    return Orientation(sketch.marks, _conflicts(sketch, packed), fired)


def _sketch(adjacent: ArrayLike, mark: int) -> Sketch:
    return _sketch_of(np.asarray(adjacent, dtype=np.bool_) * np.int8(mark))


def _sketch_of(marks: np.ndarray) -> Sketch:
    starts, neighbors = neighbor_lists(marks)
    ends = len(neighbors)
    drafts = np.zeros(marks.shape, dtype=np.int8)
    cells = np.empty((ends, 2), dtype=np.int64)
    clashes = np.empty((ends, 2), dtype=np.int64)
    return Sketch(starts, neighbors, marks, drafts, cells, clashes, np.zeros(2, dtype=np.int64))


def _packed(evidence: MagEvidence | AncestorEvidence | SeparationEvidence) -> Evidence:
    if isinstance(evidence, AncestorEvidence):
        none = np.empty(0, dtype=np.int32)
        return Evidence(writable_marks(evidence.ancestors), none.reshape(0, 0), np.zeros(1, np.int64), none)
    if isinstance(evidence, MagEvidence):
        none = np.empty(0, dtype=np.int32)
        return Evidence(writable_marks(evidence.marks), none.reshape(0, 0), none.astype(np.int64), none)
    number = np.require(evidence.number, np.int32, ["C", "W"])
    starts = np.require(evidence.starts, np.int64, ["C", "W"])
    members = np.require(evidence.members, np.int32, ["C", "W"])
    return Evidence(np.empty((0, 0), dtype=np.int8), number, starts, members)


def _conflicts(sketch: Sketch, evidence: Evidence) -> tuple[Conflict, ...]:
    degrees = np.diff(sketch.starts)
    triples = np.empty((int((degrees * (degrees - 1)).sum()) // 2, 3), dtype=np.int64)
    count = contradicted_triples(sketch.starts, sketch.neighbors, sketch.marks, evidence, triples)
    found = [Conflict("collider", tuple(triple)) for triple in triples[:count].tolist()]
    found += [Conflict("rule", tuple(cell)) for cell in sketch.clashes[: sketch.counts[1]].tolist()]
    return tuple(sorted(found))
