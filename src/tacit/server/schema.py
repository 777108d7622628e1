"""The JSON Schema of every message and of every game's view, and the OpenAPI document: made from the types alone."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

import tacit
from tacit.core.registry import game_named
from tacit.games import GAMES
from tacit.server import protocol
from tacit.server.protocol import COMMANDS

DRAFT = "https://json-schema.org/draft/2020-12/schema"
REF = "#/$defs/{name}"
_EYES = msgspec.json.schema(protocol.Eyes)
_LOOK: dict[str, dict[str, Any]] = {"eyes": _EYES, "step": {"type": "integer", "minimum": 0, "maximum": 999_999}}
ANSWERS: dict[str, type[Any]] = {"preview": protocol.Previewed, "follow": protocol.Entered}


def schema() -> dict[str, Any]:
    """Commands, events, and what HTTP adds. It names no game, so a new game does not change it."""
    http = [
        protocol.Create, protocol.Join, protocol.Enter, protocol.Entered, protocol.Games, protocol.Lobby,
        protocol.Health, protocol.Bring, protocol.Replayed, protocol.Outline,
    ]  # fmt: skip
    shown, defs = msgspec.json.schema_components([protocol.Commands, protocol.Events, *http], ref_template=REF)
    return {
        "$schema": DRAFT,
        "title": "tacit protocol",
        "protocol": protocol.PROTOCOL,
        "commands": shown[0],
        "events": shown[1],
        "http": {kind.__name__: ref for kind, ref in zip(http, shown[2:], strict=True)},
        "$defs": dict(sorted(defs.items())),
    }


def views() -> dict[str, Any]:
    """The view of every game, as `seen` carries it."""
    kinds = {name: get_type_hints(game_named(name).module.view)["return"] for name in GAMES}
    shown, defs = msgspec.json.schema_components(kinds.values(), ref_template=REF)
    return {
        "$schema": DRAFT,
        "title": "tacit views",
        "views": dict(zip(kinds, shown, strict=True)),
        "$defs": dict(sorted(defs.items())),
    }


def openapi() -> dict[str, Any]:
    """The HTTP side, for tools that read OpenAPI 3.1."""
    bodies: list[type[Any]] = [
        protocol.Create, protocol.Join, protocol.Enter, protocol.Entered, protocol.Games, protocol.Lobby,
        protocol.Health, protocol.Bring, protocol.Replayed, protocol.Outline, protocol.Table, protocol.Seen,
        protocol.Previewed, protocol.Done, protocol.Refused,
        *COMMANDS.values(),
    ]  # fmt: skip
    _, defs = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")

    def body(kind: type[Any]) -> dict[str, Any]:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}

    def operation(
        summary: str, answer: type[Any] | None, given: type[Any] | None = None, name: str = ""
    ) -> dict[str, Any]:
        said: dict[str, Any] = {"description": "Carried out."}
        if answer is not None:
            said["content"] = body(answer)
        operation: dict[str, Any] = {
            "summary": summary.strip().splitlines()[0],
            "operationId": name,
            "responses": {"200": said, "default": {"description": "Refused.", "content": body(protocol.Refused)}},
        }
        if given is not None:
            operation["requestBody"] = {"required": True, "content": body(given)}
        return operation

    table = {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}}
    paths: dict[str, Any] = {
        "/healthz": {"get": operation("Is the server well?", protocol.Health, name="health")},
        "/api/games": {"get": operation("The games that can be played here.", protocol.Games, name="games")},
        "/api/lobby": {"get": operation("The open tables.", protocol.Lobby, name="lobby")},
        "/api/tables/{table}": {"get": operation("Who sits at this table.", protocol.Table, name="table")},
        "/api/tables/{table}/seen": {"get": _polled(operation("What I see.", protocol.Seen, name="seen"))},
        "/api/tables/{table}/record": {"get": _text(operation("The record, after the match.", None, name="record"))},
    }
    looking = {
        "replay": ("A match after some of its steps, from any eyes.", protocol.Replayed, ("eyes", "step")),
        "outline": ("All steps of a match, as some eyes were told them.", protocol.Outline, ("eyes",)),
    }
    for name, (summary, kind, parameters) in looking.items():
        finished = operation(f"{summary} Once it is over.", kind, name=name)
        finished["parameters"] = [{"name": p, "in": "query", "schema": _LOOK[p]} for p in parameters]
        paths[f"/api/tables/{{table}}/{name}"] = {"get": finished}
        brought = operation(f"{summary} Of a record that you bring.", kind, protocol.Bring, f"{name}-brought")
        paths[f"/api/{name}"] = {"post": brought}
    comings = {"": protocol.Create, "/{table}/join": protocol.Join, "/{table}/enter": protocol.Enter}
    for path, coming in comings.items():
        done = operation(coming.__doc__ or "", protocol.Entered, coming, coming.__name__.lower())
        paths[f"/api/tables{path}"] = {"post": done}
    for name, command in COMMANDS.items():
        done = operation(command.__doc__ or "", ANSWERS.get(name, protocol.Done), command, name)
        paths[f"/api/tables/{{table}}/{name}"] = {"post": done}
    for path, methods in paths.items():
        if "{table}" in path:
            methods["parameters"] = [table]
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


def _polled(operation: dict[str, Any]) -> dict[str, Any]:
    operation["parameters"] = [
        {"name": "wait", "in": "query", "schema": {"type": "number", "minimum": 0, "maximum": 25}},
        {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}},
    ]
    operation["responses"]["304"] = {"description": "Nothing has changed."}
    return operation


def _text(operation: dict[str, Any]) -> dict[str, Any]:
    operation["responses"]["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
    return operation


def as_text(document: dict[str, Any]) -> str:
    """A document as it is committed: indented, one line end at the end."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
