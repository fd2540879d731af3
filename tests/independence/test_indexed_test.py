import numpy as np
import pytest

from examples import random_rows
from needs import needs
from rolearn import ROL, Gaussian, ParameterError, learn


class FisherOfPositions:
    """What causal-learn's CIT objects look like from outside: called with positions, and with a `data`."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data
        self.inner = Gaussian(np.cov(data.T), len(data))
        self.asked: list[tuple] = []

    def __call__(self, X, Y, condition_set=None, **kwargs) -> float:
        self.asked.append((X, Y, condition_set))
        names = self.inner.names
        return self.inner.p_value(names[X], names[Y], [names[z] for z in condition_set or ()])


def test_an_object_of_positions_gives_the_model_of_its_test():
    rows = random_rows(6, 11, 300)
    test = FisherOfPositions(rows)
    found = learn(rows, test=test)
    assert found.graph_ == learn(rows, cost="neighbors").graph_
    assert test.asked
    assert all(isinstance(x, int) and isinstance(given, tuple) for x, _, given in test.asked)


def test_positions_follow_names_in_any_order_of_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(random_rows(5, 3, 300), columns=list("edcab"))
    other = frame[list("abcde")]
    first = learn(frame, test=FisherOfPositions(frame.to_numpy()))
    second = learn(other, test=FisherOfPositions(other.to_numpy()))
    assert first.graph_ == second.graph_ == learn(frame, cost="neighbors").graph_


def test_an_object_of_another_table_is_refused():
    rows = random_rows(4, 1, 100)
    with pytest.raises(ParameterError, match="a table of 3 columns and the data has 4"):
        learn(rows, test=FisherOfPositions(rows[:, :3]))


@needs("causallearn")
@pytest.mark.parametrize("method", ["fisherz", "kci"])
def test_objects_of_causal_learn_are_tests(method):
    from causallearn.utils.cit import CIT

    rows = random_rows(4, 2, 120)
    found = ROL(test=CIT(rows, method)).fit(rows)
    assert found.pag_.is_valid()
    if method == "fisherz":
        assert found.graph_ == learn(rows, cost="neighbors").graph_
