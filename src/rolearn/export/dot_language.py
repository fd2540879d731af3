"""A reader of DOT, the language of Graphviz, and of dagitty's, which differs in its edges and its quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rolearn.runtime.errors import DataError

__all__ = ["DotEdge", "DotGraph", "Language", "language", "parse_dot"]

_WORDS = ("graph", "node", "edge")


class Language(NamedTuple):
    """What tells the languages apart.

    Attributes
    ----------
    name : str
        For errors.
    token : re.Pattern
        Matches one token at its start; its groups are ``skip``, ``edge``, ``quoted``, ``bare`` and ``sign``.
    unquoted : callable
        ``unquoted(token) -> str`` for a quoted token.
    """

    name: str
    token: re.Pattern[str]
    unquoted: Callable[[str], str]


def language(name: str, edges: tuple[str, ...], quoted: str, unquoted: Callable[[str], str]) -> Language:
    """Make a language from its edge operators and the pattern of a quoted string."""
    operators = "|".join(map(re.escape, sorted(edges, key=len, reverse=True)))
    token = rf"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|(?:(?<=\n)|^)\#[^\n]*)
        |(?P<edge>{operators})
        |(?P<quoted>{quoted})
        |(?P<bare>-?[\w.\u0080-\U0010ffff]+)
        |(?P<sign>[{{}}\[\];,=+:])"""
    return Language(name, re.compile(token, re.VERBOSE | re.DOTALL), unquoted)


class DotEdge(NamedTuple):
    """Edges from all of some vertices to all of others, as they were written."""

    left: list[str]
    operator: str
    right: list[str]
    attributes: dict[str, str]


@dataclass
class DotGraph:
    """What a file says: its type (digraph, graph, dag, ...), and vertices in the order they are met in."""

    type: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[DotEdge] = field(default_factory=list)


class _Token(NamedTuple):
    sort: str
    text: str
    line: int


def parse_dot(text: str, label: str, spoken: Language, types: tuple[str, ...]) -> DotGraph:
    """Read a graph.

    Raises
    ------
    DataError
        Naming the file and the line that isn't of the language.
    """
    return _Parser(text, label, spoken).whole(types)


class _Parser:
    def __init__(self, text: str, label: str, spoken: Language) -> None:
        self.label = label
        self.language = spoken
        self.tokens = list(self._scan(text))
        self.at = 0
        self.graph = DotGraph()
        self.defaults: dict[str, dict[str, str]] = {word: {} for word in _WORDS}
        self.depth = 0

    def _scan(self, text: str) -> Iterator[_Token]:
        at, line = 0, 1
        while at < len(text):
            found = self.language.token.match(text, at)
            if found is None:
                shown = repr(text[at : at + 20].split("\n")[0])
                raise DataError(f"{self.label}, line {line}: {shown} is not {self.language.name}")
            sort, token = str(found.lastgroup), found[0]
            if sort == "quoted":
                yield _Token("name", self.language.unquoted(token), line)
            elif sort != "skip":
                yield _Token("bare" if sort == "bare" else sort, token, line)
            line += token.count("\n")
            at = found.end()

    def error(self, expected: str) -> DataError:
        if self.at >= len(self.tokens):
            return DataError(f"{self.label} ends where {expected} should come")
        token = self.tokens[self.at]
        return DataError(
            f"{self.label}, line {token.line}: there is {token.text!r} where {expected} should be"
        )

    def peek(self, sign: str, ahead: int = 0) -> bool:
        at = self.at + ahead
        return at < len(self.tokens) and self.tokens[at][:2] == ("sign", sign)

    def sign(self, sign: str) -> bool:
        """Take a sign if it is the next token."""
        self.at += (found := self.peek(sign))
        return found

    def word(self) -> str | None:
        """Take a name, bare, quoted or in parts, if it is next."""
        if self.at >= len(self.tokens) or self.tokens[self.at].sort not in ("name", "bare"):
            return None
        token = self.tokens[self.at]
        self.at += 1
        text = token.text
        while token.sort == "name" and self.sign("+"):
            more = self.word()
            if more is None:
                raise self.error("a string")
            text += more
        return text

    def keyword(self, *words: str) -> str | None:
        """Take one of some bare words, in any case, if it is next."""
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.sort == "bare" and token.text.lower() in words:
                self.at += 1
                return token.text.lower()
        return None

    def whole(self, types: tuple[str, ...]) -> DotGraph:
        self.keyword("strict")
        kind = self.keyword(*types)
        if kind is None:
            raise self.error(f"{', '.join(types[:-1])} or {types[-1]}")
        self.graph.type = kind
        self.word()
        if not self.sign("{"):
            raise self.error("'{'")
        self.statements()
        if self.at < len(self.tokens):
            raise self.error("the end")
        return self.graph

    def statements(self) -> list[str]:
        """Read up to the closing brace; give the vertices that were named."""
        before = {word: dict(values) for word, values in self.defaults.items()}
        self.depth += 1
        if self.depth > 50:
            raise DataError(f"{self.label} nests its groups too deeply")
        named: dict[str, None] = {}
        while not self.sign("}"):
            named.update(dict.fromkeys(self.statement()))
            while self.sign(";") or self.sign(","):
                pass
        self.defaults = before
        self.depth -= 1
        return list(named)

    def statement(self) -> list[str]:
        if self.peek("[", 1) and (word := self.keyword(*_WORDS)):
            self.defaults[word].update(self.attributes())
            if word == "graph" and self.depth == 1:
                self.graph.settings.update(self.defaults[word])
            return []
        if self.peek("=", 1):
            return self.setting()
        left, is_group = self.vertices()
        named = list(left)
        chain = []
        while self.at < len(self.tokens) and self.tokens[self.at].sort == "edge":
            operator = self.tokens[self.at].text
            self.at += 1
            right, _ = self.vertices()
            named += right
            chain.append((left, operator, right))
            left = right
        attributes = self.attributes()
        for one, operator, other in chain:
            self.graph.edges.append(DotEdge(one, operator, other, {**self.defaults["edge"], **attributes}))
        if not chain and not is_group:
            self.graph.nodes[left[0]].update(attributes)
        return named

    def setting(self) -> list[str]:
        key = self.word()
        self.sign("=")
        value = self.word()
        if key is None or value is None:
            raise self.error("a value")
        if self.depth == 1:
            self.graph.settings[key] = value
        return []

    def vertices(self) -> tuple[list[str], bool]:
        """Read one vertex, or a group of them in braces; tell which it was."""
        if self.keyword("subgraph"):
            if not self.peek("{"):
                self.word()
            if not self.peek("{"):
                raise self.error("'{'")
        if self.sign("{"):
            return self.statements(), True
        name = self.word()
        if name is None:
            raise self.error("a vertex")
        while self.sign(":"):  # a port of the vertex, which says where on it an edge ends
            if self.word() is None:
                raise self.error("a port")
        self.graph.nodes.setdefault(name, dict(self.defaults["node"]))
        return [name], False

    def attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.sign("["):
            while not self.sign("]"):
                key = self.word()
                if key is None:
                    raise self.error("']'")
                value = self.word() if self.sign("=") else "true"
                if value is None:
                    raise self.error("a value")
                found[key] = value
                while self.sign(",") or self.sign(";"):
                    pass
        return found
