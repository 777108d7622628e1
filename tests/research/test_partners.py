"""Partners in a batch: they decide as they would at a table, and are drawn anew for each match."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.bots import bot_named
from tacit.bots.network.network_file import header_for, save_network
from tacit.core import events
from tacit.core.bits import mark
from tacit.core.chance import RNG_WORDS, Seeded, below, seed
from tacit.core.errors import TacitError
from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.core.rulekit import build
from tacit.research import Batch
from tacit.research import partners as partners_module
from tacit.research.episode import Episode
from tacit.research.vector import TacitVectorEnv
from tests.bots.test_network import network_for

ARRAYS = ("observation", "mask", "reward", "done", "seat", "seeds", "partner")
NAMES = ("random", "tests.research.last_card")


class Table:
    """Match i of a batch with partners, interpreted: an Episode whose partners are asked here."""

    def __init__(self, batch: Batch, i: int) -> None:
        self.game, number = batch.game, int(batch.seeds[i])
        self.episode = Episode(self.game, batch.seats, batch.options)
        self.chance = Seeded(number)
        self.rng = [0] * RNG_WORDS
        seed(self.rng, number & 0xFFFFFFFF, number >> 32 | partners_module.STREAM)
        self.learner = below(self.rng, batch.seats) if batch.learner is None else batch.learner
        self.bots = [
            None if q == self.learner else bot_named(self.game, batch.partners[below(self.rng, len(batch.partners))])
            for q in range(batch.seats)
        ]
        self.events, self.told = np.zeros((batch.seats, 64), np.int64), [0] * batch.seats
        self.note = build(self.game.module, "py", drivers=[events]).note_events
        self.settle()

    def play(self, who: int, action: int) -> None:
        self.note(self.episode.state, who, action, self.events, self.told)
        self.episode.play(action)

    def settle(self) -> None:
        """Chance and the partners act until the learner is due, or the match is over."""
        while self.episode.now not in (-1, self.learner):
            who = self.episode.now
            if who == CHANCE:
                weights = self.game.chance(self.episode.state)
                self.play(CHANCE, self.chance.draw(weights, self.game.rules.pool(self.episode.state)))
                continue
            mask = [0] * self.game.words
            for action in self.episode.legal(who):
                mark(mask, action)
            bot: Any = self.bots[who]
            k = self.game.know(self.episode.state, who)
            self.play(who, bot.module.choose(k, who, self.events[who], self.told[who], mask, self.rng))


def network(path: Path) -> str:
    """The file of a small network of random weights."""
    game = game_named("toy")
    head = header_for(game, history=3, embedding=3, width=32, blocks=1)
    save_network(path, game, head, network_for(head, game=game))
    return str(path)


PARTNERS = [(1, NAMES[1]), (None, NAMES[1]), pytest.param(None, "network.npz", marks=pytest.mark.long)]


@pytest.mark.parametrize(("learner", "second"), PARTNERS)
def test_partners_decide_as_they_would_at_a_table(learner: int | None, second: str, tmp_path: Path) -> None:
    names = ["random", network(tmp_path / second) if second.endswith(".npz") else second]
    batch = Batch("toy", 130, 3, partners=names, learner=learner, seed=5, threads=2)
    tables = {i: Table(batch, i) for i in (0, 64, 129)}
    seen: set[int] = set()
    for _ in range(12):
        actions = batch.random().copy()
        batch.step(actions)
        for i, table in list(tables.items()):
            table.play(table.learner, int(actions[i]))
            table.settle()
            assert bool(batch.done[i]) == (table.episode.now == -1)
            assert batch.reward[i].tolist() == (table.episode.scores() if batch.done[i] else [0, 0, 0])
            if batch.done[i]:
                tables[i] = table = Table(batch, i)
            bots = [None if bot is None else bot.name for bot in table.bots]
            assert [None if p < 0 else bot_named(batch.game, names[p]).name for p in batch.partner[i]] == bots
            assert batch.seat[i] == table.learner
            assert batch.observation[i].tolist() == table.episode.observe(table.learner).tolist()
            assert np.flatnonzero(batch.mask[i]).tolist() == table.episode.legal(table.learner)
        seen |= set(batch.partner.ravel().tolist())
    assert seen == {-1, 0, 1}


def same(one: Batch, two: Batch) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ARRAYS)


def test_a_batch_with_partners_can_be_copied_saved_and_threaded(tmp_path: Path) -> None:
    batch = Batch("toy", 130, 3, partners=NAMES, learner=None, seed=5, threads=1, history=3)
    batch.step(batch.random())
    batch.save(tmp_path / "batch.npz")
    others = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    others.append(Batch.load(tmp_path / "batch.npz", threads=2))
    for _ in range(4):
        for one in [batch, *others]:
            one.step(one.random())
    assert all(same(batch, other) for other in others)


def test_a_vector_environment_asks_the_learner_alone() -> None:
    env = TacitVectorEnv("toy", 64, 2, partners=["random"], learner=1)
    _, infos = env.reset(seed=1)
    for _ in range(3):
        assert (infos["seat"] == 1).all()
        assert "partner" not in infos
        _, rewards, done, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert (rewards == env.batch.reward[:, 1]).all()
    actions = np.full(64, 8 if not infos["action_mask"][0, 8] else 0)  # illegal at least in match 0
    _, rewards, done, _, infos = env.step(actions)
    assert infos["illegal"][0]
    assert done[0]
    assert rewards[0] == -100
    env.close()


def test_what_cannot_be_is_refused_with_a_sentence() -> None:
    game = game_named("toy")
    with pytest.raises(ValueError, match="a list of the names of bots"):
        Batch(game, 4, 2, partners="random")
    with pytest.raises(ValueError, match=r"'examples.toy.tacit_toy_bots:Low' is not compiled"):
        Batch(game, 4, 2, partners=["examples.toy.tacit_toy_bots:Low"])
    with pytest.raises(TacitError, match="nobody-knows-it"):
        Batch(game, 4, 2, partners=["nobody-knows-it"])
    with pytest.raises(ValueError, match="There are seats 0 to 1, not 2"):
        Batch(game, 4, 2, partners=["random"], learner=2)
    with pytest.raises(ValueError, match="imagines nothing"):
        Batch(game, 4, 2, partners=["random"]).imagine()
    with pytest.raises(RuntimeError, match=r"the partner 'tests.research.last_card' decided 999, which is not legal"):
        Batch(game, 64, 2, {"low": True}, partners=[NAMES[1]], learner=1)
