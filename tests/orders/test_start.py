import numpy as np
import pytest

from examples import oracle_of, random_gaussian
from rolearn import MAG, NeighborCount, ParameterError, Recursive
from rolearn.orders.cost import order_costs
from rolearn.orders.start import STARTS, initial_order

pytestmark = pytest.mark.pure


def costs_of(statistics, finder="auto", signal=0):
    return order_costs(statistics, NeighborCount(finder), 0.05, np.full(1, signal, np.uint8))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("p", [1, 2, 7])
def test_every_start_is_an_order_and_repeatable(start, p):
    costs = costs_of(random_gaussian(p, 5) if p > 1 else random_gaussian(1, 5, 30))
    first, again = (
        initial_order(costs.branch(), start, "auto", np.random.default_rng(1)).tolist() for _ in range(2)
    )
    assert first == again
    assert sorted(first) == list(range(p))


def test_l_marvel_removability_gives_r_orders(cases):
    for case in cases[::13]:
        names = [str(v) for v in range(case["n"])]
        mag = MAG(case["mag"], names)
        order = initial_order(costs_of(oracle_of(case)).branch(), "recursive", "l-marvel", None)
        assert mag.is_r_order([names[v] for v in order])


def test_a_scattered_order_keeps_some_of_the_recursive_one():
    branch = costs_of(random_gaussian(30, 3, 300)).branch
    recursive = initial_order(branch(), "recursive", "auto", None)
    place = np.argsort(recursive)
    kept = []
    for start in ("scattered", "random"):
        generators = map(np.random.default_rng, range(20))
        orders = [initial_order(branch(), start, "auto", generator) for generator in generators]
        assert len({tuple(order) for order in orders}) == 20
        kept.append(np.mean([np.corrcoef(place[order], np.arange(30))[0, 1] for order in orders]))
    assert 0.5 < kept[0] < 0.9
    assert abs(kept[1]) < 0.2


def test_boundary_sizes_ascend():
    costs = costs_of(random_gaussian(8, 2))
    order = initial_order(costs.branch(), "boundary-size", "auto", None)
    sizes = []
    for x in order:
        others = [v for v in range(8) if v != x]
        sizes.append(len(next(costs.branch().removals(np.array([x, *others]))).boundary))
    assert sizes == sorted(sizes)


def test_rsl_removability_follows_its_definition():
    """The first to leave has the smallest boundary of the removable ones; else least speaks against it."""
    for seed in range(25):
        gaussian = random_gaussian(6, seed, density=0.8)
        costs = costs_of(gaussian)
        order = initial_order(costs.branch(), "recursive", "rsl", None)
        against, sizes = [], []
        for x in range(6):
            others = [v for v in range(6) if v != x]
            members = next(costs.branch().removals(np.array([x, *others]))).boundary
            sizes.append(len(members))
            against.append(
                sum(
                    gaussian.p_value(
                        gaussian.names[y],
                        gaussian.names[z],
                        [gaussian.names[v] for v in (x, *members) if v not in (y, z)],
                    )
                    > 0.05
                    for y in members
                    for z in members
                    if y < z
                )
            )
        removable = [x for x in range(6) if against[x] == 0]
        if removable:
            assert order[0] in [x for x in removable if sizes[x] == min(sizes[v] for v in removable)]
        else:
            assert against[order[0]] == min(against)


def test_a_spent_budget_still_gives_an_order():
    spent = costs_of(random_gaussian(7, 5), signal=1)
    by_size = initial_order(costs_of(random_gaussian(7, 5)).branch(), "boundary-size", "auto", None)
    assert initial_order(spent.branch(), "recursive", "auto", None).tolist() == by_size.tolist()


def test_unknown_removability_is_refused():
    with pytest.raises(ParameterError, match="removability"):
        Recursive("pc")
