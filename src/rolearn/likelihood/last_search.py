"""The last search: from a valid PAG down the penalized likelihood, over MAGs one or a few edges apart."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.orientation import MagEvidence, draw_pag
from rolearn.likelihood.climb_kernels import visit_pairs
from rolearn.likelihood.deviance import mag_deviance
from rolearn.likelihood.move_kernels import LARGEST_MOVE, Bench, Objective

__all__ = ["LARGE", "SAME_SCORE", "SMALL", "LastSearch", "new_bench"]

# The most vertices of a district that is looked at: at first, and once the best of several graphs is known.
SMALL, LARGE = 8, 10

# Scores closer than this are the same: a likelihood is not known better.
SAME_SCORE = 1e-2

_PATIENCE = 3  # rounds in a row that lower nothing
_MOST_ROUNDS = 60
_MARGIN = 0.75  # a move must gain more than this share of what an edge costs
_KEY_SEED = 20230207
_PLACES = 1 << 16  # of the table of deviances
_MOST_DRIFTS = 200  # tries a round to drift


class LastSearch:
    """A MAG on its way down.

    A round visits every pair that is adjacent, has a neighbor in common or is among the `plausible`, in
    random sequence, and makes the best legal move there: setting the edge to any kind, or taking the pair
    apart with one or two of its common neighbors colliders between the two. Moves that gain little are left
    undone: on data they are wrong as often as right (docs/decisions).

    Parameters
    ----------
    objective : Objective
    member : int8 array, shape (p, p)
        A MAG to start from.
    plausible : bool array, shape (p, p)
        Pairs to visit whatever the graph is.
    generator : numpy.random.Generator
    signal : uint8 array, shape (1,)
        The budget's; when up the graph stays as it is by then.

    Attributes
    ----------
    marks : int8 array, shape (p, p)
        The MAG as it is.
    """

    def __init__(
        self,
        objective: Objective,
        member: np.ndarray,
        plausible: np.ndarray,
        generator: np.random.Generator,
        signal: np.ndarray,
    ) -> None:
        self.objective, self.plausible = objective, plausible
        self.generator, self.signal = generator, signal
        self.marks = np.array(member, np.int8, order="C")
        self._bench = new_bench(len(self.marks))
        self._tolerance = SAME_SCORE + 1e-9 * objective.n_samples

    @property
    def score(self) -> float:
        """-2 log likelihood plus penalty, up to a constant."""
        local = np.empty(len(self.marks))
        deviance = mag_deviance(self.objective.correlation, self.objective.n_samples, self.marks, local)
        return float(self.objective.n_samples * deviance + self.objective.penalty * self.n_edges)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(np.count_nonzero(self.marks)) // 2

    def pag(self) -> np.ndarray:
        """Give the marks of the PAG of the MAG's class."""
        return draw_pag(self.marks != 0, MagEvidence(self.marks))

    def run(self) -> None:
        """Make rounds until a few in a row lower nothing."""
        idle = 0
        for _ in range(_MOST_ROUNDS):
            if idle == _PATIENCE or self.signal[0]:
                return
            idle = 0 if self._round() < -self._tolerance else idle + 1

    def _round(self) -> float:
        pairs = self.generator.permutation(self._pairs())
        share = min(0.5, _MOST_DRIFTS / max(len(pairs), 1))
        drifts = np.where(
            self.generator.random(len(pairs)) < share, self.generator.integers(1, 3, len(pairs)), 0
        )
        margin = _MARGIN * self.objective.penalty
        return visit_pairs(
            self.objective, self._bench, self.marks, pairs, drifts, margin, self._tolerance, self.signal
        )

    def _pairs(self) -> np.ndarray:
        adjacent = self.marks != 0
        joined = adjacent.astype(np.float32)
        near = (joined @ joined) > 0.5
        return np.argwhere(np.triu(adjacent | near | self.plausible, 1))


def new_bench(p: int) -> Bench:
    """Give room for moves in graphs of p vertices, with nothing known."""
    keys = np.random.default_rng(_KEY_SEED).integers(1, 1 << 62, (2 * p + 1, p), dtype=np.int64)
    return Bench(
        member_keys=keys[-1],
        edge_keys=keys[:-1].reshape(2, p, p),
        known=np.zeros(_PLACES, np.int64),
        deviances=np.zeros(_PLACES),
        counts=np.zeros(1, np.int64),
        old=np.zeros((LARGEST_MOVE, 2), np.int64),
        vertices=np.zeros(p + 2 * LARGEST_MOVE, np.int64),
        touched=np.zeros(p, np.int64),
        members=np.zeros(p, np.int64),
        seen=np.zeros(p, np.bool_),
        done=np.zeros(p, np.bool_),
    )
