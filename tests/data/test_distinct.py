import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rolearn.data.copied_rows import rows_as_bytes
from rolearn.data.distinct import count_distinct

pytestmark = pytest.mark.pure


@settings(deadline=None)
@given(
    arrays.arrays(float, st.integers(0, 30), elements=st.sampled_from([-1.5, -0.0, 0.0, 0.5, np.inf, np.nan]))
)
def test_values_count_once_and_both_zeros_are_one_as_are_all_that_is_missing(values):
    missing = np.isnan(values)
    assert count_distinct(values) == len(set(values[~missing].tolist())) + bool(missing.any())


@given(
    arrays.arrays(
        float, st.tuples(st.integers(0, 12), st.integers(1, 3)), elements=st.sampled_from([0.0, 1.0])
    )
)
def test_rows_count_once(rows):
    assert count_distinct(rows_as_bytes(rows)) == len({tuple(row) for row in rows.tolist()})
