"""Mini games: what each is worth, proved over its whole tree.

python examples/mini_games.py
"""

from __future__ import annotations

from tacit.research.minis import minis, proved

for name in minis():
    value, random = proved(name)
    print(f"{name}: random play {random}, at best {value}")
