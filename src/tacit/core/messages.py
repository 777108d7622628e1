"""Messages for people: a code and parameters, which a catalogue turns into a sentence of a language.

A catalogue is a JSON file beside the code it speaks for: `en.json` here and in every game's folder, keyed by code
without the game's name. An entry is a template, or, where a number `n` decides, {"one": …, "other": …}. A parameter may
itself be a message, or a float, which is spelled as the language does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True, gc=False):
    """A sentence before it has a language: `Message("silencio.refuse.rank", {"card": …})`.

    Examples:
        >>> render(Message("core.seat", {"seat": 2}), names=["Ada", "Ben", "Cleo"])
        'Cleo'
    """

    code: str
    """The catalogue (`silencio`, `core`, …), a dot, and the entry in it."""
    params: dict[str, Any] = {}
    """What the entry's braces stand for: texts, numbers, or messages."""


Catalogue = dict[str, str | dict[str, str]]
_homes: dict[str, str] = {"core": "tacit.core"}
_inline: dict[str, Catalogue] = {}  # English sentences given as a mapping, by prefix


def catalogue_home(prefix: str, package: str, inline: Mapping[str, str | dict[str, str]] | None = None) -> None:
    """Codes that begin with `prefix` are looked up in the catalogues of `package`, or in `inline` where it is given."""
    _homes[prefix] = package
    if inline is not None:
        _inline[prefix] = dict(inline)


@cache
def catalogue(prefix: str, language: str = "en") -> Catalogue:
    """The sentences of the core, a game or a package by code, in one language."""
    if prefix not in _homes:
        from tacit.core.registry import game_named

        game_named(prefix)  # a game's catalogue is known once the game is
    if prefix in _inline:
        return _inline[prefix]
    text = resources.files(_homes[prefix]).joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(text, type=Catalogue)


def render(message: Message, language: str = "en", names: Sequence[str] = ()) -> str:
    """The sentence of a `message` in a `language` ("en", "de", "nl"); seats by their `names` where given.

    Raises KeyError for an unknown code.
    """
    if message.code == "core.seat" and message.params["seat"] < len(names):
        return str(names[message.params["seat"]])
    prefix, _, code = message.code.partition(".")
    template = catalogue(prefix, language)[code]
    if isinstance(template, dict):
        template = template["one" if message.params["n"] == 1 else "other"]
    params = {k: _spelled(v, language, names) for k, v in message.params.items()}
    text = template.format_map(params)
    return text[:1].upper() + text[1:] if template[:1] == "{" and text[-1:] in ".!?" else text


def _spelled(value: Any, language: str, names: Sequence[str]) -> Any:
    """A parameter as a sentence has it: 1.5 as "1,5" where the language writes so, 2.0 as "2"."""
    if isinstance(value, Message):
        return render(value, language, names)
    if isinstance(value, float):
        return str(value).removesuffix(".0").replace(".", str(catalogue("core", language)["decimal"]))
    return value


@cache
def seat_words(seat: int) -> Message:
    """A seat, as a parameter of another message: "seat 2", or the player's name."""
    return Message("core.seat", {"seat": seat})


def messages_of(prefix: str) -> Callable[..., Message]:
    """A function that makes messages of one catalogue: `messages_of("silencio")("refuse.rank", card=…)`."""

    @cache
    def bare(code: str) -> Message:
        return Message(f"{prefix}.{code}")

    def say(code: str, **params: Any) -> Message:
        return Message(f"{prefix}.{code}", params) if params else bare(code)

    return say
