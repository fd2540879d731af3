"""Sufficient statistics and the conditional-independence test over them: one file a kind."""

from rolearn.independence.callable_test import CallableTest
from rolearn.independence.discrete import Discrete
from rolearn.independence.gaussian import Gaussian
from rolearn.independence.indexed_test import test_by_name
from rolearn.independence.mixed import DegenerateGaussian
from rolearn.independence.oracle import Oracle
from rolearn.independence.statistics import Statistics

__all__ = [
    "CallableTest",
    "DegenerateGaussian",
    "Discrete",
    "Gaussian",
    "Oracle",
    "Statistics",
    "test_by_name",
]
