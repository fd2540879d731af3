"""The language of dagitty: ``pag { A @-> B }`` with ``@`` for a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rolearn.export.format import Format
from rolearn.export.kinds import graph_from_rows, mark_word
from rolearn.graphs import CPDAG, DAG, MAG, PAG, MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_TYPES = {DAG.kind: "dag", MAG.kind: "mag", CPDAG.kind: "pdag", PAG.kind: "pag"}
_KINDS = {**{word: kind for kind, word in _TYPES.items()}, "digraph": DAG.kind, "graph": PAG.kind}
_EDGES = {
    "->": ("tail", "arrow"),
    "<-": ("arrow", "tail"),
    "<->": ("arrow", "arrow"),
    "--": ("tail", "tail"),
    "@->": ("circle", "arrow"),
    "<-@": ("arrow", "circle"),
    "@-@": ("circle", "circle"),
    "@--": ("circle", "tail"),
    "--@": ("tail", "circle"),
}
_WRITTEN = {marks: token for token, marks in _EDGES.items()}

_BARE = re.compile(r"-?[0-9A-Za-z_.]+")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
# the parser compares these after it has taken the quotes off
_RESERVED = ("graph", "node", "edge", "subgraph", "strict", "__proto__")

_TOKEN = re.compile(
    r"""\s*(?:(?P<edge>@->|<-@|<->|@-@|@--|--@|->|<-|--)
          |(?P<quoted>"(?:[^"\\]|\\"|\\(?!"))*")
          |(?P<bare>-?[0-9A-Za-z_.]+)
          |(?P<sign>[{}\[\];,=+]))""",
    re.VERBOSE,
)


def _carries(name: str) -> bool:
    plain = bool(name) and not _CONTROL.search(name) and not name.endswith("\\")
    return plain and name.lower() not in _RESERVED


def _quoted(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'


def _write(graph: MarkedGraph) -> str:
    lines = [_quoted(name) for name in graph.names]
    for edge in graph.edges():
        token = _WRITTEN[mark_word(edge.mark_source), mark_word(edge.mark_target)]
        lines.append(f"{_quoted(edge.source)} {token} {_quoted(edge.target)}")
    return "\n".join([f"{_TYPES[graph.kind]} {{", *lines, "}", ""])


class _Parser:
    """A reader of statements; keeps the nodes in the order in which they are met."""

    def __init__(self, text: str, label: str) -> None:
        self.label = label
        self.tokens = list(self._scan(text))
        self.at = 0
        self.nodes: dict[str, None] = {}
        self.rows: list[tuple[str, str, str, str]] = []

    def _scan(self, text: str) -> Iterator[tuple[str, str, int]]:
        at, end = 0, len(text.rstrip())
        while at < end:
            found = _TOKEN.match(text, at)
            line = text.count("\n", 0, at) + 1
            if found is None:
                raise DataError(
                    f"{self.label}, line {line}: {text[at : at + 20].strip()!r} is not dagitty's language"
                )
            what = found.lastgroup or ""
            word = found[what]
            if what == "quoted":
                what, word = "name", word[1:-1].replace('\\"', '"')
            elif what == "bare":
                what = "name"
            yield what, word, line
            at = found.end()

    def error(self, expected: str) -> DataError:
        if self.at >= len(self.tokens):
            return DataError(f"{self.label} ends where {expected} should come")
        _, word, line = self.tokens[self.at]
        return DataError(f"{self.label}, line {line}: there is {word!r} where {expected} should be")

    def take(self, what: str, word: str | None = None) -> str | None:
        """Take the next token if it is of this sort, and give it."""
        if self.at < len(self.tokens):
            sort, found, _ = self.tokens[self.at]
            if sort == what and word in (None, found):
                self.at += 1
                return found
        return None

    def graph(self) -> str:
        word = self.take("name") or ""
        if word.lower() == "strict":
            word = self.take("name") or ""
        if word.lower() not in _KINDS:
            self.at = 0
            raise self.error("dag, mag, pdag or pag")
        self.take("name")
        if not self.take("sign", "{"):
            raise self.error("'{'")
        while not self.take("sign", "}"):
            self.statement()
        if self.at < len(self.tokens):
            raise self.error("the end")
        return _KINDS[word.lower()]

    def statement(self) -> None:
        known = len(self.nodes)
        left = self.vertices()
        if self.take("sign", "="):  # a setting of the graph, such as its bounding box
            if self.take("name") is None:
                raise self.error("a value")
            if len(self.nodes) > known:
                self.nodes.popitem()
        while token := self.take("edge"):
            right = self.vertices()
            marks = _EDGES[token]
            self.rows += [(a, b, *marks) for a in left for b in right]
            left = right
        self.attributes()
        while self.take("sign", ";"):
            pass

    def vertices(self) -> list[str]:
        """Read one vertex, or several in braces."""
        if self.take("sign", "{"):
            several = []
            while not self.take("sign", "}"):
                several += self.vertices()
                self.attributes()
                while self.take("sign", ";") or self.take("sign", ","):
                    pass
            return several
        name = self.take("name")
        if name is None:
            raise self.error("a vertex")
        if name.lower() not in ("graph", "node", "edge"):  # which set defaults
            self.nodes.setdefault(name)
        return [name]

    def attributes(self) -> None:
        while self.take("sign", "["):
            while not self.take("sign", "]"):
                if self.at >= len(self.tokens):
                    raise self.error("']'")
                self.at += 1


def _read(text: str, label: str) -> MarkedGraph:
    """Read a graph; positions, roles and other attributes are let be."""
    parser = _Parser(text, label)
    kind = parser.graph()
    return graph_from_rows(kind, list(parser.nodes), parser.rows, label)


FORMAT = Format(
    "dagitty",
    (".dagitty", ".dagitty.txt"),
    _write,
    _read,
    _carries,
    "that are empty, hold line breaks, end with a backslash, or are its own words (graph, node, edge)",
)
