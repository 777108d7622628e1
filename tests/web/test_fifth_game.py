"""A fifth game needs one folder in the page: it brings the toy among the posters and to the plain table."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from web.build_page import WEB

from tacit.server import page
from tests.server.harness import ROOT, Server, config, serving
from tests.web.conftest import PATIENCE, play_to_the_end

TOY = Path(__file__).parent / "toy_page"


def ours(path: Path, names: list[str]) -> set[str]:
    """All but catalogues: the page reads nothing else of the Python package."""
    return {name for name in names if not ((path / name).is_dir() or name.endswith(".json")) or name == "page"}


@pytest.fixture(scope="module")
def with_toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose page was built with one more folder, and nothing else."""
    root = tmp_path_factory.mktemp("fifth")
    shutil.copytree(WEB, root / "web", ignore=shutil.ignore_patterns("node_modules"))
    (root / "web" / "node_modules").symlink_to(WEB / "node_modules")
    shutil.copytree(ROOT / "src" / "tacit", root / "src" / "tacit", ignore=lambda at, names: ours(Path(at), names))
    shutil.copytree(TOY, root / "web" / "src" / "games" / "toy")
    quick = ["--mode", "test", "--minify", "false"]  # half of building is making files small
    subprocess.run(["npm", "run", "--silent", "build", "--", *quick], cwd=root / "web", check=True, capture_output=True)
    patch = pytest.MonkeyPatch()
    patch.setattr(page, "FOLDER", root / "src" / "tacit" / "server" / "page")
    with serving(config(f"sqlite:///{root}/tacit.db")) as running:
        yield running
    patch.undo()


def test_one_folder_brings_a_game_onto_the_page(browser: Browser, with_toy: Server) -> None:
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(with_toy.url)
    poster = tab.locator('[data-game="toy"]')
    expect(poster.locator("h2")).to_have_text("Toy")
    expect(poster.locator(".kind")).to_have_text("2–3, a bid each")
    expect(poster.locator(".more")).to_have_text("The higher card takes the trick.")
    expect(tab.locator("[data-game]")).to_have_count(5)
    poster.locator("[data-play]").click()
    tab.wait_for_url("**/t/*")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Toy")
    play_to_the_end(tab)
    context.close()
