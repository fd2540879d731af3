"""DOT, the language of Graphviz: the marks as the arrow shapes none, normal and odot.

Names are the quoted ids. Where a reader might take a name for something else (a colon for a port, say), the
id is a plain one and the name is its label.
"""

from __future__ import annotations

import re
from itertools import product

from rolearn.export.dot_language import DotGraph, language, parse_dot
from rolearn.export.format import Format
from rolearn.export.kinds import KINDS, graph_from_rows
from rolearn.export.name_table import replacements
from rolearn.graphs import DAG, PAG, MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_SHAPES = {"tail": "none", "arrow": "normal", "circle": "odot"}
_MARKS = {
    "none": "tail",
    "normal": "arrow",
    "empty": "arrow",
    "vee": "arrow",
    "open": "arrow",
    "odot": "circle",
}
_WORDS = ("node", "edge", "graph", "digraph", "subgraph", "strict")
_LANGUAGE = language(
    "DOT",
    ("->", "--"),
    r'"(?:[^"\\]|\\.)*"|<(?:[^<>]|<[^<>]*>)*>',
    lambda token: re.sub(r"\\\r?\n", "", token[1:-1]).replace('\\"', '"'),
)
_PLAIN = re.compile(r'(?:[^"\\:&\x00-\x1f\x7f-\x9f<>\u2028\u2029]|&(?!#?\w+;))+')
_SPECIAL = re.compile(r'[\x00-\x1f\x7f-\x9f&\u2028\u2029]|\\|"')
_ENTITY = re.compile(r"\\\\|\\\"|\\n|\\l|\\r|&#(\d+);|&amp;|&lt;|&gt;|&quot;", re.DOTALL)
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', '\\"': '"', "\\\\": "\\"}


def _is_plain(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and name == name.strip() and name.lower() not in _WORDS


def _write(graph: MarkedGraph) -> str:
    ids = replacements(graph.names, _is_plain)
    lines = [f"kind={graph.kind}"]
    for name in graph.names:
        lines.append(f'"{ids[name]}" [label="{_label(name)}"]' if name in ids else f'"{name}"')
    for edge in graph.edges():
        tail, head = _SHAPES[edge.mark_source.word], _SHAPES[edge.mark_target.word]
        ends = f'"{ids.get(edge.source, edge.source)}" -> "{ids.get(edge.target, edge.target)}"'
        lines.append(f"{ends} [dir=both, arrowtail={tail}, arrowhead={head}]")
    # readers have made a vertex of a line break before the last brace
    return "digraph {\n" + ";\n".join(lines) + ";}\n"


def _label(name: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        character = match[0]
        if character in '\\"':
            return f"\\{character}"
        return "&amp;" if character == "&" else f"&#{ord(character)};"

    return _SPECIAL.sub(escaped, name)


def _text_of(label: str) -> str:
    def plain(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1])) if int(match[1]) < 0x110000 else match[0]
        return _ENTITIES.get(match[0], "\n")

    return _ENTITY.sub(plain, label)


def _read(text: str, label: str) -> MarkedGraph:
    """Read a digraph: edges without arrow shapes are ``-->``, and all of them then make a DAG."""
    parsed = parse_dot(text, label, _LANGUAGE, ("digraph", "graph"))
    if parsed.type != "digraph":
        raise DataError(f"{label} is an undirected DOT graph, which has no marks; write it as a digraph")
    names = _names(parsed)
    rows, shaped = [], False
    for edge in parsed.edges:
        shaped |= bool({"dir", "arrowhead", "arrowtail"} & set(edge.attributes))
        for a, b in product(edge.left, edge.right):
            if edge.operator != "->":
                raise DataError(
                    f"{label}: the edge {a} {edge.operator} {b} has no direction; digraphs have ->"
                )
            rows.append((names[a], names[b], *_marks_of(edge.attributes, f"{a} -> {b}", label)))
    known = parsed.settings.get("kind", "")  # others may use the word otherwise
    kind = known if known in KINDS else (PAG.kind if shaped else DAG.kind)
    return graph_from_rows(kind, list(names.values()), rows, label)


def _names(parsed: DotGraph) -> dict[str, str]:
    """Give each id's name: its label if there is one and it tells it from all others."""
    written = {id_: attributes.get("label", "\\N") for id_, attributes in parsed.nodes.items()}
    labeled = {id_: id_ if text == "\\N" else _text_of(text) for id_, text in written.items()}
    return labeled if len(set(labeled.values())) == len(labeled) else {id_: id_ for id_ in labeled}


def _marks_of(attributes: dict[str, str], edge: str, label: str) -> tuple[str, str]:
    direction = attributes.get("dir", "forward")
    shown = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}
    if direction not in shown:
        raise DataError(f"{label}: the edge {edge} has dir={direction}; known are {', '.join(shown)}")
    marks = []
    for key, visible in zip(("arrowtail", "arrowhead"), shown[direction], strict=True):
        shape = attributes.get(key, "normal") if visible else "none"
        if shape not in _MARKS:
            raise DataError(f"{label}: the edge {edge} has {key}={shape}; known are {', '.join(_MARKS)}")
        marks.append(_MARKS[shape])
    return marks[0], marks[1]


FORMAT = Format("dot", (".dot", ".gv"), _write, _read)
