"""The files around the package: the web client's lock, the workflows and forms, the service, what a container runs."""

from __future__ import annotations

import configparser
import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tacit
from tests.install import pips_settings

ROOT = Path(__file__).parent.parent
SCHEMAS = {
    ".github/workflows/*.yml": "vendor.github-workflows",
    ".github/ISSUE_TEMPLATE/[!c]*.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    "CITATION.cff": "vendor.citation-file-format",
    "deploy/compose.yml": "vendor.compose-spec",
}


def lock() -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    return packages


def test_the_lock_names_every_platforms_binaries() -> None:
    """So `npm ci` works everywhere: npm leaves out what its own platform does not need if it is made carelessly."""
    packages = lock()
    names = {path.rpartition("node_modules/")[2] for path in packages}
    binaries = [name for one in packages.values() for name in one.get("optionalDependencies", ())]
    assert len(binaries) > 20
    assert set(binaries) <= names
    for platform in (
        "linux-x64-gnu", "linux-x64-musl", "linux-arm64-gnu", "linux-arm64-musl", "darwin-x64", "darwin-arm64",
        "win32-x64-msvc", "win32-arm64-msvc",
    ):  # fmt: skip
        assert {f"@rolldown/binding-{platform}", f"lightningcss-{platform}"} <= names


def test_the_lock_has_every_checksum_and_no_host() -> None:
    for path, package in lock().items():
        assert "resolved" not in package, path
        assert not path or package["integrity"].startswith("sha512-"), path
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web/.npmrc").read_text()


def test_everything_installs_the_lock() -> None:
    for name in ("Makefile", "deploy/Containerfile", "web/build_page.py"):
        text = (ROOT / name).read_text()
        assert re.search(r"npm ci|\"ci\"", text), name
        assert "npm install" not in text, name


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    released = re.search(r"^date-released: (\S+)$", citation, re.M)
    assert released is not None
    assert f"\nversion: {tacit.__version__}\n" in citation
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert f"{tacit.__version__} ({released[1]})" in headings[:2]  # below what is not released yet, if there is any


def test_uv_is_told_where_pip_would_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://one.example/simple https://two.example/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels /more")
    told = pips_settings()
    assert told["UV_INDEX"] == "https://one.example/simple https://two.example/simple"
    assert told["UV_FIND_LINKS"] == "/wheels,/more"


def test_workflows_forms_and_the_compose_file_keep_their_schemas() -> None:
    for pattern, schema in SCHEMAS.items():
        files = [str(path) for path in ROOT.glob(pattern)]
        assert files, pattern
        words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_may_only_read_and_end() -> None:
    """No stored token, and no job without an end."""
    for path in ROOT.glob(".github/workflows/*.yml"):
        text = path.read_text()
        assert "\npermissions:\n  contents: read\n" in text, path.name
        assert "secrets." not in text, path.name
        assert text.count("timeout-minutes:") == text.count("runs-on:"), path.name


def test_the_unit_runs_our_command_as_a_user_of_its_own() -> None:
    units = {name: configparser.RawConfigParser(strict=False) for name in ("tacit.service", "tacit.socket")}
    for name, unit in units.items():
        unit.read_string((ROOT / "deploy" / name).read_text())
    service = units["tacit.service"]["Service"]
    assert service["ExecStart"].startswith("/opt/tacit/bin/tacit serve ")
    assert service["DynamicUser"] == "yes"
    assert "ListenStream" in units["tacit.socket"]["Socket"]


@pytest.mark.long
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """With the command in another place: it is not installed here."""
    assert shutil.which("systemd-analyze"), "Install the package systemd: this test asks systemd-analyze."
    for name in ("tacit.service", "tacit.socket"):
        text = (ROOT / "deploy" / name).read_text().replace("/opt/tacit/bin/tacit", "/bin/true")
        (tmp_path / name).write_text(text)
    words = ["systemd-analyze", "verify", str(tmp_path / "tacit.service"), str(tmp_path / "tacit.socket")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "tacit" not in done.stderr


# ------------------------------------------------------------------ the container file, without an engine
def instructions() -> Iterator[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy/Containerfile").read_text(), flags=re.M)
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if line:
            name, _, rest = line.partition(" ")
            yield name, rest


def test_the_container_runs_as_a_user_of_its_own_and_says_how_it_is() -> None:
    told = dict(instructions())
    assert re.search(rf"useradd .*--uid \d+ {told['USER']}\b", told["RUN"])
    assert f"127.0.0.1:{told['EXPOSE']}/healthz" in told["HEALTHCHECK"]
    assert told["STOPSIGNAL"] == "SIGTERM"
    kept = dict(pair.split("=") for pair in told["ENV"].split())
    assert kept["TACIT_DATA"] == told["VOLUME"]
    assert re.search(rf"mkdir {told['VOLUME']} {kept['TACIT_CACHE']} && chown {told['USER']} ", told["RUN"])


def test_the_hooks_before_a_commit_run_commands_that_there_are() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = re.findall(r"^        entry: (.*)$", text, re.M)
    assert len(entries) == text.count("- id: ") == text.count("language: system")  # the project's own versions
    scripts = json.loads((ROOT / "web/package.json").read_text())["scripts"]
    for command, *words in map(str.split, entries):
        assert (command == "ruff" and words in (["format"], ["check"])) or words[-1] in scripts


def ignored(folder: str, names: list[str]) -> set[str]:
    """What .dockerignore leaves out."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] not in "#!"]
    inside = Path(folder).relative_to(ROOT)
    return {
        name
        for name in names
        for pattern in patterns
        if fnmatch.fnmatch((inside / name).as_posix(), pattern.removeprefix("**/"))
        or (pattern.startswith("**/") and fnmatch.fnmatch(name, pattern[3:]))
    }


@pytest.mark.long
def test_every_instruction_of_the_container_file_works() -> None:
    """Each in a clean environment, its absolute paths below one folder; `useradd` and `chown` do nothing."""
    with tempfile.TemporaryDirectory() as home:
        _follow(Path(home))


def _follow(home: Path) -> None:
    root = web = home / "web"
    bin_, stubs = home / "python" / "bin", home / "stubs"
    stubs.mkdir()
    for name in ("useradd", "chown"):
        (stubs / name).write_text("#!/bin/sh\nexit 0\n")
        (stubs / name).chmod(0o755)
    node = Path(shutil.which("npm") or "").parent
    ours = ("PATH", "PYTHON", "TACIT_", "VIRTUAL_ENV")
    base = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment, health, work = dict(base), "", Path("/")

    def here(text: str) -> str:
        return re.sub(r"(?<![\w.:/])/(build|src|data|cache)\b", lambda found: f"{root}/{found[1]}", text)

    def run(words: list[str]) -> None:
        done = subprocess.run(words, cwd=root / str(work).lstrip("/"), env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    for name, rest in instructions():
        if name == "FROM" and "node" in rest:
            environment = base | {"PATH": f"{node}:/usr/bin:/bin"}
            root.mkdir()
        elif name == "FROM":
            root, work = home / "image", Path("/")
            root.mkdir()
            venv.create(bin_.parent, with_pip=True)
            environment = base | {"PATH": f"{stubs}:{bin_}:/usr/bin:/bin"}
        elif name == "WORKDIR":
            work = Path(rest)
            (root / rest.lstrip("/")).mkdir()
        elif name == "COPY" and rest == ". .":
            shutil.copytree(ROOT, root / str(work).lstrip("/"), ignore=ignored, dirs_exist_ok=True)
        elif name == "COPY":
            source, target = rest.removeprefix("--from=web ").split()
            shutil.copytree(web / source.lstrip("/"), root / target.lstrip("/"))
        elif name == "RUN":
            run(["/bin/sh", "-c", here(rest)])
        elif name == "ENV":
            environment |= dict(pair.split("=") for pair in shlex.split(here(rest)))
        elif name == "HEALTHCHECK":
            health = rest.partition("CMD ")[2]
        elif name == "ENTRYPOINT":
            _serves([str(bin_ / json.loads(rest)[0]), *json.loads(rest)[1:]], environment, json.loads(health))
        else:
            assert name in ("USER", "VOLUME", "EXPOSE", "STOPSIGNAL"), name


def _serves(words: list[str], environment: dict[str, str], health: list[str]) -> None:
    from tests.server.harness import free_port

    port = str(free_port())
    running = subprocess.Popen([*words, "--port", port], env=environment, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            checked = subprocess.run(
                [word.replace("8000", port) for word in health], env=environment, capture_output=True
            )
            if checked.returncode == 0:
                break
            time.sleep(0.2)
        assert checked.returncode == 0, checked.stderr
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert b"<script" in page.read()
    finally:
        running.terminate()
        assert running.wait(30) in (0, -signal.SIGTERM)  # uvicorn ends by the signal that stopped it
