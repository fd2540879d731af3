"""Published Bayesian networks with their probabilities, to draw tables of levels from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from rolearn.graphs import DAG
from rolearn.runtime.errors import ParameterError

__all__ = ["DiscreteNetwork", "discrete_network_names", "load_discrete_network"]


@dataclass(frozen=True)
class DiscreteNetwork:
    """A DAG over discrete variables, and the distribution of each given its parents.

    Attributes
    ----------
    dag : DAG
    states : mapping of str to tuple of str
    parents : mapping of str to tuple of str
        In the order in which `probabilities` name their states.
    probabilities : mapping of str to mapping
        From the parents' states to those of the variable's own, in the order of `states`.
    """

    dag: DAG
    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    probabilities: Mapping[str, Mapping[tuple[str, ...], tuple[float, ...]]]

    def sample(self, n_samples: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Draw rows: by variable, in the order of the DAG, an array of n_samples states."""
        drawn: dict[str, np.ndarray] = {}
        for name in self._causes_first():
            uniform, codes = rng.random(n_samples), np.empty(n_samples, np.int64)
            for given, shares in self.probabilities[name].items():
                at = np.ones(n_samples, np.bool_)
                for parent, state in zip(self.parents[name], given, strict=True):
                    at &= drawn[parent] == state
                codes[at] = np.searchsorted(np.cumsum(shares), uniform[at])
            last = len(self.states[name]) - 1  # shares may sum to a little less than one
            drawn[name] = np.array(self.states[name])[np.minimum(codes, last)]
        return {name: drawn[name] for name in self.dag.names}

    def _causes_first(self) -> list[str]:
        missing = {name: len(parents) for name, parents in self.parents.items()}
        ready = [name for name in self.dag.names if missing[name] == 0]
        order = []
        while ready:
            cause = ready.pop()
            order.append(cause)
            for name in self.dag.names:
                if cause in self.parents[name]:
                    missing[name] -= 1
                    if missing[name] == 0:
                        ready.append(name)
        return order


@lru_cache(maxsize=1)
def _networks() -> dict[str, Any]:
    text = (files("rolearn.data") / "files" / "discrete_networks.json").read_text(encoding="utf-8")
    return json.loads(text)


def discrete_network_names() -> tuple[str, ...]:
    """Names that `load_discrete_network` knows, in alphabetical order."""
    return tuple(sorted(_networks()))


def load_discrete_network(name: str) -> DiscreteNetwork:
    """Give a network with its probabilities; the publications are listed beside the file.

    Raises
    ------
    ParameterError
        When there is none of that name; lists the names there are.
    """
    if name not in _networks():
        known = ", ".join(discrete_network_names())
        raise ParameterError(f"there is no discrete network {name!r}; known are {known}")
    network = _networks()[name]
    tables = network["cpts"]
    edges = [(parent, child) for child in tables for parent in tables[child]["parents"]]
    return DiscreteNetwork(
        dag=DAG.from_edges(edges, nodes=list(tables)),
        states={node: tuple(network["states"][node]) for node in tables},
        parents={node: tuple(table["parents"]) for node, table in tables.items()},
        probabilities={
            node: {_key(row): tuple(shares) for row, shares in table["rows"].items()}
            for node, table in tables.items()
        },
    )


def _key(row: str) -> tuple[str, ...]:
    return tuple(row.split(",")) if row else ()
