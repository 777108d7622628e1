"""Zombie City in words: refusals, what is asked, what is heard, what an attack would cost, and the drawing."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tacit import Match, render
from tacit.core.messages import catalogue
from tacit.games import zombie_city
from tacit.games.zombie_city.terminal import draw
from tacit.games.zombie_city.words import offer, tell
from tests.zombie_city.positions import dealt, refused, run, seen, table


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "“” is not a decision in Zombie City."),
        ("dance", "“dance” is not a decision in Zombie City."),
        ("play", "“play” is not a decision in Zombie City."),
        ("play  axe", "“play  axe” is not a decision in Zombie City."),
        ("done now", "“done now” is not a decision in Zombie City."),
        ("use", "“use” is not a decision in Zombie City."),
        ("use axe", "“use axe” is not a decision in Zombie City."),
        ("send fast", "“send fast” is not a decision in Zombie City."),
        ("discard axe drone", "“discard axe drone” is not a decision in Zombie City."),
        ("play sword", "There is no card “sword”."),
        ("discard sword", "There is no card “sword”."),
        ("send fast x", "There is no seat “x” at this table."),
        ("send fast 2", "There is no seat “2” at this table."),
        ("send slow 1", "There is no zombie “slow”: they are regular, fast and strong."),
        ("send fast 1", "No zombies are to be sent now."),
        ("brace", "No attack is under way."),
        ("discard mines", "You have no such card in hand: mines."),
        ("play sniper", "Say what the sniper rifle kills: “regular”, “fast”, “strong” or “city”."),
        ("play walkie 1", "The walkie-talkie needs no further words: “play walkie”."),
        ("play drone 1", "Say which zombie goes where: “play drone fast” and a seat."),
    ],
)
def test_refusals_are_specific(text: str, sentence: str) -> None:
    assert refused(table(["axe drone walkie", ""]), 0, text) == sentence


def test_refusals_outside_phase_1() -> None:
    match = run(table(["", ""], zombies={0: "fast"}, barriers={0: "alarm"}), "0 done")
    assert refused(match, 0, "discard walkie") == "It is not the moment to discard."
    assert refused(match, 0, "noise flare") == "It is not the moment to make noise."
    assert refused(match, 0, "play drone fast 1") == "It is not the moment to play a card."


def why(match: Match, seat: int) -> dict[str, str | None]:
    return {c.card: render(c.why_not) if c.why_not else None for c in seen(match, seat).hand}


def test_every_hand_card_says_whether_it_can_be_played_and_if_not_why() -> None:
    match = table(["axe sniper flare", "barricade"], zombies={0: "strong"}, shows="regular")
    assert why(match, 0) == {
        "axe": "No regular or fast zombie in your shelter.",
        "sniper": None,
        "flare": "Not while a regular zombie shows on the City deck.",
    }
    assert set(why(match, 1).values()) == {"It is not your turn."}
    assert [card.discardable for card in seen(match, 0).hand] == [True] * 3
    assert set(why(dealt(["axe", ""]), 0).values()) == {"The first turn has not begun."}
    run(match, "0 discard axe")
    assert set(why(match, 0).values()) == {"You have begun to discard: in one turn you either discard or play."}
    match = run(table(["sacrifice axe", ""], zombies={0: "fast strong"}), "0 play sacrifice")
    assert why(match, 0)["axe"] == "Cards are played in the first phase of your turn, one after the other."
    match = run(table(["axe", "", ""], zombies={0: "fast fast"}, city=0, people={1: 1}), "0 done")
    run(match, "0 send fast 1", "0 send fast 1", "1 done")
    assert match.over
    assert set(why(match, 2).values()) == {"The match is over."}


def test_a_playable_card_is_one_that_legal_offers() -> None:
    for number in range(12):
        match = Match("zombie-city", 2 + number % 5, {"expert": number % 2 == 1}, seed=number)
        while not match.over:
            for q in sorted(match.due):
                legal = match.legal(q)
                for card in seen(match, q).hand:
                    assert card.playable == any(t.split()[:2] == ["play", card.card] for t in legal)
                    assert card.noise_alone == (f"noise {card.card}" in legal)
                    assert card.discardable == (f"discard {card.card}" in legal)
                match.play(q, legal[(number + len(match.lines)) * 7 % len(legal)])


def test_what_an_attack_would_cost() -> None:
    match = table(
        ["", "", ""],
        zombies={0: "fast strong regular", 1: "fast fast", 2: "regular"},
        barriers={0: "barricade mines", 1: "alarm"},
        people={0: 5, 2: 3},
    )
    attacks = [shelter.attack for shelter in seen(match, 1).shelters]
    assert [(a.strikers, a.loss, a.least, a.out) for a in attacks if a] == [
        (3, 3, 0, False),
        (2, 2, 0, True),
        (1, 1, 1, False),
    ]
    words = [[render(message) for message in a.words] for a in attacks if a]
    assert words == [
        ["attack costs 3 of 5", "with barriers: 0"],
        ["attack costs ALL 2", "with barriers: 0"],
        ["attack costs 1 of 3"],
    ]
    run(match, "0 done", "0 use barricade")
    attack = seen(match, 1).shelters[0].attack
    assert attack is not None
    assert (attack.strikers, attack.stopped, attack.loss, attack.least) == (2, 1, 2, 0)
    assert render(seen(match, 0).ask) == "2 zombies attack: use a barrier, or let them strike."


def heard(match: Match, *lines: str) -> list[str]:
    """What a spectator hears of each line, one after the other."""
    found: list[str] = []
    for line in lines:
        before = match.know(None)
        match.replay(line)
        who, action = match.steps[-1]
        found += match.game.rules.hear(before, who, action, match.know(None))
    return found


def test_noise_as_it_happens_is_told() -> None:
    match = table(["megaphone revolver drone", "", ""], zombies={0: "regular regular"})
    lines = heard(
        match, "0 play megaphone", "* turn strong", "0 play revolver regular", "0 play drone regular 2", "* turn fast"
    )
    assert lines == [
        "0 play megaphone", "# noise 0",
        "* turn strong", "# stay strong",
        "0 play revolver regular", "# noise 0", "# come strong 0",
        "0 play drone regular 2", "# noise 2",
        "* turn fast", "# come fast 2",
    ]  # fmt: skip
    assert [render(tell(line)) for line in lines[:4]] == [
        "Seat 0 calls a survivor by megaphone.",
        "Noise in the shelter of seat 0!",
        "A City card is turned: a strong zombie.",
        "The strong zombie stays on the City deck and blocks the way.",
    ]


def test_narration_of_snipers_surprises_and_schemes() -> None:
    match = table(["sniper surprise bribery", ""], zombies={0: "fast"}, shows="strong")
    assert heard(match, "0 play sniper city", "* turn regular") == [
        "0 play sniper city", "# noise 0", "* turn regular", "# stay regular",
    ]  # fmt: skip
    assert heard(match, "0 play surprise fast 1") == ["0 play surprise fast 1", "# come regular 1"]
    assert heard(match, "0 play bribery 1") == ["0 play bribery 1"]
    match = table(["surprise axe eviction", ""], zombies={0: "fast fast fast"})
    assert heard(match, "0 play surprise fast 1", "* turn strong")[-1] == "# come strong 1"
    assert heard(match, "0 play axe fast") == ["0 play axe fast"]
    assert heard(match, "0 play eviction 1") == ["0 play eviction 1", "# noise 0"]


def test_narration_of_attacks_falls_and_the_final_attack() -> None:
    match = table(["drone drone sacrifice", "", ""], zombies={0: "fast strong"}, barriers={0: "mines"}, city=1)
    assert heard(match, "0 done", "0 use mines fast", "* turn regular") == [
        "0 done", "0 use mines fast", "# noise 0", "* turn regular", "# stay regular", "# strike 0 1", "# final",
    ]  # fmt: skip
    match = table(["drone drone sacrifice", "", ""], zombies={0: "fast strong"}, barriers={0: "barricade barricade"})
    lines = heard(match, "0 done", "0 brace")
    assert lines == ["0 done", "0 brace", "# strike 0 2", "# out 0 sacrifice drone drone"]
    assert render(tell(lines[-1])).endswith("discarded: sacrifice, drone and drone.")
    match = table(["sacrifice barricade mines", ""], zombies={0: "fast"}, people={0: 1})
    run(match, "0 play sacrifice", "0 send fast 1", "0 play barricade", "0 play mines")
    assert heard(match, "0 done") == ["0 done", "# out 0"]
    assert render(tell("# out 0")) == "Seat 0 has no survivor left and is out."


def test_narration_of_a_renewed_deck() -> None:
    match = Match("zombie-city", 6, seed=5)
    while "# renew" not in match.see(None).heard:
        for q in sorted(match.due):
            texts = match.legal(q)
            match.play(q, next((t for t in texts if t.startswith("discard")), texts[0]))
    assert render(tell("# renew")).startswith("The resource deck was empty")


def test_offers_read_well() -> None:
    texts = {
        "play shotgun regular fast": "Kill a regular zombie and a fast zombie: shotgun",
        "play sniper city": "Kill the zombie on the City deck: sniper rifle",
        "play mines": "Lay into your shelter: mines",
        "use mines strong": "Blow up a strong zombie, then noise",
        "play drone regular 3": "Fly a regular zombie to seat 3 and make noise there",
        "send fast 0": "Send a fast zombie to seat 0",
        "noise alarm": "Only make noise: alarm",
    }
    assert {text: render(offer(text)) for text in texts} == texts


def test_what_is_asked_and_pending() -> None:
    match = run(dealt(["", "", ""]), "1 keep")
    assert "once" in render(seen(match, 0).ask)
    assert render(seen(match, 1).ask).startswith("You have answered.")
    assert render(seen(match, None).ask).startswith("Everyone decides in secret")
    assert [render(m) for m in seen(match, 0).pending] == ["2 answers are still missing."]
    run(match, "0 keep", "2 keep")
    assert render(seen(match, 0).ask) == "Chance decides who begins."
    match = run(table(["megaphone", "", ""]), "0 play megaphone")
    assert [render(m) for m in seen(match, 1).pending] == [
        "Noise in the shelter of seat 0: the top City card is turned."
    ]
    run(match, "* turn horde")
    assert render(seen(match, 1).pending[0]) == "Horde: 3 more City cards are turned."
    run(match, "* turn horde", "* turn fast", "* turn fast")
    assert [render(m) for m in seen(match, 1).pending] == [
        "2 zombies are still to be sent.",
        "A second horde waits until these zombies are sent.",
    ]
    assert render(seen(match, 1).ask) == "A horde: seat 0 sends out the zombies."
    match = run(table(["surprise", "", ""], zombies={0: "fast"}), "0 play surprise fast 2")
    assert render(seen(match, 1).pending[0]) == "Surprise: the top City card is turned for seat 2."
    match = table(["", ""], zombies={0: "fast strong"}, barriers={0: "mines"}, city=1)
    run(match, "0 done", "0 use mines fast")
    assert render(seen(match, 1).pending[-1]) == "The attack on seat 0 goes on: one attacker is left."


CODES = re.compile(r'_(?:say|refused)\(\s*"([a-z.-]+)"')


def test_every_code_in_the_source_has_its_sentence() -> None:
    home = Path(zombie_city.__file__).parent
    entries = catalogue("zombie-city")
    for name in ("words.py", "notation.py"):
        for code in CODES.findall((home / name).read_text()):
            assert code in entries or f"refuse.{code}" in entries, code


# ------------------------------------------------------------------ the drawing
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("seats", [2, 6])
def test_the_drawing_fits_its_width(seats: int, width: int) -> None:
    names = [f"A rather long name {q}" for q in range(seats)]
    match = Match("zombie-city", seats, {"expert": True}, seed=seats)
    step = 0
    while True:
        for watcher in (None, *range(seats)) if step % 9 == 0 or match.over else ():
            console = Console(width=width, file=StringIO(), highlight=False)
            with console.capture() as capture:
                console.print(draw(seen(match, watcher), names))
            lines = capture.get().splitlines()
            assert max(map(len, lines)) <= width
            assert "City" in lines[0]
        if match.over:
            break
        seat = min(match.due)
        legal = match.legal(seat)
        match.play(seat, legal[step * 5 % len(legal)])
        step += 1
    assert "survivors" in str(match.result)


def test_the_drawing_shows_a_horde_that_waits_to_be_sent() -> None:
    match = table(["megaphone", "", ""])
    run(match, "0 play megaphone", "* turn horde", "* turn fast", "* turn strong", "* turn strong")
    console = Console(width=80, file=StringIO(), highlight=False)
    with console.capture() as capture:
        console.print(draw(seen(match, 1), ["Ada", "Ben", "Cleo"]))
    assert "The horde's zombies: F1 S2" in capture.get()
    assert "They can go to: Ada, Ben, Cleo" in capture.get()


def test_the_drawing_shows_shelters_side_by_side_and_what_threatens() -> None:
    match = table(
        ["axe sniper", "", ""], zombies={0: "fast strong", 2: "regular"}, barriers={1: "alarm"}, shows="strong"
    )
    console = Console(width=80, file=StringIO(), highlight=False)
    with console.capture() as capture:
        console.print(draw(seen(match, 0), ["Ada", "Ben", "Cleo"]))
    text = capture.get()
    assert any("Ada (you)" in line and "Ben" in line and "Cleo" in line for line in text.splitlines())
    assert "a STRONG zombie shows" in text
    assert "attack costs ALL 2" in text
    assert "F1 S1" in text
    assert "♪" in text


@pytest.mark.parametrize("path", sorted((Path(__file__).parent.parent / "golden" / "zombie-city").glob("*.tacit")))
def test_golden_records_can_be_told_and_drawn_to_the_end(path: Path) -> None:
    match = Match.load(path.read_text())
    names = ["Ada", "Ben", "Cleo", "Dot", "Eli", "Fay"][: match.seats]
    for watcher in (None, *range(match.seats)):
        told = match.see(watcher)
        sentences = [render(tell(line), names=names) for line in told.heard]
        assert all(sentence.endswith((".", "!")) for sentence in sentences)
        console = Console(width=80, file=StringIO(), highlight=False)
        with console.capture() as capture:
            console.print(draw(told.view, names))
        assert "Survivors: " in capture.get()
