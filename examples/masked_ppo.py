"""Train another library's agent to order variables: MaskablePPO of sb3-contrib on rolearn's environment.

    pip install 'rolearn[rl]' sb3-contrib
    python examples/masked_ppo.py [--steps 20000]

The environment hands out the variables that remain and takes the one to remove; its reward is minus the local
cost. `action_masks()` is what MaskablePPO asks for, so that no variable is removed twice. The order that the
trained agent prefers is then compared with what rolearn's own searches find on the same table.
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import rolearn
import rolearn.environment  # registers rolearn/RemovalOrder-v0


def draw_table(n_rows: int = 1000) -> np.ndarray:
    """Draw rows of a chain with two colliders, columns shuffled."""
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((n_rows, 8))
    for child, parents in {1: [0], 2: [1], 3: [2, 0], 4: [3], 5: [4, 1], 6: [5], 7: [6, 2]}.items():
        rows[:, child] += rows[:, parents].sum(axis=1)
    return rows[:, generator.permutation(8)]


def train(environment: gymnasium.Env, steps: int) -> MaskablePPO:
    """Train an agent for so many removals."""
    agent = MaskablePPO("MlpPolicy", environment, n_steps=512, batch_size=128, seed=0, device="cpu")
    return agent.learn(total_timesteps=steps)


def preferred_order(agent: MaskablePPO, environment: gymnasium.Env) -> tuple[tuple[str, ...], float]:
    """Take the likeliest variable each time; gives the order and its cost."""
    observation, info = environment.reset()
    over = False
    while not over:
        action, _ = agent.predict(observation, action_masks=info["action_mask"], deterministic=True)
        observation, _, over, _, info = environment.step(int(action))
    return info["order"], info["cost"]


def main(steps: int) -> None:
    """Train, and print both orders beside those of rolearn's own searches."""
    table = draw_table()
    environment = gymnasium.make("rolearn/RemovalOrder-v0", X=table, cost="bic")
    order, cost = preferred_order(train(environment, steps), environment)
    print(f"MaskablePPO: {', '.join(order)} costs {cost:.2f}")
    for search in ("policy-gradient", "hill-climb"):
        model = rolearn.learn(table, search=search)
        print(f"{search}: {', '.join(model.order_)} costs {model.cost_:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000, help="removals to train for")
    main(parser.parse_args().steps)
