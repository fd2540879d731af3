"""What every kind of statistics answers, as open kernels: each kind registers its own text.

Variables are positions 0..p-1; a set is an int64 array of which the first `size` entries count.
"""

from __future__ import annotations

import numpy as np

from rolearn.runtime.compile import open_kernel

__all__ = [
    "leave_two_out",
    "leave_two_out_by_tests",
    "p_value",
    "pairs_given_rest",
    "pairs_given_rest_by_tests",
]


@open_kernel
def p_value(statistics, x, y, given, size):
    """Give the p-value of "x and y are independent given the set"; 0.0 where it can't be tested."""


@open_kernel
def leave_two_out(statistics, x, boundary, size, p_values):
    """Fill ``p_values[i, j]``, i != j: x and boundary[i] given the boundary without its members i and j."""


@open_kernel
def pairs_given_rest(statistics, members, size, p_values):
    """Fill the symmetric ``p_values[i, j]``: members i and j given all the other members."""


def leave_two_out_by_tests(statistics, x, boundary, size, p_values):
    """Answer `leave_two_out` by one test a cell: to be registered for statistics without a shortcut."""
    given = np.empty(size, np.int64)
    for i in range(size):
        for j in range(size):
            if i != j:
                count = 0
                for k in range(size):
                    if k != i and k != j:
                        given[count] = boundary[k]
                        count += 1
                p_values[i, j] = p_value(statistics, x, boundary[i], given, count)


def pairs_given_rest_by_tests(statistics, members, size, p_values):
    """Answer `pairs_given_rest` by one test a pair: to be registered for statistics without a shortcut."""
    given = np.empty(size, np.int64)
    for i in range(size):
        for j in range(i):
            count = 0
            for k in range(size):
                if k != i and k != j:
                    given[count] = members[k]
                    count += 1
            p_values[i, j] = p_value(statistics, members[i], members[j], given, count)
            p_values[j, i] = p_values[i, j]
