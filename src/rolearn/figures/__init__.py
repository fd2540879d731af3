"""Figures by matplotlib (``pip install 'rolearn[plot]'``): graphs, differences, what fits and resamples say.

Each function draws into the axes given, or into a figure of its own, and returns the axes. They take plain
tables: lists of named tuples or dicts, or a DataFrame of any library with ``to_dict`` or ``to_dicts``.
"""

from rolearn.figures.benchmark import benchmark
from rolearn.figures.comparison import compare
from rolearn.figures.confidence import edge_frequencies, sweep
from rolearn.figures.graph import graph
from rolearn.figures.search import cost_trace, markov_check

__all__ = ["benchmark", "compare", "cost_trace", "edge_frequencies", "graph", "markov_check", "sweep"]
