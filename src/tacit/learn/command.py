"""`tacit train`: self-play in this process, with a line for every report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tacit.commands import Number, Refused, named_game, require_extra, search_here

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.learn.trainer import Scores, Trainer

BOT_SHARE, TEACHER_UPDATES = 0.5, 50  # where --beside and --teacher are given
LISTS = ("shares", "bot_seats", "held_seats")  # numbers with commas
SMALL = 256  # the width up to which networks learn on one thread
CHECKPOINT, NETWORK, CURVE = "checkpoint.pt", "network.npz", "curve.json"


@click.command()
@click.argument("game")
@click.option("--seats", default="", help="The numbers of seats to train, with commas (default: all of the game).")
@click.option("--seconds", type=Number(min=1), default=60.0, show_default=True, help="How long to learn.")
@click.option("--updates", type=click.IntRange(min=0), default=0, help="Stop after this many updates instead.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--seed", type=click.IntRange(min=0, max=1 << 16), default=0, show_default=True)
@click.option("--set", "changes", multiple=True, metavar="NAME=NUMBER", help="Change a number of the configuration.")
@click.option(
    "--beside", default="", help="Bots or networks' files, with commas, on some seats of half of the matches."
)
@click.option("--teacher", default="", help="Begin by imitating this bot, for --set teacher_updates=N updates.")
@click.option("--against", help="Compare with this bot (default: the game's usual one).")
@click.option("--every", type=Number(min=1), default=5.0, show_default=True, help="Seconds between two reports.")
@click.option("--compare-every", type=Number(min=1), default=300.0, show_default=True, help="… two comparisons.")
@click.option(
    "--deals", type=click.IntRange(min=1), default=512, show_default=True, help="Fresh deals to be judged by."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run (default: train-GAME).")
@click.option(
    "--start", type=click.Path(path_type=Path), help="Go on from the policy of a network's file, with its sizes."
)
@click.option("--resume", is_flag=True, help="Continue the run in that folder.")
def train(game: str, **chosen: Any) -> None:
    """Train a network for GAME by self-play and write it as a file that bots play by.

    \b
    tacit train silencio --seconds 60
    tacit train zombie-city --seats 2,3 --seconds 600 --set width=256
    tacit train silencio --seconds 60 --resume
    tacit train silencio --seconds 600 --beside steady,gentle
    tacit train silent-planet --seconds 600 --teacher coded
    tacit train silencio --seconds 600 --start network.npz --out more
    tacit train silencio --start network.npz --out more --set held_seats=2,3 --set hold=3
    tacit arena silencio --bots train-silencio/network.npz,steady

    The folder of the run has its checkpoint, its learning curve and the network. With --updates in place of --seconds
    the same configuration and seed give the same network on the same kind of machine.
    """
    rules = named_game(game)
    require_extra("learn", "Training")
    from rich.console import Console

    from tacit.bots.registry import bot_named, usual_bot
    from tacit.core.errors import TacitError

    console = Console(highlight=False)
    out: Path = chosen["out"] or Path(f"train-{rules.name}")
    against = chosen["against"] or usual_bot(rules)
    search_here()
    try:
        bot_named(rules, against)
        trainer = _trainer(rules.name, out, chosen)
    except (ValueError, TacitError) as error:
        raise Refused(str(error)) from error
    _choose_threads(trainer)
    out.mkdir(parents=True, exist_ok=True)
    _run(trainer, out, against, chosen, console)


def _choose_threads(trainer: Trainer) -> None:
    """One thread for small matrices on a CPU: beside other programs a second one mostly waits for its turn."""
    import torch

    config = trainer.config
    if config.device == "cpu" and max(config.width, config.critic_width) <= SMALL:
        torch.set_num_threads(1)


def _trainer(game: str, out: Path, chosen: dict[str, Any]) -> Trainer:
    """A new run, or the one in the folder."""
    from tacit.bots.network.network_file import load_network
    from tacit.bots.registry import bot_named
    from tacit.core.registry import game_named
    from tacit.learn.config import Config, for_gpu
    from tacit.learn.trainer import Trainer

    updates = chosen["updates"]
    if chosen["resume"] and chosen["start"]:
        raise ValueError("--resume continues a run, --start begins one: choose one of them.")
    if chosen["resume"]:
        trainer = Trainer.resume(out / CHECKPOINT, **({"updates": updates} if updates else {}))
        if trainer.game.name != game:
            raise ValueError(f"The run in {out} trains {trainer.game.title}, not {game}.")
        return trainer
    if (out / CHECKPOINT).exists():
        raise ValueError(f"{out} has a run already: continue it with --resume, or choose another --out.")
    config = Config(game=game, seats=_numbers(chosen["seats"]), seed=chosen["seed"], updates=updates)
    config = for_gpu(config) if chosen["device"] == "cuda" else config
    beside = tuple(name.strip() for name in chosen["beside"].split(",") if name.strip())
    config = msgspec.structs.replace(
        config, bots=beside, bot_share=BOT_SHARE if beside else 0.0, teacher=chosen["teacher"],
        teacher_updates=TEACHER_UPDATES if chosen["teacher"] else 0,
    )  # fmt: skip
    for name in (*beside, *filter(None, [config.teacher])):
        bot_named(game_named(game), name)
    if chosen["start"] is None:
        config = _changed(config, chosen["changes"])
        if config.held_seats:
            raise ValueError("held_seats holds to a policy that was trained before: give its file with --start.")
        return Trainer(config)
    header, _ = load_network(chosen["start"], game_named(game))
    sizes = {name: getattr(header, name) for name in ("width", "blocks", "history", "embedding")}
    trainer = Trainer(_changed(msgspec.structs.replace(config, **sizes), chosen["changes"]))
    trainer.start_from_file(chosen["start"])
    return trainer


def _run(trainer: Trainer, out: Path, against: str, chosen: dict[str, Any], console: Console) -> None:
    from tacit.learn.comparison import compare
    from tacit.learn.trainer import Progress

    deals = chosen["deals"]
    compared = 0.0
    console.print(f"Random play: {_said(trainer, trainer.evaluate(deals, random=True))}.")

    def network(matches: int) -> None:
        if trainer.config.open_hands:
            console.print(f"Beside {against}: {_said(trainer, trainer.evaluate(deals, beside=against))}.")
            return
        done = trainer.export(out / NETWORK, matches)
        console.print(
            f"{done.path}: {done.size:,} bytes; it decides as in floating point in {100 * done.agreement:.1f} % of "
            f"{done.samples} decisions."
        )
        for seats in trainer.config.seats:
            ours, theirs = compare(trainer.game, out / NETWORK, against, seats, max(1, deals // 32))
            what = "mean score" if trainer.game.cooperative else "share of wins"
            than = against if trainer.game.cooperative else f"a fair share among {against}"
            console.print(f"{seats} seats: {what} {ours:.3f}; {than}: {theirs:.3f} ({max(1, deals // 32)} deals).")

    def report(progress: Progress) -> None:
        nonlocal compared
        trainer.save(out / CHECKPOINT)
        said = ", ".join(f"{score:.2f} with {seats}" for seats, score in progress.scores.items())
        console.print(
            f"{progress.seconds:6.0f} s  {progress.decisions:12,} decisions  {progress.rate:10,.0f} a second  "
            f"score {said or '-'}"
        )
        if progress.seconds - compared >= chosen["compare_every"]:
            compared = progress.seconds
            network(4)

    try:
        trainer.run(chosen["seconds"], report, chosen["every"])
    except KeyboardInterrupt:
        console.print("Stopped.")
    trainer.save(out / CHECKPOINT)
    (out / CURVE).write_bytes(msgspec.json.format(msgspec.json.encode(trainer.curve)))
    console.print(f"On {deals} fresh deals, playing its best: {_said(trainer, trainer.evaluate(deals))}.")
    network(16)
    if trainer.config.open_hands:
        console.print("No network is written: it sees all hands, and no bot may.")


def _said(trainer: Trainer, scores: Scores) -> str:
    best = "perfect" if trainer.game.cooperative else "won by its first seat"
    return ", ".join(
        f"{score:.2f} with {seats} seats ({100 * share:.1f} % {best})" for seats, (score, share) in scores.items()
    )


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part)
    except ValueError as error:
        raise Refused(f"--seats must be numbers with commas, such as 2,3, not “{text}”.") from error


def _changed(config: Any, changes: tuple[str, ...]) -> Any:
    """The configuration with `name=number` put in, or with `name=2,3`."""
    found = msgspec.to_builtins(config)
    for change in changes:
        name, _, text = change.partition("=")
        if name not in found or (isinstance(found[name], str | list | tuple) and name not in LISTS):
            raise ValueError(f"--set has no number “{name}” to change.")
        try:
            if name in LISTS:
                found[name] = [int(number) for number in text.split(",")]
            else:
                found[name] = bool(int(text)) if isinstance(found[name], bool) else type(found[name])(text)
        except ValueError as error:
            raise ValueError(f"--set {name} must be a number, not “{text}”.") from error
    return msgspec.convert(found, type(config))
