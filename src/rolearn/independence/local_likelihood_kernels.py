"""What a local score asks of statistics with a likelihood, as open kernels: each kind registers its own text.

The correlations of a Gaussian have quicker ways of their own (`neighbors.grow_shrink_kernels`).
"""

from __future__ import annotations

from rolearn.runtime.compile import open_kernel

__all__ = ["gain_of", "penalized_deviance"]


@open_kernel
def penalized_deviance(statistics, threshold, x, members, size):
    """Give -2 log likelihood of x given the members at its maximum, plus the threshold for each parameter.

    Up to what x alone determines. The members ascend, so that a set has one value to the last bit.
    """


@open_kernel
def gain_of(statistics, threshold, x, y, members, size, before, after):
    """Give by how much y betters the score of x, from `before` with the members to `after` with y as well.

    Less than the difference where some of what a deviance falls by is to be put down to chance; not positive
    where the rows carry no more members.
    """
