"""FCI, PC, GES and BOSS of causal-learn; an edge costs 2 log n."""

import numpy as np
from adapter import Found
from causallearn.search.ConstraintBased.FCI import fci
from causallearn.search.ConstraintBased.PC import pc
from causallearn.search.PermutationBased.BOSS import boss
from causallearn.search.ScoreBased.GES import ges

VERSION = "0.1.4.8"
PACKAGES = ("causal-learn==0.1.4.8",)
METHODS = {
    "fci": {"search": "fci", "alpha": 0.05},
    "pc": {"search": "pc", "alpha": 0.05},
    "ges": {"search": "ges", "penalty": 2.0},
    "causal-learn-boss": {"search": "boss", "penalty": 2.0},
    "pc-gsq": {"search": "pc", "alpha": 0.05, "test": "gsq"},
    "fci-gsq": {"search": "fci", "alpha": 0.05, "test": "gsq"},
}
SLOW = ("fci", "ges", "causal-learn-boss")
MARKS = {-1: "tail", 1: "arrowhead", 2: "circle"}


def learned(name, rows, options):
    """Give causal-learn's graph."""
    if name in ("ges", "boss"):
        parameters = {"lambda_value": float(options["penalty"]) / 2}  # its score is half of ours
        if name == "ges":
            return ges(rows, "local_score_BIC_from_cov", parameters=parameters)["G"]
        return boss(rows, "local_score_BIC_from_cov", parameters=parameters, verbose=False)
    test, alpha = options.get("test", "fisherz"), float(options["alpha"])
    if name == "pc":
        return pc(rows, alpha, test, show_progress=False).G
    return fci(rows, test, alpha, verbose=False, show_progress=False)[0]


def search(name, rows, options):
    """Give the function to be timed."""

    def run():
        ends = learned(name, rows, options).graph  # [i, j] is the mark at i
        return Found(
            "pag" if name == "fci" else "cpdag",
            [
                (int(i), int(j), MARKS[int(ends[i, j])], MARKS[int(ends[j, i])])
                for i, j in np.argwhere(np.triu(ends))
            ],
        )

    return run
