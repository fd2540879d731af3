import numpy as np
import pytest

from examples import pag_cases, population_covariance
from rolearn import PAG, ROL, Gaussian


@pytest.mark.slow
def test_population_covariances_give_the_exact_pag():
    for case in pag_cases():
        names = [str(v) for v in range(case["n"])]
        statistics = Gaussian(population_covariance(case, case["id"]), 10**7, names)
        assert ROL().fit(statistics).pag_ == PAG(np.array(case["pag"]), names), case["id"]
