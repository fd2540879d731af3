"""The population's answer: m-separation in a graph, as one more test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.traversal_kernels import m_connected
from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    p_value,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.runtime.compile import kernel

__all__ = ["OracleArrays", "joined_within"]


class OracleArrays(NamedTuple):
    """A graph over N vertices and which of them are observed: position i is vertex ``observed[i]``."""

    starts: np.ndarray
    neighbors: np.ndarray
    marks: np.ndarray
    ancestors: np.ndarray
    observed: np.ndarray


@p_value.register(OracleArrays)
def oracle_p_value(statistics, x, y, given, size):
    """Give 1.0 where the set m-separates x and y, else 0.0."""
    n = len(statistics.marks)
    mask = np.zeros(n, np.bool_)
    reached = np.zeros(n, np.bool_)
    for i in range(size):
        mask[statistics.observed[given[i]]] = True
    m_connected(
        statistics.starts,
        statistics.neighbors,
        statistics.marks,
        statistics.ancestors,
        statistics.observed[x],
        mask,
        reached,
    )
    return 0.0 if reached[statistics.observed[y]] else 1.0


leave_two_out.register(OracleArrays)(leave_two_out_by_tests)
pairs_given_rest.register(OracleArrays)(pairs_given_rest_by_tests)


@kernel
def joined_within(statistics, x, y, members, size):
    """Whether x and y are joined in the MAG over the members: nothing among them separates the two.

    If any set does, the ancestors of the two among them do (Richardson and Spirtes 2002).
    """
    given = np.empty(size, np.int64)
    count = 0
    for i in range(size):
        z = statistics.observed[members[i]]
        to_x = statistics.ancestors[z, statistics.observed[x]]
        to_y = statistics.ancestors[z, statistics.observed[y]]
        if members[i] != x and members[i] != y and (to_x or to_y):
            given[count] = members[i]
            count += 1
    return p_value(statistics, x, y, given, count) < 0.5
