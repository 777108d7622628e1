"""`tacit benchmark`: the command line."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tacit.commands import Refused, named_game, read_text, require_extra, search_here

if TYPE_CHECKING:
    from tacit.benchmark.result import Result
    from tacit.benchmark.tracks import Key

TRACKS = ("selfplay-v1", "aht-v1", "zsc-v1")
KEY = click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    envvar="TACIT_BENCHMARK_KEY",
    help="The file of a season's key (default: the open season, whose key everybody knows).",
)
BOTS = click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME[=TARGET]",
    help="A bot: its name, or a name for package.module:Class or for a network's file; may be repeated.",
)


@click.group()
def benchmark() -> None:
    """Compare agents on named tracks, as docs/benchmark.md explains them.

    \b
    tacit benchmark run selfplay-v1 silencio
    tacit benchmark run aht-v1 silencio --bot mine=my_bots:Cautious
    tacit benchmark run zsc-v1 silencio --bot mine-0=a/network.npz --bot mine-1=b/network.npz
    tacit benchmark verify RESULT
    tacit benchmark page RESULTS…       the table of some results
    tacit benchmark new-key NAME        begin a season with held-out deals of its own
    """


@benchmark.command("run")
@click.argument("track", type=click.Choice(TRACKS))
@click.argument("game")
@BOTS
@KEY
@click.option("--deals", type=click.IntRange(2), help="Fewer deals than the track's, for a look: it does not count.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Worker processes.")
@click.option("--out", type=click.Path(path_type=Path), help="The result's file (default: TRACK-GAME.json).")
def run_command(
    track: Any, game: str, bots: tuple[str, ...], key_file: Path | None, deals: int | None, jobs: int, out: Path | None
) -> None:
    """Play TRACK in GAME and write one result file.

    Our own compiled bots are the entries, and yours beside them. The same command resumes what was interrupted: the
    matches played so far are in a folder beside the result. Exit status 1 if an entry was disqualified.

    \b
    tacit benchmark run aht-v1 silencio --bot mine=my_bots:Cautious --jobs 4
    """
    rules = named_game(game)
    require_extra("arena", "The benchmark", without="matplotlib")
    from rich.console import Console

    from tacit.benchmark.page import show
    from tacit.benchmark.run import run
    from tacit.benchmark.tracks import baselines
    from tacit.core.errors import TacitError

    console = Console(highlight=False)
    path = out or Path(f"{track}-{rules.name}.json")
    here = search_here()
    own = [] if track == "zsc-v1" else baselines(rules)
    try:
        entries = dict.fromkeys(own, "") | _targets(bots)
        entries = {name: target or name for name, target in entries.items()}
        result = run(
            rules, track, entries, key=_key(key_file), out=path.with_suffix(".matches"), console=console, deals=deals,
            jobs=jobs, path=[here],
        )  # fmt: skip
    except KeyboardInterrupt:
        console.print("\nStopped. The same command resumes it.")
        sys.exit(130)
    except (ValueError, RuntimeError, TacitError) as error:
        raise Refused(str(error)) from error
    result.write(path)
    show(console, result)
    console.print(f"Result: {path}", markup=False)
    if any(name in result.disqualified for name in result.entries):
        sys.exit(1)


@benchmark.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@BOTS
@KEY
@click.option(
    "--replays", type=click.IntRange(0), default=50, show_default=True, help="Matches of each part to be played again."
)
def verify_command(file: Path, bots: tuple[str, ...], key_file: Path | None, replays: int) -> None:
    """Check a result: its own hash, the hashes of rules and bots, its figures, and some matches, played again.

    Networks are looked for by --bot NAME=FILE, or beside the result. Exit status 1 if anything is wrong.

    \b
    tacit benchmark verify aht-v1-silencio.json --replays 200
    """
    require_extra("arena", "The benchmark", without="matplotlib")
    from tacit.benchmark.result import read_result
    from tacit.benchmark.run import verify
    from tacit.benchmark.tracks import OPEN
    from tacit.core.errors import TacitError

    try:
        result = read_result(file)
        game = named_game(result.game)
        key = _key(key_file) if key_file is not None or result.key == OPEN.name else None
        targets = _beside(file, result) | _targets(bots)
        wrong = verify(game, result, key=key, targets=targets, replays=replays, path=[search_here()])
    except (ValueError, RuntimeError, TacitError) as error:
        raise Refused(str(error)) from error
    for sentence in wrong:
        click.echo(click.style(sentence, fg="red"), err=True)
    if wrong:
        sys.exit(1)
    said = f"{file} holds: hashes, figures, and {replays} matches of each part, played again"
    click.echo(f"{said}." if key is not None else f"{said} on validation deals (the key of held-out deals is secret).")


@benchmark.command("page")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--into", type=click.Path(path_type=Path), help="Replace the tables of this page, such as docs/benchmark.md."
)
def page_command(files: tuple[Path, ...], into: Path | None) -> None:
    """Print the tables of some results as Markdown.

    \b
    tacit benchmark page benchmarks/results/*.json --into docs/benchmark.md
    """
    require_extra("arena", "The benchmark", without="matplotlib")
    from tacit.benchmark.page import replaced, tables
    from tacit.benchmark.result import read_result

    try:
        text = tables([read_result(path) for path in files])
        if into is None:
            click.echo(text, nl=False)
        else:
            into.write_text(replaced(read_text(into), text), encoding="utf-8")
    except ValueError as error:
        raise Refused(str(error)) from error


@benchmark.command("new-key")
@click.argument("name")
def new_key(name: str) -> None:
    """Print a new key, to be kept in a file: held-out deals that nobody has seen. Publish it when its season ends.

    \b
    tacit benchmark new-key spring > key.json
    """
    from tacit.benchmark.tracks import Key

    key = Key(name, secrets.token_hex(32), secrets.token_hex(32))
    click.echo(msgspec.json.encode(key).decode())
    click.echo(f"Its commitment, for everybody: {key.commitment}", err=True)


def _targets(bots: tuple[str, ...]) -> dict[str, str]:
    """`NAME=TARGET` as given; a bare name is its own target."""
    pairs = [bot.partition("=") for bot in bots]
    return {name: target or name for name, _, target in pairs}


def _beside(file: Path, result: Result) -> dict[str, str]:
    """The networks that lie beside a result."""
    places = {name: file.parent / bot.target for name, bot in result.bots.items() if bot.target.endswith(".npz")}
    return {name: str(path) for name, path in places.items() if path.exists()}


def _key(path: Path | None) -> Key:
    from tacit.benchmark.tracks import OPEN, Key

    if path is None:
        return OPEN
    try:
        key = msgspec.json.decode(read_text(path), type=Key)
        bytes.fromhex(key.key + key.salt)
    except ValueError as error:
        raise Refused(f"{path}: this is no key of a benchmark ({error}).") from error
    return key
