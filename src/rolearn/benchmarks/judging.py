"""What came of a method, against the truth."""

from __future__ import annotations

import numpy as np

from rolearn.benchmarks.calls import Outcome
from rolearn.benchmarks.problems import Problem
from rolearn.graphs import CPDAG, PAG
from rolearn.metrics.scores import MarkScores, Scores, evaluate, skeleton_scores

__all__ = ["SCORES", "judged", "truth_for"]

SCORES = (
    "f1",
    "precision",
    "recall",
    "false_positive_rate",
    "shd",
    "wrong_marks",
    "arrowhead_f1",
    "arrowhead_precision",
    "arrowhead_recall",
    "tail_f1",
    "tail_precision",
    "tail_recall",
    "valid",
)


def truth_for(kind: str, problem: Problem) -> PAG | CPDAG | None:
    """Give the graph whose marks a graph of a kind should have; None where it can't be right."""
    if kind == "pag":
        return problem.pag
    return problem.cpdag if kind == "cpdag" and not problem.hidden else None


def judged(outcome: Outcome, problem: Problem) -> dict[str, object]:
    """Score a graph: its skeleton against that of the true MAG, its marks against those of the true class.

    Gives nothing for an outcome without a graph. Marks of a CPDAG aren't scored where variables are hidden,
    since none is right there. Whether it is valid is 1 or 0: a PAG of some MAG, a CPDAG of some DAG.
    """
    if outcome.marks is None:
        return {}
    skeleton = skeleton_scores(outcome.marks, problem.mag.marks)
    n = len(outcome.marks)
    gaps = n * (n - 1) // 2 - problem.mag.n_edges
    scores: dict[str, object] = {
        "f1": skeleton.f1,
        "precision": skeleton.precision,
        "recall": skeleton.recall,
        "false_positive_rate": skeleton.false_positives / gaps if gaps else 0.0,
        "shd": skeleton.shd,
    }
    if outcome.kind == "skeleton":
        return scores
    found = (PAG if outcome.kind == "pag" else CPDAG).unchecked(
        outcome.marks.astype(np.int8), problem.mag.names
    )
    truth = truth_for(outcome.kind, problem)
    marks = {} if truth is None else _mark_columns(evaluate(found, truth))
    return {**scores, **marks, "valid": int(found.is_valid())}


def _mark_columns(scores: Scores) -> dict[str, object]:
    columns: dict[str, object] = {"wrong_marks": scores.wrong_marks}
    for name, marks in (("arrowhead", scores.arrowheads), ("tail", scores.tails)):
        columns[f"{name}_f1"] = _f1(marks)
        columns[f"{name}_precision"] = marks.precision
        columns[f"{name}_recall"] = marks.recall
    return columns


def _f1(marks: MarkScores) -> float:
    total = marks.precision + marks.recall
    return 2 * marks.precision * marks.recall / total if total else 0.0
