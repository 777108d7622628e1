"""What notebooks show: every game's drawing, escaped, and nothing that the seat does not know."""

from __future__ import annotations

import random
import re
from html import unescape

import msgspec
import pytest

from tacit import GAMES, Match, UnknownGame
from tacit.arena.stats import Estimate
from tacit.arena.summary import LineUp, Summary
from tacit.core.chance import stream
from tacit.core.notebook import art
from tacit.core.registry import game_of
from tacit.research import Batch


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def played(name: str, decisions: int) -> Match:
    match, rng = Match(name, 3, seed=5), random.Random(5)
    while not match.over and decisions:
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
        decisions -= 1
    return match


@pytest.mark.parametrize("decisions", [0, 40])
@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_a_drawing_shows_what_its_seat_knows_and_no_more(name: str, decisions: int) -> None:
    """Drawn from the view of another truth that the seat could be in, it is the same."""
    match = played(name, decisions)
    for seat in (0, 1):
        seen = match.see(seat)
        other = match.know(seat)
        match.game.rules.imagine(other, seat, stream("another truth"))
        same = msgspec.structs.replace(seen, view=match.game.view(other, seat, match.given))
        assert seen._repr_html_() == same._repr_html_()
        assert match.game.title in text(seen._repr_html_())
    assert text(match._repr_html_()) == text(match.see(None)._repr_html_())


def test_a_hidden_card_is_not_drawn_for_others() -> None:
    match = Match("silencio", 3, seed=5)
    cards = [own.card for own in match.see(1).view.hand]
    hand = text(match.see(1)._repr_html_()).split("hand", 1)[1]
    assert cards
    assert all(card in hand for card in cards)
    assert "deal 1 ?" in "\n".join(match.see(0).heard)


@pytest.mark.parametrize("name", GAMES)
def test_the_pictures_are_the_pages(name: str) -> None:
    """Whole matches through, every symbol that a game asks for is one that the page has, with all its colours."""
    match, rng = Match(name, 3, seed=5), random.Random(5)
    symbols = art(name, match.game.module.__name__)
    assert len(symbols) > 10
    show = match.game.terminal.pictures
    assert show is not None
    shown = set()
    while not match.over:
        for group in show(match.see(0).view):
            for picture in group.pictures:
                shown.add(picture.symbol)
                if picture.symbol:
                    wanted = set(re.findall(r"var\(--([\w-]+)\)", symbols[picture.symbol][1]))
                    assert wanted <= picture.colours.keys(), picture.symbol
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
    assert len(shown) > 3
    assert "<svg" in Match(name, 2, seed=1).see(0)._repr_html_()


def test_names_are_escaped() -> None:
    match = Match("silencio", 3, seed=1, tags={"seat0": "<script>alert(1)</script>", "seat1": "[red]Ada & Ben"})
    html = match._repr_html_()
    assert "<script" not in html
    assert "<script>alert(1)</script>" in text(html)
    assert "[red]Ada & Ben" in text(html)


def test_a_batch_and_a_summary_draw_themselves() -> None:
    shown = text(Batch("toy", n=8, seats=2)._repr_html_())
    assert "matches8" in shown
    assert "seat 0: 8" in shown
    score = Estimate(-3.0, -3.5, -2.5, 40)
    line_up = LineUp(("<b>steady</b>", "random"), 40, {"score": score}, {}, {}, None)
    summary = Summary("silencio", 2, True, 40, 4000, [line_up], {}, {})
    html = summary._repr_html_()
    assert "<b>steady" not in html
    assert "<b>steady</b>" in text(html)
    assert "-3.00 [-3.50, -2.50]" in text(html)


def test_a_view_of_no_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        game_of(object())
