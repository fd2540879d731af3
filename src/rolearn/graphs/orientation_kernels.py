"""The engine that applies the rules in rounds until nothing changes."""

from __future__ import annotations

from rolearn.graphs.evidence_kernels import COLLIDER, NONCOLLIDER, is_collider
from rolearn.graphs.marks import ARROWHEAD
from rolearn.graphs.rules_kernels import (
    rule_0,
    rule_1,
    rule_2,
    rule_3,
    rule_4,
    rule_5,
    rule_6,
    rule_7,
    rule_8,
    rule_9,
    rule_10,
)
from rolearn.graphs.sketch_kernels import apply_drafts
from rolearn.runtime.compile import kernel

__all__ = ["apply_rules", "apply_selection_rules", "contradicted_triples"]


@kernel
def apply_rules(sketch, evidence, fired):
    """Orient ``sketch`` to the fixed point of R0 to R4 and R8 to R10.

    Cheap rules first: a round of the next group is drafted only when those before it are exhausted, as in
    Zhang (2008). ``fired`` (11) int64 counts the marks that each rule was the first to draft.
    """
    fired[0] += rule_0(sketch, evidence)
    apply_drafts(sketch)
    changed = 1
    while changed > 0:
        fired[1] += rule_1(sketch)
        fired[2] += rule_2(sketch)
        fired[3] += rule_3(sketch)
        changed = apply_drafts(sketch)
        if changed == 0:
            fired[4] += rule_4(sketch, evidence)
            changed = apply_drafts(sketch)
        if changed == 0:
            fired[8] += rule_8(sketch)
            changed = apply_drafts(sketch)
        if changed == 0:
            fired[9] += rule_9(sketch)
            fired[10] += rule_10(sketch)
            changed = apply_drafts(sketch)


@kernel
def apply_selection_rules(sketch, fired):
    """Orient ``sketch`` to the fixed point of R5 to R7 (selection bias); return how many marks changed.

    They wait for `apply_rules`, as R5 in Zhang (2008) waits for R1 to R4. That R8 to R10 have been there
    as well is no harm: they turn o-> into -->, which no picture of R5 needs and R6 and R7 would do too.
    """
    fired[5] += rule_5(sketch)
    total = 0
    changed = apply_drafts(sketch)
    while changed > 0:
        total += changed
        fired[6] += rule_6(sketch)
        fired[7] += rule_7(sketch)
        changed = apply_drafts(sketch)
    return total


@kernel
def contradicted_triples(starts, neighbors, marks, evidence, triples):
    """List the unshielded a, b, c that the evidence sees otherwise than ``marks``; return their number.

    ``triples`` is (t, 3) int64 with room for every pair of neighbors of every vertex; a < c.
    """
    count = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            for m in range(k + 1, starts[b + 1]):
                c = neighbors[m]
                if marks[a, c] != 0:
                    continue
                drawn = marks[a, b] == ARROWHEAD and marks[c, b] == ARROWHEAD
                if is_collider(evidence, a, a, b, c) == (NONCOLLIDER if drawn else COLLIDER):
                    triples[count, 0] = a
                    triples[count, 1] = b
                    triples[count, 2] = c
                    count += 1
    return count
