"""Partners, histories and a critic's view: one seat among compiled bots in many matches of Silencio.

python examples/partners.py [STEPS [BOT]]
"""

from __future__ import annotations

import sys

from tacit.research import Batch

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
bot = sys.argv[2] if len(sys.argv) > 2 else "steady"
batch = Batch("silencio", n=256, seats=2, partners=[bot], learner=0, history=8, seed=1)
matches, scores = 0, 0.0
for _ in range(steps):
    batch.step(batch.random())  # the learner's decisions; its partners' are made inside
    matches += int(batch.done.sum())
    scores += float(batch.reward[:, 0].sum())
print(f"{matches} matches, {-scores / max(matches, 1):.1f} cards left")
print(f"what the learner observes: {batch.observation.shape}, what it heard: {batch.history.shape}")
print(f"for a critic: {batch.central.tensor().shape}")
