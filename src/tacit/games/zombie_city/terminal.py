"""The table of Zombie City in a terminal. Zombies are letters (R, F, S) as well as colours; ♪ makes noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tacit.core.messages import Message, render
from tacit.core.notebook import Picture, Pictures
from tacit.games.zombie_city.view import Crowd, OwnCard, Shelter, View

STYLES = {"regular": "green", "fast": "yellow", "strong": "red", "horde": "magenta"}
WIDTH = 26  # of a shelter: three stand side by side in 80 columns, four in 120


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """The City, the shelters side by side, what is pending, and the hand."""
    parts: list[RenderableType] = [_city(view)]
    shelters = [_shelter(view, shelter, names) for shelter in view.shelters]
    parts.append(Columns(shelters, padding=(0, 1)))
    if view.pending or any((view.row.regular, view.row.fast, view.row.strong)):
        parts.append(_pending(view, names))
    if view.you is not None and view.result is None:
        parts.append(_hand(view))
    if view.result is not None:
        parts.append(_result(view, names))
    return Group(*parts)


def _zombie(name: str, text: str) -> Text:
    return Text(text, style=f"bold {STYLES[name]}")


def _crowd(crowd: Crowd) -> Text:
    """`R2 F1`, or a dash."""
    numbers = {"regular": crowd.regular, "fast": crowd.fast, "strong": crowd.strong}
    parts = [_zombie(name, f"{name[0].upper()}{n}") for name, n in numbers.items() if n]
    return Text(" ").join(parts) if parts else Text("–", style="dim")


def _counted(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in numbers.items()) or "–"


def _city(view: View) -> Panel:
    city = view.city
    top = Text("City deck  ", style="bold")
    if city.top is None:
        top.append("empty")
    elif city.top == "survivor":
        top.append(f"{city.cards} cards, a survivor on top")
    else:
        top.append(f"{city.cards} cards, ").append_text(_zombie(city.top, f"a {city.top.upper()} zombie shows"))
    backs = Text("Unseen backs  ", style="dim")
    for i, (name, n) in enumerate(city.backs.items()):
        backs.append("  " if i else "").append_text(_zombie(name, f"{name} {n}"))
    gone = f"   Dead: {_counted(view.dead)}" if view.dead else ""
    gone += f"   Survivors lost: {view.lost}" if view.lost else ""
    discards = Text(f"Resource deck {view.deck}   Discards: {_counted(view.discard)}", style="dim")
    lines: list[Text] = [top, Text(render(city.noise)), backs, discards]
    if gone:
        lines.insert(3, Text(gone.strip(), style="dim"))
    if view.final:
        lines.insert(0, Text("FINAL ATTACK", style="bold reverse"))
    title = f"the City, turn {min(view.turns + 1, view.last_turn)} of at most {view.last_turn}"
    return Panel(Group(*lines), title=title, title_align="left")


def _shelter(view: View, shelter: Shelter, names: Sequence[str]) -> Panel:
    name = names[shelter.seat] + (" (you)" if shelter.seat == view.you else "")
    marker = "▶ " if shelter.seat in view.due else ""
    title = Text(f"{marker}{name}", style="bold", overflow="ellipsis")
    if not shelter.living:
        return Panel(Text("out", style="dim"), title=title, title_align="left", width=WIDTH, border_style="dim")
    grid = Table(show_header=False, box=None, padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_row("survivors", Text(str(shelter.survivors), style="bold"))
    grid.add_row("zombies", _crowd(shelter.zombies))
    grid.add_row("barriers", Text(_counted(_tally(shelter.barriers)), style="cyan" if shelter.barriers else "dim"))
    answered = " (has answered)" if view.phase == "answer" and shelter.answered else ""
    grid.add_row("hand", f"{shelter.hand}{answered}")
    attack = Text()
    if shelter.attack is not None:
        words = [render(message) for message in shelter.attack.words]
        danger = shelter.attack.out and shelter.attack.strikers > 0
        attack = Text("\n".join(words), style="bold red" if danger else "" if shelter.attack.loss else "dim")
    border = "magenta" if shelter.seat == view.active else "cyan" if shelter.seat == view.you else ""
    return Panel(Group(grid, attack), title=title, title_align="left", width=WIDTH, border_style=border)


def _tally(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in dict.fromkeys(names)}


def _pending(view: View, names: Sequence[str]) -> Panel:
    lines = [Text(f"! {render(message, names=names)}", style="bold") for message in view.pending]
    if any((view.row.regular, view.row.fast, view.row.strong)):
        lines.append(Text("The horde's zombies: ").append_text(_crowd(view.row)))
    if view.targets:
        lines.append(Text(f"They can go to: {', '.join(names[q] for q in view.targets)}"))
    return Panel(Group(*lines), title="pending", title_align="left", border_style="magenta")


def _hand(view: View) -> RenderableType:
    if not view.hand:
        return Text("Your hand is empty.")
    table = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    choosing = view.phase == "main" and view.active == view.you
    for card in view.hand:
        table.add_row(*_card(card, choosing))
    return Panel(table, title="your hand", title_align="left", border_style="cyan")


def _card(card: OwnCard, choosing: bool) -> list[Text]:
    """What a card does; while it could be played if it had an effect, why it has none."""
    sign = Text("♪" if card.loud else " ", style="bold magenta")
    name = Text(render(Message(f"zombie-city.card.{card.card}")), style="bold" if card.playable else "dim")
    if card.why_not is None:
        return [Text("●", style="bold"), sign, name, Text(render(card.effect))]
    return [Text("○", style="dim"), sign, name, Text(render(card.why_not if choosing else card.effect), style="dim")]


def _result(view: View, names: Sequence[str]) -> Panel:
    assert view.result is not None
    winners = [names[q] for q in view.result["winners"]]
    people = ", ".join(f"{name} {n}" for name, n in zip(names, view.result["survivors"], strict=True))
    won = Message("zombie-city.won.one", {"name": winners[0]})
    if len(winners) > 1:
        won = Message("zombie-city.won.share", {"names": ", ".join(winners[:-1]), "last": winners[-1]})
    reason = Message(f"zombie-city.reason.{view.result['reason']}")
    text = f"{render(won)} {render(reason)}\nSurvivors: {people}."
    return Panel(Text(text, style="bold"), border_style="magenta")


# ------------------------------------------------------------------ notebooks: the page's drawings
COLOURS = {
    "color": "#333", "k": "#c2463c", "zs": "#2c6a3f", "zc": "#2c6a3f", "zd": "#1d3a26", "ze": "#fffaf0",
    "acid": "#b6e338", "lamp": "#f0c674", "survivor": "#7cc4e8", "paper": "#fffaf0",
}  # fmt: skip


def pictures(view: View) -> list[Pictures]:
    """Survivors and zombies of each shelter, and the seat's own cards."""
    groups = []
    for shelter in view.shelters:
        crowd = {"survivor": shelter.survivors, **msgspec.structs.asdict(shelter.zombies)}
        shown = [Picture(f"zc-{name}", f"× {n}", COLOURS) for name, n in crowd.items() if n]
        groups.append(Pictures(f"seat {shelter.seat}", shown))
    groups.append(Pictures("yours", [Picture(f"zc-{own.card}", own.card, COLOURS) for own in view.hand]))
    return [group for group in groups if group.pictures]
