"""Training by self-play: it learns, goes on, is the same run again, and gives a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner
from torch.nn import functional

from tacit import game_named
from tacit.bots.network.network_file import BadNetwork, load_network
from tacit.bots.registry import bot_named
from tacit.cli import main
from tacit.learn.config import Config
from tacit.learn.model import Muon
from tacit.learn.quantize import dequantize
from tacit.learn.self_play import Table, bits, returns, seat_order, secret_fields
from tacit.learn.trainer import SECRET_BITS, Trainer

TINY = {"matches": 32, "steps": 8, "width": 32, "critic_width": 32, "blocks": 1, "minibatch": 128, "epochs": 1}


def trainer(game: str = "silencio", **changes: Any) -> Trainer:
    return Trainer(Config(game=game, **{"seats": (2,), "updates": 3, **TINY, **changes}))


def test_self_play_beats_random_play() -> None:
    """After 25 updates, however long they take. (In the default sizes a minute of two cores makes it far better.)"""
    run = trainer(updates=25, matches=64, steps=16, minibatch=512, entropy=0.001, rate=3e-3, history=0, embedding=0)
    run.run(1)
    assert run.evaluate(128)[2][0] > run.evaluate(128, random=True)[2][0] + 0.5


def test_the_same_configuration_is_the_same_run() -> None:
    runs = [trainer(seats=(2, 3)), trainer(seats=(2, 3)), trainer(seats=(2, 3), seed=1)]
    for run in runs:
        run.run(1)
    weights = [run.average["i.weight"] for run in runs]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
    assert runs[0].decisions == 3 * 32 * 8


def test_competitive_games_are_learned_seat_by_seat() -> None:
    run = trainer("zombie-city", seats=(2, 4), updates=2)
    assert run.values == 6
    run.run(1)
    assert all(torch.isfinite(p).all() for net in run.nets for p in net.parameters())


def test_muon_moves_matrices_as_pytorchs_own_does() -> None:
    grads = [torch.randn(shape, generator=torch.Generator().manual_seed(7)) for shape in ((24, 16), (24, 16), (8, 16))]
    ours, theirs = ([torch.nn.Parameter(torch.zeros_like(grad)) for grad in grads] for _ in range(2))
    optimizers = [Muon(ours, lr=0.1), torch.optim.Muon(theirs, lr=0.1, weight_decay=0.0, momentum=0.95)]
    for step in range(3):
        for params, optimizer in zip((ours, theirs), optimizers, strict=True):
            for p, grad in zip(params, grads, strict=True):
                p.grad = grad * (step + 1)
            optimizer.step()
    for one, other in zip(ours, theirs, strict=True):
        assert torch.allclose(one, other, atol=0.02)
        assert one.abs().max() > 0.05


def test_a_win_is_shared_and_what_all_win_is_nothing() -> None:
    zombie_city, silencio = game_named("zombie-city"), game_named("silencio")
    config = Config(game="zombie-city")
    found = returns(zombie_city, 3, torch.tensor([[5.0, 1.0, 2.0], [4.0, 4.0, 0.0], [1.0, 1.0, 1.0]]), config)
    assert torch.allclose(found.sum(1), torch.zeros(3), atol=1e-6)
    assert torch.allclose(found[1], torch.tensor([1 / 6, 1 / 6, -1 / 3]))
    common = returns(silencio, 2, torch.tensor([[0.0, 0.0], [-4.0, -4.0]]), config)
    assert common.shape == (2, 1)
    assert common[0, 0] == 1
    assert common[1, 0] < 0


def test_points_may_count_against_those_of_the_rivals() -> None:
    zombie_city, scores = game_named("zombie-city"), torch.tensor([[5.0, 1.0, 3.0], [2.0, 2.0, 2.0]])
    alone, half, all_of_them = (
        returns(zombie_city, 3, scores, Config(game="zombie-city", win=0.0, points=1.0, rivals=rivals))
        for rivals in (0.0, 0.5, 1.0)
    )
    assert torch.equal(alone, scores)
    assert torch.allclose(half[0], torch.tensor([5.0 - 1.0, 1.0 - 2.0, 3.0 - 1.5]))
    assert torch.allclose(all_of_them, torch.tensor([[3.0, -3.0, 0.0], [0.0, 0.0, 0.0]]))


def test_values_go_round_the_table_and_back() -> None:
    clockwise, seat, seats = torch.arange(12.0).reshape(2, 6), torch.tensor([1, 2]), torch.tensor([3, 4])
    by_seat = clockwise.gather(1, seat_order(seat, seats, 6))
    assert by_seat.tolist() == [[2, 0, 1, 3, 4, 5], [8, 9, 6, 7, 10, 11]]
    assert torch.equal(by_seat.gather(1, seat_order(seat, seats, 6, back=True)), clockwise)


def test_the_critic_sees_all_hands_from_the_seat_that_decides() -> None:
    run = trainer(seats=(3,), matches=8, steps=2)
    run.play.look(0)
    table, game = run.play.tables[0], run.game
    assert secret_fields(game) == ["hand"]
    for i in range(8):
        hands, seat = table.batch.state(i).hand, int(table.views["seat"][i])
        assert run.play.hidden[0, i].tolist() == [hands[(seat + r) % 3] for r in range(3)] + [0]
    assert bits(torch.tensor([[5, 2]]), 3).tolist() == [[1, 0, 1, 0, 1, 0]]


def test_a_policy_that_tells_hidden_cards_comes_to_tell_them(tmp_path: Path) -> None:
    """Better than one that was told nothing, and the head is no part of what is exported."""
    run = trainer(updates=10, belief=1.0, rate=0.01)
    cells, hidden = run.play.cells[0], run.play.hidden[0]

    def error() -> float:
        run.play.look(0)
        with torch.no_grad():
            read = run.policy.features(run._scaled(cells), run.play.tokens[0])
            told = run.beliefs(read)
        return float(functional.binary_cross_entropy_with_logits(told, bits(hidden, SECRET_BITS).float()))

    before = error()
    run.run(1)
    assert error() < 0.9 * before
    assert set(run.average) == set(run.policy.state_dict())
    run.save(tmp_path / "run.pt")
    assert torch.equal(Trainer.resume(tmp_path / "run.pt").beliefs.weight, run.beliefs.weight)


def test_every_seat_comes_to_claim_the_start() -> None:
    run = trainer(seats=(4,), matches=64, steps=2)
    starters = {run.play.tables[0].batch.state(i).starter for i in range(64)}
    assert starters == {0, 1, 2, 3}


def test_a_policy_trained_before_is_taken_over() -> None:
    old, new = trainer(seed=3), trainer(seed=4)
    weights = {name: value.clone() for name, value in old.average.items()}
    for name in ("o.weight", "o.bias"):  # a policy without a value head
        weights[name] = weights[name][:-1]
    new.start_from(weights)
    assert torch.equal(new.policy.state_dict()["i.weight"], weights["i.weight"])
    with pytest.raises(ValueError, match="has the shape"):
        new.start_from({"i.weight": torch.zeros(3, 3)})
    with pytest.raises(ValueError, match="no parameter 'x'"):
        new.start_from({"x": torch.zeros(3)})


def test_a_critic_of_the_policys_size_begins_as_its_value_head() -> None:
    old, new = trainer(seed=1), trainer(seed=2)
    with torch.no_grad():
        old.policy.o.weight.normal_()
        new.start_from(old.policy.state_dict())
        new.play.look(0)
        seen = new.play.cells[0], new.play.tokens[0]
        _, own = new.judged(*seen, new.play.masks[0], new.play.hidden[0])
        assert torch.allclose(new.expected(*seen, new.play.hidden[0]), own, atol=1e-5)
        assert own.std() > 0.1


def test_with_open_hands_a_policy_begins_as_one_that_sees_its_own_and_is_never_a_bot(tmp_path: Path) -> None:
    old, new = trainer(seed=1), trainer(seed=2, open_hands=True)
    with torch.no_grad():
        old.policy.o.weight.normal_()
        new.start_from(old.policy.state_dict())
        new.play.look(0)
        seen = new.play.cells[0], new.play.tokens[0], new.play.masks[0]
        blind = torch.zeros_like(new.play.hidden[0])
        known = old.judged(*seen, blind)[0]
        assert torch.allclose(new.judged(*seen, new.play.hidden[0])[0], known, atol=1e-5)
        for run in (old, new):
            run.policy.i.weight.normal_()
        assert torch.equal(old.judged(*seen, blind)[0], old.judged(*seen, new.play.hidden[0])[0])
        assert not torch.equal(new.judged(*seen, blind)[0], new.judged(*seen, new.play.hidden[0])[0])
    assert new.evaluate(8).keys() == {2}
    with pytest.raises(ValueError, match="no bot may play by it"):
        new.export(tmp_path / "network.npz")


def test_last_hands_are_those_with_which_each_seat_last_decided() -> None:
    """What a rival drew since cannot be known by what it did; it stays hidden until that seat decides again."""
    table = Table(game_named("zombie-city"), 2, 16, trainer("zombie-city", open_hands=True, last_hands=True).config, 5)
    shown = torch.zeros((16, 6), dtype=torch.int64)
    kept, stale = torch.zeros((16, 6), dtype=torch.int64), 0
    for _ in range(150):
        table.secrets(shown)
        seat = table.views["seat"].long()
        truth = torch.from_dlpack(table.batch.secret("hand")).long()
        kept[table.views["done"].bool()] = 0
        for match in range(16):
            q = int(seat[match])
            kept[match, q] = truth[match, q]
            assert shown[match, :2].tolist() == [int(kept[match, q]), int(kept[match, 1 - q])]
            stale += int(kept[match, 1 - q] not in (0, truth[match, 1 - q]))
        table.step(torch.from_dlpack(table.batch.random()))
    assert stale > 200
    with pytest.raises(ValueError, match="goes with open_hands"):
        trainer("zombie-city", last_hands=True)


@pytest.mark.parametrize("muon_rate", [0.0, 0.01])
def test_while_the_critic_learns_alone_the_policys_optimizers_hear_nothing(muon_rate: float) -> None:
    """Else their first steps would be several times as large as the rate says."""
    run = trainer(updates=4, critic_first=3, muon_rate=muon_rate)
    before = {name: value.clone() for name, value in run.policy.state_dict().items()}
    for update in range(3):
        run._update(update / 4)
    known = [p for optimizer in run.optimizers for p in optimizer.state]
    assert {id(p) for p in known} == {id(p) for p in run.critic.parameters()}
    assert all(torch.equal(value, before[name]) for name, value in run.policy.state_dict().items())
    run._update(0.75)
    warm_up = 1 / 20
    moved = (run.policy.o.weight - before["o.weight"]).abs().max()
    assert 0 < moved <= run.config.rate * warm_up * 2 * 1.01  # two minibatches


def test_a_policy_learns_of_some_seats_and_is_held_to_its_play_with_the_others(tmp_path: Path) -> None:
    def diverged(run: Trainer, seats: int) -> float:
        run.play.look(0)
        at = (run.play.seats == seats).nonzero().squeeze(1)
        cells, tokens, mask, hidden = (
            part[0][at] for part in (run.play.cells, run.play.tokens, run.play.masks, run.play.hidden)
        )
        logs = functional.log_softmax(run.judged(cells, tokens, mask, hidden)[0], 1)
        return float(run._divergence(cells, tokens, mask, hidden, logs).mean())

    begun = trainer(seed=1, updates=10)
    begun.run(1)
    found, free = {}, {}
    with pytest.raises(ValueError, match="hold to a policy that was trained before"):
        trainer(held_seats=(2,), hold=1.0).run(1)
    for hold, magnet in ((1e-9, 0.0), (30.0, 0.0), (30.0, 30.0)):
        run = trainer(seed=2, seats=(2, 3), updates=12, rate=3e-3, held_seats=(2,), hold=hold, magnet=magnet)
        with torch.no_grad():
            run.start_from(begun.policy.state_dict())
            assert diverged(run, 2) == diverged(run, 3) == 0
        run.run(1)
        run.save(tmp_path / "c.pt")
        again = Trainer.resume(tmp_path / "c.pt")
        with torch.no_grad():
            found[hold], free[hold, magnet] = diverged(again, 2), diverged(again, 3)
            assert diverged(again, 3) > 0
            assert again.reference is not None
            assert again.reference.o.weight.equal(begun.policy.o.weight)
    assert 0 < 3 * found[30.0] < found[1e-9]
    assert 3 * free[30.0, 30.0] < free[30.0, 0.0]  # a magnet holds the other matches, too


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    run = trainer()
    run.run(1)
    run.save(tmp_path / "c.pt")
    again = Trainer.resume(tmp_path / "c.pt", updates=5)
    assert (again.updates, again.decisions) == (3, run.decisions)
    assert torch.equal(again.average["o.weight"], run.average["o.weight"])
    again.run(1)
    assert again.updates == 5
    (tmp_path / "c.pt").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be used"):
        Trainer.resume(tmp_path / "c.pt")
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        Trainer.resume(tmp_path / "nowhere.pt")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seats": (7,)}, "Silencio"),
        ({"width": 0}, "width must be at least 1"),
        ({"history": -1}, "history must be at least 0"),
        ({"magnet": -0.1}, "magnet must be at least 0, not -0.1"),
        ({"device": "abacus"}, "There is no device 'abacus'"),
        ({"matches": 1, "seats": (2, 3)}, "cannot be divided"),
        ({"held_seats": (2,)}, "held_seats goes with hold"),
        ({"held_seats": (3,), "hold": 1.0}, "held_seats goes with hold, and must be among the numbers of seats"),
    ],
    ids=str,
)
def test_an_impossible_configuration_gets_a_sentence(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        trainer(**changes)


def test_the_command_trains_and_writes_a_network_that_plays(tmp_path: Path) -> None:
    words = ["train", "silencio", "--seats", "2", "--updates", "2", "--deals", "8", "--out", str(tmp_path / "run")]
    words += [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "Random play: -" in result.output
    assert "it decides as in floating point in" in result.output
    assert "steady: " in result.output
    assert torch.get_num_threads() == 1  # for such small networks
    network = tmp_path / "run" / "network.npz"
    silencio = game_named("silencio")
    header, _ = load_network(network, silencio)
    assert (header.seats, header.values) == ([2], 1)
    assert header.training["updates"] == 2
    assert bot_named(silencio, str(network)).name == "network"
    with pytest.raises(BadNetwork, match="silencio"):
        bot_named(game_named("zombie-city"), str(network))
    again = CliRunner().invoke(main, words)
    assert again.exit_code == 1
    assert "has a run already" in again.output
    wrong = CliRunner().invoke(main, ["train", "silencio", "--set", "wings=2", "--out", str(tmp_path / "x")])
    assert "--set has no number “wings”" in wrong.output
    assert not (tmp_path / "x").exists()
    missing = CliRunner().invoke(main, ["train", "silencio", "--against", str(tmp_path / "no.npz")])
    assert missing.exit_code == 1
    assert "no.npz" in missing.output


def test_the_command_goes_on_from_a_networks_file(tmp_path: Path) -> None:
    words = ["train", "silencio", "--seats", "2,3", "--updates", "1", "--deals", "4", "--out"]
    sizes = [f"--set={name}={number}" for name, number in TINY.items() if name not in ("width", "blocks")]
    done = CliRunner().invoke(main, [*words, str(tmp_path / "a"), *sizes, "--set=width=48", "--set=blocks=2"])
    assert done.exit_code == 0, done.output
    start = ["--start", str(tmp_path / "a" / "network.npz")]
    held = ["--set=held_seats=2", "--set=hold=3"]
    done = CliRunner().invoke(main, [*words, str(tmp_path / "b"), *sizes, *start, *held])
    assert done.exit_code == 0, done.output
    silencio = game_named("silencio")
    old, new = (load_network(tmp_path / folder / "network.npz", silencio) for folder in "ab")
    assert (new[0].width, new[0].blocks) == (48, 2)  # as in the file
    before, after = (dequantize(*found)["i.weight"] for found in (old, new))
    assert abs(after - before).max() < 0.1 * abs(before).max()  # one update further
    for words_, says in {
        (*words, str(tmp_path / "c"), *held): "give its file with --start",
        (*words, str(tmp_path / "a"), "--resume", *start): "choose one of them",
        (*words, str(tmp_path / "c"), "--start", str(tmp_path / "no.npz")): "no.npz",
    }.items():
        wrong = CliRunner().invoke(main, list(words_))
        assert wrong.exit_code == 1
        assert says in " ".join(wrong.output.split())


def test_the_command_writes_no_network_that_sees_all_hands(tmp_path: Path) -> None:
    words = ["train", "zombie-city", "--seats", "2", "--updates", "1", "--deals", "4", "--against", "random"]
    sizes = [f"--set={name}={number}" for name, number in {**TINY, "open_hands": 1}.items()]
    done = CliRunner().invoke(main, [*words, *sizes, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "Beside random: " in done.output
    assert "No network is written" in done.output
    assert not (tmp_path / "network.npz").exists()


def test_the_command_trains_beside_bots_and_from_a_teacher(tmp_path: Path) -> None:
    def run(*more: str) -> Any:
        words = ["train", "silencio", "--seats", "2", "--updates", "1", "--deals", "2", "--out", str(tmp_path / "run")]
        sizes = [f"--set={name}={number}" for name, number in {**TINY, "teacher_updates": 1, "dense": 1}.items()]
        return CliRunner().invoke(main, [*words, *sizes, *more])

    done = run("--beside", "random", "--teacher", "random")
    assert done.exit_code == 0, done.output
    header, _ = load_network(tmp_path / "run" / "network.npz", game_named("silencio"))
    assert header.training["config"]["bots"] == ["random"]
    assert header.training["config"]["teacher"] == "random"
    assert "There is no bot “nobody”" in run("--out", str(tmp_path / "other"), "--beside", "nobody").output
