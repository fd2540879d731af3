"""Tetrad's text format of knowledge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rolearn.runtime.errors import KnowledgeError, warn
from rolearn.runtime.suggestions import did_you_mean

if TYPE_CHECKING:
    from rolearn.knowledge.knowledge import Knowledge

__all__ = ["is_tetrad", "read", "write"]

_HEADER = "/knowledge"
_SECTIONS = ("addtemporal", "forbiddirect", "requiredirect", "forbiddengroup", "requiredgroup")
_TOKEN = re.compile(r"\"([^\"]*)\"|'([^']*)'|(\S+)")
_TIER = re.compile(r"(\d+)([*-]*)")


def is_tetrad(text: str) -> bool:
    """Whether a text begins like such a file."""
    first = next((line for _, line in _lines(text)), "").lower()
    return first == _HEADER or first in _SECTIONS


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines that say something, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _tokens(line: str) -> list[str]:
    return [next(part for part in match.groups() if part is not None) for match in _TOKEN.finditer(line)]


class _Reader:
    """What was read so far."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.tiers: dict[int, list[str]] = {}
        self.closed: list[int] = []
        self.only_next: list[int] = []
        self.pairs: dict[str, list[Any]] = {"forbidden": [], "required": []}
        self.sources: list[str] | None = None

    def take(self, section: str, number: int, line: str) -> None:
        tokens = _tokens(line)
        if section == "addtemporal":
            self._tier(number, tokens)
            return
        kind = "forbidden" if section.startswith("forbid") else "required"
        if section.endswith("group"):
            if self.sources is None:
                self.sources = tokens
            else:
                self.pairs[kind].append((self.sources, tokens))
                self.sources = None
        elif len(tokens) == 2:
            self.pairs[kind].append((tokens[0], tokens[1]))
        else:
            raise KnowledgeError(
                f"{self.label}, line {number}: {line!r} is no pair; write the cause, a space and the "
                "effect, with quotes around names that hold spaces"
            )

    def _tier(self, number: int, tokens: list[str]) -> None:
        match = _TIER.fullmatch(tokens[0])
        if match is None:
            raise KnowledgeError(
                f"{self.label}, line {number}: {tokens[0]!r} is no tier; begin the line with its number"
            )
        tier, suffix = int(match[1]), match[2]
        self.tiers.setdefault(tier, []).extend(tokens[1:])
        if "*" in suffix:
            self.closed.append(tier)
        if "-" in suffix:
            self.only_next.append(tier)

    def statements(self) -> dict[str, Any]:
        if self.only_next:
            listed = ", ".join(map(str, self.only_next))
            warn(
                f"{self.label}: that tier {listed} causes the next tier only is about direct causes, which "
                "no mark shows; it is left out"
            )
        closed = [tier for tier in dict.fromkeys(self.closed) if self.tiers[tier]]
        return {"tiers": self.tiers, "no_causes_within": closed, **self.pairs}


def read(text: str, label: str) -> dict[str, Any]:
    """Give the parameters of `Knowledge`.

    Raises
    ------
    KnowledgeError
        Naming the line that can't be read.

    Warns
    -----
    RolearnWarning
        When tiers are said to cause the next one only.
    """
    reader, section = _Reader(label), ""
    for number, line in _lines(text):
        word = line.lower()
        if word in _SECTIONS:
            section = word
        elif word != _HEADER:
            if not section:
                raise KnowledgeError(
                    f"{label}, line {number}: there is no section {line!r}{did_you_mean(word, _SECTIONS)}; "
                    f"there are {', '.join(_SECTIONS)}"
                )
            reader.take(section, number, line)
        elif section:
            raise KnowledgeError(f"{label}, line {number}: {_HEADER} belongs to the first line")
        if word in _SECTIONS and reader.sources is not None:
            raise KnowledgeError(
                f"{label}, line {number}: the group before lacks its second line, of effects"
            )
    if reader.sources is not None:
        raise KnowledgeError(f"{label}: the last group lacks its second line, of effects")
    return reader.statements()


def write(knowledge: Knowledge) -> str:
    """Write a text that Tetrad reads.

    Raises
    ------
    KnowledgeError
        When it can't hold this.
    """
    if knowledge.adjacent:
        raise KnowledgeError(
            "Tetrad's format has no pairs that are adjacent in an open direction; write YAML (.yaml)"
        )
    closed = set(knowledge.no_causes_within)
    lines = [_HEADER, "addtemporal", ""]
    for number, names in enumerate(knowledge.tiers):
        star = "*" if number in closed else ""
        lines.append(" ".join([f"{number}{star}", *map(_quoted, names)]))
    for section, pairs in (("forbiddirect", knowledge.forbidden), ("requiredirect", knowledge.required)):
        lines += ["", section, "", *(f"{_quoted(a)} {_quoted(b)}" for a, b in pairs)]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    plain = not re.search(r"[\s\"']", name) and not name.startswith("#")
    if plain:
        return name
    for quote in "\"'":
        if quote not in name and "\n" not in name:
            return f"{quote}{name}{quote}"
    raise KnowledgeError(f"Tetrad's format can't hold the name {name!r}; write YAML (.yaml)")
