"""What `pip install` gives: wheels and source distributions have the page; an extra brings what serves it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import httpx
import pytest

import tacit
from tests.install import pips_settings
from tests.server.harness import ROOT, TRUST, free_port

QUIET = ("--disable-pip-version-check", "-q")
LEFT_OUT = shutil.ignore_patterns("node_modules", "page", ".*", "__pycache__", "pictures", "golden")
OUTSIDE = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "TACIT_CACHE")}


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has what builds us, so that each build needs no environment of its own."""
    python = empty(tmp_path_factory.mktemp("builder"))
    install(python, "hatchling", "editables")
    return python


@pytest.fixture(scope="module")
def made(built: Path, builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of these sources."""
    folder = tmp_path_factory.mktemp("wheel")
    done = wheel(builder, ROOT, folder)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("tacit_games-*.whl")
    return path


def empty(home: Path) -> Path:
    """The Python of a new environment with nothing in it, not even pip: the tests' own pip installs into it."""
    venv.create(home)
    return home / "bin" / "python"


def pip(python: Path, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """pip, with what the environment of these tests has beside our own settings."""
    command: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, *words, *QUIET]
    return subprocess.run(command, env=OUTSIDE | environment, capture_output=True, text=True)


def install(python: Path, *what: str | Path) -> None:
    """Install by uv, which takes a fraction of pip's time, or by pip where uv is missing or finds nothing."""
    command: list[str | Path] = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, *what]
    if subprocess.run(command, env=pips_settings() | OUTSIDE, capture_output=True).returncode != 0:
        done = pip(python, "install", "--no-compile", *what)
        assert done.returncode == 0, done.stderr


def wheel(builder: Path, source: Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`pip wheel` of a source into a folder."""
    return pip(builder, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, source, **environment)


def files_of(made: Path) -> list[str]:
    with zipfile.ZipFile(made) as opened:
        return sorted(opened.namelist())


def without_page(folder: Path) -> Path:
    """A copy of the sources in which the page is not built; called `tacit`, as `git clone` would call it."""
    return Path(shutil.copytree(ROOT, folder / "tacit", ignore=LEFT_OUT))


def test_a_wheel_and_a_source_distribution_have_the_page(
    built: Path, builder: Path, made: Path, tmp_path: Path
) -> None:
    names = files_of(made)
    page = {f"tacit/server/page/{path.relative_to(built).as_posix()}" for path in built.rglob("*") if path.is_file()}
    assert page
    assert page <= set(names)
    art = {f"tacit/games/{game.replace('-', '_')}/art.svg" for game in tacit.GAMES}  # what notebooks show
    assert art <= set(names)
    sdist: list[str | Path] = [builder, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path / "sdist"]
    subprocess.run(sdist, cwd=ROOT, env=OUTSIDE, check=True, capture_output=True)
    (archive,) = (tmp_path / "sdist").glob("tacit_games-*.tar.gz")
    with tarfile.open(archive) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    assert "web/package-lock.json" in inside
    assert not any("node_modules" in name for name in inside)
    again = wheel(builder, archive, tmp_path / "again", PATH="")  # where there is no Node
    assert again.returncode == 0, again.stderr
    (same,) = (tmp_path / "again").glob("tacit_games-*.whl")
    assert files_of(same) == names


def test_a_wheel_without_the_page_is_refused_with_a_sentence(builder: Path, tmp_path: Path) -> None:
    source = without_page(tmp_path)
    refused = wheel(builder, source, tmp_path, PATH="")
    assert refused.returncode != 0
    assert not list(tmp_path.glob("*.whl"))
    assert "The page is not built, and npm is missing: install Node 20.19 or newer" in refused.stdout + refused.stderr
    page = source / "src/tacit/server/page"
    page.mkdir()
    (page / "index.html").touch()
    os.utime(page / "index.html", (1, 1))
    refused = wheel(builder, source, tmp_path, PATH="")
    assert "The page is older than its sources, and npm is missing" in refused.stdout + refused.stderr


def test_an_editable_install_needs_no_node(builder: Path, tmp_path: Path) -> None:
    source = without_page(tmp_path)
    editable = pip(builder, "install", "--no-deps", "--no-build-isolation", "-e", source, PATH="")
    assert editable.returncode == 0, editable.stderr


def test_an_empty_environment_plays_in_the_terminal_and_with_the_extra_serves_the_page(
    made: Path, tmp_path: Path
) -> None:
    python = empty(tmp_path / "empty")
    there = python.parent
    homes = {"XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [there / "tacit", *words], cwd=tmp_path, env=OUTSIDE | homes, capture_output=True, text=True
        )

    install(python, made)
    assert command("--version").stdout.strip() == f"tacit, version {tacit.__version__}"
    match = command("play", "silencio", "--people", "0", "--seed", "1", "--bots", "random", "--record", "bots.tacit")
    assert match.returncode == 0, match.stderr
    assert command("check", "bots.tacit").returncode == 0
    alone = command("--no-open")
    assert alone.returncode == 1
    assert alone.stderr.endswith("pip install 'tacit-games[server]'.\n")

    install(python, f"{made}[server]")
    words = [str(there / "tacit"), "--no-open", "--port", str(free_port())]
    running = subprocess.Popen(words, cwd=tmp_path, env=OUTSIDE | homes, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        url = re.findall(r"http://\S+", running.stdout.readline())[0]
        page = httpx.get(url, verify=TRUST)
        assert page.status_code == 200
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
        assert scripts
        for path in scripts:
            assert httpx.get(url + path, verify=TRUST).status_code == 200
        assert len(httpx.get(f"{url}/api/games", verify=TRUST).json()["games"]) == 4
        assert httpx.get(f"{url}/api/words/de", verify=TRUST).json()["silencio"] != {}
    finally:
        running.terminate()
        running.wait(20)
        if running.stdout is not None:
            running.stdout.close()


@pytest.mark.long
def test_pipx_and_uvx_run_the_wheel(made: Path, tmp_path: Path) -> None:
    """By either of its commands: `tacit`, and the one with the distribution's name, which both look for."""
    python = empty(tmp_path / "tools")
    install(python, "pipx", "uv")
    homes = {"PIPX_HOME": str(tmp_path / "pipx"), "UV_CACHE_DIR": str(tmp_path / "uv"), "UV_NO_CONFIG": "1"}
    homes |= {"UV_FIND_LINKS": OUTSIDE.get("PIP_FIND_LINKS", ""), "UV_PYTHON": sys.executable, "UV_SYSTEM_CERTS": "1"}
    for words in (
        [python, "-m", "pipx", "run", "--spec", made, "tacit"],
        [python, "-m", "pipx", "run", "--spec", made, "tacit-games"],
        [python.parent / "uvx", "--from", made, "tacit"],
        [python.parent / "uvx", "--from", made, "tacit-games"],
    ):
        command = [*map(str, words), "--version"]
        done = subprocess.run(command, env=OUTSIDE | homes, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip().endswith(f"version {tacit.__version__}")


@pytest.mark.long
def test_build_makes_both_from_the_sources(tmp_path: Path) -> None:
    """`python -m build`: the source distribution first, and from it, without Node, the wheel."""
    source = without_page(tmp_path)
    words = [sys.executable, "-m", "build", "--outdir", str(tmp_path / "dist"), str(source)]
    done = subprocess.run(words, env=OUTSIDE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (tmp_path / "dist").glob("tacit_games-*.whl")
    assert "tacit/server/page/index.html" in files_of(path)
