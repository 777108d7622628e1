"""Sentences for people. A message is a code and parameters; a catalogue turns it into words of a language.

A catalogue is a JSON file beside the code it speaks for: `en.json` here and in every game's folder, keyed by code
without the game's name. An entry is a template, or, where a number `n` decides, {"one": …, "other": …}. A parameter may
itself be a message.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module, resources
from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True):
    """A sentence before it has a language: `Message("silencio.refuse.rank", {"card": …})`."""

    code: str
    params: dict[str, Any] = {}


Catalogue = dict[str, str | dict[str, str]]
_homes: dict[str, str] = {"core": "tacit.core"}


def catalogue_home(prefix: str, package: str) -> None:
    """Codes that begin with `prefix` are looked up in the catalogues of `package`."""
    _homes[prefix] = package


@cache
def catalogue(prefix: str, language: str = "en") -> Catalogue:
    """The catalogue of the core or of a game."""
    if prefix not in _homes:
        from tacit.core.registry import game_named

        game_named(prefix)  # a game's catalogue is known once the game is
    module = import_module(_homes[prefix])
    inline = getattr(module, "CATALOGUE", None)  # a game of one file may carry its words with it
    if inline is not None:
        return dict(inline)
    text = resources.files(_homes[prefix]).joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(text, type=Catalogue)


def render(message: Message, language: str = "en", names: Sequence[str] = ()) -> str:
    """The sentence in a language, seats by their names where given. A code without an entry is an error."""
    if message.code == "core.seat" and message.params["seat"] < len(names):
        return str(names[message.params["seat"]])
    prefix, _, code = message.code.partition(".")
    template = catalogue(prefix, language)[code]
    if isinstance(template, dict):
        template = template["one" if message.params["n"] == 1 else "other"]
    params = {k: render(v, language, names) if isinstance(v, Message) else v for k, v in message.params.items()}
    text = template.format_map(params)
    return text[:1].upper() + text[1:] if template[:1] == "{" and text[-1:] in ".!?" else text
