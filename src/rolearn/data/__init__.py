"""A table comes in: readers, checks, transformations; simulation and the named networks."""

from rolearn.data.canonical import canonical_order
from rolearn.data.moments import correlation_matrix
from rolearn.data.readers import read_table
from rolearn.data.table import Table, as_table
from rolearn.data.transform import rank_to_normal

__all__ = [
    "Table",
    "as_table",
    "canonical_order",
    "correlation_matrix",
    "rank_to_normal",
    "read_table",
]
