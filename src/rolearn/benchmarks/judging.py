"""What came of a method, against the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rolearn.benchmarks.calls import Outcome
from rolearn.benchmarks.problems import Problem
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.metrics.scores import MarkScores, Scores, evaluate, skeleton_scores
from rolearn.runtime.errors import RolearnError

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
    "circle_f1",
    "circle_precision",
    "circle_recall",
    "valid",
)


def class_of(outcome: Outcome, names: Sequence[str]) -> PAG | CPDAG | None:
    """Give the class that was found, or that of the DAG or MAG found; None where it is neither of them."""
    assert outcome.marks is not None
    marks = outcome.marks.astype(np.int8)
    if outcome.kind in ("pag", "cpdag"):
        return (PAG if outcome.kind == "pag" else CPDAG).unchecked(marks, names)
    try:
        return DAG(marks, names).cpdag() if outcome.kind == "dag" else MAG(marks, names).pag()
    except RolearnError:  # a directed cycle, or the like
        return None


def truth_for(kind: str, problem: Problem) -> PAG | CPDAG | None:
    """Give the graph whose marks a graph of a kind should have; None where it can't be right."""
    if kind == "pag":
        return problem.pag
    return problem.cpdag if kind == "cpdag" and not problem.hidden else None


def judged(outcome: Outcome, problem: Problem) -> dict[str, object]:
    """Score a graph: its skeleton against that of the true MAG, its marks against those of the true class.

    Gives nothing for an outcome without a graph. Marks of a CPDAG aren't scored where variables are hidden,
    since none is right there. Whether it is valid is 1 or 0: a PAG of some MAG, a CPDAG of some DAG. One DAG
    or MAG is scored by its class.
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
    found = class_of(outcome, problem.mag.names)
    if found is None:
        return {**scores, "valid": 0}
    truth = truth_for(found.kind, problem)
    marks = {} if truth is None else _mark_columns(evaluate(found, truth), found.kind == "pag")
    return {**scores, **marks, "valid": int(found.is_valid())}


def _mark_columns(scores: Scores, has_circles: bool) -> dict[str, object]:
    columns: dict[str, object] = {"wrong_marks": scores.wrong_marks}
    kinds = {"arrowhead": scores.arrowheads, "tail": scores.tails}
    if has_circles:
        kinds["circle"] = scores.circles
    for name, marks in kinds.items():
        columns[f"{name}_f1"] = _f1(marks)
        columns[f"{name}_precision"] = marks.precision
        columns[f"{name}_recall"] = marks.recall
    return columns


def _f1(marks: MarkScores) -> float:
    total = marks.precision + marks.recall
    return 2 * marks.precision * marks.recall / total if total else 0.0
