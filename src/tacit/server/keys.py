"""Keys are capabilities: who has a seat's key has the seat. The store has hashes only; a cookie is the signed key."""

from __future__ import annotations

import functools
import hashlib
import hmac
import re
import secrets
import time


def new_key() -> str:
    """A random key (144 bits)."""
    return secrets.token_urlsafe(18)


# What readable table names are made of. Short words: a name has at most 40 letters.
ADJECTIVES = (
    "amber", "bold", "brave", "bright", "calm", "clear", "cosy", "crisp", "dark", "deep", "early", "fair", "fond",
    "gentle", "golden", "green", "happy", "hidden", "honest", "hushed", "kind", "late", "light", "lucky", "mellow",
    "merry", "mild", "misty", "noble", "open", "pale", "patient", "plain", "proud", "quick", "quiet", "ready", "round",
    "sandy", "secret", "shy", "silent", "silver", "sleepy", "slow", "small", "soft", "spare", "steady", "still",
    "sunny", "tacit", "tall", "tender", "tidy", "true", "unsaid", "velvet", "warm", "wide", "wild", "wise", "young",
)  # fmt: skip
NOUNS = (
    "acorn", "anchor", "badger", "beacon", "beech", "bell", "birch", "bridge", "brook", "candle", "castle", "cedar",
    "cliff", "cloud", "clover", "comet", "coral", "crane", "dune", "eagle", "ember", "falcon", "fern", "finch",
    "forest", "fox", "garden", "glade", "grove", "harbour", "hare", "hazel", "heron", "hill", "island", "ivy",
    "lantern", "lark", "linden", "maple", "marsh", "meadow", "moon", "moss", "oak", "orchard", "otter", "owl",
    "pebble", "pine", "planet", "poppy", "reed", "river", "robin", "rowan", "shrine", "sparrow", "star", "stone",
    "tavern", "thrush", "willow",
)  # fmt: skip


NUMBERS = range(10, 100)


def new_table_name() -> str:
    """A table's name in links, such as `quiet-otter-42-dGhpcyBpcyB0`. Two words and a number are for people to
    recognise; the rest cannot be guessed (72 bits).

    Words and numbers follow each other, and go on with the time: so tables that are made together have names of their
    own, and tables that are played at the same time lie side by side in the database's indexes, which are by name.
    """
    global _named
    _named = max(_named + 1, int(time.time()))
    words, number = divmod(_named, len(NUMBERS))
    adjective, noun = divmod(words % (len(ADJECTIVES) * len(NOUNS)), len(NOUNS))
    return f"{ADJECTIVES[adjective]}-{NOUNS[noun]}-{NUMBERS[number]}-{secrets.token_urlsafe(9)}"


_named = 0  # where words and numbers are


def is_table_name(text: str) -> bool:
    """Could this be a table's name?"""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,40}", text) is not None


def is_key(text: str) -> bool:
    """Has a text the form of a key of ours?"""
    return re.fullmatch(r"[A-Za-z0-9_-]{16,64}", text) is not None


def new_salt() -> str:
    """A random salt for the commitment of a match."""
    return secrets.token_urlsafe(18)


def who_is(player: str | None, key_hash: str | None) -> list[str]:
    """The identities by which somebody is known: the hash of their cookie, and of their key."""
    return [one for one in (player, key_hash) if one]


def hash_of(key: str) -> str:
    """The hash of a key, for the store. Keys are random and long, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


@functools.lru_cache(maxsize=4096)
def person_of(key_hash: str) -> str:
    """An identifier of a person at a table that stays when they change seats. It does not reveal the key."""
    return hashlib.sha256(f"person {key_hash}".encode()).hexdigest()[:16]


def same(key_hash: str, stored: str | None) -> bool:
    """Compare two hashes in constant time."""
    return stored is not None and hmac.compare_digest(key_hash, stored)


def sign(secret: bytes, table: str, key: str) -> str:
    """A cookie's value for a key at a table."""
    return f"{key}.{_mac(secret, table, key)}"


def unsign(secret: bytes, table: str, value: str) -> str | None:
    """The key in a cookie's value, if we signed it for this table."""
    key, _, mac = value.rpartition(".")
    return key if key and hmac.compare_digest(mac.encode(), _mac(secret, table, key).encode()) else None


def _mac(secret: bytes, table: str, key: str) -> str:
    return hmac.digest(secret, f"{table}\n{key}".encode(), "sha256").hex()[:40]
