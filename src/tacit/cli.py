"""The command line `tacit`. Each command imports what it needs when it is called, so that `tacit --help` is fast."""

from __future__ import annotations

import gc
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import tacit
from tacit.bench.commands import bench
from tacit.benchmark.commands import benchmark
from tacit.commands import (
    DECK,
    OPTION,
    Refused,
    load_match,
    named_game,
    parse_options,
    read_text,
    require_extra,
    search_here,
    with_deck,
)
from tacit.core.errors import TacitError
from tacit.core.match import Match
from tacit.core.registry import game_named, game_names
from tacit.learn.command import train
from tacit.research.dataset_command import dataset
from tacit.review.command import review
from tacit.server.admin_commands import admin
from tacit.server.dataset_command import people
from tacit.terminal.commands import play, replay

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
    tacit review FILE                  what luck and decisions made of a match, and could it be won?
    tacit check FILE                   check a record or a deck
    tacit serve                        run a server for many people and bots
    tacit admin list                   manage its tables: list, export, back up, close, prune
    tacit arena silencio --cross-play  compare bots over many matches
    tacit puzzles silencio             find puzzles in matches between bots
    tacit train silencio --seconds 60  train a network by self-play, as a file that bots play by
    tacit benchmark run aht-v1 silencio  compare agents on named tracks
    tacit dataset make silencio        write bots' matches as arrays
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


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--deal",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Also check what chance did: by the record itself, or by its deal's opening (JSON, from /api/deals/…).",
)
@DECK
def check(files: tuple[Path, ...], deal: str | None, deck: Path | None) -> None:
    """Check records and decks.

    For a record, prints the first wrong line; for a deck (FILE.deck), everything that is wrong. With --deal, every draw
    must also follow from what was committed to before the match. Exit status 1 if any file is wrong.

    \b
    tacit check match.tacit
    tacit check match.tacit --deal
    tacit check match.tacit --deal opening.json
    tacit check *.tacit islands.deck
    """
    wrong = 0
    for path in files:
        if path.suffix == ".deck":
            wrong += _check_deck(path)
            continue
        try:
            match = load_match(path, deck)
        except Refused as error:
            error.show()
            wrong += 1
            continue
        decisions = sum(not line.startswith("*") for line in match.lines)
        state = f"finished: {match.result}" if match.over else "not finished"
        click.echo(f"{path}: right. {match.game.title}, {match.seats} seats, {decisions} decisions, {state}.")
        if deal is not None:
            wrong += not _check_chance(path, match, deal)
    if wrong:
        sys.exit(1)


def _check_chance(path: Path, match: Match, deal: str) -> bool:
    """Print whether chance did in a match what it had to; True if it did."""
    import msgspec

    from tacit.core.messages import render
    from tacit.server.checking import checked
    from tacit.server.protocol import Opening

    opening = None
    if deal:
        try:
            found = msgspec.json.decode(read_text(Path(deal)), type=dict[str, Any])
            opening = msgspec.convert(found.get("opening") or found, Opening)
        except msgspec.MsgspecError as error:
            raise Refused(f"{deal}: this is no opening of a deal ({error}).") from error
    result = checked(match, opening)
    if result.verdict == "fair":
        promised = f" The commitment is {result.commitment}." if result.commitment else ""
        click.echo(f"{path}: fair. All {result.draws} draws follow from the opening.{promised}")
        return True
    reason = render(result.reason) if result.reason is not None else ""
    click.echo(click.style(f"{path}: {result.verdict}. {reason}", fg="red"), err=True)
    return False


def _check_deck(path: Path) -> bool:
    """Print all errors and warnings of a deck; True if it has errors."""
    game = next(game for game in map(game_named, game_names()) if game.deck is not None)
    findings = game.check_deck(read_text(path))
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
    "--database",
    metavar="URL",
    envvar="TACIT_DATABASE",
    help="sqlite:///FILE or postgresql://… (default: a SQLite file in your data folder).",
)
@click.option(
    "--bus",
    metavar="URL",
    envvar="TACIT_BUS",
    help="redis://… of a Valkey or Redis by which processes tell each other what changed (default: by PostgreSQL).",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Server processes; more than 1 needs PostgreSQL.",
)
@click.option(
    "--public-url",
    metavar="URL",
    envvar="TACIT_PUBLIC_URL",
    help="The address people use, e.g. https://cards.example.",
)
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
    host: str, port: int, database: str | None, bus: str | None, workers: int, public_url: str | None, proxies: str,
    log_format: Any, metrics_key: str | None,
) -> None:  # fmt: skip
    """Run a server for people with browsers and for bots.

    \b
    tacit serve
    tacit serve --host 0.0.0.0 --port 80 --public-url https://cards.example
    tacit serve --database postgresql://user@localhost/tacit --workers 4
    tacit serve --database postgresql://user@db/tacit --bus redis://valkey:6379
    """
    require_extra("server", "The server")
    gc.disable()  # what is imported stays: no reason to look for garbage in it
    from tacit.server.config import Config
    from tacit.server.serve import addresses, run

    gc.enable()

    def listening(port: int) -> None:
        click.echo(f"tacit is served on {public_url or addresses(host, port)[0]} (Ctrl-C stops it; nothing is lost).")

    try:
        config = Config(
            database=database, bus=bus, public_url=public_url, proxies=proxies, log_format=log_format,
            metrics_key=metrics_key,
        )  # fmt: skip
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
@OPTION
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
    help="Cooperative games: search the best score of each deal with open cards, up to DECISIONS steps; 0: off.",
)
@click.option(
    "--review",
    "reviewed",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Take luck off the scores of the first N deals, by playouts: the same means with smaller intervals.",
)
@click.option("--no-pictures", is_flag=True, help="Write no plots.")
@DECK
def arena(
    *, game: str, line_ups: tuple[str, ...], matches: int, crossed: bool, bots: str | None, pairs: tuple[str, ...],
    seed: int, until: bool, budget: str | None, jobs: int, ray: str | None, out: Path | None, records: Path | None,
    bound: int, reviewed: int, no_pictures: bool, deck: Path | None,
) -> None:  # fmt: skip
    """Compare bots over many matches, with 95 % confidence intervals.

    All line-ups play the same deals and rotate seats. Every match is written to a journal: after Ctrl-C or a crash, the
    same command resumes. Name a bot as in the registry, or by its module: my_bots:Cautious.

    \b
    tacit arena silencio --seats steady,steady,random --matches 2000
    tacit arena silencio --seats random,random --seats my_bots:Cautious,random --until
    tacit arena zombie-city --cross-play --seats 4 --jobs 8
    tacit arena silent-planet --seats random,random,random --bound 100000
    tacit arena zombie-city --seats steady,gentle,gentle --matches 200 --review 200
    """
    rules = with_deck(named_game(game), deck)
    require_extra("arena", "The arena", without="matplotlib")  # which only the plots need
    pictures = not no_pictures and find_spec("matplotlib") is not None
    if ray is not None:
        require_extra("cluster", "--ray")
    from rich.console import Console

    from tacit.arena import command
    from tacit.arena.cross_play import pairings
    from tacit.arena.job import make_job
    from tacit.bots import bot_names, usual_bot

    here = search_here()
    compared = [name.strip() for name in bots.split(",")] if bots else bot_names(rules)
    wanted: list[list[str]] = []
    for line_up in line_ups:
        names = [name.strip() for name in line_up.split(",")]
        wanted.append([usual_bot(rules)] * int(line_up) if line_up.isdecimal() else names)
    seats = len(wanted[0]) if wanted else min(rules.min_seats + 1, rules.max_seats)
    try:
        if crossed:
            rules.check(seats)
            wanted = [list(pairing) for pairing in pairings(compared, seats)]
        playouts, milliseconds = _budget(budget)
        job = make_job(
            rules, wanted or [[usual_bot(rules)] * seats], parse_options(pairs), seed=seed, playouts=playouts,
            milliseconds=milliseconds, path=[here],
        )  # fmt: skip
    except ValueError as error:
        raise Refused(str(error)) from error
    out = out or Path(f"arena-{rules.name}-{job.digest()}")
    console = Console()
    options = command.ArenaOptions(
        out=out, deals=matches, jobs=jobs, ray=ray, records=records, until=until, bound=bound, review=reviewed,
        crossed=tuple(compared) if crossed else (), pictures=pictures,
    )  # fmt: skip
    try:
        command.run(rules, job, options, console)
    except KeyboardInterrupt:
        console.print(f"\nStopped. The matches played are in {out}. The same command resumes it.", highlight=False)
        sys.exit(130)
    except (ValueError, RuntimeError) as error:
        raise Refused(str(error)) from error
    if not no_pictures and not pictures:
        console.print(
            "No plots: matplotlib is missing (pip install 'tacit-games[arena]').", style="yellow", markup=False
        )
    console.print(f"Journal, report{' and plots' if pictures else ''}: {out}", highlight=False)


@main.command()
@click.argument("game")
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True, help="Matches to look through.")
@click.option("--seats", "seats_text", metavar="NUMBERS", help="Seats of these matches, in turn, e.g. 2,3,4.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The number of the first match.")
@click.option("--count", type=click.IntRange(1), default=100, show_default=True, help="How many puzzles to keep.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("puzzles.json.gz"),
    show_default=True,
    help="The file; it may have some.",
)
def puzzles(game: str, matches: int, seats_text: str | None, seed: int, count: int, out: Path) -> None:
    """Find puzzles: moments with one clearly best decision.

    Bots play matches. A moment is a puzzle if its best decision is better than all others under every style of going
    on, in worlds that fit what the seat knows. Those that our bots miss most are kept, the easiest first. What a file
    has already is kept too, and it is written after every match: Ctrl-C loses nothing, another --seed goes on.

    \b
    tacit puzzles silencio --matches 200 --seats 2,3,4 --out puzzles.json.gz
    """
    from tacit.analysis.puzzle_mining import Miner, keep_best
    from tacit.core.puzzles import read_puzzles, write_puzzles

    rules = named_game(game)
    usual = range(rules.min_seats, min(rules.max_seats, 4) + 1)
    seats = [int(n) for n in seats_text.split(",") if n.strip().isdecimal()] if seats_text else list(usual)
    if not seats or not all(rules.min_seats <= n <= rules.max_seats for n in seats):
        raise Refused(f"--seats must be numbers between {rules.min_seats} and {rules.max_seats}, e.g. 2,3.")
    try:
        found = read_puzzles(out.read_bytes()) if out.exists() else []
    except (ValueError, OSError) as error:
        raise Refused(f"{out}: {error}") from error
    try:
        miners = {n: Miner(rules, n) for n in dict.fromkeys(seats)}
    except (TacitError, ValueError) as error:
        raise Refused(str(error)) from error
    for number in range(seed, seed + matches):
        new = list(miners[seats[number % len(seats)]].puzzles(number))
        known = {(puzzle.record, puzzle.seat) for puzzle in found}
        found = keep_best([*found, *(one for one in new if (one.record, one.seat) not in known)], count)
        write_puzzles(out, found)
        click.echo(f"Match {number}: {len(new)} found; {len(found)} in {out}.")


def _budget(text: str | None) -> tuple[int | None, float | None]:
    """Parse `500` (playouts) or `200ms`; returns (playouts, milliseconds)."""
    if text is None:
        return None, None
    number = text.removesuffix("ms")
    if not number.isdecimal() or len(number) > 9 or int(number) == 0:
        raise Refused(f"Write --budget as playouts (500) or milliseconds (200ms), not “{text}”.")
    return (None, float(number)) if text.endswith("ms") else (int(number), None)


dataset.add_command(people)
for command in (admin, bench, benchmark, dataset, play, replay, review, train):
    main.add_command(command)
