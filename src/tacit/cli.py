"""The command line `tacit`. Each command imports what it needs when it is called, so that `tacit --help` is fast."""

from __future__ import annotations

import datetime
import sys
import warnings
from pathlib import Path
from typing import Any

import click

import tacit
from tacit.bench.commands import bench
from tacit.commands import Refused, named_game, require_extra
from tacit.core.errors import DeckWarning, TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named, game_names
from tacit.learn.command import train
from tacit.server.admin_commands import admin

DECK = click.option(
    "--deck",
    type=click.Path(path_type=Path),
    help="A deck file, in games with custom decks (see tacit check FILE.deck).",
)
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT, invoke_without_command=True)
@click.version_option(tacit.__version__, prog_name="tacit")
@click.option("--host", help="Address to listen on; 0.0.0.0 for your whole network (default: 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port (default: 8000, or the next free one).")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.pass_context
def main(context: click.Context, host: str | None, port: int | None, no_open: bool) -> None:
    """Card games that live on what is not said.

    Without a command, tacit starts a server and opens it in your browser.

    \b
    tacit                              play in the browser, with friends and bots
    tacit --host 0.0.0.0               the same; others in your network can join
    tacit play silencio --seats 3      play in this terminal
    tacit replay FILE                  step through a record
    tacit check FILE                   check a record or a deck
    tacit serve                        run a server for many people and bots
    tacit admin list                   manage its tables: list, export, back up, close, prune
    tacit arena silencio --cross-play  compare bots over many matches
    tacit train silencio --seconds 60  train a network by self-play, as a file that bots play by
    tacit bench rules                  measure the speed of the rules
    tacit protocol                     print the server's JSON Schema

    tacit COMMAND --help explains a command, with examples.
    """
    if context.invoked_subcommand is None:
        _serve_locally(host or "127.0.0.1", port, no_open)
    elif host is not None or port is not None or no_open:
        raise click.UsageError(
            "--host, --port and --no-open belong to plain tacit. A command has its own options: see its --help."
        )


def _serve_locally(host: str, port: int | None, no_open: bool) -> None:
    """Start a server for this machine and open it in the browser."""
    require_extra("server", "Playing in the browser")
    from tacit.server.config import Config
    from tacit.server.serve import addresses, has_display, open_browser, run

    def listening(port: int) -> None:
        here, others = addresses(host, port)
        click.echo(f"tacit is at {here} (Ctrl-C stops it; nothing is lost).")
        if others is not None:
            click.echo(f"Others in your network reach it at {others}")
        else:
            click.echo("To let others in your network join, start it with:  tacit --host 0.0.0.0")
        if not no_open and has_display():
            open_browser(here)

    try:
        run(Config(), host, port, listening=listening)
    except TacitError as error:
        raise Refused(str(error)) from error


def _load(path: Path, deck: Path | None = None) -> Match:
    try:
        return Match.load(_text(path), deck=_deck(deck))
    except TacitError as error:
        raise Refused(f"{path}: {error}") from error


def _deck(path: Path | None) -> str | None:
    """The text of a deck file, or None. Warnings about the deck are printed in yellow when it is used."""

    def say(message: object, category: type[Warning], *_: object) -> None:
        click.echo(click.style(f"{path}: {message}", fg="yellow"), err=True)

    if path is not None:
        warnings.showwarning = say  # type: ignore[assignment]
        warnings.simplefilter("always", DeckWarning)
    return None if path is None else _text(path)


def _with_deck(game: Game, deck: Path | None) -> Game:
    """The game, with the deck of a file if one is given."""
    try:
        return game if deck is None else game.with_deck(_deck(deck))
    except TacitError as error:
        raise Refused(f"{deck}: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path}: this is not a UTF-8 text file.") from error
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}.") from error


def _options(game: Game, pairs: tuple[str, ...]) -> dict[str, Any]:
    """Parse options such as `tavern=true`; values are written as in records."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused(f"Write an option as name=value, not “{pair}”.")
        words = {"true": True, "false": False}
        typed: Any = words.get(value, int(value) if value.lstrip("-").isdecimal() else value)
        options[name] = typed
    return options


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


@main.command()
@click.argument("game", required=False)
@click.option("--seats", type=int, help="Number of seats (default: the game's minimum plus one).")
@click.option("--people", type=int, default=1, show_default=True, help="Number of people at this keyboard.")
@click.option(
    "--bots",
    metavar="NAMES",
    help="Bots on the other seats, one name or one for each, e.g. steady,random (default: steady).",
)
@click.option(
    "--option",
    "-o",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, e.g. tavern=true; may be repeated.",
)
@click.option("--name", "names", multiple=True, help="Name of a person; repeat for each person.")
@click.option("--seed", type=int, help="Seed of all chance, to repeat a deal (default: a new deal).")
@click.option(
    "--record", type=click.Path(path_type=Path), help="File for the record (default: a new file in this folder)."
)
@click.option("--continue", "resumed", type=click.Path(path_type=Path), help="Continue a saved match.")
@DECK
def play(
    game: str | None, seats: int | None, people: int, bots: str | None, pairs: tuple[str, ...], names: tuple[str, ...],
    seed: int | None, record: Path | None, resumed: Path | None, deck: Path | None,
) -> None:  # fmt: skip
    """Play a match in this terminal.

    You have seat 0; bots have the other seats. With --people 2 or more, the screen is cleared
    before the next person looks. During the match, ? shows help and q saves and stops.

    \b
    tacit play silencio
    tacit play silencio --seats 4 -o tavern=true --name Ada
    tacit play silencio --seats 3 --people 2 --name Ada --name Ben
    tacit play silencio --bots random,random
    tacit play --continue silencio-2026-11-15-1200.tacit
    """
    from rich.console import Console

    from tacit.bots import bot_named
    from tacit.terminal.play import Stopped, TerminalSession, save

    if resumed is not None:
        match = _load(resumed, deck)
        record = record or resumed
        people = int(match.tags.get("people", "1")) if match.tags.get("people", "1").isdecimal() else 1
    elif game is None:
        raise Refused(f"Which game? There are: {', '.join(game_names())}.")
    else:
        rules = _with_deck(named_game(game), deck)
        seats = seats or min(rules.min_seats + 1, rules.max_seats)
        try:
            options = rules.check(seats, _options(rules, pairs))
        except TacitError as error:
            raise Refused(str(error)) from error
        if not 0 <= people <= seats:
            raise Refused(f"--people must be between 0 and {seats}.")
        people_names = list(names) + [f"Guest {q + 1}" if people > 1 else "Guest" for q in range(len(names), people)]
        line_up = _bot_names(rules, seats - people, bots)
        tags = {
            f"seat{q}": people_names[q] if q < people else f"{line_up[q - people].capitalize()} {q}"
            for q in range(seats)
        }
        tags |= {f"bot{q}": line_up[q - people] for q in range(people, seats)}
        tags |= {
            "people": str(people),
            "date": datetime.date.today().isoformat(),
            "software": f"tacit {tacit.__version__}",
        }
        match = Match(rules, seats, options, seed=seed, tags=tags)
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


@main.command()
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
    from tacit.terminal import replay as stepping
    from tacit.terminal.screen import names_of

    match = _load(file, deck)
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


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@DECK
def check(files: tuple[Path, ...], deck: Path | None) -> None:
    """Check records and decks.

    For a record, prints the first wrong line; for a deck (FILE.deck), everything that is wrong. Exit status 1 if any
    file is wrong.

    \b
    tacit check match.tacit
    tacit check *.tacit islands.deck
    """
    wrong = 0
    for path in files:
        if path.suffix == ".deck":
            wrong += _check_deck(path)
            continue
        try:
            match = _load(path, deck)
        except Refused as error:
            error.show()
            wrong += 1
            continue
        decisions = sum(not line.startswith("*") for line in match.lines)
        state = f"finished: {match.result}" if match.over else "not finished"
        click.echo(f"{path}: right. {match.game.title}, {match.seats} seats, {decisions} decisions, {state}.")
    if wrong:
        sys.exit(1)


def _check_deck(path: Path) -> bool:
    """Say all that is wrong with a deck; True if it cannot be played with."""
    game = next(game for game in map(game_named, game_names()) if game.deck is not None)
    findings = game.check_deck(_text(path))
    for finding in findings:
        colour = "red" if finding.severity == "error" else "yellow"
        click.echo(click.style(f"{path}: {finding.severity}: {finding}", fg=colour), err=True)
    refused = any(finding.severity == "error" for finding in findings)
    if not refused:
        click.echo(f"{path}: {'usable, as a custom deck' if findings else 'right'}.")
    return refused


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--database", metavar="URL", help="sqlite:///FILE or postgresql://… (default: a SQLite file in your data folder)."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Server processes; more than 1 needs PostgreSQL.",
)
@click.option("--public-url", metavar="URL", help="The address people use, e.g. https://cards.example.")
@click.option(
    "--proxies",
    metavar="NETWORKS",
    default="127.0.0.0/8,::1",
    show_default=True,
    help="Reverse proxies whose X-Forwarded-For and -Proto are trusted: addresses, networks (10.0.0.0/8,192.0.2.7).",
)
@click.option(
    "--log-format",
    type=click.Choice(["quiet", "text", "json"]),
    default="text",
    show_default=True,
    help="Log on standard error as text or JSON; quiet logs warnings and errors only.",
)
@click.option(
    "--metrics-key",
    envvar="TACIT_METRICS_KEY",
    help="Bearer token for /metrics (default: only requests from this machine).",
)
def serve(
    host: str, port: int, database: str | None, workers: int, public_url: str | None, proxies: str,
    log_format: Any, metrics_key: str | None,
) -> None:  # fmt: skip
    """Run a server for people with browsers and for bots.

    \b
    tacit serve
    tacit serve --host 0.0.0.0 --port 80 --public-url https://cards.example
    tacit serve --database postgresql://user@localhost/tacit --workers 4
    """
    require_extra("server", "The server")
    from tacit.server.config import Config
    from tacit.server.serve import addresses, run

    def listening(port: int) -> None:
        click.echo(f"tacit is served on {public_url or addresses(host, port)[0]} (Ctrl-C stops it; nothing is lost).")

    try:
        config = Config(
            database=database, public_url=public_url, proxies=proxies, log_format=log_format, metrics_key=metrics_key
        )
        run(config, host, port, workers, listening)
    except TacitError as error:
        raise Refused(str(error)) from error


@main.command()
@click.argument("document", type=click.Choice(["messages", "views", "openapi"]), default="messages")
def protocol(document: str) -> None:
    """Print the JSON Schema of the server's messages or of the games' views, or the OpenAPI document.

    \b
    tacit protocol > messages.schema.json
    tacit protocol views
    tacit protocol openapi
    """
    require_extra("server", "tacit protocol")
    from tacit.server import schema

    documents = {"messages": schema.schema, "views": schema.views, "openapi": schema.openapi}
    click.echo(schema.as_text(documents[document]()), nl=False)


@main.command()
@click.argument("game")
@click.option(
    "--seats",
    "line_ups",
    multiple=True,
    metavar="BOTS",
    help="A line-up, e.g. steady,steady,random, or a number of seats; repeat to compare line-ups on the same deals.",
)
@click.option("--matches", type=click.IntRange(1), default=1000, show_default=True, help="Matches of each line-up.")
@click.option("--cross-play", "crossed", is_flag=True, help="Play every bot with every bot.")
@click.option("--bots", metavar="NAMES", help="Bots for --cross-play (default: all bots of the game).")
@click.option(
    "--option",
    "-o",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, e.g. tavern=true; may be repeated.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the deals.")
@click.option("--until", is_flag=True, help="Stop when the difference between the first two line-ups is significant.")
@click.option(
    "--budget",
    metavar="AMOUNT",
    help="Thinking budget for each decision, e.g. 200ms or 500 (playouts); for bots that search.",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Worker processes.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster (“auto”, or host:port).")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for journal, report and plots (default: arena-GAME-…)."
)
@click.option("--records", type=click.Path(path_type=Path), help="Save the record of every match in this folder.")
@click.option(
    "--bound",
    type=click.IntRange(0),
    default=2_000_000,
    show_default=True,
    metavar="DECISIONS",
    help="Co-operative games: search the best score of each deal with open cards, at most so many decisions; 0: off.",
)
@click.option("--no-pictures", is_flag=True, help="Write no plots.")
@DECK
def arena(
    *, game: str, line_ups: tuple[str, ...], matches: int, crossed: bool, bots: str | None, pairs: tuple[str, ...],
    seed: int, until: bool, budget: str | None, jobs: int, ray: str | None, out: Path | None, records: Path | None,
    bound: int, no_pictures: bool, deck: Path | None,
) -> None:  # fmt: skip
    """Compare bots over many matches, with 95 % confidence intervals.

    All line-ups play the same deals and rotate seats. Every match is written to a journal: after Ctrl-C or a crash, the
    same command resumes. Name a bot as in the registry, or by its module: my_bots:Cautious.

    \b
    tacit arena silencio --seats steady,steady,random --matches 2000
    tacit arena silencio --seats random,random --seats my_bots:Cautious,random --until
    tacit arena zombie-city --cross-play --seats 4 --jobs 8
    tacit arena silent-planet --seats random,random,random --bound 100000
    """
    rules = _with_deck(named_game(game), deck)
    require_extra("arena", "The arena")  # check now: plots come last
    if ray is not None:
        require_extra("cluster", "--ray")
    from rich.console import Console

    from tacit.arena import command
    from tacit.arena.cross_play import pairings
    from tacit.arena.job import make_job
    from tacit.bots import bot_names, usual_bot

    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # where your own bots are
    table = [name.strip() for name in bots.split(",")] if bots else bot_names(rules)
    wanted: list[list[str]] = []
    for line_up in line_ups:
        names = [name.strip() for name in line_up.split(",")]
        wanted.append([usual_bot(rules)] * int(line_up) if line_up.isdecimal() else names)
    seats = len(wanted[0]) if wanted else min(rules.min_seats + 1, rules.max_seats)
    try:
        if crossed:
            rules.check(seats)
            wanted = [list(pairing) for pairing in pairings(table, seats)]
        playouts, milliseconds = _budget(budget)
        job = make_job(
            rules, wanted or [[usual_bot(rules)] * seats], _options(rules, pairs), seed=seed, playouts=playouts,
            milliseconds=milliseconds, path=[here],
        )  # fmt: skip
    except ValueError as error:
        raise Refused(str(error)) from error
    out = out or Path(f"arena-{rules.name}-{job.digest()}")
    console = Console()
    options = command.ArenaOptions(
        out=out, deals=matches, jobs=jobs, ray=ray, records=records, until=until, bound=bound,
        crossed=tuple(table) if crossed else (), pictures=not no_pictures,
    )  # fmt: skip
    try:
        command.run(rules, job, options, console)
    except KeyboardInterrupt:
        console.print(f"\nStopped. The matches played are in {out}. The same command resumes it.", highlight=False)
        sys.exit(130)
    except (ValueError, RuntimeError) as error:
        raise Refused(str(error)) from error
    console.print(f"Journal, report and plots: {out}", highlight=False)


def _budget(text: str | None) -> tuple[int | None, float | None]:
    """Parse `500` (playouts) or `200ms`; returns (playouts, milliseconds)."""
    if text is None:
        return None, None
    number = text.removesuffix("ms")
    if not number.isdecimal() or len(number) > 9 or int(number) == 0:
        raise Refused(f"Write --budget as playouts (500) or milliseconds (200ms), not “{text}”.")
    return (None, float(number)) if text.endswith("ms") else (int(number), None)


main.add_command(admin)
main.add_command(bench)
main.add_command(train)
