"""The contract of a game: every fault has a sentence, optional members have defaults, the page shows all members."""

from __future__ import annotations

import sys
import tomllib
import types
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from examples.toy import tacit_toy as toy

from tacit import Game, Match, game_named
from tacit.bots import registry as bot_registry
from tacit.core import registry as core_registry
from tacit.core.contract import Contract, ContractError, contract_page
from tacit.core.events import FIRST_SIGNAL


def changed(leave_out: tuple[str, ...] = (), **changes: Any) -> types.ModuleType:
    """The toy game without some of its members, and with others."""
    module = types.ModuleType("changed")
    kept = {name: value for name, value in vars(toy).items() if name not in (*leave_out, "__name__")}
    vars(module).update(kept | changes)
    return module


def faults(module: types.ModuleType) -> list[str]:
    with pytest.raises(ContractError, match="changed does not keep the contract of a game:\n- ") as error:
        Game(module)
    assert all(fault.endswith(".") for fault in error.value.faults)
    return error.value.faults


def test_every_missing_member_is_named() -> None:
    found = faults(changed(leave_out=("TITLE", "due", "FIELDS")))
    assert [fault.split(" ")[0] for fault in found] == ["TITLE", "due", "FIELDS"]
    assert found[0] == "TITLE is missing: its name for people."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"TITLE": 7}, "TITLE is 7, not str: its name for people."),
        ({"ACTIONS": True}, "ACTIONS is True, not int: decisions are numbers below this."),
        ({"COOPERATIVE": 1}, "COOPERATIVE is 1, not bool: all seats share one score."),
        ({"due": lambda s: 0}, "due is not marked @rule."),
        ({"overhear": lambda s, seat, who, action: action}, "overhear is not marked @rule."),
        ({"best_score": 20}, "best_score is not a function: "),
        ({"MIN_SEATS": 4}, "MIN_SEATS and MAX_SEATS are 4 and 3; they must be 1 to 6, in this order."),
        ({"RULES_VERSIONS": ()}, "RULES_VERSIONS is (); it must name at least one version, oldest first."),
        ({"RULES_VERSIONS": (1, 2)}, "State has no field `rules`: the game has several rules versions."),
        ({"OPTIONS": {"high": (False, True)}}, "State has no field `high`: it is an option."),
        ({"FIELDS": ()}, "FIELDS is empty; the observation needs at least one field."),
        ({"FIELDS": toy.FIELDS * 2}, "FIELDS has two fields of one name."),
        ({"ACTIONS": FIRST_SIGNAL + 1}, "ACTIONS is 32769; events have room for 32768."),
        ({"SIGNALS": ("nod",)}, "SIGNAL_LIMIT is missing, which belongs to the game's signals: "),
        ({"DECK": "abc", "check_deck": len}, "read_deck is missing, which belongs to the game's decks: "),
    ],
)
def test_a_fault_has_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert faults(changed(**changes))[0].startswith(sentence)


def test_an_optional_member_has_its_default() -> None:
    game = Game(changed(leave_out=("sealed",)))
    match = Match(game, 2, seed=1)
    assert (game.cooperative, game.silent, game.signals, game.deck) == (False, False, (), None)
    assert (game.score_range(2), game.best_score(2), game.rules.overhear, game.rules.roll) == (None, None, None, None)
    assert (game.rules.sealed(match.state), game.may_signal(match.state, 0, [])) == (0, [])
    assert game_named("toy").rules.sealed(match.state) == 1


def test_a_package_gathers_its_members_from_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder with the files of the contract is a game; its `__init__.py` is empty."""
    folder = tmp_path / "folder_game"
    folder.mkdir()
    for file in ("model", "rules", "knowledge", "notation", "words", "view", "observation"):
        (folder / f"{file}.py").write_text("from examples.toy.tacit_toy import *\n")
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    game = Game(__import__("folder_game"))
    assert (game.name, game.module.__name__, game.module.HAND) == ("toy", "folder_game", 2)
    assert Match(game, 2, seed=1).due == {0, 1}
    (folder / "view.py").write_text("")
    for name in [name for name in sys.modules if name.startswith("folder_game")]:
        del sys.modules[name]
    with pytest.raises(ContractError, match="- view is missing: "):
        Game(__import__("folder_game"))


def test_how_a_terminal_shows_a_game_is_declared_too() -> None:
    assert game_named("silver-and-gold").terminal.CONFIRM
    assert game_named("silent-planet").terminal.arrange is not None
    plain = Game(changed()).terminal
    assert (plain.draw, plain.arrange, plain.CONFIRM) == (None, None, False)
    with pytest.raises(ContractError, match=r"- draw is not a function: `draw\(view, names\)`"):
        _ = Game(changed(draw=7)).terminal


def test_the_interpreted_rules_are_the_contract() -> None:
    game = game_named("silent-planet")
    assert isinstance(game.rules, Contract)
    assert game.silent
    assert game.max_decisions == game.rules.MAX_DECISIONS


def test_the_page_shows_the_contract() -> None:
    """`python -c "from tacit.core.contract import contract_page; print(contract_page())"` prints this part."""
    page = (Path(__file__).parent.parent / "docs" / "writing-a-game.md").read_text()
    assert contract_page().strip() in page


def test_a_constant_named_deck_is_a_constant() -> None:
    module = types.ModuleType("sixty")
    vars(module).update({name: value for name, value in vars(toy).items() if not name.startswith("__")}, DECK=60)
    assert Game(module).deck is None


def test_installed_distributions_offer_games_and_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """As examples/toy/pyproject.toml does; a name that is taken stays whose it is."""
    declared = tomllib.loads((Path(toy.__file__).parent / "pyproject.toml").read_text())["project"]["entry-points"]

    def entry_points(*, group: str) -> list[EntryPoint]:
        found = [EntryPoint(name, f"examples.toy.{value}", group) for name, value in declared[group].items()]
        return [*found, EntryPoint("silencio" if group == "tacit.games" else "silencio/steady", "nowhere", group)]

    for registry in (core_registry, bot_registry):
        monkeypatch.setattr(registry, "entry_points", entry_points)
        registry._find_installed.cache_clear()
    monkeypatch.delitem(core_registry._modules, "toy")
    others = {game: dict(bots) for game, bots in bot_registry._targets.items() if game != "toy"}
    monkeypatch.setattr(bot_registry, "_targets", others)  # another test may have registered bots of its own
    try:
        assert core_registry.game_names()[-1] == "toy"
        game = game_named("toy")
        assert bot_registry.bot_names(game) == ["low", "random"]
        assert bot_registry.bot_named(game, "low").name == "low"
        assert game_named("silencio").title == "Silencio"
        assert bot_registry.target_of(game_named("silencio"), "steady").startswith("tacit.bots.")
    finally:
        core_registry._find_installed.cache_clear()
        bot_registry._find_installed.cache_clear()
        bot_registry._bots.clear()
