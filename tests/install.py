"""Installs tacit and what its tests need into the environment of the Python that runs this: by uv, or else by pip.

uv is quicker at it than pip. Nothing but the standard library is there yet.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
UV = "uv>=0.8,<1"
WHAT = ["-e", ".[dev]"]
# Settings of pip that uv does not read, how it calls them and what stands between several.
SETTINGS = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "cert": ("SSL_CERT_FILE", " "),
}


def pips_settings() -> dict[str, str]:
    """Where pip is told to look for packages, as variables for uv."""
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # the newest of all places, as pip does
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True).stdout.splitlines()
    for line in sorted(listed, reverse=True):  # `global.…` before `:env:.…`, which overrides it
        name, _, value = line.partition("=")
        variable, between = SETTINGS.get(name.rpartition(".")[2], ("", ""))
        if variable:
            told[variable] = between.join(str(ast.literal_eval(value)).split())
    return told


def by_uv() -> bool:
    """Whether uv could be had, and installed everything."""
    if subprocess.run([*PIP, "install", "-q", UV]).returncode != 0:
        return False
    words = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable, *WHAT]
    return subprocess.run(words, env=pips_settings() | os.environ).returncode == 0


if __name__ == "__main__":
    if not by_uv():
        print("uv could not install everything: now pip does.", flush=True)
        sys.exit(subprocess.run([*PIP, "install", "-q", "--no-compile", *WHAT]).returncode)
