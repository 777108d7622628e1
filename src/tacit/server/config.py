"""How this server is set up."""

from __future__ import annotations

from typing import Literal

import msgspec

LogFormat = Literal["quiet", "text", "json"]  # quiet: text, and only what is wrong


class Config(msgspec.Struct, frozen=True):
    """All settings, as they travel to every process. Limits are (at once, a second)."""

    database: str | None = None  # sqlite:///path or postgresql://…; by default a file in the user's data folder
    public_url: str | None = None  # as people reach it; by default whatever address they used
    bot_delay: tuple[float, float] = (0.7, 1.6)  # seconds a bot takes, drawn afresh each time
    compile: bool = True  # compile the bots' rules in the background; without, they decide interpreted
    grace: float = 60.0  # seconds someone is away before a bot may sit in
    race: float = 10.0  # seconds that bots leave to people where the first to act takes it all (races.py)
    act_limit: tuple[float, float] = (40, 10)  # decisions, previews, signals of a seat
    chat_limit: tuple[float, float] = (5, 0.5)  # lines of a seat
    make_limit: tuple[float, float] = (30, 0.5)  # tables made and seats claimed from an address
    talk_limit: tuple[float, float] = (200, 50)  # requests and messages from an address
    lobby_age: float = 2.0  # seconds for which one look at the lobby serves everybody
    lobby_share: int = 10  # open tables that wait for people, of an address
    lobby_unattended: float = 600.0  # seconds after which an open table that nobody attends leaves the lobby
    crowd: tuple[int, int] = (200, 20_000)  # sockets and waiting requests from an address, and in all
    connections: tuple[int, int] = (300, 30_000)  # TCP connections from an address that is no proxy's, and in all
    proxies: str = "127.0.0.0/8,::1"  # whose X-Forwarded-For is believed: addresses and networks
    log_format: LogFormat = "quiet"
    metrics_key: str | None = None  # who may read /metrics; without one, whoever asks from this machine itself
