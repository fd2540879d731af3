"""Ours: the default learner and the paper's, run as peers are; ``rolearn-...`` for scripts in benchmarks/."""

import warnings

import numpy as np
from adapter import Found

import rolearn

UNLIMITED = True
METHODS = {
    "default": {},
    "default-no-latents": {"search": "default", "latents": False},
    "rol_hc": {},
    "rol_vi": {},
    "rol_pg": {},
    "l_marvel": {},
    "mbcs": {},
    "rsl": {},
    "rolearn": {"search": "default"},
    "rolearn-one-start": {"search": "default", "n_starts": 1},
    "rolearn-no-latents": {"search": "default", "latents": False},
    "rolearn-no-latents-one-start": {"search": "default", "latents": False, "n_starts": 1},
}
SLOW = ("rol_pg",)
MARKS = {1: "circle", 2: "arrowhead", 3: "tail"}


def search(name, rows, options):
    """Give the function to be timed."""
    warnings.simplefilter("ignore", rolearn.RolearnWarning)
    method = rolearn.learn if name == "default" else getattr(rolearn.paper, name)

    def run():
        graph = method(rows, **options).graph_
        edges = [
            (int(i), int(j), MARKS[int(graph.marks[j, i])], MARKS[int(graph.marks[i, j])])
            for i, j in np.argwhere(np.triu(graph.marks))
        ]
        return Found(graph.kind, edges)

    return run
