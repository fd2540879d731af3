"""RFCI, FCI+ and GFCI of whydra."""

import numpy as np
import whydra
from adapter import Found

VERSION = "0.1.1"
PACKAGES = ("numpy", "whydra==0.1.1")
METHODS = {
    "whydra-rfci": {"search": "StandaloneRFCIStable", "alpha": 0.05},
    "whydra-fci+": {"search": "StandaloneFCIPlusStable", "alpha": 0.05},
    "whydra-gfci": {"search": "StandaloneGFCIStable", "alpha": 0.05},
}
SLOW = ("whydra-rfci", "whydra-fci+", "whydra-gfci")
MARKS = {-1: "tail", 1: "arrowhead", 2: "circle"}


def search(name, rows, options):
    """Give the function to be timed."""
    learner = getattr(whydra, name)(n_jobs=1, **options)

    def run():
        ends = learner.run(rows).graph  # [i, j] is the mark at j
        edges = [
            (int(i), int(j), MARKS[int(ends[j, i])], MARKS[int(ends[i, j])])
            for i, j in np.argwhere(np.triu(ends))
        ]
        return Found("pag", edges)

    return run
