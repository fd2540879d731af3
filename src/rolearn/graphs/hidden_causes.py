"""DAGs with their hidden common causes written out, for programs that know DAGs only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rolearn.graphs.dag import DAG
from rolearn.graphs.edge import Edge
from rolearn.graphs.mag import MAG
from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, TAIL, Mark
from rolearn.graphs.members import equivalent_graphs, is_member
from rolearn.graphs.projection import project
from rolearn.graphs.relations import visible_edges
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    import networkx

__all__ = ["CausalDAG", "Choice", "dags_with_hidden_causes", "with_hidden_causes"]

_MOST_STEPS = 100


class Choice(NamedTuple):
    """Something that a DAG states and the graph it was made from leaves open.

    Attributes
    ----------
    source, target : str
        The edge, as the DAG or the member of the class has it.
    found : str
        The edge as it was found, from source to target, such as ``o->``.
    chosen : str
        As it was chosen, such as ``-->``; "-->, hidden cause" where one was added to a directed edge, and
        "-->, no hidden cause" where one was left out.
    text : str
        A sentence.
    """

    source: str
    target: str
    found: str
    chosen: str
    text: str


class CausalDAG(NamedTuple):
    """A DAG of the class, with its hidden common causes as vertices.

    Attributes
    ----------
    graph : networkx.DiGraph
        What DoWhy takes. Vertices have ``observed`` "yes" or "no".
    choices : tuple of Choice
        What was chosen, not found.
    hidden : tuple of str
        The names of the hidden causes.
    member : MAG or DAG
        The member of the class that it belongs to; a latent projection of the DAG gives it back.
    dag : DAG
        The same as `graph`.
    """

    graph: networkx.DiGraph
    choices: tuple[Choice, ...]
    hidden: tuple[str, ...]
    member: MarkedGraph
    dag: DAG


def dags_with_hidden_causes(graph: Any, limit: int) -> list[CausalDAG]:
    """Do the work of `MarkedGraph.to_dowhy_members`."""
    place = graph.reorder(sorted(graph.names))  # so that the order of the columns decides nothing
    if place.kind in ("dag", "mag"):
        members = [place]
    elif place.kind == "cpdag":
        found = equivalent_graphs(np.array(place.dag().marks), "cpdag")
        members = [DAG.unchecked(marks, place.names) for marks, _ in zip(found, range(limit), strict=False)]
    else:
        first = _most_open(np.array(place.mag().marks), np.array(place.marks))
        found = equivalent_graphs(first, "pag")
        members = [MAG.unchecked(marks, place.names) for marks, _ in zip(found, range(limit), strict=False)]
    return [with_hidden_causes(member, place, graph.names) for member in members]


def with_hidden_causes(member: MarkedGraph, found: MarkedGraph, names: tuple[str, ...]) -> CausalDAG:
    """Write out the hidden common causes of a member of the class of a graph; give its names in this order.

    One for each <->, and one beside each --> that isn't visible, where they can all be there together: two
    of them may make a pair dependent that the class has independent. Then as many as can be, in the order of
    the names.
    """
    import networkx

    marks = np.array(member.marks)
    if ((marks == TAIL) & (marks.T == TAIL)).any():
        raise ParameterError("an edge --- implies selection bias, which no DAG over these variables shows")
    sharing, left_out = _shared(marks, member)
    dag, hidden = _dag(marks, sharing, member.names)
    dag = dag.reorder([*names, *hidden])
    graph = networkx.DiGraph()
    graph.add_nodes_from((name, {"observed": "no" if name in hidden else "yes"}) for name in dag.names)
    graph.add_edges_from((edge.source, edge.target) for edge in dag.edges())
    choices = _choices(member, found, sharing, left_out)
    return CausalDAG(graph, choices, hidden, member.reorder(names), dag)


def _invisible(marks: np.ndarray, kind: str) -> list[tuple[int, int]]:
    directed = (marks == ARROWHEAD) & (marks.T == TAIL)
    return [(int(i), int(j)) for i, j in np.argwhere(directed & ~visible_edges(marks, kind))]


def _shared(marks: np.ndarray, member: MarkedGraph) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Give the directed edges that get a hidden cause, and those that could have one by themselves only."""
    by_name = sorted(_invisible(marks, member.kind), key=lambda e: (member.names[e[0]], member.names[e[1]]))
    if _extra_edges(marks, by_name) == 0:
        return by_name, []
    kept: list[tuple[int, int]] = []
    for edge in by_name:
        if _extra_edges(marks, [*kept, edge]) == 0:
            kept.append(edge)
    return kept, [edge for edge in by_name if edge not in kept]


def _extra_edges(marks: np.ndarray, sharing: list[tuple[int, int]]) -> int:
    """Count the pairs that these hidden causes would make adjacent in the projection of the DAG."""
    n = len(marks)
    whole = _whole(marks, sharing)
    projected = project(whole, range(n, len(whole)))
    return int(np.count_nonzero((projected != 0) & (marks == 0))) // 2


def _whole(marks: np.ndarray, sharing: list[tuple[int, int]]) -> np.ndarray:
    """Give the marks of the DAG: the measured variables first, then the hidden causes."""
    bare = [(i, j) for i, j in np.argwhere(np.triu((marks == ARROWHEAD) & (marks.T == ARROWHEAD))).tolist()]
    causes = [*bare, *sharing]
    n = len(marks)
    whole = np.zeros((n + len(causes), n + len(causes)), dtype=np.int8)
    directed = (marks == ARROWHEAD) & (marks.T == TAIL)
    whole[:n, :n] = np.where(directed, ARROWHEAD, np.where(directed.T, TAIL, 0))
    for k, pair in enumerate(causes, n):
        for v in pair:
            whole[k, v], whole[v, k] = ARROWHEAD, TAIL
    return whole


def _dag(
    marks: np.ndarray, sharing: list[tuple[int, int]], names: tuple[str, ...]
) -> tuple[DAG, tuple[str, ...]]:
    whole = _whole(marks, sharing)
    hidden: list[str] = []
    number = 0
    while len(names) + len(hidden) < len(whole):
        number += 1
        if f"U{number}" not in names:
            hidden.append(f"U{number}")
    return DAG.unchecked(whole, [*names, *hidden]), tuple(hidden)


def _choices(
    member: MarkedGraph,
    found: MarkedGraph,
    sharing: list[tuple[int, int]],
    left_out: list[tuple[int, int]],
) -> tuple[Choice, ...]:
    names = member.names
    choices = []
    for edge in member.edges():
        i, j = names.index(edge.source), names.index(edge.target)
        was = Edge(edge.source, edge.target, Mark(found.marks[j, i]), Mark(found.marks[i, j]))
        if was.points_left():
            was, edge, i, j = was.reversed(), edge.reversed(), j, i
        before = was.picture
        chosen = edge.picture
        if before != chosen:
            text = f"{edge} was chosen where {edge.source} {before} {edge.target} was found"
            choices.append(Choice(edge.source, edge.target, before, chosen, f"{text}."))
        if (i, j) in sharing:
            text = f"a hidden common cause of {edge.source} and {edge.target} was added, which may not exist."
            choices.append(Choice(edge.source, edge.target, before, f"{chosen}, hidden cause", text))
        elif (i, j) in left_out:
            text = (
                f"no hidden common cause of {edge.source} and {edge.target} was added, which may exist, but"
                " not beside the others here."
            )
            choices.append(Choice(edge.source, edge.target, before, f"{chosen}, no hidden cause", text))
    return tuple(choices)


def _most_open(marks: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Step from a MAG to one of its class in which all hidden causes that there may be can be together.

    An arrowhead into a vertex makes edges out of it visible. Nearly always forks are what is in the way,
    which are found quickly; what they don't explain, the projection tells.
    """
    marks = _improved(marks, target, lambda marks: (len(_forks(marks)),))
    return _improved(
        marks, target, lambda marks: (_extra_edges(marks, _invisible(marks, "mag")), len(_forks(marks)))
    )


def _improved(
    marks: np.ndarray, target: np.ndarray, trouble: Callable[[np.ndarray], tuple[int, ...]]
) -> np.ndarray:
    """Turn invisible edges --> into <-> as long as that stays in the class and lessens the trouble."""
    least = trouble(marks)
    for _ in range(_MOST_STEPS):
        if least[0] == 0:
            break
        for i, j in _invisible(marks, "mag"):
            other = marks.copy()
            other[j, i] = ARROWHEAD
            if target[j, i] == CIRCLE and is_member(other, "pag", target) and trouble(other) < least:
                marks, least = other, trouble(other)
                break
        else:
            break
    return marks


def _forks(marks: np.ndarray) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Give the pairs of invisible edges that lead from one vertex to two that aren't adjacent.

    With a hidden cause beside each, the vertex is a collider between these two, and their ancestor.
    """
    edges = combinations(_invisible(marks, "mag"), 2)
    return [(one, two) for one, two in edges if one[0] == two[0] and marks[one[1], two[1]] == 0]
