"""What people may call themselves: a name is what everyone reads, and no two people at a table read as one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tacit.server.names import checked_name, confusable
from tests.server.harness import Api, config, serving


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """One server for all names: each test has a table of its own."""
    with serving(config(f"sqlite:///{tmp_path_factory.mktemp('names') / 'tacit.db'}")) as running:
        yield Api(running.url)


HOSTILE = {
    "": "unreadable", " ": "name.form", "\n": "name.form", "a\nb\u0000": "name.form", "x" * 25: "unreadable",
    "a\u202eb": "name.form", "\u200b": "name.form", "a\u200db": "name.form", "\ufeff": "name.form",
    "a\x1b[31m": "name.form", "a\u2066b": "name.form",
    "\u3164": "name.hidden", "\u2800\u2800": "name.hidden", "\uffa0": "name.hidden", "Ben\u034f": "name.hidden",
    "B\u115fen": "name.hidden", "Ben\u17b4": "name.hidden", "Ben\u180b": "name.hidden", "\u0301a": "name.hidden",
    "\ufe0f": "name.form", "\u0e31Ben": "name.hidden",
    "Z" + "\u0301" * 5: "name.stacked", "Z\u0301\u0301": "name.stacked", "\u1ec7\u0303\u0306": "name.stacked",
    "\u05e9" + "\u05b0\u05b1\u05b2\u05b3": "name.stacked", "\u0e2a\u0e48\u0e48": "name.stacked",
    "B\u0435n": "name.scripts", "\u0392en": "name.scripts", "Be\u0578": "name.scripts", "\u0430da": "name.scripts",
    "\ufb2c" * 24: "name.form",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_refused_with_their_reason(name: str, api: Api) -> None:
    """Invisible, blank, stacked, of several scripts; and too long once it is normalised (24 letters become 72)."""
    answer = api.post("/api/tables", game="toy", seats=2, name=name)
    assert (answer.status_code, answer.json()["reason"]["code"]) == (400, f"server.{HOSTILE[name]}")


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>"[:24], "Zoë", "O'Neil; DROP TABLE", "李", "{0.__class__}", "Nguyễn", "สวัสดี",
     "नमस्ते", "김 Kim", "ユーザー", "Ольга", "Ωμέγα", "Ada 🦊", "עֲדִינָה"],
)  # fmt: skip
def test_odd_names_are_only_names(name: str, api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=2, name=name, visibility="open")
    assert made.status_code == 201, made.text
    shown = api.get(f"/api/tables/{made.json()['table']}")
    assert shown.json()["seats"][0]["name"] == checked_name(name)
    assert shown.headers["content-type"] == "application/json"
    twice = api.post(f"/api/tables/{made.json()['table']}/join", name=name.upper())
    assert twice.json()["reason"]["code"] == "server.name.taken"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoe\u0308", "Zo\u00eb"), ("Ben", "BEN"), ("Ian", "lan"), ("COCO", "\u0421\u041e\u0421\u041e"),
     ("Olga", "0lga"), ("Tom", "Torn"), ("Ada", "\uff21da"), ("Ben", "\U0001d401en"), ("Ben", "Ben\ufe0f")],
)  # fmt: skip
def test_two_people_at_a_table_cannot_look_like_one(one: str, other: str, api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=2, name=one).json()
    taken = api.post(f"/api/tables/{made['table']}/join", name=other)
    assert taken.json()["reason"]["code"] == "server.name.taken"


def test_names_that_differ_are_not_taken_for_each_other() -> None:
    for one, other in (("Ben", "Benn"), ("Guest 1", "Guest 2"), ("Zoë", "Zoe"), ("李", "王"), ("Ada", "Ida")):
        assert not confusable(one, other)


def test_a_name_that_grows_when_it_is_normalised_reaches_no_database(postgres_database: str) -> None:
    """72 letters in a column of 40 were an error of the database, and stopped the writer for everybody."""
    with serving(config(postgres_database)) as server:
        api = Api(server.url)
        answer = api.post("/api/tables", game="toy", seats=2, name="\ufb2c" * 24)
        assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "server.name.form")
        assert api.post("/api/tables", game="toy", seats=2, name="\ufb2c" * 8).status_code == 201
