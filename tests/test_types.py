"""What a type checker knows of a user's script. mypy --strict reads this file (`make check`); the tests run it.

A line with `type: ignore` is one that a type checker must refuse: mypy reports an ignore that nothing needs.
"""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from tacit import Match, SeatView
from tacit.bots.turn import Turn
from tacit.games.silencio.model import State as SilencioState
from tacit.games.silencio.view import View as SilencioView
from tacit.games.silent_planet.view import View as PlanetView
from tacit.games.silver_and_gold.view import View as IslandView
from tacit.games.zombie_city.view import View as CityView
from tacit.research import Batch


def most_cards(seen: SeatView[SilencioView]) -> int:
    return max(seat.hidden for seat in seen.view.table)


def ended(match: Match) -> bool:
    return match.over


class FirstOfSilencio:
    def decide(self, turn: Turn[SilencioState]) -> str:
        assert_type(turn.k.starter, int)
        return turn.legal[0]


def test_a_match_knows_its_state_and_view() -> None:
    match = Match("silencio", seats=3, options={"tavern": True}, seed=7)
    assert_type(match.state, SilencioState)
    assert_type(match.know(0), SilencioState)
    assert_type(match.see(0), SeatView[SilencioView])
    assert_type(match.preview(0, ["claim"]).view.hand[0].card, str)
    assert_type(match.copy(), Match[SilencioState, SilencioView])
    assert most_cards(match.see(None)) > 0
    assert match.state.seats == 3


def test_so_does_every_game() -> None:
    assert_type(Match("silver-and-gold", 2).see(0).view, IslandView)
    assert_type(Match("zombie-city", 2).see(0).view, CityView)
    planet = Match("silent-planet", 2)
    assert_type(planet.see(0).view, PlanetView)
    assert not ended(planet)


def test_what_is_only_known_when_it_runs_is_of_any_game() -> None:
    name: str = "silencio"
    assert_type(Match(name, 2).state, Any)
    assert not ended(Match.load(str(Match(name, 2))))


def test_a_mistake_is_found() -> None:
    match = Match("silver-and-gold", 2)
    if match.over:
        most_cards(match.see(0))  # type: ignore[arg-type]
        print(match.see(0).view.hands)  # type: ignore[attr-defined]
        Match("silencio", 3, colour="red")  # type: ignore[call-overload]


def test_a_batch_has_arrays() -> None:
    batch = Batch("silencio", n=2, seats=2)
    assert_type(batch.observation, NDArray[np.int8])
    assert_type(batch.mask, NDArray[np.bool_])
    assert batch.reward.shape == (2, 2)
