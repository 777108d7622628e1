"""A second implementation of every field of the observations, in plain Python, from what the seat knows.

Names of cards and the like are made here, not taken from the games. Each entry is a function of (k, seat).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Telling = dict[str, Callable[[Any, int], Any]]
YOU = ["you", "+1", "+2", "+3", "+4", "+5"]


def bits(x: int) -> list[int]:
    return [i for i in range(64) if x >> i & 1]


def rel(k: Any, seat: int, other: int) -> str:
    """Another seat as counted from this one."""
    return str(YOU[(other - seat) % k.seats])


def by_seat(k: Any, seat: int, rows: list[str], value: Callable[[int], Any], empty: Any) -> dict[str, Any]:
    """A value for each seat at the table, and `empty` for those that are not."""
    return {row: value((seat + YOU.index(row)) % k.seats) if YOU.index(row) < k.seats else empty for row in rows}


def in_order(k: Any, seat: int, seats: int) -> list[str]:
    """A set of seats, counted from this one."""
    return [YOU[r] for r in range(k.seats) if seats >> (seat + r) % k.seats & 1]


# ------------------------------------------------------------------ Silencio
def silencio() -> Telling:
    def cards(x: int) -> list[str]:
        return [f"{'rbyg'[c // 12]}{c % 12 + 2}" for c in bits(x)]

    phases = [
        "deal", "oracle", "claim", "passing", "turn", "draw", "choose", "light", "send", "exchange", "trade", "return",
        "lay", "end", "over",
    ]  # fmt: skip
    colours = ["red", "blue", "yellow", "green"]
    said = ["nothing", "stuck", *(f"high {c}" for c in colours), *(f"avoid {c}" for c in colours)]
    table = YOU[:4]

    def flags(k: Any, seat: int) -> list[str]:
        told = {
            "no dark effect": k.no_dark, "no light effect": k.no_light, "random card": k.duty,
            "only green": k.only_green, "shrine taken": k.shrined, "forced": k.forced,
            "rescue": k.rescue and seat == k.active, "tavern": k.tavern,
        }  # fmt: skip
        return [name for name, value in told.items() if value]

    def unseen(k: Any, seat: int) -> int:
        top = {2: 8, 3: 10, 4: 13}[k.seats]
        placed = k.rows | k.oracle | k.gone | k.hand[seat]
        for q in range(k.seats):
            placed |= k.up[q] | (k.hand[q] if q != seat else 0)
        return 4 * (top - 1) - len(bits(placed))

    return {
        "hand": lambda k, p: cards(k.hand[p]),
        "known": lambda k, p: by_seat(k, p, table[1:], lambda q: cards(k.hand[q]), []),
        "up": lambda k, p: by_seat(k, p, table, lambda q: cards(k.up[q]), []),
        "seen": lambda k, p: (
            by_seat(k, p, table[1:], lambda q: cards(k.known[q] & k.hand[p]), [])
            | {"all": cards(k.known[4] & k.hand[p])}
        ),
        "oracle": lambda k, p: cards(k.oracle),
        "rows": lambda k, p: cards(k.rows),
        "dark": lambda k, p: cards(k.dark),
        "gone": lambda k, p: cards(k.gone),
        "drawn": lambda k, p: cards(1 << k.drawn - 1)[0] if k.drawn else None,
        "lit": lambda k, p: [[*colours, "large"][i] for i in bits(k.lit)],
        "flags": flags,
        "phase": lambda k, p: phases[k.phase],
        "stage": lambda k, p: ["before", "played", "passed"][k.stage],
        "effect": lambda k, p: colours[k.effect],
        "decider": lambda k, p: rel(k, p, k.decider),
        "active": lambda k, p: rel(k, p, k.active),
        "starter": lambda k, p: "nobody" if k.starter < 0 else rel(k, p, k.starter),
        "partner": lambda k, p: rel(k, p, k.partner),
        "chosen": lambda k, p: rel(k, p, k.chosen),
        "said": lambda k, p: said[k.said],
        "said_by": lambda k, p: rel(k, p, k.said_by),
        "seats": lambda k, p: str(k.seats),
        "hand_len": lambda k, p: by_seat(k, p, table, lambda q: k.hand_len[q], 0),
        "deck": lambda k, p: k.deck,
        "darks": lambda k, p: k.darks,
        "passes": lambda k, p: k.passes,
        "stuck": lambda k, p: k.stuck,
        "turning": lambda k, p: k.turning,
        "unseen": unseen,
        "rules": lambda k, p: k.rules,
    }


# ------------------------------------------------------------------ Silver & Gold
def silver_and_gold() -> Telling:
    from importlib import resources

    import tacit.games.silver_and_gold as game
    from tacit.games.silver_and_gold.deck import read_deck

    deck = read_deck(resources.files(game).joinpath("islands.deck").read_text("ascii")).cards
    colours, table = ["purple", "orange", "green", "grey"], YOU[:4]
    shapes = ["I2", "I3", "L3", "T4", "L4", "O4"]
    phases = ["deal", "keep", "show", "start", "reveal", "cross", "take", "blind", "over"]
    names = [f"{letter}{n}" for letter, most in zip("pogs", (12, 12, 12, 11), strict=True) for n in range(1, most + 1)]

    def cells(x: int) -> list[str]:
        return [f"{'abcd'[at % 4]}{at // 4 + 1}" for at in bits(x)]

    def island(card: int) -> list[str]:
        if card < 0:
            return []
        it = deck[card]
        signs = {f"{'abcd'[x]}{y + 1}": sign for y, row in enumerate(it.rows) for x, sign in enumerate(row)}
        land = [cell for cell in cells(0xFFFF) if signs.get(cell, ".") != "."]
        told = list(land)
        for word, sign in (("cross", "x"), ("coin", "$"), ("palm", "^")):
            told += [f"{word} {cell}" for cell in land if signs[cell] == sign]
        told.append(colours[it.colour])
        if it.seal is not None:
            told.append(f"seal {colours[it.seal[0]]} {it.seal[1]}")
        return told

    def islands(x: int) -> dict[str, list[str]]:
        found = bits(x)
        return {str(i + 1): island(found[i]) if i < len(found) else [] for i in range(4)}

    def slots(k: Any, p: int, value: Callable[[int, int], Any]) -> dict[str, Any]:
        return {
            f"{YOU[r]} card {slot + 1}": value((p + r) % k.seats, slot) if r < k.seats else []
            for r in range(4)
            for slot in range(2)
        }

    def seals(k: Any, q: int) -> dict[str, int]:
        found = dict.fromkeys(colours, 0)
        for card in bits(k.completed[q]):
            seal = deck[card].seal
            if seal is not None:
                found[colours[seal[0]]] += seal[1]
        return found

    def completed(k: Any, q: int) -> dict[str, int]:
        return {c: sum(deck[card].colour == i for card in bits(k.completed[q])) for i, c in enumerate(colours)}

    nothing = dict.fromkeys(colours, 0)

    def early(k: Any) -> bool:
        return phases[k.phase] in ("deal", "keep")

    return {
        "hand": lambda k, p: islands(k.hand[p]),
        "cards": lambda k, p: slots(k, p, lambda q, i: island(k.card[q, i])),
        "free": lambda k, p: slots(k, p, lambda q, i: cells(k.free[q, i] & ~(k.pending[q, i] if q == p else 0))),
        "pending": lambda k, p: {f"card {i + 1}": cells(k.pending[p, i]) for i in range(2)},
        "display": lambda k, p: islands(k.display),
        "pool": lambda k, p: [n for i, n in enumerate(names) if (~k.hand[p] if early(k) else k.pool) >> i & 1],
        "phase": lambda k, p: phases[k.phase],
        "shape": lambda k, p: shapes[k.shape] if k.shape >= 0 else None,
        "starter": lambda k, p: rel(k, p, k.starter) if k.starter >= 0 else None,
        "active": lambda k, p: rel(k, p, k.active),
        "done": lambda k, p: in_order(k, p, k.done),
        "seats": lambda k, p: str(k.seats),
        "unseen": lambda k, p: {shape: k.unseen[i] for i, shape in enumerate(shapes)},
        "completed": lambda k, p: by_seat(k, p, table, lambda q: completed(k, q), nothing),
        "seals": lambda k, p: by_seat(k, p, table, lambda q: seals(k, q), nothing),
        "coins": lambda k, p: by_seat(k, p, table, lambda q: k.coins[q], 0),
        "rows": lambda k, p: by_seat(k, p, table, lambda q: k.rows[q], 0),
        "trophies": lambda k, p: by_seat(k, p, table, lambda q: sum(k.trophies[q, i] for i in range(3)), 0),
        "palms": lambda k, p: by_seat(k, p, table, lambda q: k.palms[q], 0),
        "palm": lambda k, p: by_seat(k, p, table, lambda q: min(127, sum(k.palm[q, i] for i in range(4))), 0),
        "bonus": lambda k, p: k.bonus[p],
        "kept": lambda k, p: k.kept[p],
        "takes": lambda k, p: k.takes,
        "turn": lambda k, p: k.turn,
        "left": lambda k, p: k.left,
        "given": lambda k, p: k.given,
        "palms_shown": lambda k, p: sum("palm" in cell for card in bits(k.display) for cell in island(card)),
    }  # fmt: skip


# ------------------------------------------------------------------ Zombie City
def zombie_city() -> Telling:
    copies = {
        "axe": 3, "shotgun": 6, "revolver": 4, "sniper": 2, "walkie": 4, "flare": 3, "megaphone": 4, "barricade": 4,
        "alarm": 2, "mines": 2, "sabotage": 2, "bribery": 2, "eviction": 2, "sacrifice": 2, "drone": 6, "surprise": 7,
    }  # fmt: skip
    cards = [f"{name} {i + 1}" for name, n in copies.items() for i in range(n)]
    backs = [
        f"{name} {i + 1}" for name, n in (("regular", 23), ("fast", 18), ("strong", 12), ("horde", 2)) for i in range(n)
    ]
    kinds = ["regular", "fast", "strong", "horde"]
    phases = ["deal", "answer", "redeal", "first", "main", "turn", "send", "attack", "draw", "over"]
    causes = ["none", "noise", "ambush", "stampede", "flight", "fall"]

    def crowd(x: int, n: int = 3) -> dict[str, int]:
        return {kind: x >> 8 * i & 255 for i, kind in enumerate(kinds[:n])}

    def redraws(k: Any, p: int) -> list[str]:
        return in_order(k, p, k.redraws & (1 << p if phases[k.phase] == "answer" else 63))

    def flags(k: Any, p: int) -> list[str]:
        from tacit.games.zombie_city.board import final_attack

        return [n for n, v in (("final", final_attack(k)), ("expert", k.expert), ("horde waits", k.aside)) if v]

    return {
        "hand": lambda k, p: [cards[c] for c in bits(k.hand[p])],
        "discard": lambda k, p: [cards[c] for c in bits(k.discard)],
        "backs": lambda k, p: [backs[c] for c in bits(k.backs)],
        "barriers": lambda k, p: by_seat(k, p, YOU, lambda q: [cards[c] for c in bits(k.barriers[q])], []),
        "living": lambda k, p: in_order(k, p, k.living),
        "answered": lambda k, p: in_order(k, p, k.answered),
        "redraws": redraws,
        "targets": lambda k, p: in_order(k, p, k.targets),
        "flags": flags,
        "phase": lambda k, p: phases[k.phase],
        "stage": lambda k, p: ["undecided", "discarding", "playing"][k.stage],
        "cause": lambda k, p: causes[k.cause],
        "resume": lambda k, p: ["main", "attack", "after attack"][k.resume],
        "shows": lambda k, p: "nothing" if k.shows < 0 else kinds[k.shows],
        "active": lambda k, p: rel(k, p, k.active),
        "place": lambda k, p: rel(k, p, k.place),
        "taker": lambda k, p: rel(k, p, k.taker),
        "seats": lambda k, p: str(k.seats),
        "survivors": lambda k, p: "213"[k.survivors],
        "people": lambda k, p: by_seat(k, p, YOU, lambda q: k.people[q], 0),
        "hand_len": lambda k, p: by_seat(k, p, YOU, lambda q: k.hand_len[q], 0),
        "zombies": lambda k, p: by_seat(k, p, YOU, lambda q: crowd(k.zombies[q]), crowd(0)),
        "row": lambda k, p: crowd(k.row),
        "attackers": lambda k, p: crowd(k.attackers),
        "dead": lambda k, p: crowd(k.dead, 4),
        "counts": lambda k, p: {n: getattr(k, n) for n in ("city", "deck", "turning", "stopped", "lost", "renewals")},
        "time": lambda k, p: {"rounds": k.turns // k.seats, "rest": k.turns % k.seats},
        "quiet": lambda k, p: k.quiet,
        "rules": lambda k, p: k.rules,
    }


# ------------------------------------------------------------------ Silent Planet
def silent_planet() -> Telling:
    kinds = [*"12345", "machine"]
    places = [str(i) for i in range(1, 10)]
    phases = ["deal", "arrange", "start", "point", "over"]

    def row(k: Any, p: int) -> dict[str, Any]:
        return {
            f"{YOU[r]} {i + 1}": next(iter(kinds[kind - 1 : kind]), None)
            for r in range(6)
            for i in range(9)
            for kind in [(k.row[(p + r) % k.seats] >> 4 * i & 15) if r < k.seats else 0]
        }

    def bag(x: int) -> dict[str, int]:
        return {kind: x >> 4 * i & 15 for i, kind in enumerate(kinds)}

    def unseen(k: Any, p: int) -> dict[str, int]:
        left = dict(zip(kinds, (15, 12, 9, 6, 4, 9), strict=True))
        for kind in row(k, p).values():
            if kind is not None:
                left[kind] -= 1
        return {kind: n - bag(k.hand[p])[kind] for kind, n in left.items()}

    def nine(x: int, q: int) -> list[str]:
        return [places[i] for i in range(9) if x >> 9 * q + i & 1]

    def pointing(k: Any, q: int) -> str | None:
        at = k.pointers >> 4 * q & 15
        return str(at) if at else None

    def spare(k: Any, p: int) -> int:
        if k.phase < 2:
            return 4 * int(k.seats)
        return len(bits(k.down)) + sum(bag(k.team).values()) - 5 * int(k.seats - k.teams)

    return {
        "row": row,
        "down": lambda k, p: by_seat(k, p, YOU, lambda q: nine(k.down, q), []),
        "hints": lambda k, p: by_seat(k, p, YOU, lambda q: nine(k.hints, q), []),
        "pointers": lambda k, p: by_seat(k, p, YOU, lambda q: pointing(k, q), None),
        "pointed": lambda k, p: in_order(k, p, k.pointed),
        "ready": lambda k, p: in_order(k, p, k.ready),
        "turn": lambda k, p: rel(k, p, k.turn) if k.turn >= 0 else None,
        "first": lambda k, p: rel(k, p, k.first) if k.first >= 0 else None,
        "round": lambda k, p: str(k.round) if k.round else None,
        "phase": lambda k, p: phases[k.phase],
        "seats": lambda k, p: str(k.seats),
        "hand": lambda k, p: bag(k.hand[p]),
        "team": lambda k, p: bag(k.team),
        "unseen": unseen,
        "left": lambda k, p: by_seat(k, p, YOU, lambda q: len(nine(k.down, q)), 0),
        "teams": lambda k, p: k.teams,
        "spare": spare,
    }


def toy() -> Telling:
    return {
        "hand": lambda k, p: [str(c + 1) for c in bits(k.hand[p])],
        "played": lambda k, p: [str(c + 1) for c in bits(k.played)],
        "won": lambda k, p: by_seat(k, p, YOU[:3], lambda q: k.won[q], 0),
        "done": lambda k, p: in_order(k, p, k.done),
        "bid": lambda k, p: k.bid[p],
    }


REFERENCE = {
    "silencio": silencio, "silver-and-gold": silver_and_gold, "zombie-city": zombie_city,
    "silent-planet": silent_planet, "toy": toy,
}  # fmt: skip
