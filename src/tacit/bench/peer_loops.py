"""Measures environments of other projects, each in the loop of its own documentation: random legal play with
observation and mask. Runs in an environment that has them installed, and imports nothing of ours.

    python peer_loops.py NAME SECONDS CORES [BATCH,BATCH…]     prints decisions per second and versions as JSON
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

BATCHES = (1024, 4096, 16384)  # batch sizes of vectorised environments; the best result counts
STEPS = 16  # in one compiled call


def pettingzoo(name: str) -> Iterator[int]:
    """An AEC environment: last(), a random action from the mask, step()."""
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{name}").env()
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        made = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation.get("action_mask") if isinstance(observation, dict) else None
            if mask is None:
                mask = info["action_mask"]
            env.step(env.action_space(agent).sample(mask))
            made += 1
        yield made


def rlcard(name: str) -> Iterator[int]:
    """step() with a random choice of the state's legal actions; the state holds the observation."""
    import rlcard

    env = rlcard.make(name, config={"seed": 1})
    while True:
        state, _ = env.reset()
        made = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            assert state["obs"] is not None
            made += 1
        yield made


def open_spiel(name: str) -> Iterator[int]:
    """The Python loop: observation or information state tensor, mask, apply_action."""
    import pyspiel

    game = pyspiel.load_game(name)
    observed = game.get_type().provides_observation_tensor
    while True:
        state = game.new_initial_state()
        made = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, shares)[0])
                continue
            state.observation_tensor() if observed else state.information_state_tensor()
            state.legal_actions_mask()
            state.apply_action(random.choice(state.legal_actions()))
            made += 1
        yield made


def pgx(name: str, batch: int) -> Iterator[int]:
    """A compiled, vectorised loop with auto reset: random legal actions; every step's observation and mask are used."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def one(carry: Any, _: Any) -> Any:
        state, key, seen = carry
        key, choose, renew = jax.random.split(key, 3)
        scores = jnp.where(state.legal_action_mask, jax.random.gumbel(choose, state.legal_action_mask.shape), -jnp.inf)
        state = jax.vmap(step)(state, scores.argmax(axis=-1), jax.random.split(renew, batch))
        return (state, key, seen + _read(jnp, state.observation) + _read(jnp, state.legal_action_mask)), None

    key = jax.random.PRNGKey(0)
    first = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    yield from _scanned(jax, jnp, one, (first, key, jnp.float32(0)), batch)


def jaxmarl(name: str, batch: int) -> Iterator[int]:
    """The loop for JaxMARL: one agent acts a step, the others' actions are ignored."""
    import jax
    import jax.numpy as jnp
    from jaxmarl import make

    env = make(name)

    def one(carry: Any, _: Any) -> Any:
        obs, state, key, seen = carry
        key, choose, step = jax.random.split(key, 3)
        masks = jax.vmap(env.get_legal_moves)(state)
        actions = {}
        for i, agent in enumerate(env.agents):
            noise = jax.random.gumbel(jax.random.fold_in(choose, i), masks[agent].shape)
            actions[agent] = jnp.where(masks[agent] > 0, noise, -jnp.inf).argmax(axis=-1)
        obs, state, _, _, _ = jax.vmap(env.step)(jax.random.split(step, batch), state, actions)
        seen += sum(_read(jnp, obs[agent]) + _read(jnp, masks[agent]) for agent in env.agents)
        return (obs, state, key, seen), None

    key = jax.random.PRNGKey(0)
    obs, state = jax.jit(jax.vmap(env.reset))(jax.random.split(key, batch))
    yield from _scanned(jax, jnp, one, (obs, state, key, jnp.float32(0)), batch)


def _read(jnp: Any, array: Any) -> Any:
    """Use every cell, so that nothing is optimised away."""
    return jnp.sum(array.astype(jnp.float32))


def _scanned(jax: Any, jnp: Any, one: Callable[..., Any], carry: Any, batch: int) -> Iterator[int]:
    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=STEPS)[0])
    while True:
        carry = jax.block_until_ready(run(carry))
        yield batch * STEPS


def measure(loop: Iterator[int], seconds: float, cores: int) -> tuple[float, float]:
    """Decisions per second and the cores used meanwhile: the best of five parts, after a warm-up.

    On one core, seconds are of processor time, so other load does not count. On several cores they are wall-clock
    seconds.
    """
    clock = time.process_time if cores == 1 else time.perf_counter
    next(loop)
    best = (0.0, 0.0)
    for _ in range(5):
        made, begin, used, passed = 0, clock(), time.process_time(), time.perf_counter()
        while not made or clock() - begin < seconds / 5:
            made += next(loop)
        had = (time.process_time() - used) / (time.perf_counter() - passed)
        best = max(best, (made / (clock() - begin), had))
    return best


ONE_BY_ONE: dict[str, Callable[[str], Iterator[int]]] = {
    "pettingzoo": pettingzoo, "rlcard": rlcard, "open_spiel": open_spiel,
}  # fmt: skip
SIDE_BY_SIDE: dict[str, Callable[[str, int], Iterator[int]]] = {"pgx": pgx, "jaxmarl": jaxmarl}
PACKAGES = {"pettingzoo": ("pettingzoo", "rlcard"), "pgx": ("pgx", "jax"), "jaxmarl": ("jaxmarl", "jax")}


def main(name: str, seconds: float, cores: int, batches: Sequence[int] = BATCHES) -> None:
    library, _, game = name.partition(":")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    if library in ONE_BY_ONE:
        speeds = {1: measure(ONE_BY_ONE[library](game), seconds, cores)}
    else:
        speeds = {batch: measure(SIDE_BY_SIDE[library](game, batch), seconds, cores) for batch in batches}
    best = max(speeds, key=lambda batch: speeds[batch])
    speed, had = speeds[best]
    versions = {package: version(package) for package in PACKAGES.get(library, (library,))}
    print(json.dumps({"decisions_per_second": speed, "cores": had, "batch": best, "versions": versions}))


if __name__ == "__main__":
    sizes = tuple(int(size) for size in sys.argv[4].split(",")) if len(sys.argv) > 4 else BATCHES
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sizes)
