"""`tacit bench bots`: the time of one decision of each bot, and playouts per second of those that search."""

from __future__ import annotations

import json
import time
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.registry import bot_named, bot_names
from tacit.bots.search.searcher import Searcher
from tacit.bots.turn import Budget, dice_for
from tacit.core.chance import Seeded
from tacit.core.game import Game
from tacit.core.match import Match

MATCHES = 3


def run(games: list[Game], seats: int | None, playouts: int, as_json: bool) -> None:
    console = Console(stderr=as_json)
    rows: list[dict[str, Any]] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("compiling", total=sum(len(bot_names(game)) for game in games))
        for game in games:
            for name in bot_names(game):
                progress.update(task, description=f"{game.name}, {name}")
                rows.append(measure(game, name, seats or min(3, game.max_seats), playouts))
                progress.advance(task)
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("game", "bot", "seats", "decisions", "ms per decision", "playouts/s", title="Bots, one thread")
    for row in rows:
        rate = row["playouts_per_second"]
        table.add_row(
            row["game"], row["bot"], str(row["seats"]), str(row["decisions"]), f"{row['ms_per_decision']:.3f}",
            f"{rate:,.0f}" if rate else "",
        )  # fmt: skip
    console.print(table)


def measure(game: Game, name: str, seats: int, playouts: int) -> dict[str, Any]:
    """Processor time of a bot on every seat of a few matches, compiled. Forced decisions do not count."""
    decisions, made, seconds = 0, 0, 0.0
    for number in range(-1, MATCHES):  # the first match compiles and is not counted
        match = Match(game, seats, chance=Seeded(number + 1))
        listener, bots = HeardEvents(match), [bot_named(game, name).fresh() for _ in range(seats)]
        while not match.over and not (number < 0 and len(match.lines) > 400):
            seat = min(match.due)
            turn = turn_of(match, seat, listener, dice_for([number + 1, 7], len(match.steps), seat), Budget(playouts))
            if number < 0 and bots[seat].compiled and not getattr(bots[seat], "warm", True):
                bots[seat].warm_up(turn)  # type: ignore[attr-defined]
            started = time.thread_time()
            text = bots[seat].decide(turn)
            if number >= 0 and len(turn.legal) > 1:
                seconds += time.thread_time() - started
                decisions += 1
                searcher = getattr(bots[seat], "instance", None)
                if isinstance(searcher, Searcher) and searcher.search is not None:
                    made += searcher.search.playouts
            match.play(seat, text)
    return {
        "game": game.name,
        "bot": name,
        "seats": seats,
        "decisions": decisions,
        "ms_per_decision": 1000 * seconds / max(decisions, 1),
        "playouts_per_second": made / seconds if made else None,
    }
