"""What DAGs and MAGs share: m-separation and all that follows from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.orientation import MagEvidence, draw_pag
from rolearn.graphs.projection import project
from rolearn.graphs.removal import removable_vertices, violates_r_order
from rolearn.graphs.separating import separating_set
from rolearn.graphs.traversal import ancestors_of, m_separated
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from rolearn.graphs.mag import MAG
    from rolearn.graphs.pag import PAG

__all__ = ["AncestralGraph"]


class AncestralGraph(MarkedGraph):
    """A graph of directed and bidirected edges in which missing edges mean m-separation."""

    __slots__ = ()

    def m_separated(
        self,
        x: Hashable | Iterable[Hashable],
        y: Hashable | Iterable[Hashable],
        given: Hashable | Iterable[Hashable] = (),
    ) -> bool:
        """Decide whether x and y (names, or sets of them) are m-separated given a set.

        Raises
        ------
        ParameterError
            If a name is unknown, or one is in two of the three sets.

        Examples
        --------
        >>> import rolearn
        >>> dag = rolearn.DAG.from_edges(["A --> B", "B --> C"])
        >>> dag.m_separated("A", "C"), dag.m_separated("A", "C", given="B")
        (False, True)
        """
        sets = [self.indices(names) for names in (x, y, given)]
        shared = set(sets[0]) & set(sets[1]) or set(sets[0]) & set(sets[2]) or set(sets[1]) & set(sets[2])
        if shared:
            name = self.names[min(shared)]
            raise ParameterError(f"{name!r} is in two of the sets x, y and given, which must be disjoint")
        return m_separated(self.marks, *sets)

    def separating_set(self, x: Hashable, y: Hashable) -> set[str] | None:
        """Give a minimal set that m-separates x and y; None where they are adjacent.

        Examples
        --------
        >>> import rolearn
        >>> rolearn.DAG.from_edges(["A --> B", "B --> C"]).separating_set("A", "C")
        {'B'}
        """
        i, j = self.index(x), self.index(y)
        if i == j:
            raise ParameterError(f"{self.names[i]!r} can't be separated from itself; name two vertices")
        found = separating_set(self.marks, i, j)
        return None if found is None else {self.names[k] for k in found}

    def ancestors(self, names: Hashable | Iterable[Hashable]) -> set[str]:
        """Give all ancestors of some vertices, these included."""
        return self._named(ancestors_of(self.marks)[:, self.indices(names)].any(axis=1))

    def project(self, hidden: Hashable | Iterable[Hashable]) -> MAG:
        """Give the MAG over the vertices that aren't hidden: the latent projection.

        Two of them are adjacent where no set of the others m-separates them; the mark at b is a tail where
        b is an ancestor of a.

        Examples
        --------
        >>> import rolearn
        >>> dag = rolearn.DAG.from_edges(["A --> B", "U --> B", "U --> C", "D --> C"])
        >>> print(dag.project(hidden="U"))
        A --> B
        B <-> C
        D --> C
        """
        from rolearn.graphs.mag import MAG

        gone = set(self.indices(hidden))
        observed = [name for i, name in enumerate(self.names) if i not in gone]
        return MAG.unchecked(project(self.marks, gone), observed)

    def pag(self) -> PAG:
        """Give the PAG: the marks that all Markov equivalent MAGs share, circles elsewhere.

        R0 to R4 and R8 to R10 of Zhang (2008), with this graph's own colliders.

        Examples
        --------
        >>> import rolearn
        >>> print(rolearn.DAG.from_edges(["A --> C", "B --> C", "C --> D"]).pag())
        A o-> C
        C --> D
        B o-> C
        """
        from rolearn.graphs.pag import PAG

        return PAG.unchecked(draw_pag(self.skeleton, MagEvidence(self.marks)), self.names)

    def markov_equivalent(self, other: AncestralGraph) -> bool:
        """Tell whether both graphs have the same vertices and the same m-separations."""
        return self.pag() == other.pag()

    def removable(self) -> list[str]:
        """List the removable vertices (definition 3 of the paper).

        Without such a vertex, the m-separations among the others are those of the induced graph.

        Examples
        --------
        >>> import rolearn
        >>> rolearn.DAG.from_edges(["A --> C", "B --> C", "C --> D"]).removable()
        ['A', 'B', 'D']
        """
        return [self.names[i] for i in removable_vertices(self.marks)]

    def is_removable(self, name: Hashable) -> bool:
        """Tell whether a vertex is removable (definition 3 of the paper)."""
        return self.names[self.index(name)] in self.removable()

    def is_r_order(self, order: Iterable[Hashable]) -> bool:
        """Tell whether each vertex, the first one first, is removable when its turn comes (definition 4).

        Examples
        --------
        >>> import rolearn
        >>> dag = rolearn.DAG.from_edges(["A --> C", "B --> C", "C --> D"])
        >>> dag.is_r_order(["D", "C", "A", "B"]), dag.is_r_order(["C", "D", "A", "B"])
        (True, False)
        """
        places = [self.index(name) for name in self._permutation(order)]
        return violates_r_order(self.marks, places) is None
