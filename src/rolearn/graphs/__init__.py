"""Graphs with marks at both ends of an edge: DAG, CPDAG, MAG and PAG, and what follows from them alone."""

from rolearn.graphs.cpdag import CPDAG
from rolearn.graphs.dag import DAG
from rolearn.graphs.edge import Edge
from rolearn.graphs.mag import MAG
from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.marks import Mark
from rolearn.graphs.pag import PAG

__all__ = ["CPDAG", "DAG", "MAG", "PAG", "Edge", "Mark", "MarkedGraph"]
