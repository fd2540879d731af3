"""How sure a result is: fits to resamples of the rows, and over levels and penalties."""

from rolearn.confidence.bootstrap import bootstrap
from rolearn.confidence.bootstrap_result import Bootstrap
from rolearn.confidence.patterns import PATTERNS, PatternFrequency
from rolearn.confidence.sweep import sweep
from rolearn.confidence.sweep_result import Setting, Sweep

__all__ = [
    "PATTERNS",
    "Bootstrap",
    "PatternFrequency",
    "Setting",
    "Sweep",
    "bootstrap",
    "sweep",
]
