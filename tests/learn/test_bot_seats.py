"""Bots beside a policy that learns decide as they do at any table, and scores stand as the rules count them."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from tacit import Match, game_named
from tacit.bots.heard_events import HeardEvents
from tacit.core.bits import mark
from tacit.learn.bot_seats import EVENTS, BotSeats, Scores
from tacit.learn.command import _changed
from tacit.learn.config import Config
from tacit.learn.self_play import Table
from tacit.learn.trainer import Trainer
from tacit.research.batch import Batch
from tests.learn import listener

N, STEPS, LISTENER = 3, 70, "tests.learn.listener"
TINY: dict[str, Any] = {
    "matches": 32, "steps": 8, "width": 32, "critic_width": 32, "blocks": 1, "minibatch": 128, "epochs": 1
}  # fmt: skip


def test_a_bot_hears_what_it_hears_at_a_table() -> None:
    game = game_named("silencio")
    batch = Batch(game, N, 3, seed=5, history=EVENTS)
    matches = [Match(game, 3, seed=int(seed)) for seed in batch.seeds]
    heard = [HeardEvents(match) for match in matches]
    bots, scores = BotSeats(batch, LISTENER, None), Scores(batch, None)
    for _ in range(STEPS):
        if any(match.over for match in matches):
            break
        chosen = np.array(bots.decide(np.full(N, -1)))
        for i, match in enumerate(matches):
            seat = int(batch.seat[i])
            events = heard[i].events(seat)
            mask = [0] * game.words
            for action in game.legal(match.know(seat), seat):
                mark(mask, action)
            assert chosen[i] == listener.choose(match.know(seat), seat, events, len(events), mask, [])
            match.play(seat, game.rules.show(match.know(seat), seat, int(chosen[i])))
        batch.step(chosen)
        if not batch.done.any():
            found = [0] * 3
            game.rules.score(matches[0].state, found)
            assert scores.now()[0].tolist() == found


def table(bot: str = "random", **changes: Any) -> Table:
    config = Config(game="zombie-city", seats=(3,), **changes).check(game_named("zombie-city"))
    return Table(game_named("zombie-city"), 3, 64, config, seed=3, bot=bot)


def test_a_bot_decides_on_its_seats_alone() -> None:
    sits = table()
    counts = sits.learner.sum(1)
    assert set(counts.tolist()) == {1, 2}
    wanted = sits.views["mask"].byte().argmax(1)
    mine = sits.mine()
    chosen = sits.players["random"](torch.where(mine, wanted, -1)).clone()
    assert torch.equal(chosen[mine], wanted[mine])
    assert (chosen >= 0).all()
    assert not torch.equal(chosen, wanted)


def test_the_policy_has_at_most_so_many_seats_beside_a_bot() -> None:
    for most, expected in ((1, {1}), (2, {1, 2}), (0, {1, 2})):
        found = table(own_seats=most).learner.sum(1)
        assert set(found.tolist()) == expected


def test_points_as_they_are_scored_are_the_points_at_the_end() -> None:
    sits = table(bot="", dense=True, points=1.0, win=0.0)
    total = torch.zeros((64, 3))
    ended = 0
    for _ in range(400):
        sits.step(torch.from_dlpack(sits.batch.random()).clone())
        total += sits.returned()
        for i in sits.views["done"].nonzero().flatten().tolist():
            first = Match("zombie-city", 3, seed=int(sits.batch.seeds[i]) - 64)
            begun = [0] * 3
            first.game.rules.score(first.state, begun)
            assert (total[i] - sits.views["reward"][i] + torch.tensor(begun)).abs().max() < 1e-4
            total[i] = 0
            ended += 1
    assert ended > 20


def test_points_against_the_rivals_are_scored_as_points_are() -> None:
    alike, ahead = (table(bot="", dense=True, points=1.0, win=0.0, rivals=rivals) for rivals in (0.0, 1.0))
    torch.manual_seed(1)
    scored = 0
    for _ in range(200):
        decisions, found = torch.multinomial(alike.views["mask"].float(), 1).squeeze(1), []
        for sits in (alike, ahead):
            sits.step(decisions.clone())
            found.append(sits.returned())
        assert torch.allclose(found[1], 1.5 * (found[0] - found[0].mean(1, keepdim=True)), atol=1e-5)
        scored += int((found[0] != 0).sum())
    assert scored > 100


def test_a_teacher_is_imitated() -> None:
    run = Trainer(
        Config(game="silencio", seats=(2,), updates=30, teacher=LISTENER, teacher_updates=30, history=0, embedding=0,
               rate=3e-3, **TINY)
    )  # fmt: skip
    run.run(1)
    assert run.decisions == 30 * 32 * 8


def test_a_teacher_corrects_what_the_policy_plays() -> None:
    """Its decisions are written down everywhere, and played in some matches only."""
    config = Config(game="silencio", seats=(2,), teacher="random", teacher_updates=1, teacher_share=0.5, **TINY)
    play = Trainer(config).play
    play.look(0)
    play.actions[0] = play.masks[0].int().argmax(1)  # the policy's own: the lowest legal decision
    own = play.actions[0].clone()
    played = play.teach(0)
    assert (play.actions[0] != own).any()
    assert (played[play.taught] == play.actions[0][play.taught]).all()
    assert (played[~play.taught] == own[~play.taught]).all()
    assert 0 < play.taught.sum() < len(own)


def test_a_run_beside_bots() -> None:
    run = Trainer(Config(game="silencio", seats=(3,), updates=2, bots=("random",), bot_share=0.5, **TINY))
    run.run(1)
    assert 0.5 < run.play.mine.float().mean() < 1
    assert run.play.mine[:, :16].all()  # the tables without a bot
    alone, beside = run.evaluate(16)[3], run.evaluate(16, beside="random")[3]
    assert alone != beside


@pytest.mark.parametrize("name", ["zombie-city", "silencio"])
def test_the_policy_is_asked_only_where_it_decides(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked everywhere, as on a GPU, it learns the same: what bots decide between its decisions is to it as chance."""
    run = Trainer(Config(game=name, seats=(3,), bots=("random",), bot_share=1.0, **TINY))
    with torch.no_grad():
        for parameter in run.critic.parameters():
            parameter.normal_(std=0.1)
        run._collect()
        mine = run.play.mine[:-1]
        asked = [len(run._rows(t)) for t in range(TINY["steps"])]
        assert asked == mine.sum(1).tolist()
        found = [part[mine] for part in run._judge()]
        monkeypatch.setattr(run, "_rows", lambda t: slice(None))
        for part, other in zip(found, run._judge(), strict=True):
            assert part.std() > 0
            assert torch.allclose(part, other[mine], atol=1e-5)


def test_half_as_many_bits_on_a_cpu() -> None:
    """The same run in bfloat16 differs by rounding alone."""
    runs = [Trainer(Config(game="silencio", seats=(2,), updates=2, bfloat16=short, **TINY)) for short in (False, True)]
    for run in runs:
        run.run(1)
    long, short = (torch.cat([value.flatten() for value in run.average.values()]) for run in runs)
    assert short.isfinite().all()
    assert 0 < (long - short).abs().max() < 0.1


def test_bots_sit_only_where_so_many_sit() -> None:
    """The other matches are self-play, and none is lost."""
    given: dict[str, Any] = {"seats": (2, 3, 4), "matches": 30, "bots": ("random", "steady"), "bot_share": 0.5}
    config = Config(game="silencio", bot_seats=(3,), **given).check(game_named("silencio"))
    assert config.tables() == [(2, 10, ""), (3, 6, ""), (3, 2, "random"), (3, 2, "steady"), (4, 10, "")]
    everywhere = Config(game="silencio", **given).check(game_named("silencio")).tables()
    assert [bot for seats, _, bot in everywhere if seats == 2] == ["", "random", "steady"]
    changed = _changed(Config(game="silencio", **given), ("bot_seats=2,4", "shares=2,1,1"))
    assert (changed.bot_seats, changed.shares) == ((2, 4), (2, 1, 1))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bots": ("random",)}, "goes with bots"),
        ({"bot_seats": (3,)}, "bot_seats goes with bots"),
        ({"bot_seats": (7,), "bots": ("random",), "bot_share": 0.5}, "among the numbers of seats"),
        ({"bot_share": 2.0, "bots": ("random",)}, "from 0 to 1"),
        ({"teacher": "random"}, "teacher_updates"),
        ({"teacher_share": 2.0}, "share of the matches"),
    ],
)
def test_impossible_company_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        msgspec.structs.replace(Config(game="silencio"), **changes).check(game_named("silencio"))
