"""The bare interface: thousands of matches, one decision each in one compiled call.

python examples/batch.py [STEPS]
"""

from __future__ import annotations

import sys
import time

from tacit.research import Batch

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000

batch = Batch("silencio", n=2048, seats=3, seed=7)  # the first time the rules are compiled
matches, points = 0, 0.0
began = time.perf_counter()
for _ in range(steps):
    batch.step(batch.random())  # or any array of legal decisions: see batch.mask
    matches += int(batch.done.sum())
    points += float(batch.reward.sum())  # scores, where a match was just over
spent = time.perf_counter() - began
print(f"{steps * batch.n / spent:,.0f} decisions a second with observation and mask, in {batch.device.threads} threads")
if matches:
    print(f"{matches} matches, {-points / matches / 3:.1f} cards left")

# What seat 0 of match 5 knows, and a world that fits it: the seat observes the same there, and the rest is sampled.
worlds = batch.imagine(0, seed=1)
print("observes the same:", bool((worlds.observe(0)[5] == batch.observe(0)[5]).all()))
print("is the same:", worlds.state(5) == batch.state(5))
