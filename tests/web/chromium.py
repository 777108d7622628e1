"""Finds a Chromium for the browser tests, or installs one, or says in one line what is missing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys

# The shell is the same engine without windows, address bar and profile, which take a third of the time of a page.
SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome")


def own(*names: str) -> str | None:
    """The machine's own Chromium, if it starts: Ubuntu's may lead to a snap, which does not open in a container."""
    for name in names or (SHELL, *WHOLE):
        path = shutil.which(name)
        if path is not None and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


def playwrights() -> bool:
    """Whether Playwright has a browser of its own here."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return os.path.exists(playwright.chromium.executable_path)


def apt_installs() -> bool:
    """Can Debian's packages be installed here? Ubuntu's Chromium is a snap."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    try:
        return platform.freedesktop_os_release().get("ID") == "debian"
    except OSError:  # a system that does not tell
        return False


def main() -> None:
    debian = apt_installs()
    if (own(*WHOLE) and (own(SHELL) or not debian)) or playwrights():
        return
    print("Installing Chromium for the browser tests …", flush=True)
    if debian:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], env=quiet, capture_output=True)
        for packages in (["chromium", SHELL], ["chromium"]):  # the shell only saves time
            done = subprocess.run(["apt-get", "install", "-y", "-q", *packages], env=quiet, capture_output=True)
            if done.returncode == 0:
                break
    elif shutil.which("chromium") is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True)
    if not own(*WHOLE) and not playwrights():
        sys.exit("The browser tests need Chromium: install the package chromium, then run this again.")


if __name__ == "__main__":
    main()
