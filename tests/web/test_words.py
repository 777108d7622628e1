"""The page's own words: every code it uses has a sentence in every language, and the languages differ."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tacit.core.messages import Message, render
from tests.server.harness import ROOT

SRC = ROOT / "web" / "src"
LANGUAGES = ("en", "de", "nl")
# Words that are the same in a language: names, loan words, marks.
SERVICES = {f"reach.kind.{name}" for name in ("discord", "slack", "matrix")}  # which have one name everywhere
SAME = {
    "de": {
        "raw",
        "new.bot",
        "gathering.bot",
        "link",
        "bot.style",
        "home.phase.gathering",
        "replay.scrub",
        *SERVICES,
        "room.sign.wow",
    },
    "nl": {
        "raw",
        "new.bot",
        "gathering.bot",
        "link",
        "menu.title",
        "gathering.for-person",
        "new.visibility.open",
        "replay.open",
        "replay.scrub",
        "deal.mark.bots",
        "branch.others.bots",
        *SERVICES,
        "room.sign.wow",
        "room.sign.think",
        "room.hand-open",
        "you.rating.skill",
    },
}


def words(folder: Path, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{language}.json").read_text())
    return found


def used() -> dict[str, set[str]]:
    """The codes that t('…') names in the sources, by catalogue; a template's open end is written as *."""
    found: dict[str, set[str]] = {}
    for path in [*SRC.rglob("*.svelte"), *SRC.rglob("*.ts")]:
        text = re.sub(r"(?s)/\*.*?\*/", "", path.read_text())
        calls = re.findall(r"\bt\(((?:[^()]|\([^()]*\))*)\)", text)
        for found_call in calls:
            call = re.sub(r"\$\{[^}]*\}", "*", found_call)
            call = re.sub(r"[!=]==? '[^']*'", "", call)  # what is compared is no code
            for plain in re.findall(r"['`]([a-z][\w.*-]*)['`]", call.split(", {")[0]):
                prefix, dot, rest = plain.partition(".")
                table = dot and prefix.endswith("-table")
                found.setdefault(prefix if table else "web", set()).add(rest if table else plain)
        for code in re.findall(r"code: 'web\.([\w.-]+)'", text):
            found.setdefault("web", set()).add(code)
    return found


def fits(code: str, catalogue: dict[str, Any]) -> bool:
    if "*" not in code:
        return code in catalogue
    pattern = re.compile(re.escape(code).replace(r"\*", r"[\w-]+"))
    return any(pattern.fullmatch(known) for known in catalogue)


def test_every_code_the_page_uses_has_a_sentence_in_every_language() -> None:
    codes = used()
    assert len(codes["web"]) > 100  # or the search finds nothing
    missing = []
    for prefix, wanted in codes.items():
        folder = SRC / "i18n" if prefix == "web" else SRC / "games" / prefix.removesuffix("-table")
        for language in LANGUAGES:
            known = words(folder, language)
            missing += [f"{prefix}.{code} ({language})" for code in sorted(wanted) if not fits(code, known)]
    assert not missing, missing


def test_no_sentence_of_the_shell_is_unused() -> None:
    text = "\n".join(path.read_text() for path in [*SRC.rglob("*.svelte"), *SRC.rglob("*.ts")])
    patterns = [re.compile(re.escape(c).replace(r"\*", r"[\w.-]+")) for c in used()["web"] if "*" in c]
    dynamic = ("bot.", "option.")  # named by what the server plays
    idle = [
        code
        for code in words(SRC / "i18n", "en")
        if f"'{code}'" not in text
        and f"web.{code}'" not in text
        and not code.startswith(dynamic)
        and not any(pattern.fullmatch(code) for pattern in patterns)
    ]
    assert not idle, idle


FOLDERS = [SRC / "i18n", *sorted(p.parent for p in (SRC / "games").glob("*/en.json"))]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_languages_say_the_same_with_the_same_parameters(folder: Path) -> None:
    def shape(text: Any) -> tuple[set[str], bool]:
        return set(re.findall(r"{(\w+)}", json.dumps(text))) - {"n"}, isinstance(text, dict)

    english = {code: shape(text) for code, text in words(folder, "en").items()}
    for language in LANGUAGES[1:]:
        assert {code: shape(text) for code, text in words(folder, language).items()} == english, language


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_is_left_untranslated(language: str) -> None:
    english, other = words(SRC / "i18n", "en"), words(SRC / "i18n", language)
    same = {code for code, text in english.items() if other[code] == text and code not in SAME[language]}
    # Where nothing but a parameter and a mark stands, nothing can differ.
    assert not {code for code in same if re.sub(r"{\w+}|\W", "", json.dumps(english[code]))}, same


class Example(msgspec.Struct):
    language: str
    message: dict[str, Any]
    names: list[str]
    says: str


def read_message(given: Any) -> Any:
    if isinstance(given, dict) and "code" in given:
        return Message(given["code"], {k: read_message(v) for k, v in given.get("params", {}).items()})
    return given


def test_python_says_the_examples_that_the_page_is_held_to() -> None:
    examples = msgspec.json.decode((ROOT / "web" / "tests" / "examples.json").read_bytes(), type=list[Example])
    assert {example.language for example in examples} == set(LANGUAGES)
    for example in examples:
        assert render(read_message(example.message), example.language, example.names) == example.says
