"""Edges that background knowledge requires, in what the removals of an order say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rolearn.orders.cost import Removal

__all__ = ["with_required"]


def with_required(removals: Sequence[Removal], kept: np.ndarray) -> list[Removal]:
    """Join the pairs that are kept (p, p) bool: the one that leaves later is a parent of the other.

    It comes into the boundary, so that sets which separate the other from the rest have it; and no separation
    of the two is believed. What the order's DAG says stays a DAG's, and so valid.
    """
    if not kept.any():
        return list(removals)
    remaining = np.ones(len(kept), np.bool_)
    found = []
    for removal in removals:
        remaining[removal.variable] = False
        joined = np.flatnonzero(kept[removal.variable] & remaining).tolist()
        found.append(_joined(removal, joined) if joined else removal)
    return found


def _joined(removal: Removal, others: list[int]) -> Removal:
    return replace(
        removal,
        boundary=tuple(sorted({*removal.boundary, *others})),
        neighbors=tuple(sorted({*removal.neighbors, *others})),
        separations=tuple(found for found in removal.separations if found[0] not in others),
    )
