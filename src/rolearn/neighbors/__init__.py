"""Boundaries, their change when a variable leaves, who in them is adjacent, and what separated the rest."""
