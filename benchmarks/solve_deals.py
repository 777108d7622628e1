"""How many deals the clairvoyant solver decides, and how fast: `python -m benchmarks.solve_deals silencio 3 500`."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter

import numpy as np

from tacit import game_named
from tacit.analysis import Solver
from tacit.analysis.solver import BUDGET


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("deals", type=int, nargs="?", default=500)
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--seed", type=int, default=2026, help="of the deals, as in the arena")
    parser.add_argument("--budget", type=int, default=BUDGET, help="decisions tried a deal")
    given = parser.parse_args()
    solver = Solver(game_named(given.game), given.seats, given.options)
    solver.deal(0, budget=given.budget)  # compile
    seconds, statuses = [], Counter[str]()
    for deal in range(given.deals):
        begun = time.process_time()
        answer = solver.deal((given.seed << 32) + deal, budget=given.budget)
        seconds.append(time.process_time() - begun)
        statuses[answer.status] += 1
        if not answer.exact or answer.status == "impossible":
            print(f"deal {deal}: {answer.status}, best {answer.best}, {answer.tried} decisions tried", flush=True)
    median, slow, slowest = 1000 * np.percentile(seconds, [50, 99, 100])
    print(
        f"{given.game}, {given.seats} seats, {json.dumps(given.options)}, {given.deals} deals: {dict(statuses)}; "
        f"median {median:.1f} ms, p99 {slow:.0f} ms, slowest {slowest:.0f} ms of one core",
        flush=True,
    )


if __name__ == "__main__":
    main()
