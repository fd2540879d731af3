"""Learn causal structure from observational data when some causes were never measured.

``rolearn.learn(data)`` gives a fitted model whose ``pag_`` is a partial ancestral graph; ``rolearn --help``
does the same from a shell. Everything named in ``__all__`` is public; it is imported when first used.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from rolearn._version import __version__

_HOMES = {
    "rolearn.graphs": ("CPDAG", "DAG", "MAG", "PAG", "Edge", "Mark"),
    "rolearn.confidence": ("Bootstrap", "Sweep", "bootstrap", "sweep"),
    "rolearn.independence": ("CallableTest", "DegenerateGaussian", "Discrete", "Gaussian", "Oracle"),
    "rolearn.estimators": (
        "BIC",
        "ROL",
        "ColliderSets",
        "Exact",
        "HillClimb",
        "NeighborCount",
        "PolicyGradient",
        "Progress",
        "Recursive",
        "learn",
        "load",
        "mag_score",
        "order_cost",
    ),
    "rolearn.knowledge": ("Knowledge",),
    "rolearn.export": ("from_causal_learn", "from_networkx", "read_graph", "write_graph"),
    "rolearn.metrics": ("compare", "evaluate"),
    "rolearn.report": ("write_report",),
    "rolearn.runtime.budget": ("StopReason",),
    "rolearn.runtime.errors": (
        "DataError",
        "KnowledgeError",
        "ParameterError",
        "RolearnError",
        "RolearnWarning",
    ),
    "rolearn.separations.separating_sets": ("Separation",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BIC",
    "CPDAG",
    "DAG",
    "MAG",
    "PAG",
    "ROL",
    "Bootstrap",
    "CallableTest",
    "ColliderSets",
    "DataError",
    "DegenerateGaussian",
    "Discrete",
    "Edge",
    "Exact",
    "Gaussian",
    "HillClimb",
    "Knowledge",
    "KnowledgeError",
    "Mark",
    "NeighborCount",
    "Oracle",
    "ParameterError",
    "PolicyGradient",
    "Progress",
    "Recursive",
    "RolearnError",
    "RolearnWarning",
    "Separation",
    "StopReason",
    "Sweep",
    "__version__",
    "bootstrap",
    "compare",
    "evaluate",
    "from_causal_learn",
    "from_networkx",
    "learn",
    "load",
    "mag_score",
    "order_cost",
    "paper",
    "read_graph",
    "sweep",
    "write_graph",
    "write_report",
]

if TYPE_CHECKING:
    from rolearn import paper
    from rolearn.confidence import Bootstrap, Sweep, bootstrap, sweep
    from rolearn.estimators import (
        BIC,
        ROL,
        ColliderSets,
        Exact,
        HillClimb,
        NeighborCount,
        PolicyGradient,
        Progress,
        Recursive,
        learn,
        load,
        mag_score,
        order_cost,
    )
    from rolearn.export import from_causal_learn, from_networkx, read_graph, write_graph
    from rolearn.graphs import CPDAG, DAG, MAG, PAG, Edge, Mark
    from rolearn.independence import CallableTest, DegenerateGaussian, Discrete, Gaussian, Oracle
    from rolearn.knowledge import Knowledge
    from rolearn.metrics import compare, evaluate
    from rolearn.report import write_report
    from rolearn.runtime.budget import StopReason
    from rolearn.runtime.errors import (
        DataError,
        KnowledgeError,
        ParameterError,
        RolearnError,
        RolearnWarning,
    )
    from rolearn.separations.separating_sets import Separation


def __getattr__(name: str) -> Any:
    if name in ("paper", "environment"):
        return importlib.import_module(f"rolearn.{name}")
    if name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'rolearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


if "gymnasium" in sys.modules:  # gymnasium.make finds the environment by its name
    importlib.import_module("rolearn.environment")
