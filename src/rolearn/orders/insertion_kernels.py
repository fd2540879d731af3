"""Where else in an order a variable would leave cheaper: its whole way through the order at a time.

A variable x that leaves later than it did loses those it lets pass from its candidates, and each of them
gains x as one; if it leaves earlier the other way round. Most of these changes change no local cost, which
the traces of the variables tell (see `grow_shrink_kernels`); where one does, it is worked out anew, so that
a local cost is a function of the variable and of what remains, whatever the search did before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import evaluate, takes, would_take
from rolearn.runtime.compile import lean_kernel, part

__all__ = ["Standing", "insert_each"]


class Standing(NamedTuple):
    """An order with the local costs it has, and room to try others; p variables.

    ``order`` and ``place`` (p) are inverse to each other, ``local`` (p) costs by variable. Rows 0 to p - 1 of
    the ``traces`` are those of the variables where they stand, the last two are for trying. ``stale`` (p)
    marks the variables whose best place is to be looked for. Costs and traces hold once ``known`` (1) is set.
    The order keeps to the ``precedence`` (p, p) of `orders.precedence`. ``remaining`` and ``changes`` (p) are
    for the kernels' own use.
    """

    order: np.ndarray
    place: np.ndarray
    local: np.ndarray
    stale: np.ndarray
    known: np.ndarray
    remaining: np.ndarray
    changes: np.ndarray
    precedence: np.ndarray
    traces: Any
    room: Any


@part
def _copy_trace(traces, source, target):
    size = traces.size[source]
    traces.size[target] = size
    traces.blocked[target] = traces.blocked[source]
    for k in range(size):
        traces.members[target, k] = traces.members[source, k]
        traces.own[target, k] = traces.own[source, k]
        traces.gain[target, k] = traces.gain[source, k]
        traces.left[target, k] = traces.left[source, k]
    for i in range(size * (size + 1) // 2):
        traces.factor[target, i] = traces.factor[source, i]
    traces.left[target, size] = traces.left[source, size]


@lean_kernel
def _set_remaining(standing, after):
    """Mark the variables that leave after that place."""
    for t in range(len(standing.order)):
        standing.remaining[standing.order[t]] = t > after


@part
def _settle(score, standing, signal):
    """Work out all local costs and traces of an order, if the signal lets it finish."""
    for t in range(len(standing.order)):
        standing.place[standing.order[t]] = t
        standing.remaining[t] = True
    for x in standing.order:
        if signal[0] != 0:
            return
        standing.remaining[x] = False
        standing.local[x] = evaluate(score, x, standing.remaining, standing.room, standing.traces, x)
    standing.known[0] = True


@part
def _look(score, standing, x, step, barrier):
    """Fill by how much the cost changes when x leaves at each later place (step 1), or each earlier one (-1).

    Past a place where that is beyond the barrier, or one that x may not pass, it counts as infinite.
    """
    p = len(standing.order)
    traces, remaining, room, changes = standing.traces, standing.remaining, standing.room, standing.changes
    later = step > 0
    start = standing.place[x]
    _copy_trace(traces, x, p)
    _set_remaining(standing, start)
    own = standing.local[x]
    others = 0.0
    blocked = False
    for t in range(start + step, p if later else -1, step):
        y = standing.order[t]
        blocked = blocked or standing.precedence[x, y] == step
        if blocked:
            changes[t] = np.inf
            continue
        remaining[y] = False
        if would_take(score, traces, y, y, x) if later else takes(traces, y, x):
            remaining[x] = later
            others += evaluate(score, y, remaining, room, traces, p + 1) - standing.local[y]
            remaining[x] = False
        remaining[y] = not later
        if takes(traces, p, y) if later else would_take(score, traces, p, x, y):
            own = evaluate(score, x, remaining, room, traces, p)
        changes[t] = others + own - standing.local[x]
        blocked = changes[t] > barrier


@lean_kernel
def _renew(score, standing, y):
    """Work out the cost and trace of y anew, and mark what this may move."""
    traces = standing.traces
    for k in range(traces.size[y]):
        standing.stale[traces.members[y, k]] = True
    standing.local[y] = evaluate(score, y, standing.remaining, standing.room, traces, y)
    for k in range(traces.size[y]):
        standing.stale[traces.members[y, k]] = True
    standing.stale[y] = True


@part
def _shift(standing, y, step):
    standing.place[y] += step
    standing.order[standing.place[y]] = y


@part
def _insert(score, standing, x, to):
    """Let x leave at place `to`; those between close up. What this changes turns stale."""
    start = standing.place[x]
    traces, remaining = standing.traces, standing.remaining
    _set_remaining(standing, start)
    for t in range(start + 1, to + 1):
        y = standing.order[t]
        remaining[y] = False
        if would_take(score, traces, y, y, x):
            remaining[x] = True
            _renew(score, standing, y)
            remaining[x] = False
        _shift(standing, y, -1)
    for t in range(start - 1, to - 1, -1):
        y = standing.order[t]
        if takes(traces, y, x):
            _renew(score, standing, y)
        remaining[y] = True
        _shift(standing, y, 1)
    standing.place[x] = to
    standing.order[to] = x
    _renew(score, standing, x)


@part
def _choose(changes, tolerance, wanted):
    """Give the place that lowers the cost most, else one that doesn't change it, closest to `wanted`."""
    least = 0.0
    for t in range(len(changes)):
        least = min(least, changes[t])
    best = -1
    for t in range(len(changes)):
        # within the tolerance all are the same, or rounding would choose
        as_good = changes[t] <= least + tolerance if least < -tolerance else abs(changes[t]) <= tolerance
        if as_good and (best < 0 or abs(t - wanted) < abs(best - wanted)):
            best = t
    return best


@part
def _best_place(score, standing, x, wanted, tolerance, barrier):
    """Give where x leaves cheapest, see `_choose`, once all places have been looked at."""
    standing.changes[standing.place[x]] = 0.0
    for later in range(2):
        _look(score, standing, x, 2 * later - 1, barrier)
    return _choose(standing.changes, tolerance, wanted)


@lean_kernel
def insert_each(score, standing, sequence, wanted, forced, tolerance, barrier, signal):
    """Take each stale variable of the sequence to its best place; gives how many moves lowered the cost.

    Where no place lowers it by more than the tolerance, the variable goes where the cost stays the same, as
    close as that allows to the place in ``wanted``: an order is one of many of the same graph, and from
    another of them a way down may open. Places beyond one that costs more than the `barrier` are not looked
    at. If `forced`, each variable goes to the place wanted, whatever that costs.

    Costs that aren't known are worked out first. Comes back early when the signal is up or the traces are
    full; all is consistent then, if it was known.
    """
    # one kernel for all: each that works out costs takes seconds to compile
    if not standing.known[0]:
        _settle(score, standing, signal)
    lowered = 0
    for i in range(len(sequence)):
        x = sequence[i]
        if signal[0] != 0:
            break
        if standing.stale[x] or forced:
            start = standing.place[x]
            to = wanted[i]
            if not forced:
                to = _best_place(score, standing, x, wanted[i], tolerance, barrier)
                if standing.traces.full[0] != 0 or signal[0] != 0:
                    break
            lower = not forced and standing.changes[to] < -tolerance
            if to != start:
                _insert(score, standing, x, to)
            standing.stale[x] = lower or forced
            lowered += lower
    return lowered
