"""How often something may be done: a bucket of tokens for each address or seat, in memory."""

from __future__ import annotations

import time

from tacit.server.refusal import refuse

MOST_BUCKETS = 50_000


class Limit:
    """At most `burst` at once, and `rate` a second in the long run."""

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self._left: dict[object, tuple[float, float]] = {}

    def take(self, who: object) -> None:
        """Take one token; a refusal if there is none."""
        now = time.monotonic()
        left, at = self._left.get(who, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.rate)
        if left < 1:
            raise refuse("limit", 429)
        if len(self._left) >= MOST_BUCKETS:  # those that are full again need not be remembered
            self._left = {k: v for k, v in self._left.items() if v[0] + (now - v[1]) * self.rate < self.burst}
        self._left[who] = (left - 1, now)
