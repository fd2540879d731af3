"""The examples in docstrings, run as they stand."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rolearn
from rolearn import RolearnError

WITH_EXAMPLES = doctest.DocTestFinder(exclude_empty=True)


def modules() -> list[str]:
    """All modules that can be imported here; what needs a library that isn't installed has its own tests."""
    found = ["rolearn"]
    for module in pkgutil.walk_packages(rolearn.__path__, "rolearn."):
        try:
            importlib.import_module(module.name)
        except (ImportError, RolearnError):
            continue
        found.append(module.name)
    return found


def examples() -> list:
    return [
        pytest.param(test, id=test.name)
        for name in modules()
        for test in WITH_EXAMPLES.find(importlib.import_module(name))
        if test.examples
    ]


@pytest.mark.parametrize("test", examples())
def test_example(test):
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)
