import numpy as np
import pytest

from examples import pag_cases, population_covariance, random_gaussian
from rolearn import PAG, ROL, Gaussian, HillClimb


@pytest.mark.slow
def test_population_covariances_give_the_exact_pag():
    for case in pag_cases():
        names = [str(v) for v in range(case["n"])]
        statistics = Gaussian(population_covariance(case, case["id"]), 10**7, names)
        assert ROL().fit(statistics).pag_ == PAG(np.array(case["pag"]), names), case["id"]


def test_tests_are_counted_once_over_all_starts():
    gaussian = random_gaussian(8, 3, 300, density=0.5)
    one, five = (ROL(n_starts=n).fit(gaussian).n_tests_ for n in (1, 5))
    assert 0 < one <= five
    # each test of five starts is one of some pair given some set
    assert five <= 28 * 2**6
    again = ROL(HillClimb(kicks=0, others=0, start="recursive"), n_starts=1).fit(gaussian).n_tests_
    twice = ROL(HillClimb(kicks=0, others=3, start="recursive"), n_starts=1).fit(gaussian).n_tests_
    assert again <= twice
