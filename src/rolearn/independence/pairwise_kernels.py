"""Fisher's z where each pair of variables has its own number of rows: the Gaussian's text, other degrees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import (
    gaussian_leave_two_out,
    gaussian_p_value,
    gaussian_pairs_given_rest,
    rows_behind,
)
from rolearn.independence.question_kernels import leave_two_out, p_value, pairs_given_rest

__all__ = ["PairwiseArrays"]


class PairwiseArrays(NamedTuple):
    """Correlations (p, p), one number of rows for the likelihood, and the rows behind each pair (p, p)."""

    correlation: np.ndarray
    n_samples: float
    counts: np.ndarray


@rows_behind.register(PairwiseArrays)
def fewest_rows(statistics, members, size, without, x, y):
    """Give the smallest number of rows behind two variables of a test."""
    fewest = statistics.counts[x, y]
    for i in range(size):
        if i != without:
            a = members[i]
            fewest = min(fewest, statistics.counts[a, x], statistics.counts[a, y])
            for j in range(i):
                if j != without:
                    fewest = min(fewest, statistics.counts[a, members[j]])
    return fewest


p_value.register(PairwiseArrays)(gaussian_p_value)
leave_two_out.register(PairwiseArrays)(gaussian_leave_two_out)
pairs_given_rest.register(PairwiseArrays)(gaussian_pairs_given_rest)
