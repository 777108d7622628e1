"""Records of bots as arrays, and a policy cloned from them in one matrix.

python examples/dataset.py [MATCHES [BOT]]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tacit.research.datasets import Dataset, read_records

matches = sys.argv[1] if len(sys.argv) > 1 else "200"
bot = sys.argv[2] if len(sys.argv) > 2 else "steady"
with tempfile.TemporaryDirectory() as place:
    records, out = Path(place) / "records", Path(place) / "out"
    arena = [sys.executable, "-m", "tacit", "arena", "silencio", "--seats", f"{bot},{bot}", "--matches", matches]
    subprocess.run([*arena, "--bound", "0", "--no-pictures", "--out", out, "--records", records], check=True)
    data = read_records(records)
    data.save(Path(place) / "data.npz")  # one file, which Dataset.load reads
    data = Dataset.load(Path(place) / "data.npz")
print(f"{len(data)} decisions of {len(data.names)} matches, {-data.scores[data.finished, 0].mean():.2f} cards left")
# Least squares from observations to decisions: how often is the best legal guess what the bot decided?
half = len(data) // 2
seen = data.observation.astype(np.float32)
wanted = np.eye(data.mask.shape[1], dtype=np.float32)[data.action]
weights = np.linalg.lstsq(seen[:half], wanted[:half], rcond=1e-3)[0]
guesses = np.where(data.mask[half:], seen[half:] @ weights, -np.inf).argmax(axis=1)
chance = (1 / data.mask[half:].sum(axis=1)).mean()
print(f"a linear guess is right in {(guesses == data.action[half:]).mean():.0%} of cases, chance in {chance:.0%}")
