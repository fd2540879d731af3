"""GSPo of causaldag (Bernstein, Saeed, Squires, Uhler 2020): greedy search over posets for a MAG."""

import random

import numpy as np
from adapter import Found
from causaldag import MemoizedCI_Tester, gspo, partial_correlation_suffstat, partial_correlation_test

VERSION = "0.1a163"
PACKAGES = ("causaldag==0.1a163",)
METHODS = {"gspo": {"alpha": 0.01}}
SLOW = ("gspo",)


def search(name, rows, options):
    """Give the function to be timed; it breaks ties at random, here from one seed."""

    def run():
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - it is theirs
        statistics = partial_correlation_suffstat(rows)
        tests = MemoizedCI_Tester(partial_correlation_test, statistics, alpha=float(options["alpha"]))
        found = gspo(set(range(rows.shape[1])), tests)
        arrows = [(int(i), int(j), "tail", "arrowhead") for i, j in found.directed]
        pairs = {tuple(sorted(map(int, pair))) for pair in found.bidirected}
        return Found("mag", arrows + [(i, j, "arrowhead", "arrowhead") for i, j in sorted(pairs)])

    return run
