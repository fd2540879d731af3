"""What is known before the data are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Any

from rolearn.knowledge.consistency import check_consistency
from rolearn.knowledge.statements import name_pairs, name_tiers, within_tiers
from rolearn.runtime.errors import KnowledgeError
from rolearn.runtime.suggestions import did_you_mean

__all__ = ["Knowledge", "as_knowledge"]

_MOST_SHOWN = 10


@dataclass(frozen=True, repr=False)
class Knowledge:
    """Background knowledge: what causes what, and what doesn't.

    To *cause* is meant directly or through others, measured or not. So what is forbidden never removes an
    edge: of two variables that are joined, one that doesn't cause the other has an arrowhead at its end, and
    a hidden common cause, ``A <-> B``, stays possible. (That A has no *direct* effect on B would say
    nothing about any mark.)

    A pair may be written ``"A -> B"``, and lists of names for its ends stand for all their pairs. After
    construction the fields are tuples: tiers without empty ones, pairs sorted, each once, and
    `no_causes_within` the places of tiers among those kept.

    Parameters
    ----------
    tiers : sequence of sequences of str, or mapping
        Names tier by tier, earliest first: no variable causes one of an earlier tier. Or a mapping from a
        tier's number to its names, or from names to their tiers' numbers. Variables in no tier are free.
    forbidden : iterable of pairs
        ``("A", "B")``: A doesn't cause B. Both ways leaves a hidden common cause.
    required : iterable of pairs
        ``("A", "B")``: A is a direct cause of B. The two are joined whatever the data say.
    adjacent : iterable of pairs
        ``("A", "B")``: the two are joined whatever the data say, in which direction is left to them.
    no_causes_within : bool or iterable of int
        Numbers of tiers (from 0 where tiers is a sequence) whose variables don't cause each other; True for
        all.

    Raises
    ------
    KnowledgeError
        When the statements are of another form or contradict each other.

    Examples
    --------
    >>> import rolearn
    >>> known = rolearn.Knowledge(tiers=[["age"], ["dose", "effect"]], required=["dose -> effect"])
    >>> known.tiers, known.required
    ((('age',), ('dose', 'effect')), (('dose', 'effect'),))
    """

    # in many forms as they come, tuples as they stay
    tiers: Any = ()
    forbidden: Any = ()
    required: Any = ()
    adjacent: Any = ()
    no_causes_within: Any = ()

    def __post_init__(self) -> None:
        tiers, numbers = name_tiers(self.tiers)
        adjacent = name_pairs(self.adjacent, "adjacent")
        known: dict[str, Any] = {
            "tiers": tiers,
            "forbidden": name_pairs(self.forbidden, "forbidden"),
            "required": name_pairs(self.required, "required"),
            "adjacent": tuple(sorted({(min(pair), max(pair)) for pair in adjacent})),
            "no_causes_within": within_tiers(self.no_causes_within, numbers),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)
        check_consistency(tiers, known["forbidden"], known["required"], known["no_causes_within"])

    def __repr__(self) -> str:
        said = [
            f"{name}={value!r}" if len(value) <= _MOST_SHOWN else f"{name}=<{len(value)} of them>"
            for name in _FIELDS
            if (value := getattr(self, name))
        ]
        return f"Knowledge({', '.join(said)})"

    @property
    def names(self) -> tuple[str, ...]:
        """All names that occur, sorted."""
        pairs = (*self.forbidden, *self.required, *self.adjacent)
        return tuple(sorted({name for group in (*self.tiers, *pairs) for name in group}))

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self.tiers or self.forbidden or self.required or self.adjacent)

    def statements(self) -> dict[str, Any]:
        """Give the parameters that make this knowledge, by name."""
        return {name: getattr(self, name) for name in _FIELDS}

    def without(self, names: Iterable[str]) -> Knowledge:
        """Give what is known of the other variables.

        A name with a space may occur here with a period for it, as Tetrad writes it.

        Raises
        ------
        KnowledgeError
            When an edge is required of one of them.
        """
        gone = {spelling for name in names for spelling in (name, name.replace(" ", "."))}
        for pair in (*self.required, *self.adjacent):
            if lost := gone.intersection(pair):
                raise KnowledgeError(
                    f"knowledge requires an edge of {pair[0]!r} and {pair[1]!r}, and no statistic can use "
                    f"column {min(lost)!r}; take the edge out, or the column in order"
                )
        if gone.isdisjoint(self.names):
            return self
        tiers = [[name for name in tier if name not in gone] for tier in self.tiers]
        return replace(
            self,
            tiers=tiers,
            no_causes_within=[place for place in self.no_causes_within if tiers[place]],
            forbidden=[pair for pair in self.forbidden if gone.isdisjoint(pair)],
        )

    @classmethod
    def read(cls, path: str | PathLike[str], pairs: str | None = None) -> Knowledge:
        """Read a file: YAML (or JSON), Tetrad's text, or a table of pairs (CSV).

        YAML has the parameters of this class as keys. A table has the columns from and to, and maybe kind:
        required, forbidden or adjacent. One without kinds is taken as `pairs` says, or as its name does
        (required, whitelist; forbidden, blacklist); both directions of a required pair leave its direction
        open. Tetrad's "only the next tier" (``2-``) is about direct causes, which says nothing here.

        Raises
        ------
        KnowledgeError
            When the file can't be read, naming the line; or as for `Knowledge`.

        Warns
        -----
        RolearnWarning
            For statements that say nothing here.
        """
        from rolearn.knowledge.files import read_knowledge

        return read_knowledge(path, pairs)

    def write(self, path: str | PathLike[str]) -> None:
        """Write a file that `read` reads: by suffix YAML, JSON or a table of pairs (CSV), else Tetrad's text.

        Raises
        ------
        KnowledgeError
            When the format can't hold this, or the file can't be written.
        """
        from rolearn.knowledge.files import write_knowledge

        write_knowledge(self, path)


_FIELDS = tuple(field.name for field in fields(Knowledge))


def as_knowledge(given: Any) -> Knowledge | None:
    """Give knowledge from itself, a mapping of its parameters, a file's path, or None.

    Raises
    ------
    KnowledgeError
        When it is none of these, or as for `Knowledge`.
    """
    if given is None or isinstance(given, Knowledge):
        return given
    if isinstance(given, (str, PathLike)):
        return Knowledge.read(given)
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in _FIELDS]
        if unknown:
            hint = did_you_mean(str(unknown[0]), _FIELDS)
            raise KnowledgeError(f"knowledge has no {unknown[0]!r}{hint}; it has {', '.join(_FIELDS)}")
        return Knowledge(**{str(key): value for key, value in given.items() if value is not None})
    raise KnowledgeError(
        f"knowledge is of type {type(given).__name__}; give a Knowledge, a file's path, or a dict with "
        f"{', '.join(_FIELDS)}"
    )
