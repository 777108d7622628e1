"""What chance did can be checked: commitments, openings, and the secret that they follow from."""

from __future__ import annotations

import re
import sqlite3
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacit.cli import main
from tacit.server.deal_secrets import add_secret
from tests.server.harness import Server, config, serving
from tests.server.players import GAME, SEATS, Player, dealt, refused, todays


def test_a_plain_match_is_committed_to_and_opened_at_its_end(server: Server) -> None:
    ada = Player(server.url, "Ada")
    table, keys = ada.make(GAME, SEATS)
    before = ada.ask(f"/api/tables/{table}", keys[0]).json()
    assert before["commitment"]
    assert before.get("opening") is None
    assert ada.send(f"/api/tables/{table}/stir", keys[0], text="my own luck").status_code == 200
    assert ada.ask(f"/api/tables/{table}").json()["seats"][0]["stirred"]
    ada.start(table, keys[0])
    assert ada.ask(f"/api/tables/{table}", keys[0]).json().get("opening") is None
    over = ada.play(table, keys[0])
    assert over["commitment"] == before["commitment"]
    assert over["opening"]["key"]
    stranger = Player(server.url, "Eve").ask(f"/api/tables/{table}").json()
    assert stranger.get("opening") is None  # cards that nobody sees any more follow from it
    record = ada.ask(f"/api/tables/{table}/record", keys[0]).text
    checked = ada.send("/api/check", record=record).json()
    assert checked["verdict"] == "fair"
    assert checked["commitment"] == before["commitment"]
    assert checked["draws"] > 0
    unstirred = record.replace("my own luck", "another's")
    assert ada.send("/api/check", record=unstirred).json()["verdict"] == "wrong"
    other = re.sub('tag commitment "..', 'tag commitment "00', record)
    assert ada.send("/api/check", record=other).json()["reason"]["code"] == "server.check.commitment"


def test_the_secret_is_nowhere_but_in_its_file(server: Server, tmp_path: Path) -> None:
    ada = Player(server.url, "Ada")
    deal = todays(ada)
    table, key = ada.sit(deal)
    ada.start(table, key)
    file = tmp_path / "tacit.db.secrets"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = bytes.fromhex(file.read_text().split()[1])
    order, salt = server.app.store.secrets.deal_key(1, deal["deal"])
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path != file)
    dump = "\n".join(sqlite3.connect(tmp_path / "tacit.db").iterdump()).encode()
    for one in (secret, order, salt):
        for form in (one, one.hex().encode()):
            assert form not in stored
            assert form not in dump


def test_a_server_notices_foreign_and_lost_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.server.database import database_url
    from tacit.server.deal_secrets import DealSecrets, load_secrets

    sqlite = database_url(f"sqlite:///{tmp_path / 'a.db'}")
    postgres = database_url("postgresql://localhost/x")
    monkeypatch.setenv("TACIT_DATA", str(tmp_path / "data"))
    first = load_secrets(sqlite, {})
    assert load_secrets(sqlite, first.fingerprints()).epochs == first.epochs
    assert add_secret(tmp_path / "a.db.secrets") == 2
    rotated = load_secrets(sqlite, first.fingerprints())
    assert (rotated.newest, rotated.epochs[1]) == (2, first.epochs[1])
    foreign = DealSecrets({1: b"x" * 32}).fingerprints()
    with pytest.raises(ValueError, match="another database"):
        load_secrets(sqlite, foreign)
    (tmp_path / "a.db.secrets").unlink()
    assert load_secrets(sqlite, rotated.fingerprints()).newest == 3  # the old ones are lost, play goes on
    with pytest.raises(ValueError, match="are missing"):
        load_secrets(postgres, first.fingerprints())
    monkeypatch.setenv("TACIT_DEAL_SECRETS", f"1 {'ab' * 32},2 {'cd' * 32}")
    assert load_secrets(postgres, {}).newest == 2
    monkeypatch.setenv("TACIT_DEAL_SECRETS", "not a secret")
    with pytest.raises(ValueError, match="cannot be read"):
        load_secrets(postgres, {})


def test_a_host_rotates_the_secret_and_forgets_who_played(sqlite_database: str) -> None:
    def admin(*words: str) -> str:
        done = CliRunner().invoke(main, ["admin", *words, "--database", sqlite_database])
        assert done.exit_code == 0, done.output
        return done.output

    with serving(config(sqlite_database)) as server:
        ada = Player(server.url, "Ada")
        deal = todays(ada)
        table, key = ada.sit(deal)
        ada.start(table, key)
        first = dealt(server, table)
        assert "Secret 2 is in" in admin("rotate-secret")
    with serving(config(sqlite_database)) as server:
        ada.url = server.url
        assert server.app.store.secrets.newest == 2
        ada.play(table, key)  # goes on with the secret that it began with
        assert dealt(server, table) == first
        again, _ = ada.attempt(deal)
        assert dealt(server, again) == first
        made = ada.make(GAME, SEATS)[0]
        assert server.app.tables.loaded[made].row.epoch == 2
        admin("prune", "--names", "0")
        teams = ada.ask(f"/api/deals/{deal['deal']}/results").json()["teams"]
        assert [team["names"] for team in teams] == [[], []]
        admin("prune", "--tables", "0")
        assert refused(ada.ask(f"/api/deals/{deal['deal']}/results")) == "deal.hidden"  # who she was is forgotten
