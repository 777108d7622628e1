"""Draws the icons and the pictures for link previews from our own SVG, with a browser. `python web/scripts/icons.py`

Run it when the logo or a poster changes; what it makes is small and lies in web/public/icons/.
"""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

WEB = Path(__file__).parent.parent
OUT = WEB / "public" / "icons"
PAPER, INK, ASK = "#f6f1e7", "#1e2430", "#c2571a"
FONT = WEB / "node_modules/@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2"


def _games() -> dict[str, dict[str, str]]:
    """Of each game that has a folder: its name, the colours of its poster, and the poster itself."""
    found = {}
    for meta in sorted((WEB / "src" / "games").glob("*/meta.ts")):
        values = dict(re.findall(r"(\w+): '(.*?)'", meta.read_text()))
        poster = (meta.parent / "poster.svg").read_text().replace("<svg ", '<svg class="art" ', 1)
        found[meta.parent.name] = {**values, "poster": poster}
    return found


GAMES = _games()


def symbol(name: str, file: str) -> str:
    """A file's symbols, and one of them drawn over all the room there is."""
    text = (WEB / "src" / "parts" / file).read_text()
    assert re.search(rf'id="{name}"', text), name
    return f'{text}<svg class="art"><use href="#{name}"/></svg>'


def page_of(body: str, style: str) -> str:
    return (
        f"<!doctype html><style>@font-face{{font-family:F;src:url('file://{FONT}');font-weight:100 900}}"
        f"*{{box-sizing:border-box}}body{{margin:0;font-family:F;--ask:{ASK}}}.art{{display:block}}{style}</style>{body}"
    )


def draw(page: Page, name: str, width: int, height: int, html: str, colours: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    source = OUT / "drawing.html"
    source.write_text(html)  # a file, so that the font may be read
    page.goto(source.as_uri())
    page.wait_for_function("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(150)
    drawn = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    source.unlink()
    drawn.quantize(colours, dither=Image.Dither.NONE).save(OUT / f"{name}.png", optimize=True)


def icon(size: int, share: float) -> str:
    style = (
        f"html{{background:{PAPER}}}main{{width:{size}px;height:{size}px;display:grid;place-items:center;"
        f"background:{PAPER}}}.art{{width:{share * size}px;height:{share * size}px;color:{INK}}}"
    )
    return page_of(f"<main>{symbol('logo', 'icons.svg')}</main>", style)


def preview(game: str | None) -> str:
    logo = f"<div class=word>{symbol('logo', 'icons.svg')}tacit</div>"
    if game is None:
        cards = "".join(f"<div class=card>{game['poster']}</div>" for game in GAMES.values())
        style = (
            f"body{{width:1200px;height:630px;padding:56px 60px;background:{PAPER};color:{INK};display:grid;"
            "align-content:space-between}.word{display:flex;align-items:center;gap:18px;font-size:56px;font-weight:600}"
            ".word .art{width:60px;height:60px}"
            "h1{margin:0;font-size:64px;line-height:1.05;letter-spacing:-.025em;white-space:nowrap}"
            ".row{display:grid;grid-template-columns:repeat(4,1fr);gap:20px}"
            ".card .art{width:100%;height:236px;border-radius:26px}"
        )
        return page_of(f"{logo}<h1>Four games about what is not said.</h1><div class=row>{cards}</div>", style)
    of = GAMES[game]
    style = (
        f"body{{width:1200px;height:630px;background:{of['ground']};color:{of['ink']};display:grid;"
        "grid-template-columns:400px 800px}"
        "main>.art{width:800px;height:630px}footer{display:grid;align-content:space-between;padding:56px 0 56px 56px}"
        "h1{margin:0;font-size:84px;line-height:1;letter-spacing:-.02em}"
        ".word{display:flex;align-items:center;gap:16px;font-size:52px;font-weight:600}"
        ".word .art{width:56px;height:56px}"
    )
    return page_of(f"<footer>{logo}<h1>{of.get('short', of['title'])}</h1></footer><main>{of['poster']}</main>", style)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    own = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=own, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        draw(page, "icon-192", 192, 192, icon(192, 0.72), 32)
        draw(page, "icon-512", 512, 512, icon(512, 0.72), 32)
        draw(page, "maskable-512", 512, 512, icon(512, 0.54), 32)
        draw(page, "apple-touch-icon", 180, 180, icon(180, 0.68), 32)
        draw(page, "preview", 1200, 630, preview(None), 128)
        for game in GAMES:
            draw(page, f"preview-{game}", 1200, 630, preview(game), 128)
        browser.close()


if __name__ == "__main__":
    main()
