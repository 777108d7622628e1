"""The law for signals finds what is planted: each test breaks P11 in one way."""

from __future__ import annotations

from typing import Any

import pytest

from tacit import Match, game_named
from tacit.core import laws
from tacit.core.game import Game
from tacit.games.silent_planet.model import POINT

GAME = game_named("silent-planet")


def check(seats: int = 3) -> None:
    laws.check(GAME, seats, {}, matches=4, thorough=0.4)


def test_p11_the_law_holds() -> None:
    check()


def test_p11_the_law_finds_an_owner_that_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME.rules, "signallers", lambda s: (1 << s.seats) - 1 if s.phase == POINT else 0)
    with pytest.raises(laws.LawBroken, match="only those who decide about something signal about it"):
        check()


def test_p11_the_law_finds_a_signal_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME.rules, "signallers", lambda s: 3 & ~(1 << s.turn) if s.phase == POINT else 0)
    with pytest.raises(laws.LawBroken, match="signals have somebody to be given to"):
        check(2)


def test_p11_the_law_finds_signals_while_no_seat_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME.rules, "signallers", lambda s: 7)
    with pytest.raises(laws.LawBroken, match="while seats decide"):
        check()


def test_p11_the_law_finds_signals_that_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    honest: Any = GAME.rules.signallers
    monkeypatch.setattr(GAME.rules, "signallers", lambda s: honest(s) if s.row[0] & 15 == 1 else 0)
    with pytest.raises(laws.LawBroken, match="everyone knows who may signal"):
        check()


def test_p11_the_law_finds_a_limit_that_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Game.may_signal
    monkeypatch.setattr(Game, "may_signal", lambda self, s, seat, given: honest(self, s, seat, []))
    with pytest.raises(laws.LawBroken, match="no more signals than the limit"):
        check()


def test_p11_the_law_finds_a_signal_that_changes_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.signal

    def meddling(self: Match, seat: int, text: str) -> None:
        honest(self, seat, text)
        self.state.round = 3

    monkeypatch.setattr(Match, "signal", meddling)
    with pytest.raises(laws.LawBroken, match=r"signals change no state|everyone hears|replaying"):
        check()


def test_p11_the_law_finds_a_signal_that_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.signal

    def whispering(self: Match, seat: int, text: str) -> None:
        ears: dict[int, Any] = self._hearings
        self._hearings = {}
        honest(self, seat, text)
        self._hearings = ears

    monkeypatch.setattr(Match, "signal", whispering)
    with pytest.raises(laws.LawBroken, match="everyone hears a signal"):
        check()


def test_p11_the_law_finds_a_signal_that_should_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.signal

    def lenient(self: Match, seat: int, text: str) -> None:
        if self.signals(seat):
            honest(self, seat, text)

    monkeypatch.setattr(Match, "signal", lenient)
    with pytest.raises(laws.LawBroken, match="what may not be signalled is refused"):
        check()


def test_p11_the_law_finds_signals_that_do_not_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Match.replay
    monkeypatch.setattr(Match, "replay", lambda self, line: None if line.startswith("!") else honest(self, line))
    with pytest.raises(laws.LawBroken, match="replaying the record"):
        check()
