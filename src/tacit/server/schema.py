"""The JSON Schema of every message and of every game's view, and the OpenAPI document: made from types and routes."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_type_hints

import msgspec

import tacit
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.games import GAMES
from tacit.server import protocol, wire
from tacit.server.routes import Endpoint, documented

DRAFT = "https://json-schema.org/draft/2020-12/schema"
REF = "#/$defs/{name}"
COMPONENT = "#/components/schemas/{name}"


@cache  # a tenth of a second, in which no table would be served
def schema() -> dict[str, Any]:
    """Commands, events, and the other messages of HTTP. It names no game, so a new game does not change it."""
    http = [kind for kind in _messages() if not issubclass(kind, protocol.Command | protocol.Event)]
    shown, defs = msgspec.json.schema_components([wire.Commands, wire.Events, *http], ref_template=REF)
    return {
        "$schema": DRAFT,
        "title": "tacit protocol",
        "protocol": protocol.PROTOCOL,
        "commands": shown[0],
        "events": shown[1],
        "http": {kind.__name__: ref for kind, ref in zip(http, shown[2:], strict=True)},
        "$defs": dict(sorted(defs.items())),
    }


@cache
def views() -> dict[str, Any]:
    """The view of every game, as `seen` carries it."""
    kinds = {name: _view_class(game_named(name)) for name in GAMES}
    shown, defs = msgspec.json.schema_components(kinds.values(), ref_template=REF)
    return {
        "$schema": DRAFT,
        "title": "tacit views",
        "views": dict(zip(kinds, shown, strict=True)),
        "$defs": dict(sorted(defs.items())),
    }


def _view_class(game: Game) -> type[Any]:
    rules = game.module
    found = rules.fragments().made if rules.fragments is not None else get_type_hints(rules.view)["return"]
    return found  # type: ignore[no-any-return]


@cache
def openapi() -> dict[str, Any]:
    """The HTTP side, for tools that read OpenAPI 3.1."""
    _, defs = msgspec.json.schema_components([*_messages(), protocol.Refused], ref_template=COMPONENT)
    paths: dict[str, Any] = {}
    for endpoint in documented():
        path = paths.setdefault(endpoint.path, {})
        path[endpoint.method.lower()] = _operation(endpoint)
        named = re.findall(r"{(\w+)}", endpoint.path)
        if named:
            path["parameters"] = [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
            ]
    return {
        "openapi": "3.1.0",
        "info": {"title": "tacit", "version": tacit.__version__, "description": "docs/protocol.md explains it."},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(defs.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
    }


def _messages() -> list[type[Any]]:
    """What the endpoints take and answer, each once."""
    kinds = (kind for endpoint in documented() for kind in (endpoint.body, endpoint.answer))
    return list(dict.fromkeys(kind for kind in kinds if kind is not None and kind is not str))


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    answered: dict[str, Any] = {"description": "Carried out.", "content": _content(endpoint.answer)}
    refused = {"description": "Refused.", "content": _content(protocol.Refused)}
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": endpoint.operation,
        "responses": {str(endpoint.status): answered, "default": refused},
    }
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(endpoint.body)}
    if endpoint.parameters:
        operation["parameters"] = [
            {"name": one.name, "in": one.location, "schema": one.schema} for one in endpoint.parameters
        ]
    if any(one.name == "If-None-Match" for one in endpoint.parameters):
        operation["responses"]["304"] = {"description": "Nothing has changed."}
    return operation


def _content(kind: type[Any] | None) -> dict[str, Any]:
    if kind is None or kind is str:
        return {"text/plain": {"schema": {"type": "string"}}}
    return {"application/json": {"schema": {"$ref": COMPONENT.format(name=kind.__name__)}}}


def as_text(document: dict[str, Any]) -> str:
    """A document as it is committed: indented, with a line end at the end."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
