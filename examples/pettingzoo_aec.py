"""PettingZoo: a match of Silver & Gold, agent after agent.

python examples/pettingzoo_aec.py
"""

from __future__ import annotations

from tacit.research import aec

env = aec.env("silver-and-gold", seats=3)
env.reset(seed=5)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(f"{agent}: {reward:.0f} points")
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(observation["action_mask"]))
