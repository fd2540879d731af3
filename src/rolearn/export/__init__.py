"""Graphs and results as files: one file here a format, and a registry that lists them."""

from rolearn.export.causal_learn_graphs import from_causal_learn
from rolearn.export.json_format import FORMAT_VERSION, document_text, graph_document
from rolearn.export.networkx_graphs import from_networkx
from rolearn.export.registry import FORMATS, find_format, graph_files, graph_text, read_graph, write_graph
from rolearn.export.result import result_document
from rolearn.export.truth import truth_document

__all__ = [
    "FORMATS",
    "FORMAT_VERSION",
    "document_text",
    "find_format",
    "from_causal_learn",
    "from_networkx",
    "graph_document",
    "graph_files",
    "graph_text",
    "read_graph",
    "result_document",
    "truth_document",
    "write_graph",
]
