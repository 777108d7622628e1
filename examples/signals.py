"""Signals as decisions: a match of Silent Planet in which seats nod and show fingers at random.

python examples/signals.py
"""

from __future__ import annotations

from tacit import game_named
from tacit.research import aec

game, given = game_named("silent-planet"), 0
env = aec.env("silent-planet", seats=3, signals=True)
env.reset(seed=5)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
        continue
    action = int(env.action_space(agent).sample(observation["action_mask"]))
    if action >= game.actions:
        given += 1
    env.step(action)
print(f"{given} signals were given; {reward:.0f} teams completed")
