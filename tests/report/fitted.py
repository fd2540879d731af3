"""Fitted models to report on."""

from __future__ import annotations

import numpy as np

import rolearn
from rolearn.data.simulation import random_dag

# What would break out of HTML, a script element, an attribute, a template or a line, if names were not data.
HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    '<img src=x onerror="window.hacked = 1">',
    "<!--<script>",
    "]]>",
    "a\u2028b\u2029c",
    "' onclick='window.hacked = 1",
    "$data ${data} {0} %s \\u003c",
    "new\nline\x00\x1b[31m",
    "",
    "\u202eright to left",
    "__proto__",
    "constructor",
)


def truth(n: int, degree: float, seed: int = 3) -> rolearn.DAG:
    return random_dag(n, degree / (n - 1), np.random.default_rng(seed))


def model_of(names: tuple[str, ...], seed: int = 3) -> rolearn.ROL:
    """A model of an oracle over the names, with two more causes that nobody measured."""
    n = len(names) + 2
    dag = truth(n, 2.5, seed)
    hidden = [f"hidden {i}" for i in range(2)]
    return rolearn.learn(rolearn.Oracle(rolearn.DAG(dag.marks, [*names, *hidden]), hidden=hidden))
