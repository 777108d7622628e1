"""Gymnasium: one seat of Zombie City against the usual bots.

python examples/gymnasium_seat.py [EPISODES]
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np

import tacit.research.seat_env  # noqa: F401 - registers the games

env = gymnasium.make("tacit/zombie-city-v2", seats=4, seat=2, options={"expert": True})
rng = np.random.default_rng(1)
for episode in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
    observation, info = env.reset(seed=episode)
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))  # an illegal one would end it with a penalty
        observation, reward, over, truncated, info = env.step(action)
    print(f"episode {episode}: {reward:.0f} survivors")
env.close()
