"""What compiled bots work out by tables, bit sets and bounds is what plain enumeration gives."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import pytest

from tacit import game_named
from tacit.bots import CompiledBot, bot_named
from tacit.bots.silencio.evaluation import (
    BLIND,
    COST_FAR,
    COST_MIDDLE,
    COST_NEAR,
    FAR,
    FREE,
    ONE,
    ONLY_GREEN,
    value,
    weight,
)
from tacit.bots.silencio.inference import belief, skipped
from tacit.bots.silencio.move_values import NEVER, NONE, best_oracle_card, direct_cards, rated
from tacit.bots.silencio.weights import K_1, K_2, K_3, K_ME
from tacit.bots.silent_planet import evaluation as planet
from tacit.bots.silent_planet import row_convention as convention
from tacit.bots.silver_and_gold import evaluation as islands
from tacit.bots.silver_and_gold.crossings import best_crossing
from tacit.bots.silver_and_gold.lookahead import LEAST, NEW_CARD, outlook_of, value_ahead
from tacit.bots.silver_and_gold.steady import BLIND as BLIND_CARD
from tacit.bots.silver_and_gold.steady import best_card
from tacit.bots.silver_and_gold.turns_needed import TURN, turns_after, turns_of
from tacit.bots.zombie_city import evaluation as city
from tacit.bots.zombie_city import steady as zombie_steady
from tacit.core import bits
from tacit.core.random_play import CHANCE
from tacit.games.silencio.model import CARDS, COLOURS, GREEN, RANKS
from tacit.games.silent_planet.board import bag_of, number_of
from tacit.games.silent_planet.model import BAG, KINDS, MACHINE, PLACES, ROW
from tacit.games.silver_and_gold.board import crossing, free_now
from tacit.games.silver_and_gold.model import COINS, CROSSES, ISLANDS, PALMS, ROUND, TAKE, TURNS
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, SHAPES
from tacit.games.zombie_city.board import left_of, right_of, size
from tests.bots.test_search import at


# ------------------------------------------------------------------ Silent Planet
def plain_candidates(row: int, hints: int, down: int, pool: int) -> list[tuple[tuple[int, ...], int]]:
    """The rising rows that a row can be, and the ways of each; [] if it cannot be one."""
    known = bag_of(row)

    def agreeing(rows: Any) -> list[tuple[tuple[int, ...], int]]:
        found = []
        for kinds in rows:
            if convention.shown(convention.packed(kinds), ROW & ~down) == row:
                missing = convention.bag(kinds) - known
                ways = (math.comb(number_of(pool, kind), number_of(missing, kind)) for kind in range(KINDS))
                found.append((kinds, math.prod(ways)))
        return found if any(n for _, n in found) else []

    told = {kinds: convention.hints_for(convention.packed(kinds)) for kinds in convention.RISING}
    often = sorted(convention.RISING, key=lambda kinds: (-convention.deals(kinds), kinds))[: convention.OFTEN]
    return agreeing(k for k in convention.RISING if told[k] == hints) or agreeing(often) or agreeing(convention.RISING)


def test_a_row_is_weighed_once_for_all_places() -> None:
    rng = random.Random(1)
    seen = set()
    for case in range(250):
        kinds = rng.choices(convention.RISING, [convention.deals(k) for k in convention.RISING])[0]
        if case % 5 == 0:
            kinds = tuple(rng.sample(kinds, PLACES))
        hints = convention.hints_for(convention.packed(kinds)) if case % 2 else rng.getrandbits(9) & rng.getrandbits(9)
        down = ROW & ~hints & ~(rng.getrandbits(9) & rng.getrandbits(9))
        row = convention.shown(convention.packed(kinds), ROW & ~down)
        known = bag_of(row)
        pool = BAG - known
        for _ in range(rng.randrange(20)):  # cards that the reader sees elsewhere
            kind = rng.randrange(KINDS)
            pool -= (1 << 4 * kind) * (number_of(pool, kind) > 0)
        found = convention.candidates(row, hints, down, pool, known)
        seen.add(min(found, 0))
        plain = plain_candidates(row, hints, down, pool)
        assert (found == convention.NOTHING) == (not plain)
        sums = [0] * bits.LOCAL_CELLS
        if plain:
            convention.weigh(found, row, down, pool, known, sums)
        total = sum(n for _, n in plain)
        expected = [0] * KINDS
        for place in (p for p in range(PLACES) if down >> p & 1):
            weights = [sum(n for k, n in plain if k[place] == kind) for kind in range(KINDS)]
            if not plain:
                weights = [number_of(pool, kind) for kind in range(KINDS)]
            word = convention.likely(found, row, down, pool, known, place)
            shares = [weight * 1000 // sum(weights) for weight in weights]
            assert [convention.share(word, kind) for kind in range(KINDS)] == shares
            expected = [e + weight for e, weight in zip(expected, weights, strict=True)]
            if plain:
                assert sums[KINDS * place : KINDS * (place + 1)] == weights
        if plain and down:
            word = convention.expected_by(sums, down)
            assert [convention.share(word, kind) for kind in range(KINDS)] == [16 * e // total for e in expected]
    assert seen == {convention.NOTHING, convention.MOST_LIKELY, convention.ALL_RISING, 0}


def test_plans_of_different_kinds_are_bounded_without_missing_the_best() -> None:
    rng = random.Random(2)
    for _ in range(400):
        rows, used, enough = rng.randrange(1, 5), rng.getrandbits(5) & rng.getrandbits(5), rng.randrange(-1, 300)
        shares = [[rng.choice((0, 150, 400, 960, 1000, rng.randrange(1001))) for _ in range(KINDS)] for _ in range(4)]
        words: Any = tuple(sum(s << convention.FIELD * kind for kind, s in enumerate(row)) for row in shares)
        best = 0
        for plan in product(range(KINDS), repeat=rows):
            aliens = [kind for kind in plan if kind != MACHINE]
            if len(set(aliens)) == len(aliens) and not any(used >> kind & 1 for kind in aliens):
                chance = 1000
                for row, kind in zip(shares, plan, strict=False):
                    chance = chance * row[kind] // 1000
                best = max(best, chance)
        found = planet.all_different(used, rows, words, enough)
        assert found == best if best > enough else found <= enough


# ------------------------------------------------------------------ Silver & Gold
def plain_sure(spare: int, needed: int) -> int:
    doubt = islands.DOUBT + needed // islands.DOUBT_SHARE
    return int(islands.SURE[min(max(8 * spare // doubt, -32), 32) + 32])


def plain_turn(t: int, v0: int, n0: int, v1: int, n1: int) -> int:
    both = plain_sure(t - n0 - n1, n0 + n1)

    def alone(v: int, n: int) -> int:
        return v if n == 0 else v * plain_sure(t - n, n) // 1000

    def second(v: int, n: int) -> int:
        return v if n == 0 else v * both // 1000

    over = islands.RATE * max(0, t - n0 - n1 - islands.WASTE)
    return max(alone(v0, n0) + second(v1, n1), alone(v1, n1) + second(v0, n0)) + over


def plain_ahead(k: Any, v: list[int], f: list[int], t: int) -> int:
    """The average over the shapes to come of the best that each does."""
    n = [turns_of(free) for free in f]
    if t == 0:
        return plain_turn(t, v[0], n[0], v[1], n[1])
    u, total = t - TURN, 0
    copies = EXPEDITIONS if k.turn % ROUND == ROUND - 1 else tuple(k.unseen)
    taken = plain_turn(u + NEW_CARD, v[0], n[0], v[1], n[1]) if 0 in f else LEAST
    for shape in range(SHAPES):
        here = plain_turn(u, v[0], turns_after(shape, f[0]), v[1], n[1])
        there = plain_turn(u, v[0], n[0], v[1], turns_after(shape, f[1]))
        total += copies[shape] * max(here, there, taken)
    return int(total // sum(copies))


def plain_sheet(k: Any, seat: int, f: list[int], t: int) -> tuple[int, list[int]]:
    """The value of the sheet when these cells are left free, and those of the cards."""
    coins, palms = k.coins[seat], k.palms[seat]
    cards = [k.card[seat, slot] for slot in range(2)]
    for slot, card in enumerate(cards):
        if card >= 0:
            gone = k.free[seat, slot] & ~f[slot]
            coins, palms = (
                min(coins + bits.count(gone & COINS[card]), 12),
                min(palms + bits.count(gone & PALMS[card]), 4),
            )
    values = []
    for slot, card in enumerate(cards):
        value = islands.value_of(k, seat, card, t)
        values.append(value + islands.symbols_of(card, f[slot], coins, palms) if f[slot] else value)
    return islands.sheet(k, seat, coins, palms), values


def plain_crossing(k: Any, seat: int, action: int, t: int) -> int:
    """The value of a crossing, each bonus cross on the cell after which the position is worth most."""
    f = [free_now(k, seat, slot) for slot in range(2)]
    cells, slot = crossing(k.shape, action), action // 64
    bonus = max(0, k.bonus[seat] - 1) + bits.count(cells & CROSSES[k.card[seat, slot]])
    f[slot] &= ~cells
    while bonus > 0 and any(f):
        best = LEAST
        for slot, cell in product(range(2), range(16)):
            if f[slot] >> cell & 1:
                left = list(f)
                left[slot] &= ~(1 << cell)
                is_cross = CROSSES[k.card[seat, slot]] >> cell & 1
                now, v = plain_sheet(k, seat, left, t)
                value = now + plain_turn(t, v[0], turns_of(left[0]), v[1], turns_of(left[1]))
                value += (islands.A_CROSS + islands.POINT) * is_cross
                if value > best:
                    best, after, more = value, left, is_cross
        f, bonus = after, bonus - 1 + more
    now, v = plain_sheet(k, seat, f, t)
    return now + plain_ahead(k, v, f, t)


def test_how_sure_something_is_needs_no_division() -> None:
    rng = random.Random(3)
    for _ in range(20_000):
        needed = rng.randrange(1, 16_001)
        t, v = rng.randrange(29_500), rng.randrange(100_000)
        assert islands.alone(t, v, needed) == v * plain_sure(t - needed, needed) // 1000
        assert islands.alone(t, v, 0) == v


def test_a_turn_ahead_is_valued_as_shape_by_shape() -> None:
    rng = random.Random(4)
    _, listener = at(game_named("silver-and-gold"), 2, 0)
    k = listener.match.know(0)
    for case in range(1500):
        if case % 30 == 0:
            t = TURN * rng.randrange(28)
            k.turn = rng.choice((3, ROUND - 1))
            for shape in range(SHAPES):
                k.unseen[shape] = rng.randrange(shape == 1, EXPEDITIONS[shape] + 1)
            f = [ISLANDS[rng.randrange(len(ISLANDS))] & rng.getrandbits(16) for _ in range(2)]
            v = [rng.randrange(20_000) for _ in range(2)]
        f[rng.randrange(2)] &= rng.getrandbits(16) | rng.getrandbits(16) | rng.getrandbits(16)
        plain = plain_ahead(k, v, f, t)
        assert value_ahead(outlook_of(k, t), v[0], v[1], f[0], f[1], LEAST) == plain
        enough = plain + rng.choice((-2000, 0, 1, 2000))
        found = value_ahead(outlook_of(k, t), v[0], v[1], f[0], f[1], enough)
        assert found == plain or (found == LEAST and plain < enough)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_best_crossing_and_card_are_those_of_plain_enumeration(seats: int) -> None:
    """`steady` values few crossings to the end; random play also leads to awkward cards."""
    game = game_named("silver-and-gold")
    rng, crossings, cards = random.Random(seats), 0, 0
    state = game.blank(seats)
    game.rules.start(state)
    while (now := game.rules.due(state)) != 0:
        if now == CHANCE:
            weights = game.chance(state)
            game.rules.step(state, CHANCE, rng.choices(range(len(weights)), weights)[0])
            continue
        seat = rng.choice(bits.members(now))
        k = game.know(state, seat)
        mask = [0] * game.words
        game.rules.legal(k, seat, mask)
        legal = [a for a in range(game.actions) if bits.marked(mask, a)]
        t = TURN * (TURNS - 1 - k.turn)
        action = rng.choice(legal)
        if game.rules.sealed(k) > 1:
            values = [plain_crossing(k, seat, a, t) for a in legal]
            best = best_crossing(k, seat, mask)
            assert best == legal[values.index(max(values))]
            action = best if rng.random() < 0.8 else action
            crossings += 1
        elif k.phase == TAKE:
            hands = {c: [c if k.card[seat, 0] < 0 else k.card[seat, 0], k.card[seat, 1]] for c in range(47)}
            for card, hand in hands.items():
                hand[1] = hand[1] if k.card[seat, 0] < 0 else card
            worth = {c: islands.hand_worth(k, seat, hand[0], hand[1], t) for c, hand in hands.items()}
            pool = bits.members(k.pool)
            blind = sum(worth[c] for c in pool) // max(1, len(pool)) + BLIND_CARD
            values = [worth.get(a, blind) for a in legal]
            assert best_card(k, seat, mask[0], t) == legal[values.index(max(values))]
            cards += 1
        game.rules.step(state, seat, action)
    assert crossings > 60
    assert cards > 5


# ------------------------------------------------------------------ Zombie City
def plain_rivals_value(k: Any, seat: int, own: tuple[int, int], deck: Any, q: int, rival: Any) -> int:
    """All rivals one by one: their sides by their weights, those beside oneself that fall, and the lead."""
    others = [r for r in range(k.seats) if r != seat and k.living >> r & 1]
    now, then = city.is_final_attack(k.city, k.shows), city.is_final_attack(deck[1], deck[0])
    sides = {r: (k.people[r], size(k.zombies[r]), k.barriers[r]) for r in others}
    strength = {r: max(city.rival_value(*sides[r], now), 30) for r in others}
    living = k.living.bit_count()
    value = 0
    if q in others:
        sides[q] = rival
    for r in others:
        share = city.LEADER * strength[r] // max(strength.values())
        weight = city.HIT[living - 1] * (100 - city.LEADER + share) // 100
        value -= weight * city.rival_value(*sides[r], then) // 100
        if sides[r][1] >= sides[r][0] and living > 2 and seat in (left_of(k, r), right_of(k, r)):
            value -= city.FALLOUT * sides[r][1]
    best = max((side[0] for side in sides.values()), default=0)
    if own[1] + sum(side[1] for side in sides.values()) == 0:
        if then:
            return value + (city.WON if own[0] > best else 0 if own[0] == best else -city.WON)
        if deck[0] != city.NOTHING:
            return value + (city.STAND if own[0] > best else -city.STAND)
    return value


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_rivals_are_weighed_once_for_all_decisions(seats: int) -> None:
    rng = random.Random(seats)
    match, _ = at(game_named("zombie-city"), seats, 12)
    for _ in range(300):
        k = match.know(rng.randrange(seats))
        k.living = rng.choice([n for n in range(1, 1 << seats) if n.bit_count() > 1])
        seat = rng.choice([q for q in range(seats) if k.living >> q & 1])
        k.city, k.shows = rng.choice((0, 1, 2, 4, 5, 30)), rng.choice((city.NOTHING, 0, 2))
        for q in range(seats):
            k.people[q], k.zombies[q] = rng.randrange(1, 6), rng.choice((0, 0, 1, 2, 0x10001))
        rivals = [0] * bits.LOCAL_CELLS
        city.weigh_rivals(k, seat, rivals)
        q = rng.randrange(seats)
        deck = (k.shows, k.city) if rng.random() < 0.5 else (city.NOTHING, max(k.city - 1, 0))
        if k.city >= city.LATE:
            deck = (k.shows, k.city)
        rival = (rng.randrange(4), rng.randrange(4), k.barriers[q])
        own = (rng.randrange(1, 5), rng.randrange(2))
        found = city.rivals_value(k, seat, rivals, *own, deck, q, rival)
        assert found == plain_rivals_value(k, seat, own, deck, q, rival)


def test_a_hand_is_weighed_once_for_all_cards_that_leave_it() -> None:
    rng = random.Random(7)
    for _ in range(300):
        kinds = rng.sample(range(city.KINDS), rng.randrange(1, 4))
        hand = sum(1 << city.BASE[kind] for kind in kinds)
        left = rng.choice([*kinds, city.NO_KIND])
        stay = [kind for kind in kinds if kind != left]
        cards = sum(1 << city.BASE[kind] for kind in stay)
        cells = [0] * bits.LOCAL_CELLS
        city.weigh_hand(hand, cells)
        for blocked, final in product((False, True), repeat=2):
            worths = city.BLOCKED if blocked else city.KEEP
            plain = sum(worths[kind] for kind in stay) - city.SPARE[(cards & city.ANSWERS).bit_count()]
            plain += 0 if final else city.FRESH * (city.HAND - len(stay))
            assert city.hand_value(cells, cards, left, blocked, final) == plain


def test_zombies_cost_what_lies_between_whole_numbers_of_them() -> None:
    costs = [*city.ZOMBIE_COST, city.ZOMBIE_COST[-1] + 110, city.ZOMBIE_COST[-1] + 220]  # it goes on as it ended
    for open_ in range(1200):
        at, part = min(open_, 800) // 100, min(open_, 800) % 100
        plain = costs[at] + ((costs[at + 1] - costs[at]) * part // 100 if part else 0)
        assert city.zombie_cost(open_, False) == plain
        assert city.zombie_cost(open_, True) == plain * city.FINAL // 100


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_regular_and_fast_zombies_are_alike(seats: int) -> None:
    rng = random.Random(seats)
    match, _ = at(game_named("zombie-city"), seats, 12)
    for _ in range(100):
        seat = rng.randrange(seats)
        k = match.know(seat)
        k.living = (1 << seats) - 1
        k.phase, k.city, k.shows = rng.choice((city.MAIN, city.SEND)), rng.choice((1, 4, 30)), rng.choice((-1, 0, 2))
        for q in range(seats):
            k.people[q], k.zombies[q] = rng.randrange(1, 6), rng.choice((0x202, 0x10302, 0x20203))
        for group in zombie_steady.GROUPS:
            k.hand[seat] = sum(1 << city.BASE[kind] for kind in (city.CARD_OF[group[0]], city.WALKIE, city.MINES))
            cells = [0] * bits.LOCAL_CELLS
            city.weigh_rivals(k, seat, cells)
            city.weigh_hand(k.hand[seat], cells)
            if k.phase == city.SEND and group[0] < zombie_steady.A_SEND:
                continue
            if group[0] < city.A_DRONE or (group[0] - city.A_DRONE) % 6 < seats:
                assert len({zombie_steady.evaluate(k, seat, cells, 0, action) for action in group}) == 1


# ------------------------------------------------------------------ Silencio
def test_the_cards_that_a_play_excludes() -> None:
    rng = random.Random(5)
    for _ in range(500):
        follow = [rng.randrange(RANKS + 1) for _ in range(COLOURS)]
        colour = rng.randrange(COLOURS)
        place = rng.randrange(RANKS + 1)
        if place <= follow[colour]:
            continue
        pool = rng.getrandbits(CARDS) & rng.getrandbits(CARDS)
        passed = [n for n in range(follow[colour], place) if pool >> RANKS * colour + n & 1]
        plain = {(colour, n) for n in passed}
        for other in range(COLOURS):
            plain |= {(other, n) for n in range(follow[other], min(RANKS, follow[other] + len(passed)))}
        under = sum(((1 << n) - 1) << RANKS * c for c, n in enumerate(follow))
        found = skipped(under, sum(1 << RANKS * colour + n for n in passed), pool)
        assert passed == [] or found == sum(1 << RANKS * c + n for c, n in plain if pool >> RANKS * c + n & 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_exchange_that_returns_the_card_taken_is_valued_once(seats: int) -> None:
    rng = random.Random(seats)
    for case in range(12):
        match, _ = at(game_named("silencio"), seats, 6 + 2 * case)
        seat = rng.randrange(seats)
        k = match.know(seat)
        g = belief(k, seat, [], 0, bits.local_cells())
        own = k.hand[seat] | k.up[seat]
        up = k.up[0] | k.up[1] | k.up[2] | k.up[3]
        best = NONE
        for card in bits.members(k.oracle):
            for gift in bits.members(own | 1 << card):
                after = (k.rows, (own | 1 << card) & ~(1 << gift), up & ~(1 << gift))
                best = max(best, rated(value(k, seat, after, 0, 0, FREE, g, NEVER), card))
        assert best_oracle_card(k, seat, k.oracle, g, NEVER) == max(best, rated(NEVER, 0))


def plain_blind(k: Any, costs: dict[int, int], reach: set[int], hidden: set[int], unknown: int, may: int) -> int:
    """What a card drawn blindly is expected to cost."""
    best = min([costs[card] for card in reach if card in costs], default=FAR)
    if unknown + len(hidden) == 0:
        return 0 if best == FAR else best
    total = sum(cost for card, cost in costs.items() if card in hidden)
    if may:
        total += unknown * sum(costs.get(card, 0) for card in bits.members(may)) // may.bit_count()
    return min(best, FAR, total // (unknown + len(hidden))) if k.rules >= 2 else total // (unknown + len(hidden))


def plain_value(k: Any, seat: int, after: Any, gift: int, to: int, mode: int, g: Any) -> int:
    """The value of a position, card by card and seat by seat."""
    rows, mine, face_up = after
    others = [(seat + r) % k.seats for r in range(1, k.seats)]
    hands = {r: k.hand[q] & ~rows | (gift if r == to else 0) for r, q in enumerate(others, 1)}
    certain = {*bits.members(mine | face_up | gift | sum(hands.values()))}
    expected = dict.fromkeys(certain, ONE)
    for r in range(1, k.seats):
        for card in bits.members(g[r - 1]):
            expected[card] = expected.get(card, 0) + g[2 + r]
    ends = [(rows >> RANKS * c & (1 << RANKS) - 1).bit_length() for c in range(COLOURS)]
    costs = {
        card: sum(
            cost
            for low, cost in expected.items()
            if low // RANKS == card // RANKS and ends[card // RANKS] <= low % RANKS < card % RANKS
        )
        for card in certain | {*bits.members(k.pool)}
        if card % RANKS >= ends[card // RANKS]
    }
    value = -sum(cost for card, cost in expected.items() if card not in costs)
    own = min([costs[card] for card in bits.members(mine | face_up) if card in costs], default=FAR)
    value -= weight(k, K_ME) * (0 if own >= FAR else own) >> 10
    for r, q in enumerate(others, 1):
        hidden, may = {*bits.members(hands[r])}, g[r - 1]
        unknown = k.hand_len[q] - k.hand[q].bit_count()
        reach = hidden | {*bits.members(face_up)}
        if r == 1 and mode == BLIND and k.rules >= 2:
            reach -= {*bits.members(k.hand[q] | gift | k.up[q])}
        if unknown <= 0 and not hidden:
            continue
        cards = [card for card in costs if not (r == 1 and mode == ONLY_GREEN) or card // RANKS == GREEN]
        cost = min([costs[card] for card in cards if card in reach] + [FAR])
        if r == 1 and mode == BLIND:
            cost = plain_blind(k, costs, reach, hidden, unknown, may)
        elif unknown <= 0 or may == 0:
            cost = 0 if cost == FAR else cost
        else:
            fit = [costs[card] for card in cards if may >> card & 1]
            chances = []
            for least in (COST_NEAR, COST_MIDDLE, COST_FAR, math.inf):
                n = sum(c < least for c in fit)
                chance = ONE
                for _ in range(unknown):
                    chance = chance * (ONE * (may.bit_count() - n) // may.bit_count()) >> 10
                chances.append(chance)
            near, middle, far, none = chances
            cost = min(cost, (256 * (near - none) + 384 * (middle - none) + 1024 * (far - none)) >> 10)
        value -= weight(k, (K_1, K_2, K_3)[r - 1]) * cost >> 10
    return value


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_is_valued_as_card_by_card(seats: int) -> None:
    rng = random.Random(seats)
    for case in range(150):
        if case % 10 == 0:
            match, _ = at(game_named("silencio"), seats, 2 + 3 * case // 10)
        seat = rng.randrange(seats)
        k = match.know(seat)
        k.rules = rng.choice((1, 2))
        own, up = k.hand[seat] | k.up[seat], k.up[0] | k.up[1] | k.up[2] | k.up[3]
        if rng.random() < 0.2:
            k.hand_len[(seat + 1) % seats] += rng.randrange(12)  # hands larger than any power that is looked up
        excluded = [rng.getrandbits(CARDS) & rng.getrandbits(CARDS) & -rng.randrange(2) for _ in range(3)]
        may = [k.pool & ~excluded[r] if r < seats - 1 else 0 for r in range(3)]
        unknown = [k.hand_len[(seat + r) % seats] - k.hand[(seat + r) % seats].bit_count() for r in range(1, seats)]
        shares = [min(ONE, ONE * max(0, n) // max(1, m.bit_count())) for n, m in zip(unknown, may, strict=False)]
        g: Any = (*may, *shares, *[0] * (4 - seats))
        card = 1 << rng.choice(bits.members(own | k.oracle))
        gift, to = (card, rng.randrange(1, seats)) if rng.random() < 0.4 else (0, 0)
        rows = k.rows | (card if rng.random() < 0.3 and gift == 0 else 0)
        after = (rows, own & ~card, up & ~card) if rng.random() < 0.8 else (k.rows, own, up | card & own)
        mode = rng.choice((FREE, FREE, ONLY_GREEN, BLIND))
        plain = plain_value(k, seat, after, gift, to, mode, g)
        found = value(k, seat, after, gift, to, mode, g, NEVER)
        assert found == plain
        assert value(k, seat, after, gift, to, mode, g, plain - 1) == plain
        assert value(k, seat, after, gift, to, mode, g, plain) <= plain


def test_the_cards_that_follow_directly() -> None:
    rng = random.Random(6)
    match, _ = at(game_named("silencio"), 3, 0)
    k = match.know(0)
    for _ in range(200):
        k.rows = rng.getrandbits(CARDS) & rng.getrandbits(CARDS)
        plain = sum(
            1 << RANKS * c + n
            for c in range(COLOURS)
            if (n := (k.rows >> RANKS * c & (1 << RANKS) - 1).bit_length()) < RANKS
        )
        assert direct_cards(k) & ((1 << CARDS) - 1) == plain


# ------------------------------------------------------------------ forced decisions
@pytest.mark.parametrize("name", ["silencio", "silver-and-gold", "zombie-city", "silent-planet"])
@pytest.mark.parametrize("bot", ["random", "gentle", "steady"])
def test_what_is_decided_at_once_is_what_choose_decides(name: str, bot: str) -> None:
    game = game_named(name)
    asked: Any = bot_named(game, bot)
    assert isinstance(asked, CompiledBot)
    rng, seen = random.Random(6), [0, 0]
    for _ in range(2):
        state = game.blank(3)
        game.rules.start(state)
        while (now := game.rules.due(state)) != 0:
            if now == CHANCE:
                weights = game.chance(state)
                action = rng.choices(range(len(weights)), weights)[0]
                game.rules.step(state, CHANCE, action)
                continue
            seat = rng.choice(bits.members(now))
            mask = [0] * game.words
            game.rules.legal(state, seat, mask)
            dice = [rng.getrandbits(32) for _ in range(4)]
            again = list(dice)
            at_once = asked.module.at_once(mask, dice)
            forced = bits.only(mask) >= 0
            if at_once < 0:
                assert dice == again
                assert not forced
            elif forced or bot == "random":
                assert at_once == asked.module.choose(game.know(state, seat), seat, [], 0, list(mask), again)
                assert dice == again
            seen[forced] += 1
            legal = [a for a in range(game.actions) if bits.marked(mask, a)]
            game.rules.step(state, seat, rng.choice(legal))
    assert seen[0] > 10
    assert seen[1] > 0 or name == "silver-and-gold"
