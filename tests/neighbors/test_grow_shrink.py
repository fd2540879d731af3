import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolearn.neighbors.grow_shrink_kernels import GrowShrink, _is_worth

pytestmark = pytest.mark.pure


@settings(deadline=None)
@given(
    share=st.floats(0.0, 1.5),
    rows=st.floats(3.0, 1e9),
    size=st.integers(0, 5),
    threshold=st.floats(1e-3, 1e3),
    near=st.floats(-1e-6, 1e-6),
)
def test_what_is_worth_its_place_is_told_as_by_the_logarithm(share, rows, size, threshold, near):
    score = GrowShrink(np.eye(2), rows, threshold, 1)
    left = rows - size - 2.0
    shares = [share]
    if left > 0.0:  # and where it hardly is, or hardly isn't
        shares.append(-math.expm1(-threshold / left) * (1.0 + near))
    for each in shares:
        expected = each < 1.0 and -left * math.log1p(-each) > threshold
        assert bool(_is_worth(score, each, size)) == expected
