"""The least deviance of a graph by other means: slow, and without any kernel."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

ARROWHEAD, TAIL = 2, 3


def directed(marks: np.ndarray) -> list[tuple[int, int]]:
    """All (parent, child)."""
    return [tuple(e) for e in np.argwhere((marks == ARROWHEAD) & (marks.T == TAIL)).tolist()]


def bidirected(marks: np.ndarray) -> list[tuple[int, int]]:
    both = (marks == ARROWHEAD) & (marks.T == ARROWHEAD)
    return [tuple(e) for e in np.argwhere(np.triu(both)).tolist()]


def deviance_of(correlation: np.ndarray, coefficients: np.ndarray, omega: np.ndarray) -> float:
    """log|omega| + tr(omega^-1 R) - p for coefficients[child, parent]; infinity outside the model."""
    try:
        np.linalg.cholesky(omega)
    except np.linalg.LinAlgError:
        return np.inf
    left = np.eye(len(omega)) - coefficients
    residual = left @ correlation @ left.T
    return np.linalg.slogdet(omega)[1] + np.trace(np.linalg.solve(omega, residual)) - len(omega)


def by_quasi_newton(correlation: np.ndarray, marks: np.ndarray, starts: int, seed: int = 0) -> float:
    """BFGS over coefficients, covariances and log variances of residuals, from random starts."""
    p = len(marks)
    arrows, arcs = directed(marks), bidirected(marks)
    generator = np.random.default_rng(seed)

    def unpacked(values):
        coefficients, omega = np.zeros((p, p)), np.diag(np.exp(values[len(arrows) + len(arcs) :]))
        for value, (a, b) in zip(values, arrows, strict=False):
            coefficients[b, a] = value
        for value, (a, b) in zip(values[len(arrows) :], arcs, strict=False):
            omega[a, b] = omega[b, a] = value
        return coefficients, omega

    def value_and_slope(values):
        coefficients, omega = unpacked(values)
        value = deviance_of(correlation, coefficients, omega)
        if value == np.inf:
            return 1e9, np.zeros(len(values))
        inverse, left = np.linalg.inv(omega), np.eye(p) - coefficients
        by_coefficient = -2 * inverse @ left @ correlation
        by_omega = inverse - inverse @ left @ correlation @ left.T @ inverse
        slope = [by_coefficient[b, a] for a, b in arrows] + [2 * by_omega[a, b] for a, b in arcs]
        return value, np.array([*slope, *(np.diag(by_omega) * np.diag(omega))])

    best = np.inf
    for start in range(starts):
        weights = generator.normal(size=len(arrows)) * (0.3 if start else 0.0)
        covariances = generator.uniform(-0.9, 0.9, len(arcs)) * (generator.random() if start else 0.0)
        values = np.array([*weights, *covariances, *np.zeros(p)])
        for _ in range(3):  # anew, since a line search that met the border of the model ends it early
            values = minimize(value_and_slope, values, jac=True, method="BFGS", options={"gtol": 1e-9}).x
        best = min(best, value_and_slope(values)[0])
    return best


def by_ricf(correlation: np.ndarray, marks: np.ndarray, cycles: int) -> float:
    """Residual iterative conditional fitting (Drton, Eichler, Richardson 2009) from independent residuals."""
    p = len(marks)
    parents = [[a for a, b in directed(marks) if b == x] for x in range(p)]
    spouses = [[a + b - x for a, b in bidirected(marks) if x in (a, b)] for x in range(p)]
    coefficients, omega = np.zeros((p, p)), np.eye(p)
    for _ in range(cycles):
        for x in range(p):
            others = [y for y in range(p) if y != x]
            inverse = np.linalg.inv(omega[np.ix_(others, others)])
            pseudo = inverse @ (np.eye(p) - coefficients)[others]  # as combinations of the variables
            chosen = [others.index(s) for s in spouses[x]]
            regressors = np.vstack([np.eye(p)[parents[x]], pseudo[chosen]])
            gram = regressors @ correlation @ regressors.T
            found = np.linalg.solve(gram, regressors @ correlation[x]) if len(gram) else np.zeros(0)
            coefficients[x] = 0.0
            coefficients[x, parents[x]] = found[: len(parents[x])]
            omega[x, spouses[x]] = omega[spouses[x], x] = found[len(parents[x]) :]
            left = correlation[x, x] - found @ (regressors @ correlation[x])
            omega[x, x] = left + omega[x, others] @ inverse @ omega[others, x]
    return deviance_of(correlation, coefficients, omega)
