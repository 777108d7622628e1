"""What a Zombie City table is worth to a seat, in hundredths of a survivor, as a sensible player would reckon it.

Everything is worked out from numbers that say how the table would be after a decision; no state is copied or changed.
Such a table is: one's own side (`Own`), what shows on the City deck, how many cards it has, and one rival (`Rival`)
whose side may differ from `k`.
"""

from __future__ import annotations

from typing import NamedTuple

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.zombie_city.board import has, left_of, number, right_of, size
from tacit.games.zombie_city.model import *

# A survivor more is worth most where there are few.
OUT, SECOND, THIRD, MORE = 580, 195, 175, 100
# What keeping a card is worth, by kind; a card one will draw is worth FRESH.
KEEP = (50, 45, 25, 45, 85, 65, 45, 50, 30, 25, 5, 60, 35, 25, 55, 55)
BLOCKED = (30, 40, 20, 35, 30, 40, 30, 30, 50, 55, 35, 60, 90, 0, 70, 65)
FRESH = 70
SPARE = (0, 15, 30)  # an answer to zombies is worth less beside one or two others
NEAR, LATER = 35, 80  # hundredths of a zombie that the first noise brings, and each one after it
SHELTERED = 60  # a rival's barrier
STAND = 55  # the lead, while a zombie blocks the City and no other walks
LAID = (55, 105, 105)  # barriers that lie ready: barricade, alarm, mines
DREAD = (0, 45, 125, 250, 360, 470, 580)  # zombies that stay after the attack
HURT = (0, 65, 120, 190, 260, 340, 440)  # what zombies will cost a rival, in hundredths of a survivor
HIT = (0, 80, 60, 45, 36, 32)  # what a rival's survivors weigh beside one's own, by the number of rivals
FELL = 75  # a rival who falls counts so much less
LEADER = 80  # hundredths of that which depend on how strong the rival is
FINAL = 185  # hundredths: so much worse are zombies in the final attack, when nobody draws
AMMO = 20  # a zombie that a drone or a surprise in hand can send away
CALL = 45  # hundredths of a survivor whom a rescue card in hand could call next
WON = 2000
FALLOUT = 20  # each zombie of a neighbour who will fall

QUIET, HERE, THERE = range(3)  # where noise is made
ANSWERS = FIELD[AXE] | FIELD[SHOTGUN] | FIELD[REVOLVER] | FIELD[SNIPER] | FIELD[DRONE] | FIELD[SURPRISE]


class Own(NamedTuple):
    """One's own side after a decision."""

    people: int
    crowd: int  # zombies in the shelter
    cards: int
    laid: int  # barriers


class Rival(NamedTuple):
    """The side of one rival after a decision."""

    seat: int
    people: int
    zombies: int
    laid: int


# ------------------------------------------------------------------ small questions
@rule
def copies(cards: int, kind: int) -> int:
    """How many cards of a kind."""
    return count(cards & FIELD[kind])


@rule
def no_more(city: int, shows: int) -> bool:
    """Z20: would this City deck mean the final attack?"""
    return city == 0 or (city == 1 and shows != NOTHING)


@rule
def esteem(people: int) -> int:
    """What so many survivors are worth."""
    if people <= 0:
        return -OUT
    if people == 1:
        return 0
    if people == 2:
        return SECOND
    return SECOND + THIRD + MORE * (people - 3)


@rule
def esteem_after(people: int, losses: int) -> int:
    """What they are worth when some, in hundredths, will be lost."""
    whole = losses // 100
    if whole >= people:
        return -OUT
    here = esteem(people - whole)
    return here - (here - esteem(people - whole - 1)) * (losses % 100) // 100


@rule
def dread(open_: int, final: bool) -> int:
    """What zombies (in hundredths) that stay in one's shelter will cost."""
    at = min(open_ // 100, 5)
    cost = DREAD[at] + (DREAD[at + 1] - DREAD[at]) * min(open_ - 100 * at, 300) // 100
    return cost * FINAL // 100 if final else cost


# ------------------------------------------------------------------ one's own shelter
@rule
def left_over(crowd: int, cards: int, shows: int, city: int) -> int:
    """The zombies, in hundredths, that the hand cannot get rid of: first the quiet cards, then the loud ones."""
    strong = number(crowd, STRONG)
    weak = size(crowd) - strong
    senders = copies(cards, DRONE) + copies(cards, SURPRISE)
    sent = min(senders, strong)
    strong -= sent
    senders = min(senders - sent, weak)
    weak -= senders
    waits = shows != NOTHING and sent + senders == 0
    weak -= min(weak, copies(cards, AXE))
    quiet = 100 * (strong + weak)
    if quiet == 0:
        return 0
    noises = 0
    for _ in range(copies(cards, SHOTGUN)):
        if strong + weak > 0:
            noises += 1
            if weak >= 2:
                weak -= 2
            elif strong > 0:
                strong -= 1
            else:
                weak = 0
    for _ in range(copies(cards, REVOLVER)):
        if weak > 0:
            noises += 1
            weak -= 1
    for _ in range(copies(cards, SNIPER)):
        if strong + weak > 0:
            noises += 1
            if strong > 0:
                strong -= 1
            else:
                weak -= 1
    loud = 100 * (strong + weak)
    if noises > 0 and city > 0:
        loud += (100 if waits else NEAR) + LATER * (noises - 1)
    return min(quiet, loud)


@rule
def ready(people: int, open_: int, barriers: int, laid: int, final: bool) -> int:
    """What a shelter is worth in which so many zombies, in hundredths, will attack and these barriers can be used."""
    planks = copies(barriers, BARRICADE)
    mines = copies(barriers, MINES)
    alarm = copies(barriers, ALARM)
    worth = LAID[0] * copies(laid, BARRICADE) + LAID[1] * copies(laid, ALARM) + LAID[2] * copies(laid, MINES)
    losses = open_
    stay = open_
    while losses > 100 and mines > 0:
        mines -= 1
        losses = max(losses - 200, 0)
        stay = max(stay - 200, 0)
        worth -= LAID[2]
    while losses > 0 and planks > 0 and losses <= 100 * planks:
        planks -= 1
        losses = max(losses - 100, 0)
        worth -= LAID[0]
    if losses > 0 and alarm > 0:
        losses = 0
        worth -= LAID[1]
    while losses > 0 and planks > 0:
        planks -= 1
        losses = max(losses - 100, 0)
        worth -= LAID[0]
    return esteem_after(people, losses) - dread(stay, final) + worth


@rule
def hand_worth(cards: int, blocked: bool, final: bool) -> int:
    """What the hand that one will have after drawing is worth; `blocked`: a zombie shows on the City deck."""
    worth = 0
    for kind in range(KINDS):
        worth += (BLOCKED[kind] if blocked else KEEP[kind]) * copies(cards, kind)
    answers = count(cards & ANSWERS)
    for other in range(answers):
        worth -= SPARE[other]
    return worth if final else worth + FRESH * (HAND - count(cards))


@rule
def calls(people: int, cards: int, shows: int, city: int) -> int:
    """What the rescue cards in hand promise while a survivor lies on top of the City deck."""
    if shows != NOTHING or city == 0:
        return 0
    found = copies(cards, WALKIE) + copies(cards, MEGAPHONE) + 2 * copies(cards, FLARE)
    return (esteem(people + min(found, city)) - esteem(people)) * CALL // 100


@rule
def mine(people: int, crowd: int, cards: int, laid: int, shows: int, city: int, playing: bool) -> int:
    """What one's own side is worth, before the attack; `playing`: cards may still be played in this turn."""
    final = no_more(city, shows)
    worth = hand_worth(cards, shows != NOTHING, final)
    if not playing:
        return worth + ready(people, 100 * size(crowd), laid, laid, final)
    worth += calls(people, cards, shows, city)
    worth += AMMO * min(size(crowd), copies(cards, DRONE) + copies(cards, SURPRISE))
    open_ = left_over(crowd, cards, shows, city)
    best = ready(people, open_, laid + (cards & (FIELD[BARRICADE] | FIELD[ALARM] | FIELD[MINES])), laid, final)
    if open_ >= 200 and people >= 2 and has(cards, SACRIFICE):
        best = max(best, ready(people - 1, 0, laid, laid, final))
    return worth + best


# ------------------------------------------------------------------ the rivals
@rule
def theirs(people: int, zombies: int, laid: int, final: bool) -> int:
    """What a rival's side is worth: survivors, less those whom zombies will cost; falling counts FELL more."""
    free = zombies - copies(laid, BARRICADE) - 2 * copies(laid, MINES) - 2 * copies(laid, ALARM)
    losses = HURT[min(max(free, 0), 6)]
    if final:
        losses = losses * FINAL // 100
    left = max(100 * people - losses, 0)
    if left < 100:
        left -= FELL * (100 - left) // 100
    return left + SHELTERED * min(count(laid), 3)


@rule
def stature(k: State, q: int) -> int:
    """How strong a rival looks now."""
    return max(theirs(k.people[q], size(k.zombies[q]), k.barriers[q], no_more(k.city, k.shows)), 30)


@rule
def tallest(k: State, seat: int) -> int:
    """How strong the strongest rival looks."""
    best = 1
    for q in range(k.seats):
        if q != seat and (k.living >> q) & 1 == 1:
            best = max(best, stature(k, q))
    return best


@rule
def weight(k: State, q: int, top: int) -> int:
    """How much a rival's worth counts, in hundredths: the strongest most."""
    return HIT[count(k.living) - 1] * (100 - LEADER + LEADER * stature(k, q) // top) // 100


# ------------------------------------------------------------------ the whole table
@rule
def total(k: State, seat: int, top: int, own: Own, shows: int, city: int, playing: bool, rival: Rival) -> int:
    """What a table is worth: one's own side, less the rivals' sides as far as they count."""
    final = no_more(city, shows)
    people = own.people
    worth = mine(people, own.crowd, own.cards, own.laid, shows, city, playing)
    walking = size(own.crowd)
    best = 0
    for r in range(k.seats):
        if r != seat and (k.living >> r) & 1 == 1:
            here = rival.people if r == rival.seat else k.people[r] + 0
            zombies = rival.zombies if r == rival.seat else size(k.zombies[r])
            barriers = rival.laid if r == rival.seat else k.barriers[r] + 0
            worth -= weight(k, r, top) * theirs(here, zombies, barriers, final) // 100
            walking += zombies
            best = max(best, here)
            if zombies >= here and count(k.living) > 2 and (left_of(k, r) == seat or right_of(k, r) == seat):
                worth -= FALLOUT * zombies
    if final and walking == 0:
        worth += WON if people > best else (0 if people == best else -WON)
    elif shows != NOTHING and walking == 0:
        worth += STAND if people > best else -STAND
    return worth


@rule
def expected(
    k: State, seat: int, top: int, own: Own, shows: int, city: int, playing: bool, rival: Rival, noise: int
) -> int:
    """What a table is worth on which there is noise now (Z13): QUIET, or HERE in the own shelter, or THERE in the
    rival's."""
    turned = noise != QUIET and shows == NOTHING and city > 0
    crowd, zombies = own.crowd, rival.zombies
    if noise != QUIET and shows != NOTHING:
        crowd += (1 << (8 * shows)) if noise == HERE else 0
        zombies += 1 if noise == THERE else 0
        shows = NOTHING
        city -= 1
    worth = 0
    shares = 0
    for zombie in range(3):
        share = 1 if zombie == FAST else 0
        if turned:
            share = count(k.backs & BACK_FIELD[zombie])
            if zombie == FAST:
                share += count(k.backs & BACK_FIELD[HORDE])  # so rare that it is taken for a fast one
        if share > 0:
            runs = 1 if turned and zombie == FAST else 0
            shares += share
            here = Own(own.people, crowd + runs * ONE_FAST if noise == HERE else crowd, own.cards, own.laid)
            there = Rival(rival.seat, rival.people, zombies + runs if noise == THERE else zombies, rival.laid)
            showing = zombie if turned and runs == 0 else shows
            worth += share * total(k, seat, top, here, showing, city - runs, playing, there)
    return worth // max(shares, 1)
