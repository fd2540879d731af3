"""What a shell offers for the value of an option, worked out when it is asked for: starts stay quick."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = [
    "among",
    "benchmark_names",
    "format_names",
    "method_names",
    "network_names",
    "readable_format_names",
]

Completion = Callable[[str], list[str]]


def among(names: Iterable[str]) -> Completion:
    """Give what completes the beginning of a name to one of these."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def network_names(incomplete: str) -> list[str]:
    """Complete a network that ships with the package."""
    from rolearn.data.networks import network_names as known

    return among(known())(incomplete)


def format_names(incomplete: str) -> list[str]:
    """Complete a format of graphs."""
    from rolearn.export import FORMATS

    return among(known.name for known in FORMATS)(incomplete)


def readable_format_names(incomplete: str) -> list[str]:
    """Complete a format of graphs that are read."""
    from rolearn.export import FORMATS

    return among(known.name for known in FORMATS if known.read is not None)(incomplete)


def benchmark_names(incomplete: str) -> list[str]:
    """Complete a benchmark."""
    from rolearn.benchmarks import BENCHMARKS

    return among(BENCHMARKS)(incomplete)


def method_names(incomplete: str) -> list[str]:
    """Complete the last of several methods with commas between them."""
    from rolearn.benchmarks.registry import known_methods

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in among(known_methods())(last)]
