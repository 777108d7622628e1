"""Rate limits and connection limits by address or seat, kept in memory; and lists of networks."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import time
from collections import Counter
from collections.abc import Iterator

from tacit.server.errors import refuse

MAX_BUCKETS = 50_000


class RateLimit:
    """A token bucket: at most `burst` at once, and `rate` a second in the long run."""

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self._left: dict[object, list[float]] = {}  # tokens, and when that was counted

    def take(self, who: object) -> None:
        """Take one token. Refuses if there is none."""
        now, bucket = time.monotonic(), self._left.get(who)
        if bucket is None:
            if len(self._left) >= MAX_BUCKETS:  # forget buckets that are full again
                self._left = {k: v for k, v in self._left.items() if v[0] + (now - v[1]) * self.rate < self.burst}
            bucket = self._left[who] = [self.burst, now]
        left = bucket[0] + (now - bucket[1]) * self.rate
        if left < 1:
            raise refuse("limit", 429)
        bucket[0], bucket[1] = (left if left < self.burst else self.burst) - 1, now


class ConnectionLimit:
    """At most `each` at once for one address, and `most` in all."""

    def __init__(self, each: int, most: int) -> None:
        self.each, self.most = each, most
        self.counts: Counter[object] = Counter()
        self.total = 0

    @contextlib.contextmanager
    def join(self, who: object) -> Iterator[None]:
        """Count one more while the block runs. Refuses if there are too many."""
        self.enter(who)
        try:
            yield
        finally:
            self.leave(who)

    def enter(self, who: object) -> None:
        """Count one more until `leave`. Refuses if there are too many."""
        if self.counts[who] >= self.each or self.total >= self.most:
            raise refuse("crowd", 429)
        self.counts[who] += 1
        self.total += 1

    def leave(self, who: object) -> None:
        self.total -= 1
        self.counts[who] -= 1
        if not self.counts[who]:
            del self.counts[who]


class Networks:
    """Addresses and networks, from a list such as `10.0.0.0/8, 192.0.2.7, ::1`. Refuses invalid ones."""

    def __init__(self, listed: str) -> None:
        self.networks = []
        for item in filter(None, map(str.strip, listed.split(","))):
            try:
                self.networks.append(ipaddress.ip_network(item, strict=False))
            except ValueError:
                raise refuse("proxies", item=item[:60]) from None

    def __contains__(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self.networks)

    def __str__(self) -> str:
        return ",".join(map(str, self.networks))


@functools.lru_cache(maxsize=4096)
def network(host: str) -> str:
    """The address to count by: in IPv6 the /64 network, which belongs to one household."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]  # what a proxy writes may be anything
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False).network_address)
    return host
