"""The protocol's documents are those of the code, and its example bot plays."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tacit import GAMES
from tacit.cli import main
from tacit.server import protocol, schema, wire
from tests.server.harness import ROOT, Api, Person, Server, run


def test_the_committed_schema_is_the_codes() -> None:
    """Stale? tacit protocol > docs/protocol.schema.json"""
    assert (ROOT / "docs" / "protocol.schema.json").read_text() == schema.as_text(schema.schema())


def test_the_documents_can_be_printed() -> None:
    for name in ("messages", "views", "openapi"):
        printed = CliRunner().invoke(main, ["protocol", name])
        assert printed.exit_code == 0
        assert msgspec.json.decode(printed.output)


def _references(document: Any) -> set[str]:
    if isinstance(document, dict):
        own = {document["$ref"]} if isinstance(document.get("$ref"), str) else set()
        return own.union(*map(_references, document.values()))
    return set().union(*map(_references, document)) if isinstance(document, list) else set()


@pytest.mark.parametrize("document", [schema.schema(), schema.views(), schema.openapi()])
def test_every_reference_in_a_document_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in _references(document):
        found = document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]


def test_every_games_view_is_described() -> None:
    assert set(schema.views()["views"]) == set(GAMES)


def test_every_command_has_a_tag_and_a_path() -> None:
    for name in wire.COMMANDS:
        assert f"/api/tables/{{table}}/{name}" in schema.openapi()["paths"]
    assert msgspec.json.decode(b'{"type":"sit-in","seat":1}', type=wire.Commands) == protocol.SitIn(seat=1)


def test_the_example_bot_plays_a_match(server: Server, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "protocol.md").read_text()
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found
    assert len(found[1].splitlines()) <= 35
    script = tmp_path / "bot.py"
    script.write_text(found[1])
    api = Api(server.url)
    made = api.post("/api/tables", game="silencio", seats=2, name="Ada").json()
    bot = subprocess.Popen([sys.executable, str(script), server.url, made["table"], "Bot"])

    async def play() -> None:
        ada = await Person(server.url, made["table"], made["key"]).connect()
        await ada.until(lambda: ada.last("table") and ada.last("table")["seats"][1]["name"] == "Bot")
        assert (await ada.ask("start"))["type"] == "done"
        await ada.over()
        await ada.close()

    run(play())
    assert bot.wait(30) == 0
