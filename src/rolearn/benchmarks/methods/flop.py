"""FLOP (Wienöbst, Henckel, Weichwald 2025): search over orders for a DAG; nothing hidden.

Its score is ours: n log(residual variance), and penalty log n for each edge. It is never given a timeout:
whoever calls kills the process instead.
"""

import flopsearch
from adapter import Found, edges_of_cpdag

VERSION = "0.3.0"
PACKAGES = ("numpy", "flopsearch==0.3.0")
UNLIMITED = True  # --limit doesn't hold for it
METHODS = {
    "flop": {"penalty": 2.0, "restarts": 0},
    "flop-20-restarts": {"penalty": 2.0, "restarts": 20},
}


def search(name, rows, options):
    """Give the function to be timed."""

    def run():
        # [i, j] is 1 for i --> j, and 2 at both places for i --- j
        found = flopsearch.flop(rows, float(options["penalty"]), restarts=int(options["restarts"]))
        return Found("cpdag", edges_of_cpdag(found == 1, found == 2))

    return run
