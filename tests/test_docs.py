"""The documents are true: their code runs, docstrings explain every parameter, the site builds and asks no host."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS, SOURCE = ROOT / "docs", ROOT / "src" / "tacit"
LONG = "TACIT_LONG" in os.environ
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"# (\w+\.py)\n")
# These have tests of their own: tests/bots/test_docs.py, tests/server/test_protocol.py.
ELSEWHERE = {"docs/bots.md", "docs/protocol.md"}
PAGES = sorted(
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
    if "```python" in path.read_text() and path.relative_to(ROOT).as_posix() not in ELSEWHERE
)
# What a page takes for granted.
BEFORE = {
    "research.md": """
import torch
from pathlib import Path
from tacit import Match
from tacit.core import laws
from tacit.research.dlpack import torch_views
from tacit.research.vector import TacitVectorEnv
policy = lambda observation, mask: (mask.float(), observation.float().sum(1))
action = torch.zeros(512, dtype=torch.int64)
Path("matches").mkdir()
Path("matches/one.tacit").write_text(str(laws.random_match(Match("silencio", 2).game, 2, None, 1)))
""",
    "datasheet.md": "from tacit.research.shards import make\nmake('toy', 'dataset-silencio', matches=8, seats=3)\n",
    "writing-a-game.md": "from typing import Annotated, Protocol\n"
    "from tacit import game_named\nfrom tacit.core.state_layout import Cells, Grid\ngame = game_named('toy')\n",
}
# Compiling a new game takes some ten seconds; large counts are the long run's.
SHORT = {
    "fifth-game.md": {r"^laws\.check_backends.*\n": "", r"^batch.*\n": ""},
    "writing-a-game.md": {r"^laws\.check_(backends|compiled).*\n": "", "matches=50": "matches=4"},
    "README.md": {"n=4096": "n=64"},
    "research.md": {"n=4096": "n=64"},
    "learner.md": {"n=256": "n=16", "< 256": "< 8", "UPDATES = 2": "UPDATES = 1"},
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Block after block, as a reader would; a block that begins with `# name.py` is a part of that file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {"__name__": page.stem}
    exec(BEFORE.get(page.name, ""), names)
    for code in BLOCK.findall(page.read_text()):
        for pattern, instead in {} if LONG else SHORT.get(page.name, {}).items():
            code = re.sub(pattern, instead, code, flags=re.M)
        if file := FILE.match(code):
            with (tmp_path / file[1]).open("a") as out:
                out.write(code.removeprefix(file[0]))
        else:
            exec(compile(code, str(page), "exec", dont_inherit=True), names)


def shown() -> set[str]:
    """What the Python pages show: modules, classes and functions of tacit."""
    return {
        name for page in (DOCS / "api").glob("*.md") for name in re.findall(r"::: tacit\.([\w.]+)", page.read_text())
    }


def documented() -> list[str]:
    """The modules that the Python pages show. (The solver's examples run in tests/analysis.)"""
    named = shown()
    files = (name.replace(".", "/") for name in named if not name.startswith("analysis."))
    modules = (
        name if (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").exists() else str(Path(name).parent)
        for name in files
    )
    return sorted({name.replace("/", ".") for name in modules})


@pytest.mark.parametrize("name", documented())
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(import_module(f"tacit.{name}")).failed == 0


# Shown as members of modules that the pages show.
MEMBERS = {"research.aec.raw_env", "research.datasets.Dataset"} | {
    f"review.model.{name}" for name in ("Clairvoyance", "CurvePoint", "KeyMoment", "Review", "SeatAccount")
}


@pytest.mark.parametrize("name", sorted(shown() | MEMBERS))
def test_every_parameter_and_attribute_is_explained(name: str) -> None:
    module, _, member = f"tacit.{name}".rpartition(".")
    thing = getattr(import_module(module), member, None) or import_module(f"tacit.{name}")
    if inspect.ismodule(thing):
        assert thing.__doc__
        return
    doc = inspect.getdoc(thing) or ""
    source = inspect.getsource(thing).replace(thing.__doc__ or "", "")
    below = set(re.findall(r'^    (\w+): [^\n]*\n    """', source, re.M))  # explained where it is declared
    explained = below | set(re.findall(r"^    (\w+): ", doc, re.M)) | set(re.findall(r"`(\w+)`", doc))
    wanted = {p.name for p in inspect.signature(thing).parameters.values() if p.kind is not p.VAR_KEYWORD}
    if inspect.isclass(thing):
        wanted |= set(re.findall(r"^    ([a-z]\w*):", source, re.M))
        wanted |= set(re.findall(r"^        self\.([a-z]\w*)(?:: [^=\n]+)? = ", source, re.M))
        methods = {n: m for n, m in vars(thing).items() if not n.startswith("_") and inspect.isfunction(m)}
        assert not [n for n, m in methods.items() if not inspect.getdoc(getattr(thing, n))]
    assert wanted - explained == set()


def test_the_site_builds_without_a_warning_and_asks_no_other_host(tmp_path: Path) -> None:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    for page in pages:
        text = page.read_text()
        assert not re.findall(r'<(?:script|img|iframe|source)[^>]*src="?https?:', text), page.name
        assert not re.findall(r'<link[^>]*href="?https?:', text), page.name
    shown = (tmp_path / "api/match.html").read_text()
    assert all(f'id="tacit.core.match.Match.{name}"' in shown for name in ("see", "play", "preview", "due"))


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text()
    assert [path.name for path in DOCS.rglob("*.md") if path.relative_to(DOCS).as_posix() not in text] == []
