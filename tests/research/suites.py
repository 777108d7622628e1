"""Other projects' suites and learners over our environments; `python -m tests.research.suites` writes docs/suites.md.

A suite is a function of a game's name that returns what was done, and raises where something is wrong. The packages of
all are in the extras `suites` and `dev`; RLlib's pin of an older Gymnasium is left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from tacit import GAMES, game_named
from tacit.research import aec
from tacit.research.parallel import parallel_env
from tacit.research.seat_env import SeatEnv
from tacit.research.vector import TacitVectorEnv

PAGE = Path(__file__).parent.parent.parent / "docs" / "suites.md"
HEAD = """# Suites

*Written by `python -m tests.research.suites`, which runs them; `make test-long` does so too.* What other projects' own
checks and learners say of our environments. All of them are in the extra `suites`; of RLlib it has what `ray[rllib]`
brings, but for its pin of an older Gymnasium. Golden playthroughs of OpenSpiel are compared in every `make test`.
Last written on {day}.

| project | what is run | version |{games}
|---|---|---|{lines}
"""


def gymnasium_suite(name: str) -> str:
    """`check_env`, and vector environments; its vector wrappers of observations refuse every same-step environment."""
    from gymnasium.utils.env_checker import check_env
    from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

    seat = SeatEnv(name, game_named(name).min_seats, bots="random", render_mode="ansi")
    check_env(seat)
    seat.close()
    env = TacitVectorEnv(name, 4, game_named(name).min_seats)
    try:
        FlattenObservation(env)
    except ValueError as refusal:
        assert "autoreset_mode" in str(refusal)
    watched = RecordEpisodeStatistics(env)
    watched.reset(seed=1)
    for _ in range(50):
        watched.step(env.batch.random())
    return "passes"


def pettingzoo_suite(name: str) -> str:
    """`api_test`, `seed_test`, `parallel_api_test`, `parallel_seed_test`."""
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

    seats = game_named(name).min_seats
    api_test(aec.env(name, seats, mask_in_observation=False), num_cycles=50)
    seed_test(lambda: aec.env(name, seats, mask_in_observation=False), num_cycles=50)
    parallel_api_test(parallel_env(name, seats), num_cycles=50)
    parallel_seed_test(lambda: parallel_env(name, seats), num_cycles=50)
    return "passes"


def supersuit_suite(name: str) -> str:
    """`api_test` through `dtype_v0` and `clip_reward_v0`; `concat_vec_envs_v1` in two processes."""
    import supersuit
    from pettingzoo.test import api_test

    env = aec.env(name, game_named(name).min_seats, mask_in_observation=False)
    api_test(supersuit.clip_reward_v0(supersuit.dtype_v0(env, "float32")), num_cycles=50)
    single = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(name, game_named(name).min_seats))
    both = supersuit.concat_vec_envs_v1(single, 2, num_cpus=2, base_class="gymnasium")
    seen, _ = both.reset(seed=1)
    for _ in range(30):
        seen, *_ = both.step(np.array([mask.argmax() for mask in seen["action_mask"]]))
    both.close()
    return "passes"


def openspiel_suite(name: str) -> str:
    """`random_sim_test`: whole matches, with everything that OpenSpiel asks of a state; CFR+ on mini games."""
    import pyspiel
    from open_spiel.python.algorithms import cfr

    from tacit.research import spiel
    from tacit.research.minis import mini, minis

    pyspiel.random_sim_test(spiel.load(name, game_named(name).min_seats), num_sims=1, serialize=False, verbose=False)
    solved = [chosen for chosen in minis().values() if chosen.game == name]
    for chosen in solved:
        small = mini(chosen.name)
        solver = cfr.CFRPlusSolver(spiel.load(small, chosen.seats, duel=not small.cooperative, **chosen.options))
        solver.evaluate_and_update_policy()
    return f"passes, CFR+ on {len(solved)}"


def sb3_suite(name: str) -> str:
    """`MaskablePPO` of SB3-contrib learns 256 steps."""
    from sb3_contrib import MaskablePPO

    env = SeatEnv(name, game_named(name).min_seats, bots="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, device="cpu", seed=0)
    model.learn(256)
    env.close()
    assert model.num_timesteps == 256
    return "learns"


def rllib_suite(name: str) -> str:
    """Both PettingZoo wrappers, with dictionaries of int8: every observation lies in its space."""
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv

    for kind, made in ((PettingZooEnv, aec.env), (ParallelPettingZooEnv, parallel_env)):
        plain: Any = made(name, game_named(name).min_seats)
        env = kind(plain)
        seen, _ = env.reset(seed=1)
        rng, over = np.random.default_rng(1), False
        while not over:
            for agent, observation in seen.items():
                assert plain.observation_space(agent).contains(observation)
            chosen = {agent: int(rng.choice(np.flatnonzero(one["action_mask"]))) for agent, one in seen.items()}
            seen, _, ended, _, _ = env.step(chosen)
            over = ended["__all__"]
    return "plays whole matches"


def torchrl_suite(name: str) -> str:
    """`PettingZooWrapper` over the parallel environment: a rollout whose random decisions keep to the masks."""
    from torchrl.envs import PettingZooWrapper

    env = PettingZooWrapper(parallel_env(name, game_named(name).min_seats), use_mask=True)
    assert len(env.rollout(10)) == 10  # an illegal decision would have ended the match
    return "rolls out"


SUITES: dict[str, tuple[str, Callable[[str], str]]] = {
    "Gymnasium": ("gymnasium", gymnasium_suite),
    "PettingZoo": ("pettingzoo", pettingzoo_suite),
    "SuperSuit": ("supersuit", supersuit_suite),
    "OpenSpiel": ("open_spiel", openspiel_suite),
    "SB3-contrib": ("sb3_contrib", sb3_suite),
    "RLlib": ("dm_tree", rllib_suite),  # which Ray alone, without `ray[rllib]`, does not bring
    "TorchRL": ("torchrl", torchrl_suite),
}


def installed(project: str) -> str | None:
    """The version of a project's package; None if it is not installed."""
    package = SUITES[project][0]
    try:
        found = version(package)
        return version("ray") if project == "RLlib" else found
    except PackageNotFoundError:
        return None


def run(project: str, name: str) -> str:
    """What came of a suite in a game; other projects' warnings are not ours to mend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SUITES[project][1](name)


def result(project: str, name: str) -> str:
    if installed(project) is None:
        return "not run"
    try:
        return run(project, name)
    except Exception as error:
        return f"fails: {type(error).__name__}"


def page() -> str:
    """docs/suites.md, by running everything."""
    lines = []
    for project, (_, suite) in SUITES.items():
        results = " | ".join(result(project, name) for name in GAMES)
        about = " ".join((suite.__doc__ or "").split())
        lines.append(f"| {project} | {about} | {installed(project) or '–'} | {results} |")
    games = "".join(f" {game_named(name).title} |" for name in GAMES)
    table = HEAD.format(day=date.today().isoformat(), games=games, lines="---|" * len(GAMES))
    return table + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
