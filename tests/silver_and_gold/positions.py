"""Silver & Gold tables for tests: positions reached by real records, with the cards one asks for."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from importlib import resources

from tacit import DeckWarning, Game, Match, game_named
from tacit.core.random_play import NOBODY
from tacit.games.silver_and_gold.deck import CARD_NAMES, Card, read_deck
from tacit.games.silver_and_gold.view import Seat, View

DECK_TEXT = resources.files("tacit.games.silver_and_gold").joinpath("islands.deck").read_text("ascii")
BUILT_IN = read_deck(DECK_TEXT)


def with_deck(text: str) -> Game:
    """The game with another deck; warnings are ignored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        return game_named("silver-and-gold").with_deck(text)


def redrawn(change: Callable[[Card], Card]) -> Game:
    """The game with every card of the built-in deck changed."""
    return with_deck("\n".join(str(change(card)) for card in BUILT_IN.cards))


def all_of(sign: str) -> Game:
    """The game with a deck whose cells all bear one sign."""
    signs = str.maketrans("ox$^", sign * 4)
    return redrawn(lambda card: Card(card.number, tuple(row.translate(signs) for row in card.rows), card.seal))


def with_cards(**rows: str) -> Game:
    """The game with some cards redrawn, `s11="oo. o$o ooo"`; their seals are taken off."""
    return redrawn(lambda card: Card(card.number, tuple(rows[card.name].split())) if card.name in rows else card)


def dealt(*hands: str, game: Game | str = "silver-and-gold", avoid: str = "") -> Match:
    """A match in which each seat was dealt its cards, filled up with cards nobody named."""
    wanted = [hand.split() for hand in hands]
    named = {card for hand in wanted for card in hand} | set(avoid.split())
    spare = [card for card in CARD_NAMES if card not in named]
    match = Match(game, len(hands), seed=0, settle=False)
    for seat, hand in enumerate(wanted):
        while len(hand) < 4:
            hand.append(spare.pop())
        run(match, *(f"* deal {seat} {card}" for card in hand))
    return match


def table(*cards: str, display: str = "p5 p6 p7 p8", starter: int = 0, game: Game | str = "silver-and-gold") -> Match:
    """The first turn before its expedition: each seat has kept its two cards (`"s7 s11"`), the display lies open."""
    match = dealt(*cards, game=game, avoid=display)
    for seat, pair in enumerate(cards):
        run(match, f"{seat} keep {' '.join(sorted(pair.split(), key=CARD_NAMES.index))}")
    return run(match, *(f"* show {card}" for card in display.split()), f"* start {starter}")


def run(match: Match, *lines: str) -> Match:
    """Apply lines of a record: `* expedition L3`, `0 cross s7 a1`. Chance that is not written waits."""
    for line in lines:
        match.replay(line)
    return match


def idle(match: Match, turn: int) -> Match:
    """Play on, every seat a random single cell, until the given turn (from 0) waits for its expedition."""
    rng = random.Random(turn)
    while match.state.turn < turn or match.chance() == {} or "expedition" not in next(iter(match.chance())):
        if match.due:
            seat = min(match.due)
            match.play(
                seat, rng.choice([text for text in match.legal(seat) if not text.startswith("mark")]), settle=False
            )
        else:
            match.play("*", rng.choice(list(match.chance())), settle=False)
    return match


def seen(match: Match, watcher: int | None) -> View:
    """What a watcher sees of the state as it is."""
    seen: View = match.game.rules.view(match.know(watcher), NOBODY if watcher is None else watcher)
    return seen


def place(match: Match, seat: int) -> Seat:
    """A seat's own place as the seat sees it."""
    return seen(match, seat).table[seat]


def cards(match: Match, seat: int) -> list[str]:
    return [held.island.card for held in place(match, seat).cards]


def left(match: Match, seat: int) -> dict[str, int]:
    """A seat's cards and how many cells of each are free."""
    return {held.island.card: held.left for held in place(match, seat).cards}


def marks(match: Match, seat: int, card: str) -> list[str]:
    """The places where a seat may cross off the shape on a card, as lists of cells."""
    return [text.removeprefix(f"mark {card} ") for text in match.legal(seat) if text.startswith(f"mark {card} ")]


def verbs(match: Match, seat: int) -> set[str]:
    return {text.split()[0] for text in match.legal(seat)}


def heard(
    match: Match, watcher: int | None, lines: Sequence[str] = ("mark", "cross", "bonus", "expedition")
) -> list[str]:
    return [line for line in match.see(watcher).heard if line.split(" ")[1] in lines]


def observed(match: Match, seat: int) -> dict[str, list[int]]:
    """A seat's tensor by the names of its fields, from what it knows."""
    out = [99] * match.game.observation
    match.game.rules.observe(match.know(seat), seat, out)
    fields, at = {}, 0
    for field in match.game.fields:
        fields[field.name] = out[at : at + field.size]
        at += field.size
    return fields
