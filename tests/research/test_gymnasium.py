"""The Gymnasium environments: one seat against bots, and the vector environment."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from tacit import Match, game_named, game_names
from tacit.bots import usual_bot
from tacit.core.registration import register
from tacit.games.zombie_city.model import ANSWER
from tacit.research import Batch, seat_env, seat_play
from tacit.research.observations import tensor
from tacit.research.seat_env import SeatEnv
from tacit.research.vector import TacitVectorEnv
from tests.research.following import LONG, Followed, seatings


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_gymnasiums_own_checks_pass_without_a_warning(name: str, seats: int) -> None:
    """With the usual bots where they think quickly; pytest makes an error of each warning."""
    made = gymnasium.make(register(game_named(name)), seats=seats, seat=seats - 1, bots="random", render_mode="ansi")
    check_env(made.unwrapped)
    made.close()


def random_legal(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("name", game_names())
def test_a_seat_is_told_what_it_knows_and_at_last_its_score(name: str) -> None:
    game = game_named(name)
    env = SeatEnv(game, game.min_seats, seat=1, bots="random")
    rng = np.random.default_rng(3)
    for episode in range(3 if LONG else 1):
        observation, info = env.reset(seed=episode)
        match, over = env.match, False
        assert match is not None
        while not over:
            assert min(match.due) == 1
            assert observation.tolist() == tensor(game, match.know(1), 1).tolist()
            assert np.flatnonzero(info["action_mask"]).tolist() == game.legal(match.know(1), 1)
            assert env.action_masks().tolist() == (info["action_mask"] == 1).tolist()
            observation, reward, over, truncated, info = env.step(random_legal(info["action_mask"], rng))
            assert not truncated
            assert reward == 0 or over
        scores = [0] * game.max_seats
        game.rules.score(match.state, scores)
        assert reward == scores[1]
        with pytest.raises(RuntimeError, match="reset the environment"):
            env.step(0)


def test_the_usual_bots_sit_on_the_other_seats() -> None:
    env = SeatEnv("silencio", 3)
    assert [bot.name for bot in env.bots.values()] == [usual_bot(game_named("silencio"))] * 2 == ["steady"] * 2
    first, _ = env.reset(seed=1)
    again, _ = env.reset(seed=1)
    other, _ = env.reset(seed=2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    mixed = SeatEnv("silencio", 3, seat=1, bots=["random", "steady"])
    assert {seat: bot.name for seat, bot in mixed.bots.items()} == {0: "random", 2: "steady"}


def test_an_illegal_decision_ends_the_episode_with_the_penalty() -> None:
    env = SeatEnv("toy", 2, penalty=-9, bots="random")
    _, info = env.reset(seed=4)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, truncated, info = env.step(wrong)
    assert (reward, over, truncated) == (-9.0, True, False)
    assert info["illegal"].startswith(f"{wrong} is not among ")
    with pytest.raises(RuntimeError, match="reset the environment"):
        env.step(0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"seat": 2}, "There are seats 0 to 1"),
        ({"bots": ["random", "random"]}, "There are 1 other seats, and 2 bots are named"),
        ({"bots": "nobody"}, "nobody"),
        ({"render_mode": "human"}, "There is no render mode 'human'"),
        ({"seats": 7}, "7"),
    ],
)
def test_an_environment_that_cannot_be_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        SeatEnv("toy", **{"seats": 2, **arguments})


# ------------------------------------------------------------------ the vector environment
@pytest.mark.parametrize("name", game_names())
def test_the_vector_environment_gives_the_matches_of_match(name: str) -> None:
    game = game_named(name)
    env = TacitVectorEnv(game, 65, game.max_seats)
    observations, infos = env.reset(seed=5)
    followed = Followed(env.batch, [0, 64])
    followed.compare()
    assert observations is env.batch.observation
    for _ in range(40):
        before = env.batch.copy()
        actions = before.random().copy()
        observations, rewards, terminations, truncations, infos = env.step(actions)
        for i in (0, 64):
            match, seat = followed.matches[i], int(before.seat[i])
            match.play(seat, game.rules.show(match.state, seat, int(actions[i])))
            assert bool(terminations[i]) == match.over
            if match.over:
                assert rewards[i] == infos["rewards"][i, seat]
                followed.matches[i] = followed.fresh(i)
        followed.compare()
        assert not truncations.any()
        assert not infos["illegal"].any()
        assert np.array_equal(infos["action_mask"], env.batch.legal())
        assert np.array_equal(infos["seat"], env.batch.seat)


def test_the_vector_environment_is_seeded_and_in_place() -> None:
    env = gymnasium.make_vec(register(game_named("toy")), num_envs=32, vectorization_mode="vector_entry_point", seats=2)
    assert isinstance(env, TacitVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    first, _ = env.reset(seed=1)
    assert first in env.observation_space
    kept = first.copy()
    actions = env.batch.random().copy()
    assert actions in env.action_space
    second = env.step(actions)[0]
    assert second is first
    assert not np.array_equal(kept, first)
    assert np.array_equal(env.reset(seed=1)[0], kept)
    assert not np.array_equal(env.reset()[0], kept)


def test_the_vector_environment_tells_what_was_heard() -> None:
    env = TacitVectorEnv("silencio", 64, 3, history=4)
    _, infos = env.reset(seed=1)
    assert infos["history"].shape == (64, 4)
    for _ in range(3):
        infos = env.step(env.batch.random())[4]
    assert infos["history"] is env.batch.history
    assert infos["history"][:, :3].all()
    assert "history" not in TacitVectorEnv("toy", 2, 2).reset()[1]


def test_an_illegal_decision_ends_its_match_in_the_vector_environment() -> None:
    env = TacitVectorEnv("toy", 8, 3, penalty=-4)
    env.reset(seed=1)
    actions = env.batch.random().copy()
    actions[3] = next(a for a in range(9) if not env.batch.mask[3, a])
    _, rewards, terminations, _, infos = env.step(actions)
    assert rewards.tolist() == [0, 0, 0, -4, 0, 0, 0, 0]
    assert np.flatnonzero(terminations).tolist() == np.flatnonzero(infos["illegal"]).tolist() == [3]


def next_seats(batch: Batch, sealed: Any) -> dict[int, tuple[Any, Any, Any]]:
    """Played on at random: of each match whose next seat is asked in the same sealed moment, what it is told."""
    first = [(int(batch.seat[i]), sealed(batch.state(i))) for i in range(batch.n)]
    waiting = {i for i, (_, moment) in enumerate(first) if moment}
    found = {}
    for _ in range(30):
        batch.step(batch.random())
        for i in sorted(waiting):
            state = batch.state(i)
            if sealed(state) != first[i][1] or batch.done[i]:
                waiting.remove(i)
            elif batch.seat[i] != first[i][0]:
                waiting.remove(i)
                found[i] = (batch.observation[i].copy(), batch.mask[i].copy(), state)
    return found


@pytest.mark.parametrize("name", game_names())
def test_a_later_seat_does_not_see_a_sealed_choice(name: str) -> None:
    """While several seats are due, a later seat observes the same for every secret decision of an earlier one."""
    game = game_named(name)
    if name == "silencio":
        return  # nothing is sealed there; its one moment for all is open
    # Zombie City's one sealed moment is when all answer whether they redraw: it has no rule that says so.
    sealed = (lambda s: int(s.phase == ANSWER)) if name == "zombie-city" else game.module.sealed
    batch = Batch(game, 40, game.min_seats, seed=8)
    differed = 0
    for _ in range(8):
        one, two = batch.copy(), batch.copy()
        two.random()  # other dice from here on
        told, other = next_seats(one, sealed), next_seats(two, sealed)
        for i in told.keys() & other.keys():
            assert np.array_equal(told[i][0], other[i][0])
            assert np.array_equal(told[i][1], other[i][1])
            differed += told[i][2] != other[i][2]
        batch.step(batch.random())
    assert differed > 0


def test_the_same_seed_makes_the_same_match_as_match() -> None:
    env = SeatEnv("silencio", 2, bots="random")
    env.reset(seed=6)
    assert env.match is not None
    seed = int(np.random.Generator(np.random.PCG64(np.random.SeedSequence(6))).integers((1 << 62) - 1))
    other = Match("silencio", 2, seed=seed)
    assert other.lines == env.match.lines[: len(other.lines)]


def test_importing_tacit_is_enough_in_either_order() -> None:
    for first, second in (("tacit", "gymnasium"), ("gymnasium", "tacit")):
        code = f"import {first}, {second}; print(gymnasium.spec('tacit/silencio-v2').id)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.stdout == "tacit/silencio-v2\n", done.stderr
    alone = subprocess.run([sys.executable, "-c", "import tacit, sys; print('gymnasium' in sys.modules)"],
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert alone.stdout == "False\n"


def test_what_learners_try() -> None:
    """Stable-Baselines3 asks for pictures and expects a TypeError; a fraction is no decision; options count."""
    with pytest.raises(TypeError, match="There is no render mode 'rgb_array'"):
        SeatEnv("toy", 2, bots="random", render_mode="rgb_array")
    env = SeatEnv("toy", np.int64(2), bots="random")  # type: ignore[arg-type]
    env.reset(seed=1, options={"match_seed": 5})
    assert env.match is not None
    assert env.match.state == Match("toy", 2, seed=5).state
    for wrong in (0.7, "1", None, np.array([1, 2])):
        with pytest.raises(ValueError, match="A decision is a whole number"):
            env.step(wrong)
    for reset in (env.reset, TacitVectorEnv("toy", 4, 2).reset):
        with pytest.raises(ValueError, match="`reset` has no option 'deal'"):
            reset(options={"deal": 1})
        with pytest.raises(ValueError, match="match_seed is a whole number"):
            reset(options={"match_seed": -1})
    env.close()


def test_compiled_matches_are_the_interpreted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision by decision, also where the environment is copied, its match is looked at, or a bot errs on the way."""

    def observed(interpreted: int, disturb: Callable[[SeatEnv, int], SeatEnv] = lambda env, step: env) -> list[Any]:
        monkeypatch.setattr(seat_env, "INTERPRETED", interpreted)
        env = SeatEnv("toy", 3, bots="random", seat=1)
        found: list[Any] = []
        for number in range(6):
            observation, info = env.reset(seed=number)
            over, step = False, 0
            while not over:
                found.append((observation.tolist(), info["action_mask"].tolist(), env.action_masks().tolist()))
                env = disturb(env, step)
                step += 1
                observation, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            assert env.match is not None
            found.append((reward, info["action_mask"].tolist(), observation.tolist(), str(env.match)))
            assert (env._quick is not None) == (interpreted == 0)
            with pytest.raises(RuntimeError, match="The match is over"):
                env.step(0)
        env.close()
        return found

    def look(env: SeatEnv, step: int) -> SeatEnv:
        assert env.match is not None
        assert not env.match.over
        return env

    expected = observed(1 << 60)
    assert observed(0) == expected
    assert observed(0, look) == expected


@pytest.mark.parametrize("why", ["copied", "stuck", "illegal"])
def test_a_compiled_match_goes_on_interpreted(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if why == "stuck":
        monkeypatch.setattr(seat_play, "MAX_STEPS", 12)

    def played(interpreted: int) -> list[Any]:
        monkeypatch.setattr(seat_env, "INTERPRETED", interpreted)
        env = SeatEnv("toy", 3, bots="random", seat=1)
        observation, info = env.reset(seed=4)
        assert (env._quick is not None) == (interpreted == 0)
        found: list[Any] = [observation.tolist()]
        over = False
        while not over:
            if why == "copied":
                env = copy.deepcopy(env)
            action = env.game.actions if why == "illegal" and len(found) == 2 else int(info["action_mask"].argmax())
            observation, reward, over, _, info = env.step(action)
            found.append((observation.tolist(), reward, info.get("illegal")))
        assert env._quick is None
        env.close()
        return found

    assert played(0) == played(1 << 60)
