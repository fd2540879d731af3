"""Sufficient statistics and the conditional-independence test over them: one file a kind."""

from rolearn.independence.callable_test import CallableTest
from rolearn.independence.gaussian import Gaussian
from rolearn.independence.oracle import Oracle
from rolearn.independence.statistics import Statistics

__all__ = ["CallableTest", "Gaussian", "Oracle", "Statistics"]
