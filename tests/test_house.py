"""The project's own rules: imports between packages, catalogues, public names, parameters, names of games."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

import tacit
from tacit import GAMES, game_named
from tacit.core.contract import Contract, Terminal

SOURCE = Path(tacit.__file__).parent
ROOT = Path(__file__).parent.parent
# Which package may import which. Only `__main__` imports `cli`.
ALLOWED = {
    "core": {"core"},
    "commands": {"core"},
    "games": {"games", "core"},
    "bots": {"bots", "games", "core"},
    "bench": {"bench", "commands", "research", "bots", "games", "core"},
    "learn": {"learn", "commands", "research", "bots", "games", "core"},
    "research": {"research", "commands", "bots", "games", "core", ""},
    "analysis": {"analysis", "bots", "games", "core"},
    "review": {"review", "analysis", "commands", "bots", "games", "core"},
    "arena": {"arena", "review", "analysis", "bots", "games", "core"},
    "benchmark": {"benchmark", "commands", "arena", "bots", "games", "core"},
    "terminal": {"terminal", "commands", "bots", "games", "core", ""},
    "server": {"server", "review", "commands", "bots", "games", "core", ""},
    "cli": {
        "cli",
        "commands",
        "server",
        "analysis",
        "arena",
        "terminal",
        "review",
        "bench",
        "benchmark",
        "learn",
        "research",
        "bots",
        "games",
        "core",
        "",
    },
    "__main__": {"cli"},
    "typed_match": {"games", "core"},  # a .pyi, for type checkers alone
    "": {"typed_match", "review", "games", "core"},
}


def package_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


@cache
def nodes(text: str) -> list[ast.AST]:
    """All nodes of a source, which several tests look at."""
    return list(ast.walk(ast.parse(text)))


def imports(path: Path) -> set[str]:
    found = set()
    for node in nodes(path.read_text()):
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


def test_imports_go_one_way() -> None:
    wrong = {
        path: imports(path) - ALLOWED[package_of(path)] for path in [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyi")]
    }
    assert {str(path.relative_to(SOURCE)): names for path, names in wrong.items() if names} == {}


def test_an_import_the_other_way_is_found(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text("from tacit.server.app import App\nimport tacit.core.match\n")
    assert imports(tmp_path / "some.py") == {"server", "core"}


# Modules that only some systems have: imported where they are used, beside an alternative.
SOME_SYSTEMS = {"fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "termios", "tty", "uvloop", "winreg"}


def of_some_systems(text: str) -> set[str]:
    """What a module imports at its import that not every system has."""
    found = set()
    for node in nodes(text)[0].body:  # type: ignore[attr-defined]
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found |= SOME_SYSTEMS & {name.split(".")[0] for name in names}
    return found


def test_every_module_can_be_imported_on_every_system() -> None:
    found = {str(path.relative_to(SOURCE)): of_some_systems(path.read_text()) for path in SOURCE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}
    assert of_some_systems("import fcntl\nfrom pwd import getpwnam\n") == {"fcntl", "pwd"}
    assert of_some_systems("def lock() -> None:\n    import fcntl\n") == set()


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
    [
        ("core", "core"),
        ("server", "server"),
        ("bots", "bots"),
        ("review", "review"),
        *((f"games/{n.replace('-', '_')}", n) for n in GAMES),
    ],
)
def test_every_message_has_its_sentence(folder: str, prefix: str) -> None:
    catalogue = json.loads((SOURCE / folder / "en.json").read_text())
    used = codes_used(SOURCE / folder, prefix)
    assert used
    assert used - set(catalogue) == set()


@pytest.mark.parametrize(
    "folder", ["core", "server", "bots", "review", *(f"games/{n.replace('-', '_')}" for n in GAMES)]
)
def test_every_catalogue_says_the_same_in_every_language(folder: str) -> None:
    """Other languages have the same codes with the same parameters as English."""

    def shape(path: Path) -> dict[str, set[str]]:
        entries = json.loads(path.read_text())
        return {code: set(re.findall(r"{(\w+)}", json.dumps(text))) - {"n"} for code, text in entries.items()}

    english = shape(SOURCE / folder / "en.json")
    for path in (SOURCE / folder).glob("??.json"):
        assert shape(path) == english, path


MEMBERS = {field.name for part in (Contract, Terminal) for field in fields(part)}


def probes(text: str) -> list[str]:
    """The places where a source asks whether a game has a member: getattr with a default or hasattr, of a game's module
    or rules, or of anything by the name of a member of the contract."""
    found = []
    for node in nodes(text):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            of_game = re.search(r"\bgame\.(module|rules|terminal)\b", ast.unparse(node.args[0]))
            name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
            if (node.func.id == "hasattr" or len(node.args) > 2) and (of_game or name in MEMBERS):
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def test_nothing_asks_a_games_module_what_it_has() -> None:
    """core/contract.py declares every member; `Game` has the optional ones with their defaults."""
    found = {str(path.relative_to(SOURCE)): probes(path.read_text()) for path in SOURCE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_such_a_probe_is_found() -> None:
    assert len(probes('getattr(self.game.module, "roll", None)')) == 1
    assert len(probes('getattr(getattr(game.module, "model", game.module), "SILENT", False)')) == 2
    assert len(probes('hasattr(match.game.module, "overhear")')) == 1
    assert len(probes('getattr(import_module("x"), "CONFIRM", False)')) == 1
    assert probes('getattr(game.module, name); getattr(view, "ask", None)') == []


def test_all_public_names_exist() -> None:
    for name in tacit.__all__:
        assert hasattr(tacit, name)
    assert sorted(tacit.__all__, key=str.lower) == sorted(set(tacit.__all__), key=str.lower)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file, with the number of its positional parameters."""
    for node in nodes(path.read_text()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            name = "lambda" if isinstance(node, ast.Lambda) else node.name
            yield name, len(node.args.posonlyargs) + len(node.args.args)


def test_no_function_has_more_than_ten_positional_parameters() -> None:
    folders = (ROOT / name for name in ("src", "tests", "benchmarks", "examples"))
    found = {
        f"{path.relative_to(ROOT)}:{name}"
        for folder in folders
        for path in folder.rglob("*.py")
        for name, parameters in functions(path)
        if parameters > 10
    }
    assert found == set()


def test_such_a_function_is_found(tmp_path: Path) -> None:
    names = [f"p{i}" for i in range(11)]
    (tmp_path / "long.py").write_text(f"def long({', '.join(names)}): ...\ndef short({names[0]}, *, {names[1]}): ...\n")
    assert list(functions(tmp_path / "long.py")) == [("long", 11), ("short", 1)]


def names_in_code(text: str) -> set[str]:
    """The strings of a source that are not docstrings, and the modules that it imports."""
    docstrings = {node.value for node in nodes(text) if isinstance(node, ast.Expr)}
    found = {
        node.value
        for node in nodes(text)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings
    }
    imported = [node for node in nodes(text) if isinstance(node, ast.ImportFrom)]
    return found | {node.module or "" for node in imported} | {alias.name for node in imported for alias in node.names}


WORDS = {*GAMES, *(name.replace("-", "_") for name in GAMES), *(game_named(name).title for name in GAMES)}
GAME = re.compile(rf"(?<![\w`-])({'|'.join(map(re.escape, sorted(WORDS)))})(?![\w-])")


def test_the_package_names_no_game_outside_games_and_bots() -> None:
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if package_of(path) not in ("games", "bots")
        and any(GAME.search(name) for name in names_in_code(path.read_text()))
    }
    assert found == set()


def test_such_a_name_is_found() -> None:
    assert any(map(GAME.search, names_in_code('SEATS = {"silencio": 3}')))
    assert any(map(GAME.search, names_in_code("from tacit.games.zombie_city import model")))
    assert any(map(GAME.search, names_in_code("from tacit.games import silent_planet")))
    assert not any(map(GAME.search, names_in_code('"""Silencio is an example."""\nsilence = "silent"')))


def games_named(page: str) -> list[str]:
    """The games that a source of the page names as a string or a path, comments left out."""
    return re.findall(rf"""['"`/]({"|".join(GAMES)})['"`/]""", re.sub(r"(?s)/\*.*?\*/", "", page))


def test_the_page_names_no_game_outside_the_games_own_folders() -> None:
    web = SOURCE.parent.parent / "web"
    files = [path for ending in ("svelte", "ts", "css") for path in (web / "src").rglob(f"*.{ending}")]
    files += [web / "vite.config.ts", web / "index.html"]
    for path in files:
        if len(path.relative_to(web).parts) == 4 and path.parent.parent.name == "games":
            continue
        found = games_named(path.read_text())
        if path.suffix == ".css":  # colours and sizes of a game are in its folder, and so are the comments on them
            found += GAME.findall(path.read_text())
        assert not found, f"{path}: {found}"


def test_a_game_that_the_page_names_is_found() -> None:
    assert games_named("import x from './games/silencio/Table.svelte'; const SEATS = { 'zombie-city': 4 }") == [
        "silencio",
        "zombie-city",
    ]
    assert games_named("/* as in 'silencio' */ const silence = 'silent'") == []
