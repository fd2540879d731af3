"""Graphs that break careless writers: names that are syntax somewhere, and random PAGs with such names."""

from __future__ import annotations

import numpy as np

from rolearn.data.simulation import random_dag
from rolearn.graphs import PAG

# asymmetric, and with every kind of edge that a PAG without selection bias has
ASYMMETRIC = PAG.from_edges(["A --> B", "B <-> C", "C o-> D", "A o-o C"], nodes=["A", "B", "C", "D", "alone"])
EVERY_EDGE = PAG.from_edges(
    ["A --> B", "B <-> C", "C o-> D", "A o-o C", "D --- E", "E --o F", "G o-- F"],
    nodes=["G", "F", "E", "D", "C", "B", "A", "H"],
)

NAMES = [
    "",
    " ",
    " padded ",
    "a b",
    "a  b",
    "two\nlines",
    "carriage\rreturn",
    "tab\tstop",
    'say "x"',
    "it's",
    "back\\slash",
    "ends with \\",
    'both \\" of them',
    "R&D",
    "&amp;",
    "&#65;",
    "<b>bold</b>",
    "<html>",
    "</script><script>alert(1)</script>",
    "a;b",
    "a,b",
    "a:b",
    "a->b",
    "a -- b",
    "o->",
    "graph",
    "Graph",
    "node",
    "edge",
    "digraph",
    "subgraph",
    "strict",
    "kind",
    "label",
    "{x}",
    "[0,1)",
    "(latent)",
    "[selection]",
    "x]",
    "#comment",
    "//comment",
    "/* comment */",
    "%d",
    "1",
    "01",
    "1.0",
    "-1",
    "1e5",
    "NA",
    "nan",
    "None",
    "TRUE",
    "__proto__",
    "größe",
    "αβγ",
    "変数",
    "😀",
    "e\u0301",
    "\u00e9",
    "\ufeffbom",
    "\u2028separator",
    "\x00nul",
    "\x07bell",
    "\x85next",
    "zero\u200bwidth",
    "X1",
    "a_b",
    "data.dot",
    "x.txt",
    "1. A --> B",
    "Graph Nodes:",
    "Graph Edges:",
    "isolated:",
    "=1+1",
    "n" * 300,
]


def random_pag(seed: int) -> PAG:
    """A valid PAG over up to 9 variables with names from the list."""
    generator = np.random.default_rng(seed)
    n, n_hidden = int(generator.integers(1, 10)), int(generator.integers(0, 4))
    total = n + n_hidden
    dag = random_dag(total, 2.5 / max(total - 1, 2.5), generator)
    hidden = generator.choice(dag.names, n_hidden, replace=False)
    pag = dag.project([str(name) for name in hidden]).pag()
    names = [NAMES[i] for i in generator.choice(len(NAMES), len(pag.names), replace=False)]
    return PAG(pag.marks, names)
