"""From colliders to a CPDAG: Meek's rules R1 to R4, each with its picture.

An undirected edge (``---``, tail and tail) is one the class leaves open. Rules draft directions from the
same graph in each round (see `sketch_kernels`): ``drafts[i, j]`` says that i --> j is drafted.

Meek, C. (1995). Causal inference and causal explanation with background knowledge. UAI 11, 403-410.
"""

from __future__ import annotations

from rolearn.graphs.evidence_kernels import COLLIDER, is_collider
from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.runtime.compile import kernel, part

__all__ = ["apply_meek_rules"]

_FROZEN = 2


@kernel
def _undirected(marks, i, j):
    return marks[i, j] == TAIL and marks[j, i] == TAIL


@kernel
def _directed(marks, i, j):
    return marks[i, j] == ARROWHEAD and marks[j, i] == TAIL


@kernel
def _draft_direction(sketch, i, j):
    if not _undirected(sketch.marks, i, j) or sketch.drafts[i, j] != 0:
        return 0
    k = sketch.counts[0]
    sketch.cells[k, 0] = i
    sketch.cells[k, 1] = j
    sketch.counts[0] = k + 1
    sketch.drafts[i, j] = 1
    return 1


@kernel
def _apply_directions(sketch):
    """Direct what was drafted one way; an edge drafted both ways is noted as a clash and stays undirected."""
    changed = 0
    for k in range(sketch.counts[0]):
        i = sketch.cells[k, 0]
        j = sketch.cells[k, 1]
        if sketch.drafts[j, i] == 0:
            sketch.marks[i, j] = ARROWHEAD
            changed += 1
        elif i < j:
            clash = sketch.counts[1]
            sketch.clashes[clash, 0] = i
            sketch.clashes[clash, 1] = j
            sketch.counts[1] = clash + 1
    for k in range(sketch.counts[0]):
        i = sketch.cells[k, 0]
        j = sketch.cells[k, 1]
        # frozen, so that an edge drafted both ways isn't drafted again
        sketch.drafts[i, j] = _FROZEN
    sketch.counts[0] = 0
    return changed


@part
def _colliders(sketch, evidence):
    """Where a --- b --- c, a and c nonadjacent, b a collider by the evidence:  a --> b <-- c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            for m in range(k + 1, starts[b + 1]):
                c = neighbors[m]
                if marks[a, c] == NO_EDGE and is_collider(evidence, a, a, b, c) == COLLIDER:
                    news += _draft_direction(sketch, a, b) + _draft_direction(sketch, c, b)
    return news


@part
def _meek_1(sketch):
    """Where a --> b --- c, a and c nonadjacent:  b --> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            if not _directed(marks, a, b):
                continue
            for m in range(starts[b], starts[b + 1]):
                c = neighbors[m]
                if c != a and marks[a, c] == NO_EDGE and _undirected(marks, b, c):
                    news += _draft_direction(sketch, b, c)
    return news


@part
def _meek_2(sketch):
    """Where a --> b --> c, a --- c:  a --> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            if not _directed(marks, a, b):
                continue
            for m in range(starts[b], starts[b + 1]):
                c = neighbors[m]
                if _directed(marks, b, c):
                    news += _draft_direction(sketch, a, c)
    return news


@part
def _meek_3(sketch):
    """Where a --- c --> b, a --- d --> b, c and d nonadjacent, a --- b:  a --> b."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            if not _undirected(marks, a, b):
                continue
            for m in range(starts[b], starts[b + 1]):
                c = neighbors[m]
                if not _directed(marks, c, b) or not _undirected(marks, a, c):
                    continue
                for q in range(m + 1, starts[b + 1]):
                    d = neighbors[q]
                    if _directed(marks, d, b) and _undirected(marks, a, d) and marks[c, d] == NO_EDGE:
                        news += _draft_direction(sketch, a, b)
    return news


@part
def _meek_4(sketch):
    """Where d --> c --> b, a --- d, a --- b, a and c joined, b and d nonadjacent:  a --> b.

    Needed where directions come from elsewhere than colliders.
    """
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            b = neighbors[k]
            if not _undirected(marks, a, b):
                continue
            for m in range(starts[a], starts[a + 1]):
                d = neighbors[m]
                if d == b or not _undirected(marks, a, d) or marks[b, d] != NO_EDGE:
                    continue
                for q in range(starts[a], starts[a + 1]):
                    c = neighbors[q]
                    if _directed(marks, d, c) and _directed(marks, c, b):
                        news += _draft_direction(sketch, a, b)
    return news


@kernel
def apply_meek_rules(sketch, evidence, fired):
    """Orient ``sketch`` to the fixed point; ``fired`` as in `apply_rules`.

    Its edges are ``---``, or directed by background knowledge.
    """
    fired[0] += _colliders(sketch, evidence)
    _apply_directions(sketch)
    changed = 1
    while changed > 0:
        fired[1] += _meek_1(sketch)
        fired[2] += _meek_2(sketch)
        fired[3] += _meek_3(sketch)
        fired[4] += _meek_4(sketch)
        changed = _apply_directions(sketch)
