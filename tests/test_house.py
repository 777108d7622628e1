"""The house's own rules: arrows between rooms, catalogues, what the public name offers."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import tacit
from tacit import GAMES

SOURCE = Path(tacit.__file__).parent
# Who may import whom. Nothing but `__main__` imports `cli`; a room that is not listed may import nothing of ours.
ALLOWED = {
    "core": {"core"},
    "commands": {"core"},
    "games": {"games", "core"},
    "bots": {"bots", "games", "core"},
    "bench": {"bench", "commands", "research", "bots", "games", "core"},
    "learn": {"learn", "research", "bots", "games", "core"},
    "research": {"research", "bots", "games", "core"},
    "analysis": {"analysis", "bots", "games", "core"},
    "arena": {"arena", "analysis", "bots", "games", "core"},
    "terminal": {"terminal", "bots", "games", "core"},
    "server": {"server", "commands", "bots", "games", "core", ""},
    "cli": {
        "cli",
        "commands",
        "server",
        "arena",
        "terminal",
        "bench",
        "learn",
        "research",
        "bots",
        "games",
        "core",
        "",
    },
    "__main__": {"cli"},
    "": {"games", "core"},
}


def room(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [
                f"{node.module}.{alias.name}" if node.module == "tacit" else node.module or "" for alias in node.names
            ]
        for name in names:
            if name.split(".")[0] == "tacit":
                found.add(([*name.split("."), ""])[1])
    return {name if name in ALLOWED else "" for name in found}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_arrows_go_one_way(path: Path) -> None:
    assert imports(path) <= ALLOWED[room(path)]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_imports_no_other_game(name: str) -> None:
    folder = SOURCE / "games" / name.replace("-", "_")
    for path in folder.glob("*.py"):
        others = set(re.findall(r"tacit\.games\.(\w+)", path.read_text())) - {folder.name}
        assert not others, path


def codes_used(folder: Path, prefix: str) -> set[str]:
    """The message codes that the sources of a folder name: Message("silencio.x.y"), _say("x.y")."""
    found = set()
    for path in folder.glob("*.py"):
        text = path.read_text()
        found |= {m[1] for m in re.finditer(rf'Message\(\s*"{prefix}\.([\w.-]+)"', text)}
        found |= {m[1] for m in re.finditer(r'\brefuse\(\s*"([\w.-]+)"', text)}
        found |= {m[1] for m in re.finditer(r'_say\(\s*"([\w.-]+)"', text)}
    return found


@pytest.mark.parametrize(
    ("folder", "prefix"),
    [("core", "core"), ("server", "server"), ("bots", "bots"), *((f"games/{n.replace('-', '_')}", n) for n in GAMES)],
)
def test_every_message_has_its_sentence(folder: str, prefix: str) -> None:
    catalogue = json.loads((SOURCE / folder / "en.json").read_text())
    used = codes_used(SOURCE / folder, prefix)
    assert used
    assert used - set(catalogue) == set()


@pytest.mark.parametrize("folder", ["core", "server", "bots", *(f"games/{n.replace('-', '_')}" for n in GAMES)])
def test_every_catalogue_says_the_same_in_every_language(folder: str) -> None:
    """Other languages have the same codes with the same parameters as English."""

    def shape(path: Path) -> dict[str, set[str]]:
        entries = json.loads(path.read_text())
        return {code: set(re.findall(r"{(\w+)}", json.dumps(text))) - {"n"} for code, text in entries.items()}

    english = shape(SOURCE / folder / "en.json")
    for path in (SOURCE / folder).glob("??.json"):
        assert shape(path) == english, path


def test_all_public_names_exist() -> None:
    for name in tacit.__all__:
        assert hasattr(tacit, name)
    assert sorted(tacit.__all__, key=str.lower) == sorted(set(tacit.__all__), key=str.lower)


def test_the_page_names_no_game_outside_the_games_own_folders() -> None:
    web = SOURCE.parent.parent / "web"
    files = [*(web / "src").rglob("*.svelte"), *(web / "src").rglob("*.ts"), web / "vite.config.ts", web / "index.html"]
    for path in files:
        if len(path.relative_to(web).parts) == 4 and path.parent.parent.name == "games":
            continue
        found = re.findall(rf"""['"`/]({"|".join(GAMES)})['"`/]""", re.sub(r"(?s)/\*.*?\*/", "", path.read_text()))
        assert not found, f"{path}: {found}"
