"""`partner` at Silent Planet: a network that learned beside `steady` proposes where to point, the playouts of `search`
judge (docs/bots/learned.md)."""

from __future__ import annotations

import sys
from pathlib import Path

from tacit.bots.master.lookahead import Lookahead, LookaheadParameters
from tacit.bots.master.lookahead import Master as Looking
from tacit.bots.network.policy import NetworkPolicy, evaluate_of
from tacit.bots.search.searcher import Search
from tacit.bots.silent_planet import search, steady
from tacit.bots.turn import Turn
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.games.silent_planet.model import ARRANGE

GAME = search.GAME
FILE = Path(__file__).with_name("partner.npz")
POLICY = steady  # of the playouts, and until they are compiled
NETWORK = NetworkPolicy(FILE, game_named(GAME))
SEARCH = LookaheadParameters(min_z=1.0, top=9, gap=50.0, quick=True)
ONE_READER = 2  # seats: the network's rows tell one reader more than the convention's, and several readers less
evaluate, thinks, believe, worth = evaluate_of(NETWORK), search.thinks, search.believe, search.worth


class PartnerLookahead(Lookahead):
    """Playouts over what the network proposes; the row by the convention where several read it."""

    def _moves(self, turn: Turn, actions: list[int], n: int) -> list[int]:
        conventional = turn.k.phase == ARRANGE and turn.seats > ONE_READER
        return Search._moves(self, turn, actions, n) if conventional else super()._moves(turn, actions, n)

    def rehearse(self, turn: Turn) -> None:
        super().rehearse(turn)
        for moves in (Search._moves, Lookahead._moves):  # one phase asks only one of them
            moves(self, turn, self.game.legal(turn.k, turn.seat), 0)


class Partner(Looking):
    TUNING = sys.modules[__name__]
    NAME = "partner"
    GAME = GAME
    STYLE = "Lays its row so that others can read it, and thinks before it points at theirs."
    ASSUMES = "Partners that lay and read rows much as steady does."

    @classmethod
    def policy(cls) -> str:
        return steady.NAME

    @classmethod
    def searching(cls, game: Game, seats: int) -> Search:
        return PartnerLookahead(game, cls.TUNING, seats)
