"""`tacit benchmark`: tracks, result files, what `verify` finds, and the page."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tacit import GAMES, game_named
from tacit.arena.stats import Estimate
from tacit.benchmark.figures import bounds_of, figures
from tacit.benchmark.page import replaced, tables
from tacit.benchmark.result import Played, Result, code_hash, read_result
from tacit.benchmark.tracks import OPEN, PUBLIC_SEEDS, Key, Partners, baselines, deal_seed, partners_of, parts
from tacit.bots import registry
from tests.arena.jobs import CROOKED
from tests.test_cli import tacit

ROOT = Path(__file__).parent.parent.parent
OTHER = Key("other", "11" * 32, "22" * 32)
RANDOM = "tacit.bots.every_game.random"
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("*.json"))


@pytest.fixture
def team(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game as a co-operative one, with bots of the names that the tracks know."""
    own = [("toy", name, RANDOM) for name in ("gentle", "steady", "other")]
    monkeypatch.setattr(game_named("toy"), "cooperative", True)
    monkeypatch.setitem(registry._targets, "toy", {name: target for _, name, target in own})
    monkeypatch.setattr("tacit.benchmark.tracks.BOTS", [*registry.BOTS, *own])


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that a test registers are gone after it."""
    monkeypatch.setitem(registry._targets, "toy", dict(registry._targets.get("toy", {})))


@pytest.mark.usefixtures("registered")
def test_a_result_is_made_checked_and_cannot_be_changed(tmp_path: Path) -> None:
    """Whoever fails is disqualified, loudly; any change of the file is found, however well it is hidden."""
    path = tmp_path / "result.json"
    words = ("benchmark", "run", "selfplay-v1", "toy", "--deals", "30", "--bot", f"cheat={CROOKED}")
    done = tacit(*words, "--out", str(path))
    assert done.exit_code == 1, done.output
    assert "CHEAT IS DISQUALIFIED: illegal in match" in " ".join(done.output.split())
    assert "too few" in done.output
    result = read_result(path)
    assert [(row.name, bool(row.figures)) for row in result.rows] == [("random", True), ("cheat", False)]
    assert (result.key, result.commitment, result.counts) == (OPEN.name, OPEN.commitment, False)
    bot = ("--bot", f"cheat={CROOKED}")
    checked = tacit("benchmark", "verify", str(path), *bot)
    assert (checked.exit_code, "holds" in checked.output) == (0, True), checked.output

    def changed(said: str, **fields: object) -> None:
        other = msgspec.structs.replace(result, **fields)
        other.write(tmp_path / "changed.json")
        refused = tacit("benchmark", "verify", str(tmp_path / "changed.json"), *bot)
        assert (refused.exit_code, said in refused.output) == (1, True), refused.output

    values = tuple(tuple(1.0 for _ in row) for row in result.played[0].values)
    better = (msgspec.structs.replace(result.played[0], values=values),)
    found = figures("selfplay-v1", result.entries, Partners(), better, result.disqualified, (0, 1))
    changed("The figures do not follow", played=better)
    changed("played again it is", played=better, rows=found.rows)
    changed("The rules of Toy are not those", rules_sha256="0" * 64)
    changed("random is not the bot", bots=result.bots | {"random": result.bots["cheat"]})
    changed("is not the one of this result", commitment=OTHER.commitment)
    path.write_text(path.read_text().replace('"deals":30', '"deals":31'))
    refused = tacit("benchmark", "verify", str(path), *bot)
    assert (refused.exit_code, "It was changed." in refused.output) == (1, True)


@pytest.mark.usefixtures("team")
def test_ad_hoc_teamwork_and_a_secret_season(tmp_path: Path) -> None:
    """Rows with partners that are held out; without the key only what lies on public deals is played again."""
    key, path = tmp_path / "key.json", tmp_path / "result.json"
    made = tacit("benchmark", "new-key", "winter")
    key.write_text(made.output.splitlines()[0])
    words = ("benchmark", "run", "aht-v1", "toy", "--deals", "12", "--out", str(path))
    done = tacit(*words, "--key", str(key))
    assert done.exit_code == 0, done.output
    result = read_result(path)
    assert result.partners == Partners(("random",), ("gentle",), ("steady", "other"))
    assert {row.name for row in result.rows} == {"random", "gentle", "steady", "other"}
    assert set(result.matrix["random"]) == {"random", "gentle", "steady", "other"}
    assert [part.split for part in result.played] == ["validation", "held-out"]
    assert msgspec.json.decode(key.read_bytes(), type=Key).key not in path.read_text()
    for given, said in ((("--key", str(key)), "played again."), ((), "on validation deals")):
        checked = tacit("benchmark", "verify", str(path), "--replays", "9", *given)
        assert (checked.exit_code, said in checked.output) == (0, True), checked.output
    page = replaced("before\n<!-- tables: begin -->\nold\n<!-- tables: end -->\nafter\n", tables([result]))
    assert "old" not in page
    assert "| *best response* |" in page
    with pytest.raises(ValueError, match="has no marks"):
        replaced("", "")


@pytest.mark.usefixtures("team")
def test_networks_of_different_seeds(tmp_path: Path) -> None:
    bots = ("--bot", f"mine-0={RANDOM}", "--bot", f"mine-1={RANDOM}")
    done = tacit("benchmark", "run", "zsc-v1", "toy", "--deals", "8", *bots, "--out", str(tmp_path / "result.json"))
    assert done.exit_code == 0, done.output
    (row,) = read_result(tmp_path / "result.json").rows
    assert (row.name, list(row.figures)) == ("mine", ["self-play", "cross-play", "gap"])


def test_no_deal_and_no_partner_is_in_two_splits() -> None:
    """And another key has other held-out deals; deal d of seed s is s * 2**32 + d."""
    for name in GAMES:
        game = game_named(name)
        held_out = {deal_seed(key, "aht-v1", game, "held-out") for key in (OPEN, OTHER)}
        assert len(held_out) == 2
        assert held_out.isdisjoint(PUBLIC_SEEDS.values())
        assert deal_seed(None, "aht-v1", game, "validation") == PUBLIC_SEEDS["validation"]
        partners = partners_of(game)
        assert len(set(partners.all)) == len(partners.all)
        assert "steady" in partners.held_out
        if not game.cooperative:
            with pytest.raises(ValueError, match="is for co-operative games"):
                parts("aht-v1", game, [], partners)
    assert baselines(game_named("silencio"))[:3] == ["random", "gentle", "steady"]
    with pytest.raises(ValueError, match="Held-out deals need the key"):
        deal_seed(None, "aht-v1", game_named("silencio"), "held-out")
    with pytest.raises(ValueError, match="two or more networks"):
        parts("zsc-v1", game_named("silencio"), ["one"], Partners())


def test_normalised_by_the_best_response() -> None:
    """1 is what the best known partner gains over random, which is 0; who is one of a kind plays others only."""
    rows, partners = ("random", "a", "b"), Partners((), (), ("a", "b"))
    reached = {("random", "a"): 0, ("a", "a"): 4, ("b", "a"): 2, ("random", "b"): 1, ("a", "b"): 2, ("b", "b"): 5}
    line_ups = tuple((row, partner) for row in rows for partner in partners.held_out)
    values = tuple((reached[row, partner] - 1.0, reached[row, partner] + 1.0) for row, partner in line_ups)
    played = (Played("validation", line_ups, values), Played("held-out", line_ups, values))
    found = figures("aht-v1", rows, partners, played, {}, (-9.0, 9.0))
    assert found.best_responses == {"a": "a", "b": "b"}
    shares = {row.name: row.figures["normalised"].mean for row in found.rows}
    assert shares == pytest.approx({"random": 0, "a": 0.25, "b": 0.5})
    without = figures("aht-v1", rows, partners, played, {"b": "why"}, (-9, 9))
    assert without.best_responses == {"a": "a"}
    assert [(row.name, row.disqualified) for row in without.rows if not row.figures] == [("a", None), ("b", "why")]
    assert bounds_of(game_named("silencio"), 3)[1] == 0
    assert found.matrix["a"]["b"] == Estimate(2, -9, 9, 2)


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    for text, said in (("{}", "no result"), ("", "no result")):
        file.write_text(text)
        done = tacit("benchmark", "verify", str(file))
        assert (done.exit_code, said in done.output) == (1, True), done.output
    assert "No such file" in tacit("benchmark", "verify", str(tmp_path / "none.json")).output
    file.write_text('{"name": "x", "key": "zz", "salt": "00"}')
    refused = tacit("benchmark", "run", "selfplay-v1", "toy", "--key", str(file))
    assert (refused.exit_code, "no key of a benchmark" in refused.output) == (1, True)


def test_matches_of_a_bot_that_changed_are_not_counted_again(tmp_path: Path) -> None:
    """A journal belongs to the files of its bots: a network that was trained on under the same name begins anew."""
    toy, network = game_named("toy"), tmp_path / "network.npz"
    network.write_bytes(b"before")
    before = code_hash(toy, {"one": str(network)})
    assert before == code_hash(toy, {"one": str(network)})
    network.write_bytes(b"after")
    assert before != code_hash(toy, {"one": str(network)})


def test_the_page_shows_our_results() -> None:
    """docs/benchmark.md is made by `tacit benchmark page benchmarks/results/*.json --into docs/benchmark.md`."""
    results: list[Result] = [read_result(path) for path in RESULTS]
    for result in results:
        game = game_named(result.game)
        found = figures(
            result.track, result.entries, result.partners, result.played, result.disqualified,
            bounds_of(game, result.seats),
        )  # fmt: skip
        assert result.counts
        assert [row.name for row in found.rows] == [row.name for row in result.rows]
    page = (ROOT / "docs" / "benchmark.md").read_text()
    assert results
    assert replaced(page, tables(results)) == page


@pytest.mark.long
@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_our_results_are_of_todays_rules_and_bots(path: Path) -> None:
    """Hashes and figures; where rules or a bot have changed, the track is to be run anew."""
    networks = {name: str(ROOT / "benchmarks" / "networks" / bot.target) for name, bot in read_result(path).bots.items()
                if bot.target.endswith(".npz") and "/" not in bot.target}  # fmt: skip
    words = [word for name, file in networks.items() for word in ("--bot", f"{name}={file}")]
    done = tacit("benchmark", "verify", str(path), "--replays", "0", *words)
    assert done.exit_code == 0, done.output
