"""FCI of causal-learn."""

import numpy as np
from adapter import Found, serve
from causallearn.search.ConstraintBased.FCI import fci

MARKS = {-1: "tail", 1: "arrowhead", 2: "circle"}


def search(name, rows, options):
    def run():
        graph, _ = fci(rows, "fisherz", float(options["alpha"]), verbose=False, show_progress=False)
        ends = graph.graph  # [i, j] is the mark at i
        return Found(
            "pag",
            [
                (int(i), int(j), MARKS[int(ends[i, j])], MARKS[int(ends[j, i])])
                for i, j in np.argwhere(np.triu(ends))
            ],
        )

    return run


serve(search)
