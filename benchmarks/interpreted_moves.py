"""One move at a table, interpreted: a decision, settled, and `see` for every seat and a spectator.

python benchmarks/interpreted_moves.py [matches]
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time

from tacit import Match, game_named, game_names


def moves(name: str, seats: int, matches: int) -> list[float]:
    """Milliseconds of every move of random matches."""
    rng = random.Random(1)
    took = []
    for number in range(matches):
        match = Match(name, seats, seed=number)
        watchers = [None, *range(seats)]
        for watcher in watchers:
            match.see(watcher)
        while not match.over:
            seat = rng.choice(sorted(match.due))
            text = rng.choice(match.legal(seat))
            begin = time.perf_counter()
            match.play(seat, text)
            for watcher in watchers:
                match.see(watcher)
            took.append(1000 * (time.perf_counter() - begin))
    return took


if __name__ == "__main__":
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| game | seats | mean | p99 | worst |\n|---|---|---|---|---|")
    for name in game_names():
        game = game_named(name)
        for seats in (game.min_seats, game.max_seats):
            took = sorted(moves(name, seats, matches))
            p99 = took[int(0.99 * (len(took) - 1))]
            print(f"| {name} | {seats} | {statistics.mean(took):.2f} ms | {p99:.2f} ms | {took[-1]:.2f} ms |")
    first = "from tacit import Match; Match('silencio', 3).legal(0)"
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", first], check=True)
    print(f"\nFrom process start to the first legal decision: {time.perf_counter() - begin:.2f} s.")
