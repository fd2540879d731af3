"""The paper's experiments and the field's methods, side by side; ``rolearn benchmark`` runs them.

`find_benchmark` gives problems, `find_methods` methods, and `Runner` runs these on those, each in a process
of its own, into a table of one row for each run.
"""

from rolearn.benchmarks.plans import BENCHMARKS, find_benchmark
from rolearn.benchmarks.registry import find_methods, known_methods
from rolearn.benchmarks.running import Results, Runner
from rolearn.benchmarks.summary import figure, summary

__all__ = [
    "BENCHMARKS",
    "Results",
    "Runner",
    "figure",
    "find_benchmark",
    "find_methods",
    "known_methods",
    "summary",
]
