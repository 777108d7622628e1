"""Sounds are drawn in code: each is heard, none clips, none goes on, and one tap mutes them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tacit import GAMES
from tests.server.harness import ROOT, Server
from tests.web.conftest import Guest, Seats

WEB = ROOT / "web"
RENDER = """async () => {
  const { SOUNDS, playSound } = synth
  const found = {}
  for (const name of Object.keys(SOUNDS)) {
    const at = new OfflineAudioContext(1, 3 * 44100, 44100)
    playSound(at, name)
    const wave = (await at.startRendering()).getChannelData(0)
    found[name] = {
      peak: wave.reduce((most, one) => Math.max(most, Math.abs(one)), 0),
      long: (wave.findLastIndex((one) => Math.abs(one) > 0.001) + 1) / 44100,
    }
  }
  return found
}"""


def test_no_sound_clips_is_silent_or_goes_on(guests: Callable[..., Guest], built: Path, tmp_path: Path) -> None:
    script = tmp_path / "synth.js"
    bundle = ["node_modules/.bin/rolldown", "src/synth.ts", "--format", "iife", "--name", "synth", "--file"]
    subprocess.run([*bundle, str(script)], cwd=WEB, check=True, capture_output=True)
    page = guests().page
    page.evaluate(script.read_text() + "; window.synth = synth; undefined")
    sounds = page.evaluate(RENDER)
    assert len(sounds) > 10
    wrong = {name: how for name, how in sounds.items() if not (0.01 < how["peak"] < 0.5 and 0.03 < how["long"] < 1.5)}
    assert not wrong


@pytest.mark.parametrize("game", GAMES)
def test_a_game_sounds_for_sentences_that_it_tells(game: str) -> None:
    source = (WEB / "src" / "games" / game / "sounds.ts").read_text()
    told = json.loads((ROOT / "src" / "tacit" / "games" / game.replace("-", "_") / "en.json").read_text())
    codes = re.findall(r"'((?:tell|event|chance)\.[a-z-]+)'", source)
    assert codes
    assert set(codes) <= set(told)


def test_one_tap_mutes(guests: Callable[..., Guest], server: Server) -> None:
    guest = guests()
    seats = Seats(server.url, "silencio", people=1, bots=1)
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-sound=off]").click()
    page.locator("[data-sound=on]").click()
    expect(page.locator("[data-sound=off]")).to_be_visible()
    assert json.loads(page.evaluate("localStorage['tacit-settings']"))["sound"] == "off"
