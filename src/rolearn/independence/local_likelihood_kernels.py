"""What a local score asks of statistics with a likelihood, as open kernels: each kind registers its own text.

The correlations of a Gaussian have quicker ways of their own (`neighbors.grow_shrink_kernels`).
"""

from __future__ import annotations

from rolearn.runtime.compile import open_kernel

__all__ = ["credit", "deviance", "n_parameters"]


@open_kernel
def deviance(statistics, x, members, size):
    """Give -2 log likelihood of x given the members at its maximum, up to what x alone determines.

    The members ascend, so that a set has one value to the last bit.
    """


@open_kernel
def n_parameters(statistics, x, y, parameters):
    """Give how many parameters of x given a set and y are free, when given the set `parameters` are.

    With y of -1 those given nothing.
    """


@open_kernel
def credit(statistics, x, y, members, size):
    """Give the share of the deviance that x loses by y, given the members, which is to be believed.

    0 where the rows carry no more members.
    """
