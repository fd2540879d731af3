"""Where the boxes of a drawing go, and how its edges run between them.

Boxes have centers (n, 2) and sizes (n, 2) in pixels, x to the right and y down. An edge is a quadratic
Bézier curve given by its three points (3, 2); a straight one has its middle point halfway.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Drawing", "bezier", "lay_out", "outside_at", "part"]

_GAP = np.array([44.0, 40.0])  # between boxes: room for two marks and some line
_BETWEEN_PARTS = 56.0
_SOME, _MANY = 70, 150  # vertices beyond which what takes long is left out, some and more of it
_SPREADS = (1.0, 1.15, 1.3, 1.5, 1.75)  # tried until no edge passes under a box
_SPREADS_OF_MANY = (1.0, 2.0)
_SPREADS_OF_MORE = (2.0,)
_LEAST_WIDTH = 640.0  # of a row, where there is more than one part
_EDGE_LENGTH = 120.0
_CLEARANCE = 7.0  # between an edge and the boxes it passes
_MARK_ROOM = 11.0  # between two marks at the same box
_STEPS = np.linspace(0.0, 1.0, 60)
_BENDS = (0.0, *(sign * size for size in (0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0) for sign in (1, -1)))
_PER_BEND = 2.0  # a bend of 0.5 is as bad as a mark close by; passing under a box is 4 times that


class Drawing(NamedTuple):
    """Where things are: centers (n, 2) of boxes, and for each edge (i, j), i < j, its curve (3, 2)."""

    centers: np.ndarray
    curves: dict[tuple[int, int], np.ndarray]


def lay_out(adjacent: np.ndarray, sizes: np.ndarray) -> Drawing:
    """Place boxes that don't overlap, connected parts in rows and single boxes below, and route the edges.

    Depends on the order of the vertices, so give them in one that means something, such as by name.
    """
    pairs: list[tuple[int, int]] = [(i, j) for i, j in np.argwhere(np.triu(adjacent)).tolist()]
    parts = _parts(adjacent)
    best, least = Drawing(np.zeros_like(sizes), {}), np.inf
    for spread in _spreads(len(sizes)):
        centers = _place(parts, sizes, spread)
        met = [np.zeros((0, 2)) for _ in sizes]
        routes = [_route(i, j, centers, sizes, met) for i, j in pairs]
        if (crossed := sum(crossed for _, crossed in routes)) < least:
            curves = {pair: curve for pair, (curve, _) in zip(pairs, routes, strict=True)}
            best, least = Drawing(centers, curves), crossed
        if not crossed:
            break
    return best


def _spreads(n: int) -> tuple[float, ...]:
    if n <= _SOME:
        return _SPREADS
    return _SPREADS_OF_MANY if n <= _MANY else _SPREADS_OF_MORE


def _parts(adjacent: np.ndarray) -> list[tuple[list[int], np.ndarray]]:
    """Give the connected parts, the largest first, each with places (k, 2) of points without size."""
    import networkx

    graph = networkx.from_numpy_array(adjacent)
    parts = sorted(
        (sorted(part) for part in networkx.connected_components(graph)), key=lambda p: (-len(p), p)
    )
    found = []
    for members in parts:
        part = graph.subgraph(members)
        if len(members) == 1:
            found.append((members, np.zeros((1, 2))))
            continue
        # the second is not as good, but doesn't take minutes
        drawn = (
            networkx.kamada_kawai_layout(part) if len(part) <= _MANY else networkx.spring_layout(part, seed=0)
        )
        points = _scaled(np.array([drawn[i] for i in members]), adjacent[np.ix_(members, members)])
        found.append((members, _turned(points)))
    return found


def _place(parts: list[tuple[list[int], np.ndarray]], sizes: np.ndarray, spread: float) -> np.ndarray:
    joined = [members for members, _ in parts if len(members) > 1]
    single = [members for members, _ in parts if len(members) == 1]
    centers = np.zeros((len(sizes), 2))
    for members, points in parts[: len(joined)]:
        wide = (sizes[members, 0].mean() + _GAP[0]) / _EDGE_LENGTH
        stretched = points * spread * np.array([max(1.0, wide), 1.0])
        centers[members] = np.round(_separated(stretched, sizes[members]) / 4) * 4
    bottom, width = _pack(joined, centers, sizes, 0.0, _row_width(joined, centers, sizes), _BETWEEN_PARTS)
    _pack(single, centers, sizes, bottom, max(width, _row_width(single, centers, sizes)), 16.0)
    return centers


def _scaled(centers: np.ndarray, adjacent: np.ndarray) -> np.ndarray:
    i, j = np.nonzero(adjacent)
    length = np.median(np.hypot(*(centers[i] - centers[j]).T))
    return centers * (_EDGE_LENGTH / max(length, 1e-9))


def _turned(centers: np.ndarray) -> np.ndarray:
    """Turn the longer side to the horizontal."""
    centers = centers - centers.mean(axis=0)
    _, axes = np.linalg.eigh(centers.T @ centers)
    axes = axes[:, ::-1]
    axes = axes * np.where(axes.sum(axis=0) < 0, -1.0, 1.0)  # an eigenvector's sign means nothing
    return centers @ axes


def _separated(centers: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Push overlapping boxes apart, each pair along the axis that needs less; spread until none overlaps."""
    needed = (sizes[:, None] + sizes[None]) / 2 + _GAP
    earlier = np.where(np.tri(len(sizes), dtype=bool), 1.0, -1.0)[:, :, None]
    for _ in range(500):
        apart = centers[:, None] - centers[None]
        lack = needed - np.abs(apart)
        overlapping = (lack > 1e-6).all(axis=2)
        np.fill_diagonal(overlapping, False)
        if not overlapping.any():
            break
        along = lack == lack.min(axis=2, keepdims=True)
        sign = np.where(apart == 0, earlier, np.sign(apart))
        push = np.where(overlapping[:, :, None] & along, sign * (lack + 1e-3) / 2, 0.0)
        centers = (centers + 0.5 * push.sum(axis=1)) * 1.01
    return centers


def _corners(members: list[int], centers: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = (centers[members] - sizes[members] / 2).min(axis=0)
    return low, (centers[members] + sizes[members] / 2).max(axis=0)


def _row_width(parts: list[list[int]], centers: np.ndarray, sizes: np.ndarray) -> float:
    """Give the width of rows that make all parts together about 8 wide and 5 high."""
    extents = [np.subtract(*_corners(members, centers, sizes)[::-1]) for members in parts]
    area = sum(float(np.prod(extent + _BETWEEN_PARTS)) for extent in extents)
    return max([_LEAST_WIDTH, float(np.sqrt(1.6 * area)), *(float(extent[0]) for extent in extents)])


def _pack(
    parts: list[list[int]], centers: np.ndarray, sizes: np.ndarray, top: float, width: float, gap: float
) -> tuple[float, float]:
    """Move parts into rows from `top` down; give where the next row starts and the width used."""
    left, bottom, used = 0.0, top, 0.0
    for members in parts:
        low, high = _corners(members, centers, sizes)
        if left and left + high[0] - low[0] > width:
            left, top = 0.0, bottom + gap
        centers[members] += np.array([left, top]) - low
        used = max(used, left + high[0] - low[0])
        bottom = max(bottom, top + high[1] - low[1])
        left += high[0] - low[0] + gap
    return (bottom + _BETWEEN_PARTS if parts else top), used


def bezier(curve: np.ndarray, t: np.ndarray | float) -> np.ndarray:
    """Give the points (..., 2) of a curve at t in [0, 1]."""
    t = np.asarray(t)[..., None]
    return (1 - t) ** 2 * curve[0] + 2 * t * (1 - t) * curve[1] + t**2 * curve[2]


def part(curve: np.ndarray, start: float, stop: float) -> np.ndarray:
    """Give the curve (3, 2) that runs from one t to another."""
    weights = ((1 - start) * (1 - stop), (1 - start) * stop + (1 - stop) * start, start * stop)
    middle = sum(weight * point for weight, point in zip(weights, curve, strict=True))
    return np.array([bezier(curve, start), middle, bezier(curve, stop)])


def outside_at(curve: np.ndarray, center: np.ndarray, half: np.ndarray, distance: float = 0.0) -> float:
    """Give the t at which a curve that starts in a box of half size (2,) is this far from it."""
    low, high = 0.0, 1.0
    for _ in range(20):
        t = (low + high) / 2
        beyond = np.maximum(np.abs(bezier(curve, t) - center) - half, 0.0)
        low, high = (t, high) if np.hypot(*beyond) <= distance else (low, t)
    return high


def _route(
    a: int, b: int, centers: np.ndarray, sizes: np.ndarray, met: list[np.ndarray]
) -> tuple[np.ndarray, int]:
    """Give the curve from box a to box b, bent no more than it takes to pass other boxes and marks.

    Also gives how many boxes it comes too close to all the same. ``met[i]`` holds the points (k, 2) where
    earlier edges meet box i; those of this edge are added.
    """
    ends = _anchors(a, b, centers, sizes)
    along = ends[1] - ends[0]
    others = np.delete(np.arange(len(centers)), [a, b])
    places, room = centers[others], sizes[others] / 2 + _CLEARANCE
    best, least, meets, under = np.zeros((3, 2)), np.inf, np.zeros((2, 2)), 0
    for bend in _BENDS:
        if least <= _PER_BEND * abs(bend):
            break
        curve = np.array([ends[0], ends.mean(axis=0) + 2 * bend * np.array([-along[1], along[0]]), ends[1]])
        # a curve stays within the corners of its three points
        near = ((places + room > curve.min(axis=0)) & (places - room < curve.max(axis=0))).all(axis=1)
        off = np.abs(bezier(curve, _STEPS)[:, None] - places[near])
        crossed = int(np.count_nonzero((off < room[near]).all(axis=2).any(axis=0)))
        score = 4 * crossed + _PER_BEND * abs(bend)
        if score >= least:
            continue
        points = [
            bezier(c, outside_at(c, centers[i], sizes[i] / 2)) for c, i in ((curve, a), (curve[::-1], b))
        ]
        score += sum(
            np.count_nonzero(np.hypot(*(met[i] - point).T) < _MARK_ROOM)
            for i, point in zip((a, b), points, strict=True)
        )
        if score < least:
            best, least, meets, under = curve, score, np.array(points), crossed
    met[a], met[b] = np.vstack([met[a], meets[0]]), np.vstack([met[b], meets[1]])
    return best, under


def _anchors(a: int, b: int, centers: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Give the ends (2, 2) that an edge aims at: off the center of a wide box, towards the other box."""
    slack = np.maximum(sizes[[a, b], 0] - sizes[[a, b], 1], 0.0) * 0.35
    ends = centers[[a, b]].copy()
    gap = ends[1, 0] - ends[0, 0]
    shift = np.minimum(slack, abs(gap) * slack / max(slack.sum(), 1.0))
    ends[:, 0] += np.sign(gap) * np.array([shift[0], -shift[1]])
    return ends
