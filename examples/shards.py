"""A large dataset of bots' matches, written at compiled speed, read by PyTorch.

python examples/shards.py [MATCHES [BOT]]
"""

from __future__ import annotations

import sys
import tempfile

from tacit.research.shards import make

matches = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
bot = sys.argv[2] if len(sys.argv) > 2 else "steady"
with tempfile.TemporaryDirectory() as place:
    data = make("silencio", place, matches=matches, seats=3, bots=[bot])
    print(f"{data.about['matches']} matches, {len(data)} decisions in {len(data.about['files'])} files")
    batch = next(data.torch(batch_size=256, seed=0))
    print({name: tuple(tensor.shape) for name, tensor in batch.items()})
