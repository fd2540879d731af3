"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import pytest

from examples import pag_cases


@pytest.fixture(scope="session")
def cases() -> list[dict]:
    return pag_cases()
