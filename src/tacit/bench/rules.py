"""`tacit bench rules`: random legal play with the compiled rules on one thread, beside OpenSpiel's C++ loops."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tacit.bench import peers
from tacit.core.buffers import buffers
from tacit.core.game import Game


def run(games: list[Game], seconds: float, with_peers: bool, as_json: bool) -> None:
    console = Console(stderr=as_json)
    environment = peers.environment(console) if with_peers else None
    rows: list[dict[str, Any]] = []
    found: dict[str, float] = {}
    total = sum(g.max_seats - g.min_seats + 1 for g in games) + (len(peers.GAMES) if with_peers else 0)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("compiling", total=total)
        draw = draws_a_second(games[0], seconds)
        for game in games:
            for seats in range(game.min_seats, game.max_seats + 1):
                progress.update(task, description=f"{game.name}, {seats} seats")
                rows.append(measure(game, seats, seconds))
                progress.advance(task)
        if environment is not None:
            for name in peers.GAMES:
                progress.update(task, description=f"OpenSpiel {name}")
                found[name] = peers.decisions_per_second(environment, name, max(seconds, 2.0))
                progress.advance(task)
    for row in rows:
        row["draws_per_decision"] = draw / row["decisions_per_second"]
        row["draws_per_observed_decision"] = draw / row["observed_decisions_per_second"]
        row["draws_per_match"] = draw / row["matches_per_second"]
        row["draws_per_copy"] = row["ns_per_copy"] * draw / 1e9
    if as_json:
        print(json.dumps({"draws_per_second": draw, "rules": rows, "open_spiel": found}, indent=2))
        return
    console.print(_table(rows))
    console.print(f"[n]: in draws of one 32-bit number (sfc32), which take {1e9 / draw:.2f} ns here.", markup=False)
    if found:
        console.print(_peer_table(rows, found))


def measure(game: Game, seats: int, seconds: float) -> dict[str, Any]:
    """The figures of one game with default options and this number of seats."""
    rules, b = game.build("cpu"), buffers(game, seats, None, states=1024)
    bare = rate(lambda n: rules.random_matches(b, 0, n), seconds)
    seen = rate(lambda n: rules.observed_matches(b, 0, n), seconds)
    copies = rate(lambda n: rules.copies(b.states, n) and n, seconds / 4, first=10_000)
    return {
        "game": game.name,
        "seats": seats,
        "decisions_per_second": bare[0],
        "observed_decisions_per_second": seen[0],
        "matches_per_second": bare[1],
        "decisions_per_match": bare[0] / bare[1],
        "state_bytes": game.dtype.itemsize,
        "observation_bytes": game.observation,
        "actions": game.actions,
        "ns_per_copy": 1e9 / copies[0],
    }


def rate(work: Callable[[int], int], seconds: float, first: int = 100) -> tuple[float, float]:
    """(units, rounds) per second of `work(rounds) -> units`: the best of five runs of a fifth of `seconds` each.

    Seconds are of processor time, so other load does not count.
    """
    work(first)  # compile, and warm the caches
    n, spent = first, 0.0
    while spent < seconds / 20:
        n *= 2
        begin = time.process_time()
        work(n)
        spent = time.process_time() - begin
    n = max(1, int(n * seconds / 5 / spent))
    best = (0.0, 0.0)
    for _ in range(5):
        begin = time.process_time()
        units = work(n)
        spent = time.process_time() - begin
        best = max(best, (units / spent, n / spent))
    return best


def draws_a_second(game: Game, seconds: float) -> float:
    rules, b = game.build("cpu"), buffers(game, game.min_seats, None)
    b.rng[:] = 1

    def work(n: int) -> int:
        rules.draws(b.rng, n)
        return n

    return rate(work, seconds / 2, first=100_000)[0]


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Random legal play with mask, one thread")
    for heading in ("game", "seats", "decisions/s", "with observation", "matches/s", "state", "copy"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for r in rows:
        table.add_row(
            r["game"],
            str(r["seats"]),
            f"{r['decisions_per_second']:,.0f} [{r['draws_per_decision']:.0f}]",
            f"{r['observed_decisions_per_second']:,.0f} [{r['draws_per_observed_decision']:.0f}]",
            f"{r['matches_per_second']:,.0f} [{r['draws_per_match']:,.0f}]",
            f"{r['state_bytes']} B",
            f"{r['ns_per_copy']:.0f} ns [{r['draws_per_copy']:.0f}]",
        )
    return table


def _peer_table(rows: list[dict[str, Any]], found: dict[str, float]) -> Table:
    table = Table(title="Speed relative to OpenSpiel's C++ loop (pyspiel.evaluate_bots, uniform random bots)")
    table.add_column("game")
    table.add_column("seats", justify="right")
    for name, speed in found.items():
        table.add_column(f"{name}\n{speed:,.0f}/s", justify="right")
    for r in rows:
        ratios = (f"{r['decisions_per_second'] / speed:.1f} x" for speed in found.values())
        table.add_row(r["game"], str(r["seats"]), *ratios)
    return table
