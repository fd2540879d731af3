"""Random ancestral graphs."""

from __future__ import annotations

import numpy as np

from graphs.brute_force import is_ancestral


def random_mag(p: int, generator: np.random.Generator, density: float = 0.6) -> np.ndarray:
    """An ancestral graph with arrows and arcs in equal parts; not all are maximal."""
    while True:
        order = generator.permutation(p)
        marks = np.zeros((p, p), np.int8)
        for i in range(p):
            for j in range(i + 1, p):
                if generator.random() < density:
                    x, y = order[i], order[j]
                    marks[x, y], marks[y, x] = 2, generator.choice([2, 3])
        if is_ancestral(marks):
            return marks
