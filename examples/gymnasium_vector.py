"""Gymnasium: a vector of matches, one decision of the due seat each; arrays are written in place.

python examples/gymnasium_vector.py [STEPS]
"""

from __future__ import annotations

import sys

import numpy as np

from tacit.research.vector import TacitVectorEnv

env = TacitVectorEnv("silent-planet", num_envs=1024, seats=3)
observations, infos = env.reset(seed=3)
rng = np.random.default_rng(3)
teams = []
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
    # A random legal decision each, by hand; env.batch.random() does the same, compiled.
    actions = np.where(infos["action_mask"], rng.random(infos["action_mask"].shape), -1.0).argmax(axis=1)
    observations, rewards, terminations, _, infos = env.step(actions)
    teams += rewards[terminations].tolist()
print(f"{len(teams)} matches, {np.mean(teams or [0]):.2f} teams each; seat {infos['seat'][0]} decides in match 0")
