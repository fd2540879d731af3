"""The orientation rules R0 to R10 of Zhang (2008), each with its picture.

In the pictures ``*`` is any mark, ``o`` a circle, ``>`` and ``<`` arrowheads, ``-`` a tail. A rule drafts
marks in place of circles only and returns how many were news. R5 to R7 are sound only where selection bias
is allowed. R5, R9 and R10 speak of uncovered *paths*; the searches here follow uncovered *walks*, for which
the proofs hold word by word (a noncollider at every inner vertex), and which need no list of what was
passed.

Zhang, J. (2008). On the completeness of orientation rules for causal discovery in the presence of latent
confounders and selection bias. Artificial Intelligence 172, 1873-1896.
"""

from __future__ import annotations

import numpy as np

from rolearn.graphs.evidence_kernels import COLLIDER, NONCOLLIDER, is_collider
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL
from rolearn.graphs.sketch_kernels import draft_arrowhead, draft_tail
from rolearn.runtime.compile import kernel, part

__all__ = [
    "rule_0",
    "rule_1",
    "rule_2",
    "rule_3",
    "rule_4",
    "rule_5",
    "rule_6",
    "rule_7",
    "rule_8",
    "rule_9",
    "rule_10",
]


@part
def rule_0(sketch, evidence):
    """Where a *-* b *-* c, a and c nonadjacent, b a collider by the evidence:  a *-> b <-* c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            for m in range(k + 1, starts[b + 1]):
                c = neighbors[m]
                if marks[a, c] == NO_EDGE and is_collider(evidence, a, a, b, c) == COLLIDER:
                    news += draft_arrowhead(sketch, a, b) + draft_arrowhead(sketch, c, b)
    return news


@part
def rule_1(sketch):
    """Where a *-> b o-* c, a and c nonadjacent:  b --> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            c = neighbors[k]
            if marks[c, b] != CIRCLE:
                continue
            for m in range(starts[b], starts[b + 1]):
                a = neighbors[m]
                if a != c and marks[a, b] == ARROWHEAD and marks[a, c] == NO_EDGE:
                    news += draft_tail(sketch, c, b) + draft_arrowhead(sketch, b, c)
    return news


@part
def rule_2(sketch):
    """Where a --> b *-> c or a *-> b --> c, and a *-o c:  a *-> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            c = neighbors[k]
            if marks[a, c] != CIRCLE:
                continue
            for m in range(starts[a], starts[a + 1]):
                b = neighbors[m]
                if (
                    marks[a, b] == ARROWHEAD
                    and marks[b, c] == ARROWHEAD
                    and (marks[b, a] == TAIL or marks[c, b] == TAIL)
                ):
                    news += draft_arrowhead(sketch, a, c)
    return news


@part
def rule_3(sketch):
    """Where a *-> b <-* c, a *-o d o-* c, a and c nonadjacent, d *-o b:  d *-> b."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            d = neighbors[k]
            if marks[d, b] != CIRCLE:
                continue
            for m in range(starts[b], starts[b + 1]):
                a = neighbors[m]
                if marks[a, b] != ARROWHEAD or marks[a, d] != CIRCLE:
                    continue
                for q in range(m + 1, starts[b + 1]):
                    c = neighbors[q]
                    if marks[c, b] == ARROWHEAD and marks[c, d] == CIRCLE and marks[a, c] == NO_EDGE:
                        news += draft_arrowhead(sketch, d, b)
    return news


@kernel
def _is_parent(marks, a, c):
    return marks[a, c] == ARROWHEAD and marks[c, a] == TAIL


@part
def _discriminate(sketch, evidence, d, a, b, c):
    verdict = is_collider(evidence, d, a, b, c)
    if verdict == NONCOLLIDER:
        return draft_tail(sketch, c, b) + draft_arrowhead(sketch, b, c)
    if verdict == COLLIDER:
        news = draft_arrowhead(sketch, a, b) + draft_arrowhead(sketch, c, b)
        return news + draft_arrowhead(sketch, b, c)
    return 0


@part
def rule_4(sketch, evidence):
    """<d, ..., a, b, c> discriminates b, and b o-* c:  b --> c, or a <-> b <-> c if b is a collider.

    Discriminating: d and c are nonadjacent, and every vertex between d and b is a collider on the path and
    a parent of c. From a the search goes back over such vertices, and each d it meets is heard.
    """
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    n = marks.shape[0]
    seen = np.zeros(n, dtype=np.int64)
    waiting = np.empty(n, dtype=np.int64)
    search = 0
    news = 0
    for b in range(n):
        for k in range(starts[b], starts[b + 1]):
            c = neighbors[k]
            if marks[c, b] != CIRCLE:
                continue
            for m in range(starts[b], starts[b + 1]):
                a = neighbors[m]
                if marks[b, a] != ARROWHEAD or not _is_parent(marks, a, c):
                    continue
                search += 1
                seen[a] = seen[b] = seen[c] = search
                waiting[0] = a
                count = 1
                while count > 0:
                    count -= 1
                    v = waiting[count]
                    for q in range(starts[v], starts[v + 1]):
                        u = neighbors[q]
                        if seen[u] == search or marks[u, v] != ARROWHEAD:
                            continue
                        if marks[u, c] == NO_EDGE:
                            seen[u] = search
                            news += _discriminate(sketch, evidence, u, a, b, c)
                        elif marks[v, u] == ARROWHEAD and _is_parent(marks, u, c):
                            seen[u] = search
                            waiting[count] = u
                            count += 1
    return news


@kernel
def _search_uncovered(sketch, a, first, passable, seen, search, waiting, waiting_from):
    """Stamp ``seen`` (2m) with ``search`` at every edge that uncovered walks over ``first`` go on to take.

    Edges are positions in ``neighbors``; ``first`` is that of the edge which leaves ``a``, and ``passable``
    (2m) says which the walks may take. Returns how many were taken, the first included: their positions are
    in ``waiting[:count]`` and their near ends in ``waiting_from[:count]``.
    """
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    count = 1
    waiting[0] = first
    waiting_from[0] = a
    seen[first] = search
    done = 0
    while done < count:
        u = waiting_from[done]
        v = neighbors[waiting[done]]
        done += 1
        for k in range(starts[v], starts[v + 1]):
            w = neighbors[k]
            if passable[k] and seen[k] != search and w != u and marks[u, w] == NO_EDGE:
                seen[k] = search
                waiting[count] = k
                waiting_from[count] = v
                count += 1
    return count


@part
def rule_5(sketch):
    """Where a o-o b, an uncovered circle path <a, c, ..., d, b>, a d and b c nonadjacent:  all ---.

    Only under selection bias. Each edge of such a cycle sees the rest of it as its own path, so it is
    enough to draft the edge a --- b.
    """
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    ends = neighbors.shape[0]
    passable = np.zeros(ends, dtype=np.bool_)
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            passable[k] = marks[a, neighbors[k]] == CIRCLE and marks[neighbors[k], a] == CIRCLE
    seen = np.zeros(ends, dtype=np.int64)
    waiting = np.empty(ends, dtype=np.int64)
    waiting_from = np.empty(ends, dtype=np.int64)
    search = 0
    news = 0
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            if not passable[k]:
                continue
            c = neighbors[k]
            search += 1
            count = _search_uncovered(sketch, a, k, passable, seen, search, waiting, waiting_from)
            for q in range(count):
                d = waiting_from[q]
                b = neighbors[waiting[q]]
                closes = d != a and b != a and b != c and marks[a, d] == NO_EDGE and marks[b, c] == NO_EDGE
                if closes and marks[a, b] == CIRCLE and marks[b, a] == CIRCLE:
                    news += draft_tail(sketch, a, b) + draft_tail(sketch, b, a)
    return news


@part
def rule_6(sketch):
    """Where a --- b o-* c:  b --* c. Only under selection bias."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            if marks[a, b] != TAIL or marks[b, a] != TAIL:
                continue
            for m in range(starts[b], starts[b + 1]):
                news += draft_tail(sketch, neighbors[m], b)
    return news


@part
def rule_7(sketch):
    """Where a --o b o-* c, a and c nonadjacent:  b --* c. Only under selection bias."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for b in range(marks.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            a = neighbors[k]
            if marks[a, b] != CIRCLE or marks[b, a] != TAIL:
                continue
            for m in range(starts[b], starts[b + 1]):
                c = neighbors[m]
                if c != a and marks[a, c] == NO_EDGE:
                    news += draft_tail(sketch, c, b)
    return news


@part
def rule_8(sketch):
    """Where a --> b --> c or a --o b --> c, and a o-> c:  a --> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    news = 0
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            c = neighbors[k]
            if marks[c, a] != CIRCLE or marks[a, c] != ARROWHEAD:
                continue
            for m in range(starts[a], starts[a + 1]):
                b = neighbors[m]
                if marks[b, a] == TAIL and marks[a, b] != TAIL and _is_parent(marks, b, c):
                    news += draft_tail(sketch, c, a)
    return news


@kernel
def _circle_arrow(marks, a, c):
    return marks[c, a] == CIRCLE and marks[a, c] == ARROWHEAD


@kernel
def _potentially_directed_edges(sketch, passable, has_circle_arrow):
    """Fill which edges (2m) a potentially directed path may take, and which vertices (n) are a in a o-> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    for a in range(marks.shape[0]):
        for k in range(starts[a], starts[a + 1]):
            c = neighbors[k]
            passable[k] = marks[c, a] != ARROWHEAD and marks[a, c] != TAIL
            if _circle_arrow(marks, a, c):
                has_circle_arrow[a] = True


@part
def rule_9(sketch):
    """Where a o-> c, an uncovered potentially directed path <a, b, ..., c>, b and c nonadjacent:  a --> c."""
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    ends = neighbors.shape[0]
    passable = np.zeros(ends, dtype=np.bool_)
    has_circle_arrow = np.zeros(marks.shape[0], dtype=np.bool_)
    _potentially_directed_edges(sketch, passable, has_circle_arrow)
    seen = np.zeros(ends, dtype=np.int64)
    waiting = np.empty(ends, dtype=np.int64)
    waiting_from = np.empty(ends, dtype=np.int64)
    search = 0
    news = 0
    for a in range(marks.shape[0]):
        if not has_circle_arrow[a]:
            continue
        for k in range(starts[a], starts[a + 1]):
            if not passable[k]:
                continue
            b = neighbors[k]
            search += 1
            count = _search_uncovered(sketch, a, k, passable, seen, search, waiting, waiting_from)
            for q in range(1, count):
                c = neighbors[waiting[q]]
                if c != b and _circle_arrow(marks, a, c) and marks[b, c] == NO_EDGE:
                    news += draft_tail(sketch, c, a)
    return news


@part
def rule_10(sketch):
    """Where a o-> c, b --> c <-- d, and two uncovered potentially directed paths leave a apart:  a --> c.

    One leads to b and one to d, and their second vertices, m and w (maybe b and d themselves), are distinct
    and nonadjacent.
    """
    starts, neighbors, marks = sketch.starts, sketch.neighbors, sketch.marks
    ends = neighbors.shape[0]
    passable = np.zeros(ends, dtype=np.bool_)
    has_circle_arrow = np.zeros(marks.shape[0], dtype=np.bool_)
    _potentially_directed_edges(sketch, passable, has_circle_arrow)
    seen = np.zeros(ends, dtype=np.int64)
    waiting = np.empty(ends, dtype=np.int64)
    waiting_from = np.empty(ends, dtype=np.int64)
    search = 0
    news = 0
    for a in range(marks.shape[0]):
        if not has_circle_arrow[a]:
            continue
        first = starts[a]
        degree = starts[a + 1] - first
        # leads[m, c]: an uncovered path from a over its m-th neighbor ends in a parent of its c-th
        leads = np.zeros((degree, degree), dtype=np.bool_)
        for m in range(degree):
            if not passable[first + m]:
                continue
            search += 1
            count = _search_uncovered(sketch, a, first + m, passable, seen, search, waiting, waiting_from)
            for k in range(degree):
                c = neighbors[first + k]
                if k == m or not _circle_arrow(marks, a, c):
                    continue
                for q in range(count):
                    if _is_parent(marks, neighbors[waiting[q]], c):
                        leads[m, k] = True
                        break
        for k in range(degree):
            for m in range(degree):
                for w in range(m + 1, degree):
                    both = leads[m, k] and leads[w, k]
                    if both and marks[neighbors[first + m], neighbors[first + w]] == NO_EDGE:
                        news += draft_tail(sketch, neighbors[first + k], a)
    return news
