"""The upper tail of the chi-square distribution: an incomplete gamma function of half the degrees."""

from __future__ import annotations

import math

from rolearn.runtime.compile import kernel

__all__ = ["chi_square_p_value"]

_PRECISION = 1e-15
_MOST_TERMS = 100_000
_TINY = 1e-290


@kernel
def _lower_by_series(a, x):
    """Sum x^k / ((a + 1) ... (a + k)), which the lower part is a multiple of (DLMF 8.11.4)."""
    term = 1.0
    total = 1.0
    k = a
    for _ in range(_MOST_TERMS):
        k += 1.0
        term *= x / k
        total += term
        if term < total * _PRECISION:
            break
    return total


@kernel
def _upper_by_fraction(a, x):
    """Evaluate the continued fraction that the upper part is a multiple of (DLMF 8.9.2), from the front."""
    b = x + 1.0 - a
    c = 1.0 / _TINY
    d = 1.0 / b
    value = d
    for i in range(1, _MOST_TERMS):
        step = -i * (i - a)
        b += 2.0
        d = step * d + b
        d = 1.0 / (d if abs(d) > _TINY else _TINY)
        c = b + step / c
        c = c if abs(c) > _TINY else _TINY
        value *= c * d
        if abs(c * d - 1.0) < _PRECISION:
            break
    return value


@kernel
def chi_square_p_value(statistic, degrees):
    """Give the probability that a chi-square variable of that many degrees of freedom is larger.

    The statistic may be negative by rounding; then, and without a degree of freedom, it is 1.
    """
    a = 0.5 * degrees
    x = 0.5 * statistic
    if not x > 0.0 or not a > 0.0:
        return 1.0
    if x == math.inf:
        return 0.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1.0:
        upper = 1.0 - scale * _lower_by_series(a, x) / a
    else:
        upper = scale * _upper_by_fraction(a, x)
    return min(max(upper, 0.0), 1.0)
