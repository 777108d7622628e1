"""PettingZoo's parallel API: all seats step at once; in Silent Planet signals are decisions too.

python examples/pettingzoo_parallel.py
"""

from __future__ import annotations

from tacit.research.parallel import parallel_env

env = parallel_env("silent-planet", seats=3, signals=True)
observations, infos = env.reset(seed=5)
for agent in env.agents:
    env.action_space(agent).seed(5)
steps = signals = 0
while env.agents:
    actions = {agent: env.action_space(agent).sample(seen["action_mask"]) for agent, seen in observations.items()}
    signals += sum(env.game.actions <= action < env.wait for action in actions.values())
    observations, rewards, terminations, truncations, infos = env.step(actions)
    steps += 1
print(f"{steps} steps, {signals} signals, {rewards['seat_0']:.0f} teams completed")
