"""`tacit bench`: how fast things are here. Only the command line; each module beside this measures."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.commands import Number, Refused, named_game, require_extra
from tacit.core.registry import game_names


@click.group()
def bench() -> None:
    """Measure how fast things are on this machine."""


@bench.command("rules")
@click.option("--game", "names", multiple=True, help="Only this game (may be given several times).")
@click.option(
    "--seconds", type=Number(0.001, 86_400), default=1.0, show_default=True, help="How long each figure is measured."
)
@click.option(
    "--peers", is_flag=True, help="Measure OpenSpiel's C++ loops in the same run (makes an environment once)."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def bench_rules(names: tuple[str, ...], seconds: float, peers: bool, as_json: bool) -> None:
    """Random legal play with mask, one thread: decisions and matches a second, copies, state size.

    Every figure is also given in draws of one 32-bit number by the same generator, so that machines can be compared.
    """
    from tacit.bench import rules

    rules.run([named_game(name) for name in names or game_names()], seconds, peers, as_json)


@bench.command("bots")
@click.option("--game", "names", multiple=True, help="Only this game (may be given several times).")
@click.option("--seats", type=click.IntRange(2), help="How many sit at the table (default: three).")
@click.option("--playouts", type=click.IntRange(1), default=1000, show_default=True, help="For bots that search.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_bots(names: tuple[str, ...], seats: int | None, playouts: int, as_json: bool) -> None:
    """What a decision of each bot costs, and the playouts a second of those that search; one thread."""
    from tacit.bench import bots

    bots.run([named_game(name) for name in names or game_names()], seats, playouts, as_json)


@bench.command("research")
@click.option("--game", "names", multiple=True, help="Only this game (may be given several times).")
@click.option(
    "--seconds", type=Number(0.001, 86_400), default=2.0, show_default=True, help="How long each figure is measured."
)
@click.option("--peers", is_flag=True, help="Measure other projects' environments in the same run.")
@click.option(
    "--python", type=click.Path(exists=True, path_type=Path), help="A Python that has them (default: make one, once)."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def bench_research(names: tuple[str, ...], seconds: float, peers: bool, python: Path | None, as_json: bool) -> None:
    """Batches stepped by random legal decisions, with observation and mask: decisions a second, one thread and two.

    With --peers beside PettingZoo's classic games, RLCard, OpenSpiel's Python loop, pgx and JaxMARL, on this CPU.
    """
    from tacit.bench import research

    research.run(
        [named_game(name) for name in names or game_names()], seconds, peers or python is not None, python, as_json
    )


@bench.command("server")
@click.option("--game", default="silencio", show_default=True, help="What is played at the tables.")
@click.option(
    "--tables", type=click.IntRange(1), default=100, show_default=True, help="Tables at which wire bots decide."
)
@click.option(
    "--idle", type=click.IntRange(0), default=0, help="Open tables beside them, with a socket that only listens."
)
@click.option("--rate", type=Number(1, 1e6), help="Decisions a second in all (default: as many as it takes).")
@click.option("--seconds", type=Number(1, 86_400), default=10.0, show_default=True, help="How long it is measured.")
@click.option("--database", "databases", multiple=True, metavar="URL", help="Where (default: a new SQLite file).")
@click.option("--peers", is_flag=True, help="Measure boardgame.io in the same run (npm installs it once).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")
def bench_server(
    game: str, tables: int, idle: int, rate: float | None, seconds: float, databases: tuple[str, ...], peers: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """The play server under load: wire bots on real sockets from this process, the server in another.

    Decisions a second, milliseconds from sending a decision to being told what it brought, processor time, and with
    --idle the memory of a table and of a socket.

    \b
    tacit bench server --peers
    tacit bench server --idle 5000 --rate 500 --seconds 30
    tacit bench server --database postgresql://user@localhost/empty
    """
    require_extra("server", "tacit bench server")
    from tacit.bench import server

    try:
        server.run(list(databases) or [None], named_game(game).name, tables, seconds, rate, idle, peers, as_json)
    except (RuntimeError, OSError) as error:
        raise Refused(str(error)) from error
