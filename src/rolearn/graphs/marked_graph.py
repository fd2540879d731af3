"""What all kinds of graph share: names, marks, edges and how they are shown and compared."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.edge import Edge, EdgeLike, marks_from_edges
from rolearn.graphs.marks import Mark
from rolearn.graphs.readable import Readable
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.names import variable_names
from rolearn.runtime.numbers import is_integer

if TYPE_CHECKING:
    from pathlib import Path

    import networkx

    from rolearn.export.picture import Picture
    from rolearn.graphs.hidden_causes import CausalDAG

__all__ = ["MarkedGraph"]

Graph = TypeVar("Graph", bound="MarkedGraph")


class MarkedGraph(Readable):
    """A frozen graph with a mark at both ends of each edge.

    Parameters
    ----------
    marks
        (n, n) integers; ``marks[i, j]`` is the mark at j on the edge between i and j: 0 no edge, 1 circle,
        2 arrowhead, 3 tail.
    names
        n distinct names; X1, ..., Xn if left out. Labels that aren't strings become ``str(label)``.

    Raises
    ------
    ParameterError
        If marks or names aren't of that form, or the graph isn't of its kind.
    """

    __slots__ = ("_place", "marks", "names")

    kind: ClassVar[str] = "marked graph"
    restricted: ClassVar[bool] = False  # whether background knowledge added marks
    marks: np.ndarray
    names: tuple[str, ...]
    _place: dict[str, int]

    def __init__(self, marks: ArrayLike, names: Iterable[Hashable] | None = None) -> None:
        checked = _checked_marks(marks)
        self._set(checked, variable_names(names, len(checked), "node"))
        self._check()

    def _set(self, marks: np.ndarray, names: tuple[str, ...]) -> None:
        marks.flags.writeable = False
        object.__setattr__(self, "marks", marks)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "_place", {name: index for index, name in enumerate(names)})

    def _check(self) -> None:
        """Raise a ParameterError where the marks don't keep what the kind of graph promises."""

    @classmethod
    def unchecked(cls: type[Graph], marks: np.ndarray, names: Iterable[str]) -> Graph:
        """Make a graph without asking whether it is one of its kind: for what is known to be, or may fail.

        A learner's raw result may not be the CPDAG of any DAG, say; it still can be shown and judged.
        """
        graph = cls.__new__(cls)
        graph._set(np.array(marks, dtype=np.int8, order="C"), tuple(names))
        return graph

    @classmethod
    def from_edges(
        cls: type[Graph], edges: Iterable[EdgeLike], nodes: Iterable[Hashable] | None = None
    ) -> Graph:
        """Make a graph from edges: pairs ``("A", "B")`` for A --> B, ``"A o-> B"``, or ``("A", "o->", "B")``.

        ``nodes`` gives the names and their order; without it they come as the edges name them.
        """
        marks, names = marks_from_edges(edges, nodes)
        return cls(marks, names)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed; make a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), np.array(self.marks), self.names)

    @property
    def n_edges(self) -> int:
        """How many pairs are adjacent."""
        return int(np.count_nonzero(self.marks)) // 2

    @property
    def skeleton(self) -> np.ndarray:
        """(n, n) boolean: which pairs are adjacent."""
        return self.marks != 0

    def index(self, name: Hashable) -> int:
        """Give the column of a name.

        Raises
        ------
        ParameterError
            If no vertex has that name.
        """
        try:
            return self._place[str(name)]
        except KeyError:
            known = ", ".join(self.names[:10]) + (", ..." if len(self.names) > 10 else "")
            raise ParameterError(
                f"there is no {str(name)!r} in this graph; its vertices are {known or 'none'}"
            ) from None

    def indices(self, names: Hashable | Iterable[Hashable]) -> list[int]:
        """Give the columns of one name or of several."""
        # a tuple can be one label: a table with two header rows has such
        several = isinstance(names, Iterable) and not isinstance(names, str) and str(names) not in self._place
        listed = cast("Iterable[Hashable]", names if several else [names])
        return [self.index(name) for name in listed]

    def adjacent(self, a: Hashable, b: Hashable) -> bool:
        """Tell whether an edge joins a and b."""
        return bool(self.marks[self.index(a), self.index(b)])

    def mark(self, a: Hashable, b: Hashable) -> Mark:
        """Give the mark at b on the edge between a and b (``Mark.NO_EDGE`` without one)."""
        return Mark(int(self.marks[self.index(a), self.index(b)]))

    def edges(self) -> list[Edge]:
        """List the edges, arrows to the right where there are any, in the order of the columns."""
        found = []
        for i, j in np.argwhere(np.triu(self.marks)).tolist():
            edge = Edge(self.names[i], self.names[j], Mark(self.marks[j, i]), Mark(self.marks[i, j]))
            found.append(edge.reversed() if edge.points_left() else edge)
        return sorted(found, key=lambda edge: (self._place[edge.source], self._place[edge.target]))

    def isolated(self) -> list[str]:
        """List the vertices without edges."""
        return [name for name, row in zip(self.names, self.marks, strict=True) if not row.any()]

    def subgraph(self: Graph, names: Iterable[Hashable]) -> Graph:
        """Give the graph induced by some vertices, in the order given."""
        chosen = self.indices(list(names))
        if len(set(chosen)) < len(chosen):
            raise ParameterError("a vertex is named twice; name each vertex of a subgraph once")
        return type(self).unchecked(self.marks[np.ix_(chosen, chosen)], [self.names[i] for i in chosen])

    def reorder(self: Graph, names: Iterable[Hashable]) -> Graph:
        """Give the same graph with its columns in another order, all of them named once."""
        return self.subgraph(self._permutation(names))

    def _permutation(self, names: Iterable[Hashable]) -> list[str]:
        listed = [self.names[self.index(name)] for name in names]
        if sorted(listed) != sorted(self.names):
            missing = [name for name in self.names if name not in listed]
            lack = f"{', '.join(missing)} missing" if missing else "some named twice"
            raise ParameterError(f"an order names each of the {len(self.names)} vertices once: {lack}")
        return listed

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

        return to_networkx(self, "directed" if directed_only else kind)

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

        if not is_integer(limit) or limit < 1:
            raise ParameterError(f"limit is {limit!r}; give an integer of at least 1")
        return dags_with_hidden_causes(self, int(limit))

    def to_causal_learn(self) -> Any:
        """Give causal-learn's ``GeneralGraph``, with its ancestor paths; needs causal-learn.

        Raises
        ------
        ParameterError
            When causal-learn isn't installed.
        """
        from rolearn.graphs.networks import to_causal_learn

        return to_causal_learn(self)

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

        return to_causal_learn_matrix(self.marks)

    def draw(self, path: str | Path | None = None) -> Picture:
        """Draw the graph, with a legend; a notebook shows the picture that this gives.

        Parameters
        ----------
        path : str or Path, optional
            Also write it there: .svg, or .png and .pdf with matplotlib (``rolearn[plot]``).

        Returns
        -------
        Picture
            With ``svg`` (text) and ``save(path)``.

        Raises
        ------
        ParameterError
            When the suffix is none of these, matplotlib is needed and missing, or the path can't be written.

        Examples
        --------
        >>> import rolearn
        >>> picture = rolearn.PAG.from_edges(["A o-> B", "B <-> C"]).draw("graph.svg")
        >>> picture.svg[:4]
        '<svg'
        """
        from rolearn.export.picture import Picture

        picture = Picture(self)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_svg_(self) -> str | None:
        from rolearn.export.picture import repr_svg

        return repr_svg(self)

    def __str__(self) -> str:
        edges = self.edges()
        width = max((len(edge.source) for edge in edges), default=0)
        lines = [f"{edge.source:<{width}} {edge.picture} {edge.target}" for edge in edges]
        if alone := self.isolated():
            lines.append("isolated: " + ", ".join(alone))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.names)} vertices, {self.n_edges} edges>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MarkedGraph):
            return NotImplemented
        if self.kind != other.kind or set(self.names) != set(other.names):
            return False
        aligned = [other._place[name] for name in self.names]
        return np.array_equal(self.marks, other.marks[np.ix_(aligned, aligned)])

    def __hash__(self) -> int:
        # the places of the marks, by name: blind to the order of the columns, as equality is
        marks = frozenset(
            (self.names[i], self.names[j], int(self.marks[i, j])) for i, j in np.argwhere(self.marks).tolist()
        )
        return hash((self.kind, frozenset(self.names), marks))


def _rebuild(cls: type[Graph], marks: np.ndarray, names: Sequence[str]) -> Graph:
    return cls.unchecked(marks, names)


def _checked_marks(marks: ArrayLike) -> np.ndarray:
    try:
        given = np.asarray(marks)
        array = given.astype(np.int8, order="C")
        exact = bool((array == given).all())
    except (TypeError, ValueError) as error:
        raise ParameterError(f"marks must be a square array of the integers 0 to 3: {error}") from None
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ParameterError(
            f"marks must be square, one row and column a vertex; this has shape {array.shape}"
        )
    if not exact or ((array < 0) | (array > 3)).any():
        raise ParameterError("marks must be 0 (no edge), 1 (circle), 2 (arrowhead) or 3 (tail)")
    if array.diagonal().any():
        raise ParameterError("the diagonal of marks must be zero: no vertex is joined to itself")
    one_ended = np.argwhere((array != 0) & (array.T == 0))
    if len(one_ended):
        i, j = one_ended[0]
        raise ParameterError(
            f"an edge has two marks, but marks[{i}, {j}] has no counterpart at marks[{j}, {i}]"
        )
    return array
