"""Skips of tests whose library isn't installed, each with its reason."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

__all__ = ["needs"]


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip where one of the modules isn't installed."""
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{' and '.join(missing)} not installed")
