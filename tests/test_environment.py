import subprocess
import sys

import numpy as np
import pytest

from examples import oracle_of, random_rows
from needs import needs
from rolearn import ParameterError, order_cost

SCRIPT = """
import sys
sys.modules["gymnasium"] = None
try:
    import rolearn.environment
except Exception as error:
    print(type(error).__name__, error)
"""


def test_without_gymnasium_the_sentence_says_what_to_install():
    said = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout
    assert said.startswith("ParameterError")
    assert "pip install 'rolearn[rl]'" in said


@needs("gymnasium")
class TestWithGymnasium:
    def make(self, X, **settings):
        import gymnasium

        import rolearn.environment

        return gymnasium.make(rolearn.environment.ID, X=X, **settings)

    @pytest.mark.parametrize("cost", ["bic", "neighbors"])
    def test_gymnasium_finds_nothing_wrong(self, cost, recwarn):
        from gymnasium.utils.env_checker import check_env

        check_env(self.make(random_rows(5, 1, 100), cost=cost).unwrapped)
        assert not recwarn.list

    @pytest.mark.parametrize("cost", ["bic", "neighbors"])
    def test_rewards_sum_to_minus_the_cost_of_the_order(self, cost):
        rows = random_rows(7, 2, 300, density=0.5)
        environment = self.make(rows, cost=cost)
        generator = np.random.default_rng(0)
        for _ in range(3):
            observation, info = environment.reset()
            assert observation.tolist() == [1] * 7
            total, over = 0.0, False
            while not over:
                masks = environment.unwrapped.action_masks()
                assert masks.tolist() == info["action_mask"].astype(bool).tolist() == observation.tolist()
                action = generator.choice(np.flatnonzero(masks))
                observation, reward, over, cut, info = environment.step(action)
                assert observation[action] == 0
                assert not cut
                total += reward
            assert sorted(info["order"]) == sorted(environment.unwrapped.variables)
            assert -total == pytest.approx(order_cost(rows, info["order"], cost=cost), abs=1e-6)
            assert info["cost"] == pytest.approx(-total)

    def test_an_oracle_takes_the_place_of_rows(self, cases):
        environment = self.make(oracle_of(cases[10])).unwrapped
        environment.reset()
        for action in range(len(environment.variables)):
            *_, info = environment.step(action)
        assert info["cost"] == order_cost(oracle_of(cases[10]), info["order"])

    def test_an_invalid_step_is_a_clear_error(self):
        environment = self.make(random_rows(3, 1, 100)).unwrapped
        environment.reset()
        environment.step(1)
        with pytest.raises(ParameterError, match="removes X2, which was removed before"):
            environment.step(1)
        for wrong in (3, -1, 0.5, "X1"):
            with pytest.raises(ParameterError, match="give an integer from 0 to 2"):
                environment.step(wrong)
        environment.step(0), environment.step(2)
        with pytest.raises(ParameterError, match=r"call reset\(\)"):
            environment.step(0)

    def test_gymnasium_finds_it_by_name_once_rolearn_is_imported(self):
        script = (
            "import gymnasium, rolearn, numpy as np\n"
            "rows = np.random.default_rng(0).standard_normal((50, 3))\n"
            "print(gymnasium.make('rolearn/RemovalOrder-v0', X=rows, cost='bic').reset()[0])"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["[1", "1", "1]"]


@pytest.mark.slow
@needs("gymnasium", "sb3_contrib", "torch")
def test_the_example_trains_an_agent_of_another_library():
    import masked_ppo

    table = masked_ppo.draw_table(200)
    import gymnasium

    environment = gymnasium.make("rolearn/RemovalOrder-v0", X=table, cost="bic")
    order, cost = masked_ppo.preferred_order(masked_ppo.train(environment, 2048), environment)
    assert cost == pytest.approx(order_cost(table, order, cost="bic"))
    generator, names = np.random.default_rng(0), environment.unwrapped.variables
    random = [order_cost(table, generator.permutation(names), cost="bic") for _ in range(40)]
    assert cost < np.median(random)
