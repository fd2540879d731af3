"""NOTEARS (linear) and CORL of gcastle, set as it sets them: a DAG each; nothing hidden."""

import logging
import os

os.environ["CASTLE_BACKEND"] = "pytorch"

import numpy as np
import torch
from adapter import Found
from castle import algorithms

VERSION = "1.0.4"
PACKAGES = ("gcastle==1.0.4", "torch==2.13.0")
METHODS = {"notears": {"search": "Notears"}, "corl": {"search": "CORL", "iteration": 10_000}}
SLOW = ("notears", "corl")
WARM = {"Notears": {"max_iter": 1}, "CORL": {"iteration": 1}}

logging.disable(logging.CRITICAL)
torch.set_num_threads(1)


def search(name, rows, options):
    """Give the function to be timed."""

    def run():
        learner = getattr(algorithms, name)(**options)
        learner.learn(rows)
        arrows = np.argwhere(np.asarray(learner.causal_matrix))
        return Found("dag", [(int(i), int(j), "tail", "arrowhead") for i, j in arrows])

    return run
