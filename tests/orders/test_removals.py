import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian
from rolearn import CallableTest, learn
from rolearn.neighbors import ledger
from rolearn.orders import cost
from rolearn.orders.bic import BIC
from rolearn.orders.cost import NeighborCount, order_costs

QUIET = np.zeros(1, np.uint8)


@pytest.mark.parametrize(
    "which", [NeighborCount("rsl"), NeighborCount("l-marvel"), BIC(), BIC(parents="exact")]
)
@settings(max_examples=20, deadline=None)
@given(p=st.integers(1, 7), seed=st.integers(0, 10**6))
def test_what_an_order_removes_is_what_single_looks_see(which, p, seed):
    gaussian = random_gaussian(p, seed, 200, density=0.6)
    order = np.random.default_rng(seed).permutation(p)
    along = list(order_costs(gaussian, which, 0.05, QUIET).branch().removals(order))
    assert [removal.variable for removal in along] == order.tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cost, "_CELLS", 1)  # one variable at a time,
        patch.setattr(ledger, "_FIRST_SIZE", 4)  # and a table that is full again and again
        assert list(order_costs(gaussian, which, 0.05, QUIET).branch().removals(order)) == along
    if isinstance(which, BIC):
        costs, remaining = order_costs(gaussian, which, 0.05, QUIET).branch(), np.ones(p, np.bool_)
        for x, removal in zip(order.tolist(), along, strict=True):
            assert costs.look(x, remaining) == removal
            remaining[x] = False


def test_nothing_is_removed_where_there_is_nothing():
    nobody = CallableTest(lambda x, y, given: 0.5, [], 10)
    assert learn(nobody).pag_.names == ()
