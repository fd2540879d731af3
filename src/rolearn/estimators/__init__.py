"""From rows or statistics to a fitted model in one call."""

from rolearn.estimators.mag_score import mag_score
from rolearn.estimators.order_cost import order_cost
from rolearn.estimators.rol import ROL, learn, load
from rolearn.orders.bic import BIC
from rolearn.orders.collider_sets import ColliderSets
from rolearn.orders.cost import NeighborCount
from rolearn.orders.exact import Exact
from rolearn.orders.hill_climb import HillClimb
from rolearn.orders.policy_gradient import PolicyGradient
from rolearn.orders.progress import Progress
from rolearn.orders.recursive import Recursive

__all__ = [
    "BIC",
    "ROL",
    "ColliderSets",
    "Exact",
    "HillClimb",
    "NeighborCount",
    "PolicyGradient",
    "Progress",
    "Recursive",
    "learn",
    "load",
    "mag_score",
    "order_cost",
]
