"""Scores of a learned graph, and differences between two: they see names and marks only."""

from rolearn.metrics.comparison import Difference, compare
from rolearn.metrics.scores import (
    MarkScores,
    Scores,
    SkeletonScores,
    evaluate,
    mark_scores,
    skeleton_scores,
    wrong_marks,
)

__all__ = [
    "Difference",
    "MarkScores",
    "Scores",
    "SkeletonScores",
    "compare",
    "evaluate",
    "mark_scores",
    "skeleton_scores",
    "wrong_marks",
]
