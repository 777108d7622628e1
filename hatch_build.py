"""Wheels and source distributions always have the page. An editable install needs no Node: it serves what is there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Page(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page where it is missing or older than its sources, or stop with a sentence."""
        if version == "editable":
            return
        build = Path(self.root) / "web" / "build_page.py"
        done = subprocess.run([sys.executable, str(build)], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            self.app.abort(done.stderr.strip())
