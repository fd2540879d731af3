"""How close a learned graph is to the truth, whatever made either of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, TAIL
from rolearn.runtime.errors import ParameterError

__all__ = [
    "MarkScores",
    "Scores",
    "SkeletonScores",
    "evaluate",
    "mark_scores",
    "skeleton_scores",
    "wrong_marks",
]


class MarkedGraphLike(Protocol):
    """Names and marks are all that a score looks at."""

    @property
    def names(self) -> tuple[str, ...]:
        """Unique vertex names."""

    @property
    def marks(self) -> np.ndarray:
        """The mark at j on the edge i, j: shape (n, n)."""


@dataclass(frozen=True)
class SkeletonScores:
    """Edges learned against edges of the truth (paper, C.3)."""

    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float
    shd: int


@dataclass(frozen=True)
class MarkScores:
    """Ordered pairs that carry one kind of mark in the learned graph against those in the truth."""

    learned: int
    true: int
    correct: int
    precision: float
    recall: float


@dataclass(frozen=True)
class Scores:
    """All scores of a learned graph.

    Attributes
    ----------
    skeleton : SkeletonScores
    arrowheads, tails, circles : MarkScores
    wrong_marks : int
        Ordered pairs whose mark differs from the truth, no edge being a mark.
    n_pairs : int
        Ordered pairs there are.
    """

    skeleton: SkeletonScores
    arrowheads: MarkScores
    tails: MarkScores
    circles: MarkScores
    wrong_marks: int
    n_pairs: int

    def as_dict(self) -> dict[str, object]:
        """Give nested plain numbers, as the command's JSON has them."""
        return asdict(self)


def skeleton_scores(learned: np.ndarray, truth: np.ndarray) -> SkeletonScores:
    """Compare two skeletons as the paper does (C.3).

    Parameters
    ----------
    learned, truth : bool or int arrays, shape (n, n)
        Symmetric; nonzero where there is an edge (so marks will do).

    Returns
    -------
    SkeletonScores
        SHD is FP + FN. Nothing learned has precision 1, nothing to be learned recall 1; F1 is 0 when
        both precision and recall are.
    """
    upper = np.triu_indices(len(truth), 1)
    found, there = np.asarray(learned)[upper] != 0, np.asarray(truth)[upper] != 0
    tp = int(np.sum(found & there))
    fp = int(np.sum(found & ~there))
    fn = int(np.sum(~found & there))
    precision, recall = _share(tp, tp + fp), _share(tp, tp + fn)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return SkeletonScores(tp, fp, fn, precision, recall, f1, fp + fn)


def mark_scores(learned: np.ndarray, truth: np.ndarray, mark: int) -> MarkScores:
    """Compare where one kind of mark stands, over ordered pairs.

    Parameters
    ----------
    learned, truth : int arrays, shape (n, n)
        Marks, with the same vertex order.
    mark : int
        ARROWHEAD, TAIL or CIRCLE.

    Returns
    -------
    MarkScores
        Precision is 1 when the learned graph has no such mark, recall when the truth has none.
    """
    found, there = learned == mark, truth == mark
    correct, n_found, n_there = int(np.sum(found & there)), int(np.sum(found)), int(np.sum(there))
    return MarkScores(n_found, n_there, correct, _share(correct, n_found), _share(correct, n_there))


def wrong_marks(learned: np.ndarray, truth: np.ndarray) -> int:
    """Count ordered pairs whose mark differs; a missing or extra edge counts for two."""
    return int(np.sum(np.asarray(learned) != np.asarray(truth)))


def evaluate(learned: MarkedGraphLike, truth: MarkedGraphLike) -> Scores:
    """Score a learned graph against the truth, vertices matched by name.

    Parameters
    ----------
    learned, truth : DAG, CPDAG, MAG or PAG
        Of the same kind for the marks to mean the same.

    Raises
    ------
    ParameterError
        When the two don't have the same names; lists those missing on either side.

    Examples
    --------
    >>> import rolearn
    >>> truth = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
    >>> learned = rolearn.PAG.from_edges(["A o-o C"], nodes=["A", "B", "C", "D"])
    >>> scores = rolearn.evaluate(learned, truth)
    >>> scores.skeleton.precision, round(scores.skeleton.recall, 2)
    (1.0, 0.33)
    """
    found, there = aligned_marks(learned, truth)
    n = len(there)
    return Scores(
        skeleton_scores(found, there),
        mark_scores(found, there, ARROWHEAD),
        mark_scores(found, there, TAIL),
        mark_scores(found, there, CIRCLE),
        wrong_marks(found, there),
        n * (n - 1),
    )


def aligned_marks(first: MarkedGraphLike, second: MarkedGraphLike) -> tuple[np.ndarray, np.ndarray]:
    """Give both marks arrays in the vertex order of the first graph.

    Raises
    ------
    ParameterError
        When one is no graph, or the names differ.
    """
    for graph in (first, second):
        if not hasattr(graph, "marks"):
            what = type(graph).__name__
            raise ParameterError(f"graphs are compared, not a {what}; of a fitted model give pag_ or cpdag_")
    lacks_second = [name for name in first.names if name not in set(second.names)]
    lacks_first = [name for name in second.names if name not in set(first.names)]
    if lacks_first or lacks_second:
        raise ParameterError(
            "the two graphs are over different variables: " + _missing_sentence(lacks_first, lacks_second)
        )
    place = {name: i for i, name in enumerate(second.names)}
    order = [place[name] for name in first.names]
    return np.asarray(first.marks), np.asarray(second.marks)[np.ix_(order, order)]


def _missing_sentence(lacks_first: list[str], lacks_second: list[str]) -> str:
    sides = [("first", lacks_first), ("second", lacks_second)]
    return "; ".join(f"the {side} has no {_listed(names)}" for side, names in sides if names)


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
