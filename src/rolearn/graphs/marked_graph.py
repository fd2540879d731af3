"""What all kinds of graph share: names, marks, edges and how they are shown and compared."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.edge import Edge, EdgeLike, marks_from_edges
from rolearn.graphs.handed_on import HandedOn
from rolearn.graphs.marks import Mark
from rolearn.graphs.readable import Readable
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.names import variable_names

if TYPE_CHECKING:
    from pathlib import Path

    from rolearn.export.picture import Picture

__all__ = ["MarkedGraph"]

Graph = TypeVar("Graph", bound="MarkedGraph")


class MarkedGraph(Readable, HandedOn):
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

        Examples
        --------
        >>> import rolearn
        >>> print(rolearn.PAG.from_edges(["A o-> C", ("B", "C"), ("C", "<->", "the rest")]))
        A o-> C
        C <-> the rest
        B --> C
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
        """Give the mark at b on the edge between a and b (``Mark.NO_EDGE`` without one).

        Examples
        --------
        >>> import rolearn
        >>> pag = rolearn.PAG.from_edges(["A o-> B"])
        >>> pag.mark("A", "B").word, pag.mark("B", "A").word
        ('arrow', 'circle')
        """
        return Mark(int(self.marks[self.index(a), self.index(b)]))

    def edges(self) -> list[Edge]:
        """List the edges, arrows to the right where there are any, in the order of the columns.

        Examples
        --------
        >>> import rolearn
        >>> [edge] = rolearn.PAG.from_edges(["A <-o B"]).edges()
        >>> edge.source, edge.picture, edge.target, edge.mark_source.word
        ('B', 'o->', 'A', 'circle')
        """
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
