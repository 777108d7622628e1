"""Silent Planet with and without signals, on the same deals: `python -m benchmarks.silent_planet_signals 1000`.

Every decision goes through `Runner.ask`, as at a live table. In the second group one seat is a friend, and no
bot, who sees the truth: it points at the card that a search with open cards finds best, and shows with its fingers what
it is. The others are `steady` and hear that, or do not.
"""

from __future__ import annotations

import sys
from typing import Any

from tacit import Match, Paired, game_named
from tacit.arena.compiled_match import match_key
from tacit.arena.stats import mean, share
from tacit.bots import Budget, CompiledBot, Runner, bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.silent_planet import lookahead
from tacit.bots.turn import dice_for
from tacit.core.chance import stream
from tacit.core.random_play import random_seat
from tacit.core.rulekit import build
from tacit.games.silent_planet.board import bag_of, kind_at, open_row, spare
from tacit.games.silent_planet.notation import KIND_NAMES

GAME = game_named("silent-planet")
RULES = build(GAME.module, "cpu", drivers=[lookahead])
FIRST = 7 << 32  # deals that nothing was tuned on


def friend(match: Match, seat: int, wish: str) -> str:
    """Points at the kind that a search with open cards finds best, first where `steady` would."""
    s: Any = match.state
    bags = [bag_of(s.row[q]) - bag_of(open_row(s, q)) for q in range(s.seats)] + [0] * 6
    pairs = [bags[2 * i] | bags[2 * i + 1] << 24 for i in range(3)]
    kind = RULES.best_line(s.seats, s.turn, s.team, s.seats - s.teams, spare(s), *pairs)
    return next((t for t in (wish, *match.legal(seat)) if kind_of(match, t) == kind), wish)


def kind_of(match: Match, text: str) -> int:
    """The kind of the card that `point 4` points at."""
    s: Any = match.state
    return kind_at(s.row[s.turn], int(text.split()[1]) - 1)


def won(seats: int, deal: int, signals: bool, friends: int) -> bool:
    """One match; the seats below `friends` know every card."""
    number = FIRST + deal
    match = Match(GAME, seats, chance=Paired(number), settle=False)
    listener, key, turns = HeardEvents(match), match_key(number), stream(f"{number} turns")
    runners = [Runner(GAME, bot_named(GAME, "steady")) for _ in range(seats)]
    match.settle()
    while not match.over:
        seat = random_seat(sum(1 << q for q in match.due), turns)
        knows = seat < friends and match.legal(seat)[0].startswith("point")
        while True:
            turn = turn_of(match, seat, listener, dice_for(key, len(match.steps), seat), Budget())
            text = runners[seat].ask(turn, match.signals(seat) if signals and not knows else ())
            if not text.startswith("! "):
                break
            match.signal(seat, text[2:])
        if knows:
            text = friend(match, seat, text)
            shows = f"fingers {KIND_NAMES[kind_of(match, text)]}"
        match.play(seat, text, settle=False)
        if knows and signals and match.signals(seat) and match.state.pointers:  # as long as pointing goes on
            match.signal(seat, shows)
        match.settle()
    assert not any(runner.faults for runner in runners)
    return bool(match.result and match.result["won"])


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    bot = bot_named(GAME, "steady")
    assert isinstance(bot, CompiledBot)
    start = Match(GAME, 3, seed=0)
    bot.warm_up(turn_of(start, 0, HeardEvents(start), dice_for([0, 0], 0, 0), Budget()))
    print("seats | all steady: without, with, difference | one friend: without, with, difference")
    for seats in range(3, 7):
        line = []
        for friends in (0, 1):
            results = [[won(seats, deal, signals, friends) for deal in range(deals)] for signals in (False, True)]
            for found in results:
                one = share(sum(found), deals)
                line.append(f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}]")
            less = mean([float(b) - float(a) for a, b in zip(*results, strict=True)])
            line.append(f"{less.mean:+.3f} [{less.low:+.3f}, {less.high:+.3f}]")
        print(seats, "|", " | ".join(line), flush=True)


if __name__ == "__main__":
    main()
