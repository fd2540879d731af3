"""Graphs as objects of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rolearn.runtime.parameters import check_count

if TYPE_CHECKING:
    import networkx

    from rolearn.graphs.hidden_causes import CausalDAG
    from rolearn.graphs.marked_graph import MarkedGraph

__all__ = ["HandedOn"]


class HandedOn:
    """What hands a graph on to other programs; a part of `MarkedGraph`."""

    __slots__ = ()

    def _graph(self) -> MarkedGraph:
        return cast("MarkedGraph", self)

    def to_networkx(
        self, kind: str = "marks", directed_only: bool = False
    ) -> networkx.DiGraph | networkx.Graph:
        """Give a NetworkX graph.

        Parameters
        ----------
        kind : "marks", "skeleton" or "directed"
            "marks": a DiGraph with two arcs an edge, the arc (u, v) with the mark at v as ``mark`` (circle,
            arrow or tail) and ``code`` (1, 2 or 3); ``networkx.to_numpy_array(weight="code")`` is `marks`.
            "skeleton": a Graph of which pairs are adjacent. "directed": a DiGraph of the edges ``-->`` alone.
        directed_only : bool
            The same as ``kind="directed"``.

        Raises
        ------
        ParameterError
            When there is no such kind.

        Warns
        -----
        RolearnWarning
            With "directed", when edges of other kinds are left out.

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> B"])
        >>> list(pag.to_networkx().edges(data="mark"))
        [('A', 'B', 'arrow'), ('B', 'A', 'circle')]
        """
        from rolearn.graphs.networks import to_networkx

        return to_networkx(self._graph(), "directed" if directed_only else kind)

    def to_dowhy(self) -> CausalDAG:
        """Give a DAG of the class with its hidden common causes as vertices, for DoWhy and others.

        There is one for each ``<->``, and one beside each ``-->`` that isn't visible, since data can't rule
        it out: an adjustment set that is valid in the DAG is valid without them too. Where not all of these
        can be there together, as many as can be. What was chosen rather than found is in ``choices``.

        Returns
        -------
        CausalDAG
            ``graph`` is a ``networkx.DiGraph`` whose vertices have ``observed`` "yes" or "no".

        Raises
        ------
        ParameterError
            When the graph isn't valid, so that there is no such DAG.

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
        >>> handed = pag.to_dowhy()
        >>> sorted(handed.graph.edges)
        [('A', 'C'), ('B', 'C'), ('C', 'D'), ('U1', 'A'), ('U1', 'C'), ('U2', 'B'), ('U2', 'C')]
        >>> print(handed.choices[0].text)
        A --> C was chosen where A o-> C was found.
        """
        return self.to_dowhy_members(1)[0]

    def to_dowhy_members(self, limit: int = 10) -> list[CausalDAG]:
        """Give a DAG, as `to_dowhy`, for each of several members of the class, from the nearest to the first.

        An effect estimated with each shows how far it depends on what the data can't tell. There are fewer
        than ``limit`` where the class has fewer.

        Raises
        ------
        ParameterError
            When the graph isn't valid, or limit is no integer of at least 1.

        Examples
        --------
        >>> import rolearn
        >>> [str(handed.member) for handed in rolearn.PAG.from_edges(["A o-o B"]).to_dowhy_members()]
        ['B --> A', 'A <-> B', 'A --> B']
        """
        from rolearn.graphs.hidden_causes import dags_with_hidden_causes

        return dags_with_hidden_causes(self._graph(), check_count("limit", limit))

    def to_causal_learn(self) -> Any:
        """Give causal-learn's ``GeneralGraph``, with its ancestor paths; needs causal-learn.

        Raises
        ------
        ParameterError
            When causal-learn isn't installed.
        """
        from rolearn.graphs.networks import to_causal_learn

        return to_causal_learn(self._graph())

    def to_causal_learn_matrix(self) -> np.ndarray:
        """Give the (n, n) integers of causal-learn's ``GeneralGraph.graph``.

        Cell [i, j] holds the mark at i: 0 no edge, -1 tail, 1 arrowhead, 2 circle.

        Examples
        --------
        >>> import rolearn
        >>> rolearn.PAG.from_edges(["A o-> B"]).to_causal_learn_matrix().tolist()
        [[0, 2], [1, 0]]
        """
        from rolearn.graphs.conventions import to_causal_learn_matrix

        return to_causal_learn_matrix(self._graph().marks)
