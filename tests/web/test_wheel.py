"""What `pip install` gives: the wheel, in an empty environment, has the page, and `tacit` serves it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import httpx

from tests.server.harness import ROOT, TRUST, free_port


def test_the_wheel_gives_the_page(built: Path, tmp_path: Path) -> None:
    quiet = ["--disable-pip-version-check", "-q"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *quiet, "--no-deps", "-w", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("tacit-*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    there = tmp_path / "empty" / "bin"
    subprocess.run([there / "python", "-m", "pip", "install", *quiet, wheel], check=True)
    outside = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "TACIT_CACHE")}
    homes = {"XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [str(there / "tacit"), "--no-open", "--port", str(free_port())]
    running = subprocess.Popen(command, cwd=tmp_path, env=outside | homes, stdout=subprocess.PIPE, text=True)
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
