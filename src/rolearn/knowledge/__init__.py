"""Background knowledge: tiers, forbidden and required causes, its files, and what it says of variables."""

from __future__ import annotations

from rolearn.knowledge.constraints import Constraints, constraints_of, unconstrained
from rolearn.knowledge.knowledge import Knowledge, as_knowledge

__all__ = ["Constraints", "Knowledge", "as_knowledge", "constraints_of", "unconstrained"]
