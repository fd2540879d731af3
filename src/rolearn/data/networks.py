"""What ships with the package: the structures of published networks, and one real table."""

from __future__ import annotations

import difflib
import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from rolearn.data.origin import Origin
from rolearn.data.table import Table, build_table
from rolearn.graphs import DAG
from rolearn.runtime.errors import ParameterError

__all__ = ["load_network", "load_sachs", "network_names"]


@lru_cache(maxsize=1)
def _networks() -> dict[str, Any]:
    return json.loads((files("rolearn.data") / "files" / "networks.json").read_text(encoding="utf-8"))


def network_names() -> tuple[str, ...]:
    """Names that `load_network` knows, in alphabetical order."""
    return tuple(sorted(_networks()))


def load_network(name: str) -> DAG:
    """Give the structure of a published Bayesian network.

    Structures are those of the bnlearn repository; the publications are listed beside the file.

    Raises
    ------
    ParameterError
        When there is no network of that name; lists the names there are.

    Examples
    --------
    >>> from rolearn.data.networks import load_network
    >>> load_network("asia")
    <DAG: 8 vertices, 8 edges>
    """
    networks = _networks()
    if name not in networks:
        close = difflib.get_close_matches(name.lower(), networks, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ParameterError(f"there is no network {name!r}; {hint}known are {', '.join(network_names())}")
    network = networks[name]
    return DAG.from_edges([(source, target) for source, target in network["edges"]], nodes=network["nodes"])


def load_sachs() -> Table:
    """Give the protein measurements of Sachs et al. (2005): 853 cells, 11 proteins, first condition.

    Raw fluorescence counts, positive and skewed. Science 308:523-529, doi 10.1126/science.1105809.
    """
    # numpy is here already; pyarrow, which reads users' files, takes longer to import than to read this one
    with (files("rolearn.data") / "files" / "sachs.csv").open(encoding="utf-8") as text:
        names = next(text).strip().split(",")
        columns = np.loadtxt(text, delimiter=",", unpack=True)
    return build_table(names, columns, Origin("sachs.csv", in_file=True))
