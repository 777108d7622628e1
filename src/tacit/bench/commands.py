"""`tacit bench`: the command line. Each other module of this package is one benchmark."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.commands import Number, Refused, named_game, require_extra
from tacit.core.registry import game_names


@click.group()
def bench() -> None:
    """Measure speed on this machine.

    \b
    tacit bench rules             the compiled rules
    tacit bench bots              one decision of each bot
    tacit bench research          batches for research
    tacit bench server            the play server under load
    tacit bench notify            where PostgreSQL's NOTIFY ends
    tacit bench scale             several processes, here and in a model
    """


@bench.command("rules")
@click.option("--game", "names", multiple=True, help="Only this game; may be repeated.")
@click.option("--seconds", type=Number(0.001, 86_400), default=1.0, show_default=True, help="Seconds for each figure.")
@click.option(
    "--peers",
    is_flag=True,
    help="Also measure OpenSpiel's C++ loops (installs them into a separate environment, once).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def bench_rules(names: tuple[str, ...], seconds: float, peers: bool, as_json: bool) -> None:
    """Random legal play with mask on one thread: decisions and matches per second, copies, state size.

    Every figure is also given in draws of one 32-bit random number, so that machines can be compared.

    \b
    tacit bench rules
    tacit bench rules --game silencio --seconds 5
    tacit bench rules --peers --json
    """
    from tacit.bench import rules

    rules.run([named_game(name) for name in names or game_names()], seconds, peers, as_json)


@bench.command("bots")
@click.option("--game", "names", multiple=True, help="Only this game; may be repeated.")
@click.option("--seats", type=click.IntRange(2), help="Number of seats (default: 3).")
@click.option(
    "--playouts",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Playouts for each decision of a bot that searches.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_bots(names: tuple[str, ...], seats: int | None, playouts: int, as_json: bool) -> None:
    """The time of one decision of each bot, and the playouts per second of those that search; one thread.

    \b
    tacit bench bots
    tacit bench bots --game zombie-city --seats 4 --playouts 5000
    """
    from tacit.bench import bots

    bots.run([named_game(name) for name in names or game_names()], seats, playouts, as_json)


@bench.command("research")
@click.option("--game", "names", multiple=True, help="Only this game; may be repeated.")
@click.option("--seconds", type=Number(0.001, 86_400), default=2.0, show_default=True, help="Seconds for each figure.")
@click.option("--peers", is_flag=True, help="Also measure environments of other projects.")
@click.option(
    "--python",
    type=click.Path(exists=True, path_type=Path),
    help="A Python that has them installed (default: create an environment, once).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def bench_research(names: tuple[str, ...], seconds: float, peers: bool, python: Path | None, as_json: bool) -> None:
    """Batches stepped with random legal decisions, observation and mask: decisions per second on one and two threads.

    --peers adds PettingZoo's classic games, RLCard, OpenSpiel's Python loop, pgx and JaxMARL, on this CPU.

    \b
    tacit bench research
    tacit bench research --game silencio --peers
    """
    from tacit.bench import research

    research.run(
        [named_game(name) for name in names or game_names()], seconds, peers or python is not None, python, as_json
    )


OPEN_LOOP = (250.0, 500.0, 1000.0, 2000.0)  # decisions a second


@bench.command("server")
@click.option("--game", help="The game at all tables (default: the first one registered; with --peers all of them).")
@click.option(
    "--tables", type=click.IntRange(1), default=100, show_default=True, help="Tables with two playing clients each."
)
@click.option(
    "--idle", type=click.IntRange(0), default=0, help="Additional open tables, each with a client that only listens."
)
@click.option(
    "--rate",
    "rates",
    type=Number(1, 1e6),
    multiple=True,
    help="Decisions that are due per second in total; may be repeated (default: as many as possible; with --peers that,"
    " 250, 500, 1000 and 2000).",
)
@click.option("--seconds", type=Number(1, 86_400), default=10.0, show_default=True, help="Seconds to measure.")
@click.option(
    "--database",
    "databases",
    multiple=True,
    metavar="URL",
    help="Database; may be repeated (default: a new SQLite file).",
)
@click.option("--bus", metavar="URL", help="With PostgreSQL: where processes tell each other what has changed.")
@click.option(
    "--peers",
    is_flag=True,
    help="Also measure boardgame.io (npm installs it once); alone: everything that is compared, in about 7 minutes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")
def bench_server(
    game: str | None, tables: int, idle: int, rates: tuple[float, ...], seconds: float, databases: tuple[str, ...],
    bus: str | None, peers: bool, as_json: bool,
) -> None:  # fmt: skip
    """The play server under load: clients on real sockets in this process, the server in another.

    Measures decisions per second, the latency from sending a decision to the resulting view, processor time and, with
    --idle, the memory of a table and of a socket.

    \b
    tacit bench server --peers
    tacit bench server --idle 5000 --rate 500 --seconds 30
    tacit bench server --database postgresql://user@localhost/empty
    """
    require_extra("server", "tacit bench server")
    from tacit.bench import server, server_peers

    try:
        if peers and not (game or rates or databases or bus or idle):
            server_peers.run([named_game(name).name for name in game_names()], tables, seconds, OPEN_LOOP, as_json)
            return
        server.run(
            list(databases) or [None],
            [named_game(name).name for name in ([game] if game else game_names() if peers else game_names()[:1])],
            tables,
            seconds,
            rates or (OPEN_LOOP if peers else ()),
            idle,
            peers,
            as_json,
            bus,
        )
    except (RuntimeError, OSError) as error:
        raise Refused(str(error)) from error


@bench.command("notify")
@click.option("--database", metavar="URL", help="An empty PostgreSQL (default: one of its own, where it is installed).")
@click.option("--bus", metavar="URL", help="Also measure with a Valkey or Redis: redis://…")
@click.option(
    "--writers", "counts", default="1,2,4,8", show_default=True, metavar="NUMBERS", help="Processes, in turn."
)
@click.option("--seconds", type=Number(0.1, 3600), default=3.0, show_default=True, help="Seconds for each figure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_notify(database: str | None, bus: str | None, counts: str, seconds: float, as_json: bool) -> None:
    """How many commits a second PostgreSQL makes: without NOTIFY, with it, with listeners, and with Valkey instead.

    \b
    tacit bench notify
    tacit bench notify --bus redis://localhost --writers 1,8 --seconds 10
    """
    require_extra("server", "tacit bench notify")
    from tacit.bench import notify

    try:
        notify.run(database, bus, _counts("--writers", counts), seconds, as_json)
    except (RuntimeError, OSError) as error:
        raise Refused(str(error)) from error


@bench.command("scale")
@click.option("--bus", metavar="URL", help="Processes tell each other over a Valkey or Redis: redis://…")
@click.option("--processes", default="1,2,4", show_default=True, metavar="NUMBERS", help="Processes, in turn.")
@click.option("--tables", type=click.IntRange(1), default=100, show_default=True, help="Busy tables.")
@click.option("--seconds", type=Number(1, 3600), default=10.0, show_default=True, help="Seconds for each figure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_scale(bus: str | None, processes: str, tables: int, seconds: float, as_json: bool) -> None:
    """What several processes do on one PostgreSQL of their own, and what a model says of them.

    The model is set by the first run and predicts the others.

    \b
    tacit bench scale
    tacit bench scale --bus redis://localhost --processes 1,2,4,8
    """
    require_extra("bench", "tacit bench scale")
    require_extra("server", "tacit bench scale")
    from tacit.bench import scale
    from tacit.bench.server import need_proc

    try:
        need_proc()
        scale.run(bus, _counts("--processes", processes), tables, seconds, as_json)
    except (RuntimeError, OSError) as error:
        raise Refused(str(error)) from error


def _counts(option: str, text: str) -> list[int]:
    """Numbers between commas, each from 1 to 64."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 0 < int(word) <= 64 for word in words):
        raise Refused(f"{option} must be numbers from 1 to 64, such as 1,2,4.")
    return [int(word) for word in words]
