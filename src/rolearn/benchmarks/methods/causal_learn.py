"""FCI and PC of causal-learn."""

import numpy as np
from adapter import Found
from causallearn.search.ConstraintBased.FCI import fci
from causallearn.search.ConstraintBased.PC import pc

VERSION = "0.1.4.8"
PACKAGES = ("causal-learn==0.1.4.8",)
METHODS = {
    "fci": {"search": "fci", "alpha": 0.05},
    "pc": {"search": "pc", "alpha": 0.05},
    "pc-gsq": {"search": "pc", "alpha": 0.05, "test": "gsq"},
    "fci-gsq": {"search": "fci", "alpha": 0.05, "test": "gsq"},
}
MARKS = {-1: "tail", 1: "arrowhead", 2: "circle"}


def search(name, rows, options):
    """Give the function to be timed."""
    test, alpha = options.get("test", "fisherz"), float(options["alpha"])

    def run():
        if name == "pc":
            graph = pc(rows, alpha, test, show_progress=False).G
        else:
            graph, _ = fci(rows, test, alpha, verbose=False, show_progress=False)
        ends = graph.graph  # [i, j] is the mark at i
        return Found(
            "cpdag" if name == "pc" else "pag",
            [
                (int(i), int(j), MARKS[int(ends[i, j])], MARKS[int(ends[j, i])])
                for i, j in np.argwhere(np.triu(ends))
            ],
        )

    return run
