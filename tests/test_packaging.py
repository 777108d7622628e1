"""The files around the package: the web client's lock, the workflows and forms, the service, what a container runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


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
    for platform in ("linux-x64-gnu", "linux-arm64-musl", "darwin-arm64", "win32-x64-msvc"):
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
