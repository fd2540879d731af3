"""ROL_HC, L-MARVEL and RSL by the paper's authors: skeletons alone."""

from functools import partial

from adapter import Found
from rcd.l_marvel.l_marvel import learn_and_get_skeleton as l_marvel
from rcd.rol.rol_hc import learn_and_get_skeleton as rol_hc
from rcd.rsl.rsl_d import learn_and_get_skeleton as rsl
from rcd.utilities.ci_tests import fisher_z

VERSION = "0.2.1"
PACKAGES = ("rcd==0.2.1",)
METHODS = {
    "rcd-rol_hc": {"search": "rol_hc", "alpha": 0.01},
    "rcd-l_marvel": {"search": "l_marvel", "alpha": 0.01},
    "rcd-rsl": {"search": "rsl", "alpha": 0.01},
}
SLOW = ("rcd-rol_hc", "rcd-l_marvel")
SEARCHES = {"rol_hc": partial(rol_hc, max_iters=20, max_swaps=10), "l_marvel": l_marvel, "rsl": rsl}


def search(name, rows, options):
    """Give the function to be timed."""
    test = partial(fisher_z, significance_level=float(options["alpha"]))

    def run():
        edges = SEARCHES[name](test, rows).edges
        return Found("skeleton", [(int(i), int(j), "circle", "circle") for i, j in edges])

    return run
