"""What every kind of graph answers about itself in words and sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from rolearn.graphs.edge import Edge, parse_edge
from rolearn.graphs.marks import ARROWHEAD, TAIL, Mark
from rolearn.graphs.relations import definite_reach, possible_reach, read_marks, visible_edges
from rolearn.graphs.sentences import absence_sentence, edge_sentence
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.records import Records

if TYPE_CHECKING:
    from rolearn.graphs.adjustment import Adjustment, Question
    from rolearn.graphs.marked_graph import MarkedGraph

__all__ = ["EdgeRow", "Readable", "named_pair"]

Names = Hashable | Iterable[Hashable]


class EdgeRow(NamedTuple):
    """An edge in words.

    Attributes
    ----------
    source, target : str
    edge : str
        Its picture, such as ``o->``.
    mark_source, mark_target : str
        circle, arrow or tail.
    visible : bool or None
        Of a directed edge whether a hidden common cause is ruled out (Zhang 2008); None of others.
    text : str
        What the marks mean.
    """

    source: str
    edge: str
    target: str
    mark_source: str
    mark_target: str
    visible: bool | None
    text: str


class Readable:
    """Questions about the class of graphs that a graph stands for; a part of `MarkedGraph`."""

    __slots__ = ()

    def _graph(self) -> MarkedGraph:
        return cast("MarkedGraph", self)

    def _read(self) -> np.ndarray:
        graph = self._graph()
        return read_marks(graph.marks, graph.kind)

    def _named(self, mask: Any) -> set[str]:
        return {name for name, inside in zip(self._graph().names, mask, strict=True) if inside}

    def possible_ancestors(self, names: Names) -> set[str]:
        """Give the vertices that may be causes of some, these included: ancestors in some graph of the class.

        Parameters
        ----------
        names : str or iterable of str

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
        >>> sorted(pag.possible_ancestors("D")), sorted(pag.definite_ancestors("D"))
        (['A', 'B', 'C', 'D'], ['C', 'D'])
        """
        return self._named(possible_reach(self._read())[:, self._graph().indices(names)].any(axis=1))

    def possible_descendants(self, names: Names) -> set[str]:
        """Give the vertices that may be effects of some, these included."""
        return self._named(possible_reach(self._read())[self._graph().indices(names)].any(axis=0))

    def definite_ancestors(self, names: Names) -> set[str]:
        """Give the vertices that are causes of some in all graphs of the class, these included.

        Where a directed path leads there, or two possibly directed ones that can not both turn back (Zhang
        2006, p. 137).

        """
        return self._named(definite_reach(self._read())[:, self._graph().indices(names)].any(axis=1))

    def definite_descendants(self, names: Names) -> set[str]:
        """Give the vertices that are effects of some in all graphs of the class, these included."""
        return self._named(definite_reach(self._read())[self._graph().indices(names)].any(axis=0))

    def visible_edges(self) -> list[Edge]:
        """List the directed edges that no hidden common cause can accompany (Zhang 2008, definition 8).

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
        >>> [str(edge) for edge in pag.visible_edges()]
        ['C --> D']
        """
        return [row for row, seen in self.edges_and_visibility() if seen]

    def is_visible(self, a: Hashable, b: Hashable) -> bool:
        """Tell whether the edge is a --> b and visible."""
        graph = self._graph()
        return bool(visible_edges(graph.marks, graph.kind)[graph.index(a), graph.index(b)])

    def edges_and_visibility(self) -> list[tuple[Edge, bool | None]]:
        """List the edges, each with whether it is visible where it is directed, None where it isn't."""
        graph = self._graph()
        visible = visible_edges(graph.marks, graph.kind)
        found = []
        for edge in graph.edges():
            directed = edge.mark_source == TAIL and edge.mark_target == ARROWHEAD
            seen = bool(visible[graph.index(edge.source), graph.index(edge.target)]) if directed else None
            found.append((edge, seen))
        return found

    def edge_table(self) -> Records[EdgeRow]:
        """Give a row an edge, in words; ``to_csv`` writes it and any dataframe library takes it.

        Examples
        --------
        >>> import rolearn
        >>> row = rolearn.PAG.from_edges(["A o-> B"]).edge_table()[0]
        >>> row.mark_source, row.mark_target, row.text
        ('circle', 'arrow', 'B is not a cause of A; A may cause B, or both share an unmeasured cause.')
        """
        kind = self._graph().kind
        return Records(
            EdgeRow,
            (
                EdgeRow(
                    edge.source,
                    edge.picture,
                    edge.target,
                    edge.mark_source.word,
                    edge.mark_target.word,
                    seen,
                    edge_sentence(edge, kind, seen),
                )
                for edge, seen in self.edges_and_visibility()
            ),
        )

    def explain(self, a: Any, b: Hashable | None = None) -> str:
        """Say in a sentence what the edge between two vertices means, or that there is none.

        Parameters
        ----------
        a, b
            Two names; or an `Edge`, a pair, or text such as ``"A o-> B"`` alone.

        Raises
        ------
        ParameterError
            When a name is unknown, both are one, or the edge isn't in the graph.

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
        >>> print(pag.explain("C", "D"))
        C is a cause of D, directly or through others, and no unmeasured variable causes both.
        >>> print(pag.explain("A", "D"))
        A and D are not adjacent: they are independent given C.
        """
        graph = self._graph()
        first, second, drawn = named_pair(a, b)
        i, j = graph.index(first), graph.index(second)
        if i == j:
            raise ParameterError(f"{graph.names[i]!r} has no edge with itself; name two vertices")
        first, second = graph.names[i], graph.names[j]
        if not graph.marks[i, j]:
            if drawn is not None:
                raise ParameterError(f"there is no edge {first} {drawn} {second}; the two are not adjacent")
            return absence_sentence(first, second, self._separating(i, j))
        edge = Edge(first, second, Mark(graph.marks[j, i]), Mark(graph.marks[i, j]))
        if drawn is not None and drawn != edge.picture:
            raise ParameterError(f"there is no edge {first} {drawn} {second}; it is {edge}")
        edge = edge.reversed() if edge.points_left() else edge
        directed = edge.picture == "-->"
        return edge_sentence(
            edge, graph.kind, self.is_visible(edge.source, edge.target) if directed else None
        )

    def _member_marks(self) -> np.ndarray:
        """Give the marks of a DAG or MAG of the class; a ParameterError where there is none."""
        graph: Any = self._graph()
        if graph.kind == "pag":
            return graph.mag().marks
        return graph.dag().marks if graph.kind == "cpdag" else graph.marks

    def _separating(self, i: int, j: int) -> list[str] | None:
        from rolearn.graphs.separating import separating_set

        try:
            found = separating_set(self._member_marks(), i, j)
        except ParameterError:  # an invalid graph
            return None
        return None if found is None else [self._graph().names[k] for k in found]

    def adjustment_set(self, x: Names, y: Names) -> Adjustment:
        """Find what to adjust for to estimate the total effect of x on y.

        By the generalized adjustment criterion (Perkovic, Textor, Kalisch and Maathuis 2018), which is sound
        and complete for DAGs, CPDAGs, MAGs and PAGs: the set is valid in every graph of the class, with every
        hidden common cause it allows for, and where none is found there is none.

        Parameters
        ----------
        x, y : str or iterable of str
            Causes and effects; sets of them for joint effects.

        Returns
        -------
        Adjustment
            A minimal set, or that the effect is not identifiable by adjustment, and why.

        Raises
        ------
        ParameterError
            When a name is unknown or in both sets, a set is empty, or the graph isn't valid.

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> X", "B o-> X", "X --> Y", "B --> Y"])
        >>> print(pag.adjustment_set("X", "Y"))
        the effect of X on Y: adjust for B
        >>> print(pag.adjustment_set("B", "Y"))
        the effect of B on Y is not identifiable by adjustment: B o-> X may have an unmeasured common cause
        """
        from rolearn.graphs.adjustment import Adjustment

        asked = self._question(x, y)
        graph = self._graph()
        causes = tuple(graph.names[i] for i in asked.x)
        effects = tuple(graph.names[i] for i in asked.y)
        if asked.invisible:
            return Adjustment(causes, effects, None, self._why_invisible(asked.invisible))
        given = asked.candidates
        if not asked.blocks(given):
            return Adjustment(
                causes, effects, None, "no set of measured variables blocks all non-causal paths"
            )
        for k in sorted(given, key=lambda k: graph.names[k]):
            fewer = [other for other in given if other != k]
            given = fewer if asked.blocks(fewer) else given
        remark = (
            "" if asked.affected else f"{' and '.join(causes)} can't be a cause of {' or '.join(effects)}"
        )
        return Adjustment(causes, effects, frozenset(graph.names[k] for k in given), remark)

    def is_adjustment_set(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Tell whether adjusting for a set gives the effect of x on y, in every graph of the class.

        Raises
        ------
        ParameterError
            As `adjustment_set`; also when the set holds an x or y.
        """
        asked = self._question(x, y)
        chosen = self._graph().indices(given)
        if shared := set(chosen) & {*asked.x, *asked.y}:
            name = self._graph().names[min(shared)]
            raise ParameterError(f"{name!r} is asked about; a set to adjust for has other variables")
        return not asked.invisible and asked.blocks(chosen)

    def _question(self, x: Names, y: Names) -> Question:
        from rolearn.graphs.adjustment import question

        graph = self._graph()
        causes, effects = list(dict.fromkeys(graph.indices(x))), list(dict.fromkeys(graph.indices(y)))
        if not causes or not effects:
            raise ParameterError("x and y need a variable each; one of them is empty")
        if shared := set(causes) & set(effects):
            raise ParameterError(f"{graph.names[min(shared)]!r} is in both x and y, which must be disjoint")
        return question(self._read(), graph.kind, self._member_marks(), causes, effects)

    def _why_invisible(self, edges: list[tuple[int, int]]) -> str:
        graph = self._graph()
        a, b = min(edges, key=lambda edge: (graph.names[edge[0]], graph.names[edge[1]]))
        edge = Edge(graph.names[a], graph.names[b], Mark(graph.marks[b, a]), Mark(graph.marks[a, b]))
        if graph.kind == "cpdag":
            return f"the data don't tell the direction of {edge}"
        return f"{edge} may have an unmeasured common cause"


def named_pair(a: Any, b: Any) -> tuple[Hashable, Hashable, str | None]:
    """Give two names, and the picture of the edge where one was given."""
    if b is not None:
        return a, b, None
    if isinstance(a, (tuple, list)) and len(a) == 2:
        return a[0], a[1], None
    edge = a if isinstance(a, Edge) else parse_edge(tuple(a) if isinstance(a, list) else a)
    return edge.source, edge.target, edge.picture
