"""The Gaussian maximum likelihood of ancestral graphs."""

from rolearn.likelihood.deviance import deviance

__all__ = ["deviance"]
