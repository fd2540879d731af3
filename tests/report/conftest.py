from __future__ import annotations

import pytest
from chromium import Browser, chromium


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed (on Debian: apt-get install chromium)")
    opened = Browser(program, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
