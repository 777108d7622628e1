"""`tacit bench research`: batches stepped with observation and mask, beside environments of other projects."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tacit.bench import peer_loops, peers
from tacit.core.game import Game
from tacit.research.batch import Batch

SIZES = peer_loops.BATCHES  # matches in a batch; the best result counts, as with the peers
STEPS = 16
PACKAGES = (
    "jax==0.10.2", "jaxmarl==0.2.0", "open_spiel==2.0.2", "pettingzoo[classic]==1.27.0", "pgx==2.6.0", "rlcard==1.2.0",
)  # fmt: skip
# Library and game; whether it can use a second core.
PEERS = (
    ("pettingzoo:hanabi_v5", False),
    ("pettingzoo:leduc_holdem_v4", False),
    ("rlcard:uno", False),
    ("rlcard:leduc-holdem", False),
    ("open_spiel:hanabi(players=3)", False),
    ("open_spiel:crazy_eights", False),
    ("open_spiel:leduc_poker", False),
    ("pgx:sparrow_mahjong", True),
    ("pgx:leduc_holdem", True),
    ("pgx:kuhn_poker", True),
    ("jaxmarl:hanabi", True),
)


def run(games: list[Game], seconds: float, with_peers: bool, python: Path | None, as_json: bool) -> None:
    console = Console(stderr=as_json)
    if with_peers and python is None:
        python = peers.environment(console, PACKAGES)
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    row: dict[str, Any]
    load = [os.getloadavg()[0]]
    work = len(games) + (sum(1 + more for _, more in PEERS) if python else 0)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("compiling", total=work)
        for game in games:
            progress.update(task, description=f"{game.name} (compiled the first time)")
            seats = min(3, game.max_seats)
            row = {"game": game.name, "seats": seats}
            for threads in (1, 2):
                row[f"threads_{threads}"], row[f"cores_{threads}"] = _ours(game, seats, threads, seconds)
            ours.append(row)
            progress.advance(task)
        for name, more in PEERS if python else ():
            row = {"name": name}
            for cores in (1, 2) if more else (1,):
                progress.update(task, description=f"{name}, {cores} core{'s' * (cores > 1)}")
                row |= _theirs(python, name, cores, seconds)
                progress.advance(task)
            theirs.append(row)
    load.append(os.getloadavg()[0])
    if as_json:
        print(json.dumps({"tacit": ours, "peers": theirs, "load": load}, indent=2))
        return
    console.print(_our_table(ours))
    if theirs:
        console.print(_their_table(ours[0], theirs))
    console.print(f"The machine's load: {load[0]:.1f} at the beginning, {load[1]:.1f} at the end.", highlight=False)


def _ours(game: Game, seats: int, threads: int, seconds: float) -> tuple[float, float]:
    """Decisions per second of random legal play with observation and mask at every step, and the cores used; measured
    as the peers are."""

    def loop(batch: Batch) -> Iterator[int]:
        while True:
            for _ in range(STEPS):
                batch.step(batch.random())
            yield STEPS * batch.n

    return max(peer_loops.measure(loop(Batch(game, n, seats, threads=threads)), seconds, threads) for n in SIZES)


def _theirs(python: Path | None, name: str, cores: int, seconds: float) -> dict[str, Any]:
    command = [str(python), str(Path(peer_loops.__file__)), name, str(seconds), str(cores)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise click.ClickException(f"{name} could not be measured:\n{done.stderr.strip()[-800:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    speed, had = found["decisions_per_second"], found["cores"]
    return {f"threads_{cores}": speed, f"cores_{cores}": had, "versions": found["versions"]}


def _our_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Batches, random legal decisions, with observation and mask: decisions/s")
    table.caption = "One thread: seconds of processor time. Two threads: wall-clock seconds, and the cores used."
    for heading in ("game", "seats", "one thread", "two threads", "cores"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for r in rows:
        speeds = (f"{r[f'threads_{t}']:,.0f}" for t in (1, 2))
        table.add_row(r["game"], str(r["seats"]), *speeds, f"{r['cores_2']:.1f}")
    return table


def _their_table(mine: dict[str, Any], rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"Other environments on this machine; x: {mine['game']} in a batch is so many times as fast")
    for heading in ("environment", "one core", "x", "two cores", "cores", "x ", "versions"):
        table.add_column(heading, justify="left" if heading in ("environment", "versions") else "right")
    for r in rows:
        cells = [r["name"]]
        for cores in (1, 2):
            speed = r.get(f"threads_{cores}")
            had = [f"{r[f'cores_{cores}']:.1f}" if speed else ""] if cores > 1 else []
            times = f"{mine[f'threads_{cores}'] / speed:,.1f} x" if speed else ""
            cells += [f"{speed:,.0f}" if speed else "", *had, times]
        table.add_row(*cells, ", ".join(f"{name} {number}" for name, number in r["versions"].items()))
    return table
