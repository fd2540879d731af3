"""Methods that ship, as far as they are set up: heads and tails arrive as their tools mean them."""

import numpy as np
import pytest

from needs import needs
from rolearn.benchmarks.calls import Calls
from rolearn.benchmarks.plans import WITHOUT_LATENTS
from rolearn.benchmarks.registry import known_methods
from rolearn.graphs.marks import ARROWHEAD, CIRCLE, NO_EDGE, TAIL

X, Z, Y, W = range(4)  # x -> z <- y and z -> w
LEFT_OUT = ("corl", "pc-gsq", "fci-gsq")  # seconds a round; discrete columns alone
NAMES = [
    pytest.param(name, marks=needs("torch", "gymnasium", "sb3_contrib") if name == "rol_pg" else ())
    for name in known_methods()
    if name not in LEFT_OUT
]


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(20230207)
    x, y, of_z, of_w = generator.normal(size=(4, 4000))
    z = x - 1.2 * y + of_z
    return np.column_stack([x, z, y, 1.1 * z + of_w])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_collider_and_what_it_causes_come_back(rows, name):
    method = known_methods()[name]
    if not method.peer.installed:
        pytest.skip(f"{method.peer.name} is not set up")
    # with w some searches over orders join x and y: moving single variables leads no further from w, z, x, y
    asked = rows[:, :W] if name in WITHOUT_LATENTS else rows
    found = Calls().ask(method, asked, limit=60.0)
    assert found.status == "ok"
    joined = np.argwhere(np.triu(found.marks != NO_EDGE)).tolist()
    assert joined == [[X, Z], [Z, Y], [Z, W]][: asked.shape[1] - 1]
    if found.kind != "skeleton":
        far = {"pag": {CIRCLE}, "mag": {TAIL, ARROWHEAD}, "cpdag": {TAIL}, "dag": {TAIL}}[found.kind]
        assert (found.marks[[X, Y], Z] == ARROWHEAD).all()
        assert set(found.marks[Z, [X, Y]].tolist()) <= far
        if asked.shape[1] > W:
            assert (found.marks[Z, W], found.marks[W, Z]) == (ARROWHEAD, TAIL)
