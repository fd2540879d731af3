"""The JSON of a simulation's truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rolearn.data.simulation import Simulation
from rolearn.export import json_format
from rolearn.export.json_format import graph_document, graph_from_document, parse_document
from rolearn.export.registry import find_format, read_graph
from rolearn.graphs import MarkedGraph
from rolearn.runtime.documents import plain, read_text_file, versions

__all__ = ["read_truth", "truth_document"]


def truth_document(simulation: Simulation, settings: dict[str, Any]) -> dict[str, Any]:
    """Give a simulation's graphs and how it was made.

    Parameters
    ----------
    simulation : Simulation
    settings : dict
        What repeats it: network, samples, seed.

    Returns
    -------
    dict
        At its top the true PAG over the observed variables, as `graph_document`; under ``mag`` and
        ``dag`` the MAG and the DAG over all variables, under ``cpdag`` the CPDAG where nothing is
        hidden; ``hidden``, ``simulation`` (the settings, coefficients and noise) and ``versions``.
    """
    document = graph_document(simulation.mag.pag())
    document["mag"] = graph_document(simulation.mag)
    document["dag"] = graph_document(simulation.dag)
    if not simulation.hidden:
        document["cpdag"] = graph_document(simulation.dag.cpdag())
    document["hidden"] = list(simulation.hidden)
    document["simulation"] = {**plain(settings), "model": _model(simulation)}
    document["versions"] = versions()
    return document


def _model(simulation: Simulation) -> dict[str, Any]:
    names, sem = simulation.dag.names, simulation.sem
    coefficients = [
        {"source": edge.source, "target": edge.target, "coefficient": float(weight)}
        for edge in simulation.dag.edges()
        for weight in [sem.weights[names.index(edge.source), names.index(edge.target)]]
    ]
    noise = {name: float(sd) for name, sd in zip(names, sem.noise_sd, strict=True)}
    return {"coefficients": coefficients, "noise_sd": noise}


def read_truth(path: str | Path, kind: str) -> MarkedGraph:
    """Read a truth as the kind of graph that a learned one is, where the file has that kind.

    Parameters
    ----------
    path : str or Path
        A document of `truth_document`, or any graph file.
    kind : str
        dag, cpdag, mag or pag.

    Returns
    -------
    DAG, CPDAG, MAG or PAG
        Of another kind when the file holds no graph of this one over the same variables.

    Raises
    ------
    ParameterError, DataError
        As `read_graph`.
    """
    if find_format(path) is not json_format.FORMAT:
        return read_graph(path)
    label = str(path)
    document = parse_document(read_text_file(path), label)
    graph = graph_from_document(document, label)
    nested = document.get(kind)
    if graph.kind == kind or not isinstance(nested, dict):
        return graph
    other = graph_from_document(nested, label)
    return other if set(other.names) == set(graph.names) else graph
