"""Random and mutated texts into everything that reads text: a clear refusal, never a crash, never a changed state."""

from __future__ import annotations

import os
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import GAMES, Match, TacitError, game_named
from tacit.core import laws

LONG = 50 if "TACIT_LONG" in os.environ else 1
TOTAL = {"silencio": 20_000}  # texts for each game, over all interfaces: a million in the long run
OTHERS = 8_000
CHARACTERS = string.printable + "äßé–“”?*!=#☾𝄞\x00\u202e"


def mutated(text: str, rng: random.Random) -> str:
    """The text with one or more small things changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + rng.choice(CHARACTERS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + rng.choice(CHARACTERS) + text[at + 1 :]
        elif kind == 3:
            words = text.split(" ")
            rng.shuffle(words)
            text = " ".join(words)
        else:
            text = text[:at] + text[rng.randrange(len(text) + 1) :]
    return text


def nonsense(rng: random.Random) -> str:
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(30)))


def refused(sentence: str) -> bool:
    return sentence.endswith(".") and len(sentence) < 400


def share(name: str, part: float) -> int:
    return int(TOTAL.get(name, OTHERS) * part * LONG)


@pytest.mark.parametrize("name", GAMES)
def test_decisions(name: str) -> None:
    """Texts into `play`, `preview` and `parse`, at random moments of random matches."""
    rng = random.Random(f"decisions {name}")
    game = game_named(name)
    vocabulary: list[str] = []
    tried, left = 0, share(name, 0.7)
    while tried < left:
        match = Match(game, rng.randint(game.min_seats, game.max_seats), seed=rng.randrange(1 << 30))
        while not match.over and tried < left:
            seat = rng.choice(sorted(match.due))
            legal = match.legal(seat)
            vocabulary = (vocabulary + legal)[-500:]
            before, record = match.state.key(), len(match.lines)
            for _ in range(12):
                text = rng.choice((mutated(rng.choice(vocabulary), rng), rng.choice(vocabulary), nonsense(rng)))
                who = rng.choice((seat, seat, seat, rng.randrange(-2, 9), "*"))
                tried += 1
                try:
                    if who == seat and text in legal:
                        continue
                    if rng.random() < 0.1:
                        match.preview(seat, [text])
                    elif rng.random() < 0.2:
                        game.rules.parse(match.know(seat), seat, text)
                    else:
                        match.play(who, text)  # type: ignore[arg-type]
                        assert who in match.due or len(match.lines) > record, (
                            "a decision was accepted that is not legal"
                        )
                        break
                except TacitError as error:
                    assert refused(str(error)), error
                assert match.state.key() == before
                assert len(match.lines) == record
            else:
                match.play(seat, rng.choice(legal))
    assert tried >= left


@pytest.mark.parametrize("name", GAMES)
def test_records(name: str) -> None:
    rng = random.Random(f"records {name}")
    game = game_named(name)
    texts = [str(laws.random_match(game, game.min_seats + n % 2, None, n)) for n in range(6)]
    good = 0
    for _ in range(share(name, 0.1)):
        text = rng.choice(texts)
        lines = text.splitlines()
        at = rng.randrange(len(lines))
        kind = rng.randrange(4)
        if kind == 0:
            lines[at] = mutated(lines[at], rng)
        elif kind == 1:
            del lines[at]
        elif kind == 2:
            lines.insert(at, rng.choice(lines))
        else:
            lines = mutated("\n".join(lines[: at + 1]), rng).split("\n")
        try:
            Match.load("\n".join(lines))
            good += 1
        except TacitError as error:
            assert refused(str(error)), error
            assert str(error).startswith("Line ")
    assert good > 0  # a changed tag or comment, or a record cut off, is still a record


VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.integers(), max_size=2)
)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=200 * LONG, deadline=None, database=None)
@given(
    seats=VALUES, options=VALUES | st.dictionaries(st.text(max_size=8) | st.sampled_from(["tavern", "unlit"]), VALUES)
)
def test_options(name: str, seats: object, options: object) -> None:
    try:
        Match(name, seats, options, settle=False)  # type: ignore[call-overload]
    except TacitError as error:
        assert refused(str(error)), error


@pytest.mark.parametrize("name", GAMES)
def test_random_texts_as_options_and_records(name: str) -> None:
    """Pure noise, and heads with noise in them."""
    rng = random.Random(f"noise {name}")
    game = game_named(name)
    head = f"tacit 1\ngame {name} {game.rules_version}\nseats {game.min_seats}\noptions "
    for _ in range(share(name, 0.19)):
        text = rng.choice((nonsense(rng), head + nonsense(rng), mutated(head + "{}", rng)))
        try:
            Match.load(text)
        except TacitError as error:
            assert refused(str(error)), error
