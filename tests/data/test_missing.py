from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rolearn.data import as_table, read_table
from rolearn.data.moments import correlation_matrix, pairwise_correlations
from rolearn.data.transform import rank_to_normal
from rolearn.runtime.errors import DataError

pytestmark = pytest.mark.pure


def holes(n=200, p=4, share=0.3, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, p)) @ rng.standard_normal((p, p)) + 5
    return np.where(rng.random((n, p)) < share, np.nan, values)


def test_listwise_keeps_complete_rows_and_says_so():
    values = holes()
    complete = ~np.isnan(values).any(axis=1)
    table = as_table(values, missing="listwise")
    np.testing.assert_array_equal(table.values, values[complete])
    worst = int(np.isnan(values).sum(axis=0).argmax())
    count = int(np.isnan(values[:, worst]).sum())
    assert table.notes == (
        f"{200 - complete.sum()} of 200 rows have missing cells and are left out"
        f" ('X{worst + 1}' is missing in {count} of them); {complete.sum()} rows are used",
    )


def test_pairwise_keeps_all_rows():
    values = holes()
    table = as_table(values, missing="pairwise")
    np.testing.assert_array_equal(table.values, values)
    assert "each pair of columns is compared on the rows where both are there" in table.notes[0]


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_complete_tables_stay_as_they_are(missing):
    values = holes(share=0)
    table = as_table(values, missing=missing)
    np.testing.assert_array_equal(table.values, values)
    assert table.notes == ()


def test_too_few_complete_rows():
    values = holes(12, 6, 0.5, seed=4)
    with pytest.raises(DataError, match=r"complete of 12, and at least 5 are needed; 'X\d' is missing in"):
        as_table(values, missing="listwise")


def test_columns_without_a_cell():
    frame = pd.DataFrame({"a": np.arange(9.0), "b": np.nan})
    for missing in ("listwise", "pairwise"):
        with pytest.raises(DataError, match="column 'b' has no cell that isn't missing"):
            as_table(frame, missing=missing)


def test_pairs_without_a_row_in_common_are_named():
    """causal-learn#138."""
    values = holes(share=0)
    values[:100, 0] = values[100:, 1] = np.nan
    with pytest.raises(DataError, match="no row with neither 'X1' nor 'X2' missing; at least 5"):
        as_table(values, missing="pairwise")
    values[:3, 0] = 1.0
    with pytest.raises(DataError, match="only 3 rows with neither 'X1' nor 'X2' missing"):
        as_table(values, missing="pairwise")


def test_the_error_names_columns_line_and_remedies(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,2\n2,\n3,5\n,4\n5,\n6,1\n")
    with pytest.raises(DataError) as caught:
        read_table(path)
    sentence = str(caught.value)
    assert "3 cells are missing, in 'b' (2), 'a' (1), the first in line 3" in sentence
    assert sentence.endswith("or say --missing listwise or pairwise")


def test_correlations_of_pairs():
    values = holes(300, 5)
    found = pairwise_correlations(values)
    for i in range(5):
        for j in range(5):
            both = ~np.isnan(values[:, [i, j]]).any(axis=1)
            expected = np.corrcoef(values[both][:, [i, j]].T)[0, 1]
            assert found[i, j] == pytest.approx(expected, abs=1e-12)


def test_correlations_of_pairs_without_holes():
    values = holes(300, 5, 0.0) * [1, 1e9, 1e-9, 1, 1] + [0, 0, 0, 1e6, 0]
    np.testing.assert_allclose(pairwise_correlations(values), correlation_matrix(values), atol=1e-9)


def test_a_column_that_varies_on_other_rows_only():
    values = holes(100, 3, 0.0)
    values[:50, 0] = 1.0
    values[50:, 1] = np.nan
    assert pairwise_correlations(values)[0, 1] == 0.0


def test_ranks_pass_over_holes():
    values = holes(50, 2)
    ranked = rank_to_normal(values)
    for j in range(2):
        there = ~np.isnan(values[:, j])
        np.testing.assert_array_equal(ranked[there, j], rank_to_normal(values[there, j : j + 1])[:, 0])
    np.testing.assert_array_equal(np.isnan(ranked), np.isnan(values))


def test_one_of_something_is_no_plural():
    values = np.arange(60.0).reshape(10, 6) % 7
    values[3] = np.nan
    with pytest.raises(DataError, match="and 1 more column, the first"):
        as_table(values)
    values = np.arange(30.0).reshape(10, 3) % 7
    values[:5, 0], values[5:9, 1:] = np.nan, np.nan
    with pytest.raises(
        DataError, match=r"only 1 row with neither 'X1' nor 'X2' missing \(and 1 more pair of"
    ):
        as_table(values, missing="pairwise")
