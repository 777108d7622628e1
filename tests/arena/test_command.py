"""`tacit arena` as a person types it: reports, cross-play, pictures, --until, the bound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit import Match, game_named
from tacit.arena.bound import bound_of
from tacit.arena.cross_play import cross_play, pairings
from tacit.arena.job import make_job
from tacit.arena.match_result import MatchResult
from tacit.arena.report import figure
from tacit.arena.stats import Estimate
from tacit.arena.summary import SequentialStop, summarise
from tests.arena.jobs import CROOKED, GAMBLER, all_of, read_journal, toy_job
from tests.silver_and_gold.positions import with_cards
from tests.test_cli import tacit

POLITE = "tests.bots.odd_bots:Polite"


def report(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "report.json").read_text())
    return found


def test_a_line_up_is_reported_with_intervals_cost_and_failures(tmp_path: Path) -> None:
    words = ("arena", "toy", "--seats", f"random,{CROOKED},{POLITE}", "--matches", "60", "--out", str(tmp_path))
    result = tacit(*words)
    assert result.exit_code == 0, result.output
    for said in (
        "Toy, 3 seats, 60 deals, 360 decisions",
        "95 % intervals",
        "µs per decision",
        "illegal",
        "disqualified",
    ):
        assert said in result.output
    assert f"{CROOKED.upper()} IS DISQUALIFIED: illegal in match 0: " in " ".join(result.output.split())
    assert "Ratings" not in result.output  # every match had a seat that somebody else played
    for name in ("matches.jsonl", "report.json", "scores.svg", "scores.png"):
        assert (tmp_path / name).stat().st_size > 100
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    _, lines = read_journal(tmp_path / "matches.jsonl")
    assert len(list(lines)) == 60
    again = tacit(*words)
    assert "Resuming after 60 matches." in again.output
    assert again.output.splitlines()[-12:-8] == result.output.splitlines()[-12:-8]


def test_without_matplotlib_all_but_the_plots_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.cli.find_spec", lambda name: None)
    result = tacit("arena", "toy", "--seats", "random,random", "--matches", "20", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "No plots: matplotlib is missing (pip install 'tacit-games[arena]')." in result.output
    assert {path.name for path in tmp_path.iterdir()} == {"matches.jsonl", "report.json"}


def test_who_fails_is_out_and_who_is_late_once_is_not() -> None:
    def played(match: int, *faults: tuple[str, str]) -> MatchResult:
        found = tuple({"bot": bot, "kind": kind, "detail": "why"} for bot, kind in faults)
        return MatchResult(match, match, 0, ("random", POLITE), (2, 0), {"left": 0 if match else 1}, 4, found)

    job = make_job(game_named("toy"), [["random", POLITE]], {})
    matches = [played(i) for i in range(200)] + [played(200, ("random", "late")), played(201, (POLITE, "raised"))]
    summary = summarise(game_named("toy"), job, matches)
    assert summary.disqualified == {POLITE: "raised in match 201: why"}
    late = summarise(game_named("toy"), job, [*matches, *(played(i, ("random", "late")) for i in (300, 301, 302))])
    assert late.disqualified == {"random": "late in match 200: why", POLITE: "raised in match 201: why"}
    assert summary.line_ups[0].figures["left"].low == 0  # no interval of cards left goes below none


def test_no_interval_holds_a_score_that_cannot_be() -> None:
    game, line_up = game_named("silencio"), ("random", "random")
    job = make_job(game, [line_up], {})
    played = [MatchResult(i, i, 0, line_up, (-2 * (i == 3),) * 2, {"left": 2 * (i == 3)}, 4, ()) for i in range(4)]
    summary = summarise(game, job, played)
    assert summary.line_ups[0].figures["score"].high == 0
    assert cross_play(game, job, ["random"], {m.match: m for m in played}).cells[0][0].high == 0


def test_silver_and_gold_is_played_with_any_deck(tmp_path: Path) -> None:
    """The journal is one of that deck, the records name it, and other games refuse one."""
    deck = tmp_path / "squares.deck"
    words = ("arena", "silver-and-gold", "--seats", f"{POLITE},{POLITE}", "--matches", "1", "--no-pictures")
    game = with_cards(p9="oooo oooo oooo .oo.")
    assert game.deck_text is not None
    deck.write_text(game.deck_text)
    folder, records = tmp_path / "out", tmp_path / "records"
    result = tacit(*words, "--deck", str(deck), "--out", str(folder), "--records", str(records))
    assert result.exit_code == 0, result.output
    job, lines = read_journal(folder / "matches.jsonl")
    assert job.deck == game.deck_text
    assert job.load_game().deck == game.deck
    assert len(list(lines)) == 1
    (record,) = records.glob("*.tacit")
    assert f'"deck": "{game.deck}"' in record.read_text()
    assert Match.load(record.read_text(), deck=game.deck_text).over
    again = tacit(*words, "--out", str(folder))
    assert "another job" in " ".join(again.output.split())
    assert "no deck" in " ".join(tacit("arena", "silencio", "--deck", str(deck)).output.split())


def test_cross_play_is_a_table_of_all_bots_with_all_bots(tmp_path: Path) -> None:
    words = ("arena", "toy", "--cross-play", "--seats", "3", "--bots", f"random,{POLITE}", "--matches", "20")
    result = tacit(*words, "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "row: one seat, column: the others" in result.output
    for kind in ("svg", "png"):
        assert (tmp_path / f"cross-play.{kind}").stat().st_size > 1000
    svg = (tmp_path / "cross-play.svg").read_bytes()
    tacit(*words, "--out", str(tmp_path))
    assert (tmp_path / "cross-play.svg").read_bytes() == svg


def test_the_cells_of_cross_play_are_what_they_say() -> None:
    assert pairings(["a", "b"], 2) == [("a", "a"), ("a", "b"), ("b", "b")]
    assert pairings(["a", "b"], 3) == [("a", "a", "a"), ("a", "b", "b"), ("b", "a", "a"), ("b", "b", "b")]
    game = game_named("toy")
    for seats in (2, 3):
        bots = ["random", GAMBLER]
        job = toy_job(*pairings(bots, seats))
        matches = all_of(job, 40 * len(job.line_ups))
        crossed = cross_play(game, job, bots, matches)
        expected = [
            p.shares()[p.seats.index("random")]
            for p in matches.values()
            if p.seats.count("random") == 1 and p.seats.count(GAMBLER) == seats - 1
        ]
        assert crossed.cells[0][1].mean == pytest.approx(sum(expected) / 40)
        assert crossed.cells[0][0].mean == pytest.approx(1 / seats, abs=0.25)
        if seats == 2:
            assert crossed.cells[0][1].mean + crossed.cells[1][0].mean == pytest.approx(1)


def test_until_says_that_two_who_play_alike_do_not_differ(tmp_path: Path) -> None:
    words = ("arena", "toy", "--seats", "random,random", "--seats", f"{GAMBLER},random", "--matches", "150")
    result = tacit(*words, "--until", "--out", str(tmp_path / "same"), "--no-pictures")
    assert "not significant after 150 deals" in " ".join(result.output.split())
    alone = tacit("arena", "toy", "--seats", "random,random", "--until", "--out", str(tmp_path / "alone"))
    assert "--until compares" in alone.output


def test_until_looks_at_deals_in_their_order_however_they_come() -> None:
    game, job = game_named("toy"), toy_job(("random", "random"), ("random", CROOKED))
    whole = {
        match: MatchResult(match, match // 2, match % 2, job.seating(match), scores, {}, 1)
        for match in range(800)
        for scores in [(2, 0) if (match % 2 == 0) == (job.seat_of(match, 0) == 0) or match % 7 == 0 else (0, 2)]
    }
    stops = []
    for order in (sorted(whole), sorted(whole, key=lambda m: (m % 5, m)), sorted(whole, reverse=True)):
        arrived: dict[int, MatchResult] = {}
        until = SequentialStop(game, job, arrived)
        for match in order:
            arrived[match] = whole[match]
            if until.decided():
                break
        assert until.test.decided is not None
        stops.append((until.deals, until.test.decided))
    assert stops[0] == stops[1] == stops[2]
    assert stops[0][0] < 200


def test_the_share_of_perfect_matches_is_told_where_a_game_knows_the_best_score() -> None:
    game = game_named("silencio")
    job = make_job(game, [["random"] * 2])
    left = [0, 0, 3, 1]
    matches = [MatchResult(n, n, 0, ("random",) * 2, (-cards,) * 2, {"left": cards}, 9) for n, cards in enumerate(left)]
    (line_up,) = summarise(game, job, matches).line_ups
    assert line_up.figures["perfect"].mean == 0.5
    assert line_up.figures["left"].mean == 1
    assert "perfect" not in summarise(game_named("toy"), toy_job(), all_of(toy_job(), 4).values()).line_ups[0].figures


def test_paired_differences_are_taken_deal_by_deal() -> None:
    game = game_named("toy")
    job = toy_job(("random", "random"), (GAMBLER, "random"))
    matches = all_of(job, 60)
    summary = summarise(game, job, matches.values())
    values = [
        matches[2 * d + 1].shares()[job.seat_of(2 * d + 1, 0)] - matches[2 * d].shares()[job.seat_of(2 * d, 0)]
        for d in range(30)
    ]
    less = summary.line_ups[1].less_first
    assert less is not None
    assert less.mean == pytest.approx(sum(values) / 30)
    assert less.n == 30


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("arena", "chess"), "There is no game “chess”"),
        (("arena", "toy", "--seats", "nobody,random"), "There is no bot “nobody”"),
        (("arena", "toy", "--seats", "random"), "2 to 3 seats, not 1"),
        (
            ("arena", "toy", "--seats", "random,random", "--seats", "random,random,random"),
            "All line-ups must have the same number of seats.",
        ),
        (("arena", "toy", "--budget", "much"), "Write --budget as playouts"),
        (("arena", "toy", "-o", "low=maybe"), "can be false or true"),
        (("arena", "silencio", "--seats", "tests.bots.hanging,random"), "does not play Silencio"),
    ],
)
def test_wrong_words_get_a_sentence(words: tuple[str, ...], says: str) -> None:
    result = tacit(*words)
    assert result.exit_code != 0
    assert says in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_figures_are_written_with_their_intervals() -> None:
    assert figure(Estimate(3.214, 3.1, 3.3, 10)) == "3.21 [3.10, 3.30]"
    assert figure(Estimate(0.5, 0.25, 0.75, 10), share=True) == "50.0 % [25.0, 75.0]"


def test_the_bound_tells_proofs_from_what_is_unknown() -> None:
    """What a line-up reached the deal allowed; else the solver decides, and says where its budget was too small."""
    game = game_named("silencio")
    job = make_job(game, [["random"] * 2])
    perfect = [MatchResult(0, 0, 0, ("random",) * 2, (0, 0), {"left": 0}, 1)]
    poor = [MatchResult(deal, deal, 0, ("random",) * 2, (-9, -9), {"left": 9}, 1) for deal in range(5)]
    assert bound_of(game, job, perfect, 1)["figures"]["proved"].mean == 1
    solved = bound_of(game, job, poor, 2_000_000)
    assert solved["exact"]
    assert (solved["figures"]["proved"].mean, solved["figures"]["score"].mean) == (1, 0)
    assert "yes 100.0 %" in solved["says"]
    assert "Best score (exact): 0.00" in solved["says"]
    spent = bound_of(game, job, poor, 1)
    assert not spent["exact"]
    assert (spent["figures"]["unknown"].mean, spent["figures"]["score"].mean) == (1, -9)
    assert "Best score (at least): -9.00" in spent["says"]
