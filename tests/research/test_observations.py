"""Observations: each named slice is that field; tensor, JSON and text say the same; and none says too much."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from examples.toy import tacit_toy as toy

from tacit import GAMES, Match, game_named, game_names
from tacit.core.chance import stream
from tacit.core.observation import tensor_of_json, tensor_of_text
from tacit.research.observations import as_json, as_text, document, tensor
from tests.research.following import LONG, seatings
from tests.research.reference_fields import REFERENCE
from tests.test_secrecy_laws import observe_the_deck, planted

DOCS = Path(__file__).parent.parent.parent / "docs"


def moments(name: str, seats: int, matches: int) -> Iterator[Match]:
    """Some moments of some random matches, with options as they come."""
    game = game_named(name)
    for number in range(matches):
        rng = random.Random(f"{name} {seats} {number}")
        options = {option: rng.choice(values) for option, values in game.options.items()}
        match = Match(game, seats, options, seed=number)
        while not match.over:
            if rng.random() < 0.25:
                yield match
            seat = rng.choice(sorted(match.due))
            match.play(seat, rng.choice(match.legal(seat)))
        yield match


@pytest.mark.parametrize("name", GAMES)
def test_the_names_of_a_fields_cells_and_rows_differ(name: str) -> None:
    for field in game_named(name).fields:
        assert len(set(field.cells)) == len(field.cells)
        assert len(set(field.rows)) == len(field.rows)
        assert field.about.endswith(".")


@pytest.mark.parametrize("name", game_names())
def test_every_cell_belongs_to_a_field(name: str) -> None:
    """`observe` writes every cell of the fields, and none beyond them."""
    game = game_named(name)
    for match in moments(name, game.max_seats, 1):
        for seat in range(match.seats):
            out = [None] * game.observation + ["beyond"]
            game.rules.observe(match.know(seat), seat, out)  # type: ignore[arg-type]
            assert None not in out[:-1]
            assert out[-1] == "beyond"


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_each_field_says_what_its_name_says(name: str, seats: int) -> None:
    """Against a second telling in plain Python; and JSON and text lead back to the tensor."""
    game, telling = game_named(name), REFERENCE[name]()
    fields = game.fields
    assert [field.name for field in fields] == list(telling)
    for match in moments(name, seats, 10 if LONG else 1):
        for seat in range(seats):
            k = match.know(seat)
            cells = tensor(game, k, seat)
            content = as_json(game, cells)
            for field, tell in telling.items():
                assert content[field] == tell(k, seat), (field, str(match))
            assert tensor_of_json(fields, content) == cells.tolist()
            assert tensor_of_text(fields, as_text(game, cells)) == cells.tolist()


def same_in_every_world(match: Match, key: str) -> None:
    """In worlds that a seat cannot tell from the true one, its tensor, JSON and text are the same."""
    game = match.game
    for seat in range(match.seats):
        k = match.know(seat)
        cells = tensor(game, k, seat)
        told = (cells.tolist(), as_json(game, cells), as_text(game, cells))
        for i in range(2):
            world = k.copy()
            game.rules.imagine(world, seat, stream(f"{key} {seat} {i}"))
            again = tensor(game, world, seat)
            assert (again.tolist(), as_json(game, again), as_text(game, again)) == told


@pytest.mark.parametrize("name", game_names())
def test_what_is_not_known_changes_no_observation(name: str) -> None:
    for number, match in enumerate(moments(name, game_named(name).max_seats, 1)):
        same_in_every_world(match, str(number))


def test_a_planted_leak_is_caught() -> None:
    """A toy game whose tensor tells how large the deck's share of the unknown is."""
    leaky = planted(toy, observe=observe_the_deck)
    with pytest.raises(AssertionError):
        same_in_every_world(Match(leaky, 3, seed=1), "leak")


def test_the_page_of_observations_is_not_stale() -> None:
    assert (DOCS / "observations.md").read_text() == document(), (
        "docs/observations.md is stale: python -m tacit.research.observations > docs/observations.md"
    )
