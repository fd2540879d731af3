"""What users write as tiers and pairs, in one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rolearn.runtime.errors import KnowledgeError

__all__ = ["name_pairs", "name_tiers", "within_tiers"]

Pairs = tuple[tuple[str, str], ...]
Tiers = tuple[tuple[str, ...], ...]

_ARROWS = (" --> ", " -> ")


def name_tiers(given: Any) -> tuple[Tiers, tuple[int, ...]]:
    """Give the tiers, earliest first, without empty ones, and the number by which each was given.

    Raises
    ------
    KnowledgeError
        When these are no tiers, or one name is in two.
    """
    numbered = _numbered(given)
    tiers = {
        number: tuple(dict.fromkeys(_names(names, "tiers"))) for number, names in sorted(numbered.items())
    }
    tier_of: dict[str, int] = {}
    for number, names in tiers.items():
        for name in names:
            if name in tier_of:
                raise KnowledgeError(f"tiers have {name!r} both in tier {tier_of[name]} and in tier {number}")
            tier_of[name] = number
    filled = {number: tuple(sorted(names)) for number, names in tiers.items() if names}
    return tuple(filled.values()), tuple(filled)


def _numbered(given: Any) -> dict[int, Any]:
    if isinstance(given, Mapping):
        values = list(given.values())
        if values and all(_number(value) is not None for value in values):  # from name to tier
            numbered: dict[int, list[Any]] = {}
            for name, value in given.items():
                numbered.setdefault(int(value), []).append(name)
            return dict(numbered)
        keys = {key: _number(key) for key in given}
        wrong = [key for key, number in keys.items() if number is None]
        if wrong:
            raise KnowledgeError(
                f"tiers has the key {wrong[0]!r}, which is no number; number the tiers 0, 1, ..."
            )
        return {int(key): names for key, names in given.items()}
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise KnowledgeError(
            f"tiers is {given!r}; give a list with a list of names for each tier, earliest first"
        )
    return dict(enumerate(given))


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def _names(given: Any, what: str) -> list[str]:
    """Give the names of one label or of several."""
    if isinstance(given, Mapping):
        raise KnowledgeError(f"{what} has {given!r} where names should be")
    if isinstance(given, (list, tuple, set, frozenset)):
        return [_name(label, what) for label in given]
    return [_name(given, what)]


def _name(label: Any, what: str) -> str:
    name = str(label)
    if not name.strip() or label is None or isinstance(label, (list, tuple, set, frozenset, Mapping)):
        raise KnowledgeError(f"{what} has {label!r} where a name should be")
    return name


def within_tiers(given: Any, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Give the places of the tiers that have no causes within: all for True, none for False.

    Raises
    ------
    KnowledgeError
        When there is no such tier.
    """
    if isinstance(given, str) and given.strip().lower() in ("true", "yes", "false", "no"):
        given = given.strip().lower() in ("true", "yes")
    if isinstance(given, bool):
        return tuple(range(len(numbers))) if given else ()
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    places = set()
    for value in listed:
        number = _number(value)
        if number not in numbers:
            known = ", ".join(map(str, numbers)) or "none"
            raise KnowledgeError(
                f"no_causes_within names tier {value!r}; the tiers with names in them are {known}"
            )
        places.add(numbers.index(number))
    return tuple(sorted(places))


def name_pairs(given: Any, what: str) -> Pairs:
    """Give pairs of names, each once and sorted.

    A pair is ``(from, to)`` or ``"from -> to"``. Lists of names in place of one stand for all their pairs.

    Raises
    ------
    KnowledgeError
        When one is no pair, or has the same name twice.
    """
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise KnowledgeError(f"{what} is {given!r}; give a list of pairs such as ('A', 'B')")
    found: set[tuple[str, str]] = set()
    for entry in given:
        sources, targets = _ends(entry, what)
        if sources == targets and len(sources) == 1:
            raise KnowledgeError(f"{what} has the pair {sources[0]} -> {targets[0]}; name two variables")
        found.update((a, b) for a in sources for b in targets if a != b)
    return tuple(sorted(found))


def _ends(entry: Any, what: str) -> tuple[list[str], list[str]]:
    parts: Any = entry
    if isinstance(entry, str):
        split = next((entry.split(arrow) for arrow in _ARROWS if arrow in entry), [])
        parts = [name.strip() for name in split]
    if not isinstance(parts, (list, tuple)) or len(parts) != 2:
        raise KnowledgeError(f"{what} has {entry!r}, which is no pair; give ('A', 'B') or 'A -> B'")
    return _names(parts[0], what), _names(parts[1], what)
