"""Duels: two bots on both seats of the same deals, for a given time, in many processes.

    python benchmarks/duels.py play GAME OUT.jsonl SECONDS JOBS SEED MILLISECONDS FIRST,SECOND …
    python benchmarks/duels.py show OUT.jsonl …

All duels of one call are played on the same deals, one deal after the other, each from both seats. A bot is named as in
the registry or by its module (my_bots:Cautious). `open=master` is that bot with open hands: every world that it
imagines is the true state, so it measures what knowing all hidden cards would be worth, and is no bot that may sit at a
table. `long=master` has four times as long to think, `open-long=master` both.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

LONGER = 4
PREFIXES = ("open-long=", "open=", "long=", "")


def parsed(name: str) -> tuple[str, bool, int]:
    """A bot's name without its prefix, whether it plays with open hands, and how many times as long it thinks."""
    prefix = next(p for p in PREFIXES if name.startswith(p))
    return name.removeprefix(prefix), "open" in prefix, LONGER if "long" in prefix else 1


class Truth:
    """The true state of the match that is being played, for bots with open hands."""

    state: Any = None


def with_open_hands(maker: Any) -> Any:
    """A bot that searches, with the true state in place of the worlds that it would imagine."""

    class OpenHands(maker):  # type: ignore[misc]
        @classmethod
        def searching(cls, game: Any, seats: int) -> Any:
            found = maker.searching(game, seats)

            def follow(seat: int, n: int) -> None:
                for world in range(len(found.work.worlds)):
                    Truth.state.store(found.work.worlds[world])
                found.kept, found.followed = len(found.work.worlds), n

            if not found.parameters.reuse:
                raise ValueError(f"{maker.NAME} keeps no worlds in this game: its hands cannot be opened.")
            found._follow = follow
            return found

    return OpenHands


def play(game_name: str, deal: int, seating: tuple[str, str], milliseconds: float) -> dict[str, Any]:
    """One match: the scores, and for each seat the decisions and the seconds it thought."""
    from tacit.bots.heard_events import HeardEvents, turn_of
    from tacit.bots.turn import Budget, dice_for
    from tacit.core.chance import Paired, stream
    from tacit.core.match import Match
    from tacit.core.random_play import random_seat
    from tacit.core.registry import game_named

    game = game_named(game_name)
    match = Match(game, len(seating), chance=Paired(deal), settle=False)
    heard, turns, key = HeardEvents(match), stream(f"{deal} turns"), stream(f"{deal} bots")[:2]
    match.settle()
    bots, budgets = [], []
    for name in seating:
        _, _, times = parsed(name)
        bots.append(bot_of(game_name, name).fresh())
        budgets.append(Budget(None, times * milliseconds))
    thought = [[0, 0.0] for _ in seating]
    while not match.over:
        seat = random_seat(sum(1 << q for q in match.due), turns)
        turn = turn_of(match, seat, heard, dice_for(key, len(match.steps), seat), budgets[seat])
        Truth.state = match.state
        began = time.perf_counter()
        answer = bots[seat].decide(turn)
        if len(turn.legal) > 1:
            thought[seat][0] += 1
            thought[seat][1] += time.perf_counter() - began
        match.play(seat, answer, settle=True)
    scores = [0] * match.seats
    game.rules.score(match.state, scores)
    return {"scores": scores, "thought": thought}


_bots: dict[tuple[str, str], Any] = {}


def bot_of(game_name: str, name: str) -> Any:
    """The bot with that name, compiled."""
    from tacit.bots.heard_events import HeardEvents, turn_of
    from tacit.bots.registry import PythonBot, bot_named
    from tacit.bots.turn import Budget, dice_for
    from tacit.core.match import Match
    from tacit.core.registry import game_named

    if (game_name, name) not in _bots:
        game = game_named(game_name)
        plain, opened, _ = parsed(name)
        bot: Any = bot_named(game, plain)
        if opened:
            bot = PythonBot(with_open_hands(bot.maker))
        match = Match(game, 2, seed=0)
        Truth.state = match.state
        if hasattr(bot, "warm_up"):
            bot.warm_up(turn_of(match, min(match.due), HeardEvents(match), dice_for([0, 0], 0, 0), Budget(None, 50.0)))
        _bots[game_name, name] = bot
    return _bots[game_name, name]


def work(given: tuple[str, int, int, str, int, float]) -> dict[str, Any]:
    """One match of a duel, for a pool: the first bot sits on seat `own`."""
    game, seed, deal, duel, own, milliseconds = given
    first, second = duel.split(",")
    seating = (first, second) if own == 0 else (second, first)
    return {"game": game, "duel": duel, "seed": seed, "deal": deal, "own": own,
            **play(game, (seed << 32) + deal, seating, milliseconds)}  # fmt: skip


def play_all(game: str, out: Path, seconds: float, jobs: int, seed: int, milliseconds: float, duels: list[str]) -> None:
    """Play until the time is up; a line for each match, and every 30 seconds how it stands."""
    for name in sorted({name for duel in duels for name in duel.split(",")}):
        bot_of(game, name)  # compiled once, before the processes are forked
    until = time.monotonic() + seconds

    def tasks() -> Any:
        deal = 0
        while time.monotonic() < until:
            for duel in duels:
                for own in (0, 1):
                    yield game, seed, deal, duel, own, milliseconds
            deal += 1

    shown = time.monotonic()
    with multiprocessing.get_context("fork").Pool(jobs) as pool, out.open("a") as file:
        waiting = iter(tasks())
        running: list[Any] = []
        while True:
            while len(running) < 2 * jobs and (task := next(waiting, None)) is not None:
                running.append(pool.apply_async(work, (task,)))
            if not running or time.monotonic() > until + 20:
                break
            ready = [r for r in running if r.ready()]
            running = [r for r in running if not r.ready()]
            for r in ready:
                file.write(json.dumps(r.get()) + "\n")
            file.flush()
            time.sleep(0.02)
            if time.monotonic() - shown > 60:
                shown = time.monotonic()
                show([out])
    show([out])


def show(files: list[Path]) -> None:
    """A line for each duel: wins and lead of the first bot with 95 % intervals over deals, and how long both think."""
    found: dict[tuple[str, str], dict[tuple[int, int], list[Any]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        for line in file.read_text().splitlines():
            row = json.loads(line)
            found[row["game"], row["duel"]][row["seed"], row["deal"]].append(row)
    for (game, duel), deals in found.items():
        wins, leads, thought, matches = [], [], [[0, 0.0], [0, 0.0]], 0
        for rows in deals.values():
            won, ahead = 0.0, 0.0
            for row in rows:
                lead = row["scores"][row["own"]] - row["scores"][1 - row["own"]]
                won += 0.5 * (1 + (lead > 0) - (lead < 0))
                ahead += lead
                for who, seat in enumerate((row["own"], 1 - row["own"])):
                    for k in (0, 1):
                        thought[who][k] += row["thought"][seat][k]
            matches += len(rows)
            wins.append(won / len(rows))
            leads.append(ahead / len(rows))
        if len(wins) > 1:
            (win, e), (lead, f) = mean_of(wins), mean_of(leads)
            ms = [1000 * t / max(n, 1) for n, t in thought]
            print(f"{game} {duel}: {100 * win:.1f} % ± {196 * e:.1f}, lead {lead:.2f} ± {1.96 * f:.2f}, "
                  f"{matches} matches, {ms[0]:.1f} and {ms[1]:.1f} ms", flush=True)  # fmt: skip


def mean_of(values: list[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", game, out, seconds, jobs, seed, milliseconds, *duels] if duels:
            play_all(game, Path(out), float(seconds), int(jobs), int(seed), float(milliseconds), duels)
        case ["show", *files] if files:
            show([Path(file) for file in files])
        case _:
            sys.exit(__doc__)
