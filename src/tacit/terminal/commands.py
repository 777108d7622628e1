"""`tacit play` and `tacit replay`: the command line."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

import tacit
from tacit.commands import DECK, OPTION, Refused, load_match, named_game, parse_options, search_here, with_deck
from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.keyed_chance import NAMED, DealChance, deal_name, named_deal_key
from tacit.core.match import Match
from tacit.core.registry import game_names


@click.command()
@click.argument("game", required=False)
@click.option("--seats", type=int, help="Number of seats (default: the game's minimum plus one).")
@click.option("--people", type=int, default=1, show_default=True, help="Number of people at this keyboard.")
@click.option(
    "--bots",
    metavar="NAMES",
    help="Bots on the other seats, one name or one for each, e.g. steady,random (default: steady).",
)
@OPTION
@click.option("--name", "names", multiple=True, help="Name of a person; repeat for each person.")
@click.option("--seed", type=int, help="Seed of all chance, to repeat a deal (default: a new deal).")
@click.option("--deal", metavar="NAME", help="A deal by its name: whoever plays that name gets the same cards.")
@click.option("--daily", "deal", flag_value="daily", help="The deal that is named after today (UTC).")
@click.option(
    "--record", type=click.Path(path_type=Path), help="File for the record (default: a new file in this folder)."
)
@click.option("--continue", "resumed", type=click.Path(path_type=Path), help="Continue a saved match.")
@DECK
def play(
    *, game: str | None, seats: int | None, people: int, bots: str | None, pairs: tuple[str, ...],
    names: tuple[str, ...], seed: int | None, deal: str | None, record: Path | None, resumed: Path | None,
    deck: Path | None,
) -> None:  # fmt: skip
    """Play a match in this terminal.

    You have seat 0; bots have the other seats. With --people 2 or more, the screen is cleared
    before the next person looks. During the match, ? shows help and q saves and stops.

    \b
    tacit play silencio
    tacit play silencio --seats 4 -o tavern=true --name Ada
    tacit play silencio --seats 3 --people 2 --name Ada --name Ben
    tacit play silencio --bots random,random
    tacit play silencio --deal "club night 3"
    tacit play silencio --daily
    tacit play --continue silencio-2026-11-15-1200.tacit

    A deal by name is the same on every machine: you and your friends can compare results. It is not secret, and it is
    not the daily of any server, whose cards nobody can know before.
    """
    from rich.console import Console

    from tacit.bots import bot_named
    from tacit.terminal.play import Stopped, TerminalSession, save

    if bots:
        search_here()
    if resumed is not None:
        match = load_match(resumed, deck)
        record = record or resumed
        name = deal_name(match.tags)
        if name is not None:
            match.source = DealChance(named_deal_key(name, match.game.name), match)
        people = int(match.tags.get("people", "1")) if match.tags.get("people", "1").isdecimal() else 1
        _need_known_bots(match, bots)
    elif game is None:
        raise Refused(f"Which game? There are: {', '.join(game_names())}.")
    else:
        rules = with_deck(named_game(game), deck)
        seats = seats or min(rules.min_seats + 1, rules.max_seats)
        try:
            options = rules.check(seats, parse_options(pairs))
        except TacitError as error:
            raise Refused(str(error)) from error
        if not 0 <= people <= seats:
            raise Refused(f"--people must be between 0 and {seats}.")
        tags = _tags(people, names, _bot_names(rules, seats - people, bots))
        chance = None
        if deal is not None:
            if seed is not None:
                raise Refused("Give --seed or a deal, not both.")
            name = f"daily {datetime.datetime.now(datetime.UTC):%Y-%m-%d}" if deal == "daily" else deal
            chance = DealChance(named_deal_key(name, rules.name))
            tags |= {"deal": f"{NAMED}{name}"}
        match = Match(rules, seats, options, seed=seed, chance=chance, tags=tags)
    if record is None:
        record = Path(f"{match.game.name}-{datetime.datetime.now():%Y-%m-%d-%H%M%S}.tacit")
    console = Console()
    try:
        seated = {
            q: bot_named(match.game, match.tags[f"bot{q}"])
            for q in range(people, match.seats)
            if f"bot{q}" in match.tags
        }
        seats_of_people = range(min(people, match.seats))
        TerminalSession(match, seats_of_people, console, lambda question: console.input(question), seated).run()
    except TacitError as error:
        raise Refused(str(error)) from error
    except Stopped:
        save(match, record)
        console.print(f"\nSaved as {record}. Continue with:  tacit play --continue {record}", highlight=False)
        return
    save(match, record)
    console.print(f"The record is {record}. Replay it with:  tacit replay {record}", highlight=False)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", type=int, help="Show what this seat sees (default: 0).")
@click.option("--spectator", is_flag=True, help="Show what a spectator sees.")
@click.option("--step", type=int, default=0, help="Start after this many steps.")
@click.option("--tell", is_flag=True, help="Print what the seat heard, line by line, and exit.")
@DECK
def replay(file: Path, seat: int | None, spectator: bool, step: int, tell: bool, deck: Path | None) -> None:
    """Step through a record as a seat or a spectator sees it.

    \b
    tacit replay match.tacit
    tacit replay match.tacit --seat 2 --step 30
    tacit replay match.tacit --spectator --tell
    """
    from rich.console import Console

    from tacit.core.messages import render
    from tacit.core.notebook import names_of
    from tacit.terminal import replay as stepping

    match = load_match(file, deck)
    viewer = None if spectator else seat or 0
    if viewer is not None and not 0 <= viewer < match.seats:
        raise Refused(f"--seat must be between 0 and {match.seats - 1}.")
    console = Console()
    stepper = stepping.Replay(match, viewer)
    if tell:
        stepper.go(stepper.steps)
        for line in stepper.match.see(viewer).heard:
            console.print(render(match.game.rules.tell(line), names=names_of(match)), highlight=False)
        return
    stepper.go(step)
    stepping.run(stepper, console, lambda question: console.input(question))


def _need_known_bots(match: Match, named: str | None) -> None:
    """Refuse a record that seats a bot from a module, unless the command line names it: loading it runs its code."""
    from tacit.bots import bot_names

    known = {*bot_names(match.game), *(name.strip() for name in (named or "").split(","))}
    for q in range(match.seats):
        name = match.tags.get(f"bot{q}")
        if name is not None and name not in known:
            raise Refused(f"The record seats the bot {name}. If you trust it, name it too: --bots {name}")


def _tags(people: int, names: tuple[str, ...], bots: list[str]) -> dict[str, str]:
    """The tags of a new match's record: the first seats are people's, the others the bots'."""
    people_names = list(names) + [f"Guest {q + 1}" if people > 1 else "Guest" for q in range(len(names), people)]
    seated = dict(enumerate(bots, people))
    tags = {f"seat{q}": people_names[q] for q in range(people)}
    tags |= {f"seat{q}": f"{bot.capitalize()} {q}" for q, bot in seated.items()}
    tags |= {f"bot{q}": bot for q, bot in seated.items()}
    date = datetime.date.today().isoformat()
    return tags | {"people": str(people), "date": date, "software": f"tacit {tacit.__version__}"}


def _bot_names(game: Game, seats: int, named: str | None) -> list[str]:
    """The bot of each of `seats` seats. `named` is a list, or one name for all; None: the game's usual bot."""
    from tacit.bots import bot_named, usual_bot

    given = [name.strip() for name in named.split(",")] if named else [usual_bot(game)]
    if len(given) not in (1, seats):
        raise Refused(f"--bots names {len(given)} bots for {seats} seats: give one name, or {seats}.")
    try:
        for name in given:
            bot_named(game, name)
    except TacitError as error:
        raise Refused(str(error)) from error
    return given * seats if len(given) == 1 else given
