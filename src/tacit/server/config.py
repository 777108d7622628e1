"""The settings of a server."""

from __future__ import annotations

from typing import Literal

import msgspec

LogFormat = Literal["quiet", "text", "json"]  # quiet: text, and only what is wrong


class Config(msgspec.Struct, frozen=True):
    """All settings, as every process gets them. `…_limit` is (burst, rate a second)."""

    database: str | None = None  # sqlite:///path or postgresql://…; by default a file in the user's data folder
    bus: str | None = None  # redis://…: how processes tell each other; default: by the database
    public_url: str | None = None  # the address that people use; default: that of the request
    bot_delay: tuple[float, float] = (0.7, 1.6)  # seconds until a bot answers, drawn each time
    compile: bool = True  # compile bots in the background, and the solver; otherwise bots stay interpreted
    grace: float = 60.0  # seconds that a person must be away before a bot may sit in
    race: float = 10.0  # seconds for which bots leave a race to people (races.py)
    act_limit: tuple[float, float] = (40, 10)  # of a seat: decisions, previews, signals
    chat_limit: tuple[float, float] = (5, 0.5)  # of a person
    make_limit: tuple[float, float] = (30, 0.5)  # of an address: tables created, seats claimed
    review_limit: tuple[float, float] = (10, 1 / 30)  # of an address: reviews begun
    talk_limit: tuple[float, float] = (200, 50)  # of an address: requests and messages
    lobby_age: float = 2.0  # seconds for which the lobby is cached
    lobby_share: int = 10  # of an address: open tables that wait for people
    lobby_unattended: float = 600.0  # seconds after which an open table without a connected player leaves the lobby
    subscribers: tuple[int, int] = (200, 20_000)  # WebSockets and waiting requests: of an address, and in all
    connections: tuple[int, int] = (300, 30_000)  # TCP connections: of an address that is no proxy, and in all
    reach_allow: str = ""  # networks that notices may go to besides public addresses, over plain http too
    reach_limit: tuple[float, float] = (20, 1 / 180)  # of a person: test messages, invitations
    proxies: str = "127.0.0.0/8,::1"  # whose X-Forwarded-For is trusted: addresses and networks
    log_format: LogFormat = "quiet"
    metrics_key: str | None = None  # the bearer token for /metrics; without one, /metrics answers this machine only
