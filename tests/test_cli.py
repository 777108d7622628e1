"""The command line, as a person types at it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tacit import GAMES, Match
from tacit.cli import main
from tests.bots import odd_bots

GOLDEN = Path(__file__).parent / "golden" / "silencio" / "passed-3-seats.tacit"


def tacit(*words: str, typed: str = "") -> Result:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(main, list(words), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def commands(group: click.Group, *words: str) -> list[tuple[str, ...]]:
    """Every command and group below a group, as the words that call it."""
    found: list[tuple[str, ...]] = []
    for name, command in group.commands.items():
        found.append((*words, name))
        if isinstance(command, click.Group):
            found += commands(command, *words, name)
    return found


def test_the_help_lists_every_command() -> None:
    text = tacit("--help").output
    for name in main.commands:
        assert f"\n  tacit {name} " in text


@pytest.mark.parametrize("words", [words for words in commands(main) if words[0] != "admin"], ids=" ".join)
def test_the_help_of_every_command_has_an_example(words: tuple[str, ...]) -> None:
    assert re.search(rf"\n  tacit {' '.join(words)}\b", tacit(*words, "--help").output)


@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_a_whole_match_can_be_played_by_typing_numbers(name: str, tmp_path: Path) -> None:
    """The person always takes the first decision on the list (and confirms it where a game asks to)."""
    record = tmp_path / "m.tacit"
    result = tacit("play", name, "--seed", "5", "--record", str(record), typed="1\n\n" * 3000)
    assert result.exit_code == 0, result.output[-2000:]
    match = Match.load(record.read_text())
    assert match.over
    assert match.tags["seat0"] == "Guest"
    assert "tacit replay" in result.output


def test_bots_sit_where_they_are_told(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    words = ("play", "toy", "--bots", "random,tests.bots.odd_bots:Illegal", "--people", "1", "--seats", "3")
    result = tacit(*words, "--record", str(record), typed="1\n" * 9)
    assert "illegal on seat 2 failed (illegal); random decided for it." in result.output
    match = Match.load(record.read_text())
    assert match.over
    assert (match.tags["bot1"], match.tags["bot2"]) == ("random", "tests.bots.odd_bots:Illegal")


def test_a_bot_of_this_folder_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/bots.md says; also where the match is continued."""
    says = "NAME, STYLE, ASSUMES = 'first', 'First.', 'Nothing.'"
    lines = ["class First:", f"    {says}", "    decide = lambda self, turn: turn.legal[0]"]
    (tmp_path / "bots_of_mine.py").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    stopped = tacit("play", "toy", "--seats", "2", "--bots", "bots_of_mine:First", "--record", "m.tacit", typed="q\n")
    assert stopped.exit_code == 0, stopped.output
    done = tacit("play", "--continue", "m.tacit", "--bots", "bots_of_mine:First", typed="1\n" * 60)
    assert done.exit_code == 0, done.output
    assert "bots_of_mine:First" in Path("m.tacit").read_text()


def test_a_record_does_not_choose_which_code_runs(tmp_path: Path) -> None:
    record, bot = tmp_path / "m.tacit", "tests.bots.odd_bots:Polite"
    record.write_text(str(Match("toy", 2, seed=3, tags={"people": "1", "bot1": bot})))
    refused = tacit("play", "--continue", str(record))
    assert refused.exit_code == 1
    assert f"The record seats the bot {bot}." in refused.output
    assert tacit("play", "--continue", str(record), "--bots", bot, typed="1\n" * 9).exit_code == 0
    assert Match.load(record.read_text()).over


def test_bots_get_ready_before_the_match_and_nobody_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd_bots.Prepares, "warm", False)
    place = "tests.bots.odd_bots:"
    words = ("play", "toy", "--bots", f"{place}Prepares,{place}Impatient", "--seats", "3")
    result = tacit(*words, "--record", str(tmp_path / "m.tacit"), typed="1\n" * 9)
    assert result.exit_code == 0, result.output
    assert odd_bots.Prepares.warm
    assert "impatient is not ready" in result.output
    assert "prepares is not ready" not in result.output


def test_q_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    result = tacit(
        "play", "silencio", "--seats", "3", "--record", str(record), "--name", "Ada", typed="1\n?\nl\np 1\n1\nq\n"
    )
    assert "Type a number to decide" in result.output
    assert "nothing is decided yet" in result.output
    assert f"tacit play --continue {record}" in result.output.replace("\n", " ").replace("  ", " ")
    saved = Match.load(record.read_text())
    assert not saved.over
    assert saved.tags["seat0"] == "Ada"
    again = tacit("play", "--continue", str(record), typed="1\n" * 300)
    assert again.exit_code == 0
    finished = Match.load(record.read_text())
    assert finished.over
    assert finished.lines[: len(saved.lines)] == saved.lines


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    typed = "99\nplay r99\npass\ndance\np 99\n1\nq\n"
    result = tacit("play", "silencio", "--seats", "2", "--record", str(record), typed=typed)
    for said in ("There is no decision 99", "There is no card “r99”", "It is not the moment to pass", "“dance” is not"):
        assert said in result.output


def test_hot_seat_hides_the_screen_between_people(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    words = (
        "play",
        "silencio",
        "--seats",
        "2",
        "--people",
        "2",
        "--name",
        "Ada",
        "--name",
        "Ben",
        "--record",
        str(record),
    )
    result = tacit(*words, typed="1\n1\n\n1\n\nq\n")
    assert "Ben, press Enter when only you can see the screen." in result.output
    assert "Ada, press Enter when only you can see the screen." in result.output


def test_one_can_wait_for_another_to_claim(tmp_path: Path) -> None:
    result = tacit("play", "silencio", "--record", str(tmp_path / "m.tacit"), typed="w\nq\n")
    assert "takes the starting-player card." in result.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("play",), "Which game? There are: silencio"),
        (("play", "chess"), "There is no game “chess”"),
        (("play", "silencio", "--seats", "9"), "2 to 4 seats, not 9"),
        (("play", "silencio", "-o", "tavern"), "name=value"),
        (("play", "silencio", "-o", "tavern=maybe"), "can be false or true"),
        (("play", "silencio", "--people", "8"), "--people must be between 0 and 3."),
        (("play", "silencio", "--bots", "nobody"), "There is no bot “nobody” for Silencio"),
        (("play", "silencio", "--bots", "random,random,random"), "--bots names 3 bots for 2 seats"),
        (("play", "--continue", "nowhere.tacit"), "nowhere.tacit: No such file"),
        (("replay", "nowhere.tacit"), "No such file"),
        (("replay", str(GOLDEN), "--seat", "7"), "--seat must be between 0 and 2."),
        (("check", "nowhere.tacit"), "No such file"),
        (("bench", "rules", "--game", "chess"), "There is no game “chess”"),
    ],
)
def test_wrong_words_get_a_sentence(words: tuple[str, ...], says: str) -> None:
    result = tacit(*words)
    assert result.exit_code != 0
    assert says in result.output
    assert "Traceback" not in result.output


def test_check_names_the_first_wrong_line(tmp_path: Path) -> None:
    assert "right. Silencio, 3 seats" in tacit("check", str(GOLDEN)).output
    wrong = tmp_path / "wrong.tacit"
    lines = GOLDEN.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith(" claim"))
    lines[at] = lines[at].replace("claim", "pass")
    wrong.write_text("\n".join(lines))
    result = tacit("check", str(GOLDEN), str(wrong))
    assert result.exit_code == 1
    assert f"wrong.tacit: Line {at + 1}: It is not the moment to pass" in result.output
    binary = tmp_path / "binary.tacit"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not a UTF-8 text file" in tacit("check", str(binary)).output


def test_a_deal_by_name_is_the_same_for_all_and_can_be_checked(tmp_path: Path) -> None:
    def play(file: str, *how: str) -> Path:
        path = tmp_path / file
        played = tacit(
            "play", "silent-planet", "--people", "0", "--bots", "random", "--seats", "2", "--record", str(path), *how
        )
        assert played.exit_code == 0, played.output
        return path

    def chance(path: Path) -> list[str]:
        return [line for line in path.read_text().splitlines() if line.startswith("*")]

    one, two = play("one.tacit", "--deal", "club"), play("two.tacit", "--deal", "club")
    assert chance(one) == chance(two)
    assert chance(one) != chance(play("other.tacit", "--daily"))
    assert "draws follow from the opening" in tacit("check", str(one), "--deal").output
    one.write_text(one.read_text().replace('"name club"', '"name other club"'))
    result = tacit("check", str(one), "--deal")
    assert result.exit_code == 1
    assert "Line 1 is not what chance had to do" in result.output
    assert "names no commitment" in tacit("check", str(GOLDEN), "--deal", str(_opening(tmp_path))).output
    assert "no opening" in tacit("check", str(GOLDEN), "--deal", str(ISLANDS)).output
    assert "not both" in tacit("play", "silencio", "--daily", "--seed", "1").output


def _opening(folder: Path) -> Path:
    path = folder / "opening.json"
    path.write_text(json.dumps({"deal": "daily-1-silencio", "opening": {"key": "00" * 32, "salt": "00" * 32}}))
    return path


def test_replay_steps_to_and_fro_and_through_any_eyes() -> None:
    result = tacit("replay", str(GOLDEN), typed="\n\nb\n30\ns 1\ns -\ne\nnonsense\nq\n")
    assert result.exit_code == 0
    for said in (
        "Step 0 of",
        "Step 2 of",
        "Step 1 of",
        "Step 30 of",
        "as seat 1 sees it",
        "as a spectator sees it",
        "previous step",
    ):
        assert said in result.output


def test_replay_tells_a_seat_only_what_it_heard() -> None:
    for seat, other in (("0", "1"), ("1", "0")):
        told = tacit("replay", str(GOLDEN), "--seat", seat, "--tell").output
        assert f"Seat {other} is dealt a card." in told
        assert f"Seat {seat} is dealt a card." not in told
    spectator = tacit("replay", str(GOLDEN), "--spectator", "--tell").output
    assert not re.search(r"is dealt (red|blue|yellow|green)", spectator)


def test_the_screen_of_one_person_shows_no_hidden_card(tmp_path: Path) -> None:
    """A leak test of the terminal: cards that seat 0 does not know are never printed."""
    record = tmp_path / "m.tacit"
    result = tacit("play", "silencio", "--seats", "3", "--seed", "11", "--record", str(record), typed="1\n1\nq\n")
    match = Match.load(record.read_text())
    k = match.know(0)
    from tacit.core.bits import members
    from tacit.games.silencio.notation import CARD_NAMES

    heard = " ".join(match.see(0).heard)
    never_seen = [card for card in members(k.pool) if not re.search(rf"\b{CARD_NAMES[card]}\b", heard)]
    assert len(never_seen) > 10
    for card in never_seen:
        assert not re.search(rf"\b{CARD_NAMES[card]}\b", result.output)


ISLANDS = Path(__file__).parent.parent / "src" / "tacit" / "games" / "silver_and_gold" / "islands.deck"


def changed(sign: str) -> str:
    """The deck with its last coin drawn as another sign."""
    head, _, tail = ISLANDS.read_text().rpartition("$")
    return head + sign + tail


def test_a_deck_is_checked_line_by_line(tmp_path: Path) -> None:
    assert "right." in tacit("check", str(ISLANDS)).output
    odd = tmp_path / "odd.deck"
    odd.write_text(changed("o"))
    result = tacit("check", str(odd))
    assert result.exit_code == 0
    assert "warning: Line" in result.output
    broken = tmp_path / "broken.deck"
    broken.write_text(changed("!"))
    result = tacit("check", str(broken))
    assert result.exit_code == 1
    assert "error: Line" in result.output


def test_another_deck_is_played_with_named_in_the_record_and_needed_again(tmp_path: Path) -> None:
    odd, record = tmp_path / "odd.deck", tmp_path / "m.tacit"
    odd.write_text(changed("o"))
    words = ("play", "silver-and-gold", "--seats", "2", "--deck", str(odd), "--record", str(record))
    result = tacit(*words, typed="1\n\nq\n")
    assert result.exit_code == 0
    assert "coin" in result.output  # the warning says which figure is odd
    assert tacit("check", str(record)).exit_code == 1
    assert "right. Silver & Gold" in tacit("check", str(record), "--deck", str(odd)).output
    assert tacit("replay", str(record), "--deck", str(odd), typed="e\nq\n").exit_code == 0


def test_a_placement_is_shown_before_it_is_decided(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    words = ("play", "silver-and-gold", "--seats", "2", "--seed", "1", "--record", str(record))
    before = tacit(*words, typed="1\nno\nq\n")
    assert "nothing is decided yet" in before.output
    assert not any(line.startswith("0 ") for line in Match.load(record.read_text()).lines)


def test_signals_can_be_given_where_the_game_has_them(tmp_path: Path) -> None:
    record = tmp_path / "m.tacit"
    result = tacit("play", "silencio", "--record", str(record), typed="! nod\nq\n")
    assert "Silencio has no signals." in result.output


# ------------------------------------------------------------------ plain tacit
def test_plain_tacit_serves_at_home_and_opens_the_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The address is printed, the browser opened where there is one, and a taken port is no obstacle."""
    import socket

    from tacit.server import serve

    opened: list[str] = []
    served: list[int] = []
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    monkeypatch.setattr(serve, "open_browser", opened.append)
    monkeypatch.setattr(serve, "has_display", lambda: True)
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: served.append(sockets[0].getsockname()[1]))
    monkeypatch.setattr(serve, "App", lambda config, ready: ready() or type("A", (), {"asgi": lambda self: None})())
    monkeypatch.setattr(serve, "tune_interpreter", lambda: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr(serve, "PORT", taken.getsockname()[1])
        result = tacit()
        assert result.exit_code == 0, result.output
        assert served[0] != taken.getsockname()[1]
        assert opened == [f"http://127.0.0.1:{served[0]}"]
        assert f"tacit is at {opened[0]}" in result.output
        assert "tacit --host 0.0.0.0" in result.output
        refused = tacit("--port", str(taken.getsockname()[1]))
        assert refused.exit_code == 1
        assert f"Port {taken.getsockname()[1]} is taken" in refused.output
        monkeypatch.setattr(serve, "own_address", lambda: "192.0.2.7")
        result = tacit("--host", "0.0.0.0", "--no-open")
        assert len(opened) == 1
        assert f"Others in your network reach it at http://192.0.2.7:{served[1]}" in result.output
    assert tacit("--port", "8000", "check", str(GOLDEN)).exit_code == 2


@pytest.mark.parametrize(
    ("variables", "terminal", "found"),
    [({"DISPLAY": ":0"}, True, True), ({"DISPLAY": ":0"}, False, False), ({}, True, False),
     ({"WAYLAND_DISPLAY": "w", "SSH_CONNECTION": "x"}, True, False)],
)  # fmt: skip
def test_no_browser_is_opened_where_nobody_would_see_it(
    variables: dict[str, str], terminal: bool, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from tacit.server.serve import has_display

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert has_display() is found
