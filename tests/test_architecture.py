"""The documents name what exists: files, modules, functions; docs/architecture.md names every file of the package."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tacit"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
FILE = re.compile(r"`([\w./*?-]+\.(?:pyi?|json|deck|tacit|mako|npz|svelte|ts|md|toml|css|gz))`")
LINK = re.compile(r"\]\(([\w./-]+\.md)")
AT_ROOT = ("src/", "web/", "docs/", "tests/", "benchmarks/", "examples/", "deploy/")
UNNAMED = {"__init__.py", "py.typed"}  # a package's own file, where it only says what the package is


def matches(name: str) -> set[Path]:
    return set((ROOT if name.startswith(AT_ROOT) else PACKAGE).glob(name))


def test_every_file_that_the_tour_names_exists() -> None:
    names = FILE.findall(PAGE)
    assert len(names) > 100
    assert [name for name in names if not matches(name)] == []
    assert [name for name in LINK.findall(PAGE) if not (ROOT / "docs" / name).exists()] == []


def test_the_tour_names_every_file_of_the_package() -> None:
    named = {path for name in FILE.findall(PAGE) for path in matches(name)}
    built = PACKAGE / "server" / "page"  # the web client
    files = {
        path
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.is_relative_to(built)
    }
    missing = {path for path in files - named if path.name not in UNNAMED}
    assert sorted(str(path.relative_to(PACKAGE)) for path in missing) == []


def test_every_folder_that_the_tour_names_exists() -> None:
    for name in re.findall(r"`([\w/-]+/)`", PAGE):
        assert (ROOT if name.startswith(AT_ROOT) else PACKAGE).joinpath(name).is_dir(), name


def test_the_glossary_is_short() -> None:
    lines = [line for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line.startswith("| **")]
    assert 10 <= len(lines) <= 20


PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_and_file_that_a_page_names_exists(page: Path) -> None:
    text = re.sub(r"tacit[./]games[./]hush(\.py)?", "", page.read_text())  # the tutorial's own game
    for name in sorted(set(re.findall(r"(?<![\w./-])tacit(?:\.[a-zA-Z_]\w*)+(?!\w*[-/])", text))):
        if not re.search(r"\.(tacit|db|service|socket|backup|conf)$", name):
            assert resolve(name), f"{page.name}: {name}"
    for name in re.findall(r"\b((?:src/tacit|benchmarks|examples|deploy|tests)/[\w./-]*\.\w+)", text):
        assert (ROOT / name).exists(), f"{page.name}: {name}"


def resolve(name: str) -> bool:
    """Is this a module, or something in one?"""
    module, _, rest = name.rpartition(".")
    try:
        import_module(name)
    except ImportError:
        return bool(module) and hasattr(import_module(module), rest)
    return True
