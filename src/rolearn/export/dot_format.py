"""DOT, the language of Graphviz: the marks as the arrow shapes none, normal and odot.

Names are the quoted ids. Where a reader might take a name for something else (a colon for a port, say), the
id is a plain one and the name is its label. Reading needs pydot.
"""

from __future__ import annotations

import re
from typing import Any
from warnings import catch_warnings, simplefilter

from rolearn.export.format import Format
from rolearn.export.kinds import graph_from_rows, mark_word
from rolearn.export.name_table import replacements
from rolearn.graphs import DAG, PAG, MarkedGraph
from rolearn.runtime.errors import DataError, ParameterError

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
        tail, head = _SHAPES[mark_word(edge.mark_source)], _SHAPES[mark_word(edge.mark_target)]
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


def _unquoted(word: Any) -> str:
    text = str(word)
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"')
    return text


def _raw(word: Any) -> str:
    text = str(word)
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == '"' else text


def _read(text: str, label: str) -> MarkedGraph:
    """Read a digraph: edges without arrow shapes are ``-->``, and all of them then make a DAG."""
    graph = _parsed(text, label)
    if graph.get_type() != "digraph":
        raise DataError(f"{label} is an undirected DOT graph, which has no marks; write it as a digraph")
    if graph.get_subgraph_list():
        raise DataError(f"{label} has subgraphs, which are not read; list its edges without them")
    found = _Reading()
    for node in graph.get_node_list():
        found.add_node(node)
    for edge in graph.get_edge_list():
        found.add_edge(edge, label)
    names = found.names()
    rows = [(names[a], names[b], *marks) for a, b, *marks in found.rows]
    known = graph.get_attributes().get("kind")
    kind = _unquoted(known) if known else PAG.kind if found.shaped else DAG.kind
    return graph_from_rows(kind, list(names.values()), rows, label)  # type: ignore[arg-type]


def _parsed(text: str, label: str) -> Any:
    try:
        with catch_warnings():
            simplefilter("ignore")  # of its own use of its parser library
            import pydot
            import pydot.dot_parser
    except ImportError:
        raise ParameterError("to read DOT, pydot is needed: pip install 'rolearn[interop]'") from None
    try:
        graphs = pydot.graph_from_dot_data(text)
    except Exception:  # its parser raises what it likes
        graphs = None
    if not graphs:
        raise DataError(f"{label} is no DOT graph that pydot can read")
    if len(graphs) > 1:
        raise DataError(f"{label} holds {len(graphs)} graphs; give one a file")
    return graphs[0]


class _Reading:
    """What a DOT file says of vertices, by id, and of edges."""

    def __init__(self) -> None:
        self.labels: dict[str, str | None] = {}
        self.rows: list[tuple[str, str, str, str]] = []
        self.shaped = False

    def add_node(self, node: Any) -> None:
        name = _unquoted(node.get_name())
        if name.lower() in _WORDS and not str(node.get_name()).startswith('"'):
            return  # defaults of attributes
        written = node.get_attributes().get("label")
        self.labels[name] = None if written is None else _text_of(_raw(written))

    def add_edge(self, edge: Any, label: str) -> None:
        ends = edge.get_source(), edge.get_destination()
        if not all(isinstance(end, (str, int)) for end in ends):
            raise DataError(
                f"{label} has edges between groups of vertices, which are not read; list each edge"
            )
        source, target = map(_unquoted, ends)
        for name in (source, target):
            self.labels.setdefault(name, None)
        attributes = edge.get_attributes()
        self.shaped |= bool({"dir", "arrowhead", "arrowtail"} & set(attributes))
        self.rows.append((source, target, *_marks_of(attributes, f"{source} -> {target}", label)))

    def names(self) -> dict[str, str]:
        """Give each id's name: its label if there is one and it tells it from all others."""
        labeled = {name: name if text in (None, "\\N") else str(text) for name, text in self.labels.items()}
        return labeled if len(set(labeled.values())) == len(labeled) else {name: name for name in labeled}


def _marks_of(attributes: dict[str, Any], edge: str, label: str) -> tuple[str, str]:
    direction = _unquoted(attributes.get("dir", "forward"))
    shown = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}
    if direction not in shown:
        raise DataError(f"{label}: the edge {edge} has dir={direction}; known are {', '.join(shown)}")
    marks = []
    for key, visible in zip(("arrowtail", "arrowhead"), shown[direction], strict=True):
        shape = _unquoted(attributes.get(key, "normal")) if visible else "none"
        if shape not in _MARKS:
            raise DataError(f"{label}: the edge {edge} has {key}={shape}; known are {', '.join(_MARKS)}")
        marks.append(_MARKS[shape])
    return marks[0], marks[1]


FORMAT = Format("dot", (".dot", ".gv"), _write, _read)
