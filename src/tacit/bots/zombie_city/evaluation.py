"""The static evaluation of a Zombie City position for one seat, in hundredths of a survivor.

A position after a decision is described by three tuples, so that no state is copied or changed: the own side (`Side`),
the City deck (`Deck`) and the one rival q that the decision may change (`Rival`); everything else is as in `k`.
"""

from __future__ import annotations

from tacit.core.bits import count, lowest
from tacit.core.rulekit import constant_array, inlined, rule
from tacit.games.zombie_city.board import has, kind_of, left_of, number, right_of, size
from tacit.games.zombie_city.model import *

Side = tuple[int, int, int, int]  # survivors, zombies by kind, hand, barriers
Deck = tuple[int, int]  # the zombie that shows on the City deck, or NOTHING; how many cards it has
Rival = tuple[int, int, int]  # survivors, zombies, barriers
Six = tuple[int, int, int, int, int, int]  # a number for each seat; 0 for oneself and for seats that nobody has
Rivals = tuple[Six, Six, Six]  # weights; values by weight as they are now, before a usual and before the final attack

# An additional survivor is worth most where there are few.
OUT, SECOND, THIRD, MORE = 580, 195, 175, 100
# The value of keeping a card, by kind, while a survivor or a zombie (BLOCKED) shows; a card to be drawn counts FRESH.
KEEP = (50, 45, 25, 45, 85, 65, 45, 50, 30, 25, 5, 60, 35, 25, 55, 55)
BLOCKED = (30, 40, 20, 35, 30, 40, 30, 30, 50, 55, 35, 60, 90, 0, 70, 65)
FRESH = 70
KEPT = constant_array(worths[kind_of(card)] for worths in (KEEP, BLOCKED) for card in range(CARDS))
SPARE = (0, 15, 30)  # an answer to zombies loses value beside one or two others
NEAR, LATER = 35, 80  # hundredths of a zombie that the first noise brings, and each one after it
SHELTERED = 60  # a rival's barrier
STAND = 55  # the lead, while a zombie blocks the City and no other walks
LAID = (55, 105, 105)  # barriers that lie ready: barricade, alarm, mines
ZOMBIE_COST = (0, 45, 125, 250, 360, 470, 580)  # zombies that stay after the attack
HURT = (0, 65, 120, 190, 260, 340, 440)  # what zombies will cost a rival, in hundredths of a survivor
HIT = (0, 80, 60, 45, 36, 32)  # what a rival's survivors weigh beside one's own, by the number of rivals
FELL = 75  # a rival who falls counts so much less
LEADER = 80  # hundredths of that which depend on how strong the rival is
FINAL = 185  # hundredths: how much worse zombies are in the final attack, when no seat draws
AMMO = 20  # a zombie that a drone or a surprise in hand can send away
CALL = 45  # hundredths: of a survivor that a rescue card in hand could call next
WON = 2000
FALLOUT = 20  # each zombie of a neighbour who will fall
LATE = 5  # with so many City cards no decision leads to the final attack: a flare and the noise after it take three

QUIET, HERE, THERE = range(3)  # where noise is made
ANSWERS = FIELD[AXE] | FIELD[SHOTGUN] | FIELD[REVOLVER] | FIELD[SNIPER] | FIELD[DRONE] | FIELD[SURPRISE]


# ------------------------------------------------------------------ survivors and zombies
@rule
def count_of(cards: int, kind: int) -> int:
    """The number of cards of a kind."""
    return count(cards & FIELD[kind])


@rule
def is_final_attack(city: int, shows: int) -> bool:
    """Z20: is the next attack the final one with this City deck?"""
    return city == 0 or (city == 1 and shows != NOTHING)


@rule
def survivors_value(people: int) -> int:
    """The value of a number of survivors."""
    if people <= 0:
        return -OUT
    if people == 1:
        return 0
    if people == 2:
        return SECOND
    return SECOND + THIRD + MORE * (people - 3)


@rule
def survivors_value_after(people: int, losses: int) -> int:
    """The value of the survivors if `losses` of them, in hundredths, will be lost."""
    whole = losses // 100
    if whole >= people:
        return -OUT
    here = survivors_value(people - whole)
    return here - (here - survivors_value(people - whole - 1)) * (losses % 100) // 100


@rule
def zombie_cost(open_: int, final: bool) -> int:
    """The cost of zombies (in hundredths) that stay in one's shelter."""
    at = min(open_ // 100, 5)
    cost = ZOMBIE_COST[at] + (ZOMBIE_COST[at + 1] - ZOMBIE_COST[at]) * min(open_ - 100 * at, 300) // 100
    return cost * FINAL // 100 if final else cost


# ------------------------------------------------------------------ one's own shelter
@rule
def unanswered_zombies(crowd: int, cards: int, shows: int, city: int) -> int:
    """The zombies, in hundredths, that the hand cannot remove: quiet cards are used first, then loud ones."""
    strong = number(crowd, STRONG)
    weak = size(crowd) - strong
    senders = count_of(cards, DRONE) + count_of(cards, SURPRISE)
    sent = min(senders, strong)
    strong -= sent
    senders = min(senders - sent, weak)
    weak -= senders
    waits = shows != NOTHING and sent + senders == 0
    weak -= min(weak, count_of(cards, AXE))
    quiet = 100 * (strong + weak)
    if quiet == 0:
        return 0
    noises = 0
    for _ in range(count_of(cards, SHOTGUN)):
        if strong + weak > 0:
            noises += 1
            if weak >= 2:
                weak -= 2
            elif strong > 0:
                strong -= 1
            else:
                weak = 0
    for _ in range(count_of(cards, REVOLVER)):
        if weak > 0:
            noises += 1
            weak -= 1
    for _ in range(count_of(cards, SNIPER)):
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
def shelter_value(people: int, open_: int, barriers: int, laid: int, final: bool) -> int:
    """The value of a shelter that `open_` zombies (in hundredths) will attack and these barriers can defend."""
    planks = count_of(barriers, BARRICADE)
    mines = count_of(barriers, MINES)
    alarm = count_of(barriers, ALARM)
    value = LAID[0] * count_of(laid, BARRICADE) + LAID[1] * count_of(laid, ALARM) + LAID[2] * count_of(laid, MINES)
    losses = open_
    stay = open_
    while losses > 100 and mines > 0:
        mines -= 1
        losses = max(losses - 200, 0)
        stay = max(stay - 200, 0)
        value -= LAID[2]
    while losses > 0 and planks > 0 and losses <= 100 * planks:
        planks -= 1
        losses = max(losses - 100, 0)
        value -= LAID[0]
    if losses > 0 and alarm > 0:
        losses = 0
        value -= LAID[1]
    while losses > 0 and planks > 0:
        planks -= 1
        losses = max(losses - 100, 0)
        value -= LAID[0]
    return survivors_value_after(people, losses) - zombie_cost(stay, final) + value


@rule
def hand_value(cards: int, blocked: bool, final: bool) -> int:
    """The value of the hand after drawing; `blocked`: a zombie shows on the City deck."""
    value = 0
    first = CARDS if blocked else 0
    left = cards
    while left != 0:
        value += KEPT[first + lowest(left)]
        left &= left - 1
    answers = count(cards & ANSWERS)
    for other in range(answers):
        value -= SPARE[other]
    return value if final else value + FRESH * (HAND - count(cards))


@rule
def rescue_value(people: int, cards: int, shows: int, city: int) -> int:
    """The value of the rescue cards in hand while a survivor lies on top of the City deck."""
    if shows != NOTHING or city == 0:
        return 0
    found = count_of(cards, WALKIE) + count_of(cards, MEGAPHONE) + 2 * count_of(cards, FLARE)
    return (survivors_value(people + min(found, city)) - survivors_value(people)) * CALL // 100


@inlined
def own_value(people: int, crowd: int, cards: int, laid: int, shows: int, city: int) -> int:
    """The value of one's own side before the attack, while cards may still be played in this turn."""
    final = is_final_attack(city, shows)
    value = hand_value(cards, shows != NOTHING, final)
    value += rescue_value(people, cards, shows, city)
    value += AMMO * min(size(crowd), count_of(cards, DRONE) + count_of(cards, SURPRISE))
    open_ = unanswered_zombies(crowd, cards, shows, city)
    best = shelter_value(people, open_, laid + (cards & (FIELD[BARRICADE] | FIELD[ALARM] | FIELD[MINES])), laid, final)
    if open_ >= 200 and people >= 2 and has(cards, SACRIFICE):
        best = max(best, shelter_value(people - 1, 0, laid, laid, final))
    return value + best


# ------------------------------------------------------------------ the rivals
@rule
def rival_value(people: int, zombies: int, laid: int, final: bool) -> int:
    """The value of a rival's side: survivors, less those that zombies will kill; elimination costs FELL more."""
    free = zombies - count_of(laid, BARRICADE) - 2 * count_of(laid, MINES) - 2 * count_of(laid, ALARM)
    losses = HURT[min(max(free, 0), 6)]
    if final:
        losses = losses * FINAL // 100
    left = max(100 * people - losses, 0)
    if left < 100:
        left -= FELL * (100 - left) // 100
    return left + SHELTERED * min(count(laid), 3)


@rule
def rival_strength(k: State, q: int) -> int:
    """The current value of a rival's side, at least 30."""
    return max(rival_value(k.people[q], size(k.zombies[q]), k.barriers[q], is_final_attack(k.city, k.shows)), 30)


@rule
def top_strength(k: State, seat: int) -> int:
    """The strength of the strongest rival."""
    best = 1
    for q in range(k.seats):
        if q != seat and (k.living >> q) & 1 == 1:
            best = max(best, rival_strength(k, q))
    return best


@rule
def rival_weight(k: State, q: int, top: int) -> int:
    """The weight of a rival's value, in hundredths: the strongest counts most."""
    return HIT[count(k.living) - 1] * (100 - LEADER + LEADER * rival_strength(k, q) // top) // 100


@rule
def is_rival(k: State, seat: int, q: int) -> bool:
    """Does another living seat have this number?"""
    return q != seat and (k.living >> q) & 1 == 1


@rule
def weighed(k: State, seat: int, q: int, weights: Six, final: bool) -> int:
    """The value of a rival's side as it is now, by its weight; 0 if there is no such rival."""
    if not is_rival(k, seat, q):
        return 0
    return weights[q] * rival_value(k.people[q], size(k.zombies[q]), k.barriers[q], final) // 100


@rule
def rival_weights(k: State, seat: int) -> Six:
    """The weight of every rival."""
    top = top_strength(k, seat)
    return (
        rival_weight(k, 0, top) if is_rival(k, seat, 0) else 0,
        rival_weight(k, 1, top) if is_rival(k, seat, 1) else 0,
        rival_weight(k, 2, top) if is_rival(k, seat, 2) else 0,
        rival_weight(k, 3, top) if is_rival(k, seat, 3) else 0,
        rival_weight(k, 4, top) if is_rival(k, seat, 4) else 0,
        rival_weight(k, 5, top) if is_rival(k, seat, 5) else 0,
    )


@rule
def weighed_rivals(k: State, seat: int, weights: Six, final: bool) -> Six:
    """The value of every rival's side as it is now, by its weight."""
    return (
        weighed(k, seat, 0, weights, final),
        weighed(k, seat, 1, weights, final),
        weighed(k, seat, 2, weights, final),
        weighed(k, seat, 3, weights, final),
        weighed(k, seat, 4, weights, final),
        weighed(k, seat, 5, weights, final),
    )


# ------------------------------------------------------------------ the whole position
@inlined
def position_value(k: State, seat: int, rivals: Rivals, own: Side, deck: Deck, q: int, rival: Rival) -> int:
    """The value of a position in phase 1: one's own side, less each rival's side by its weight."""
    people, crowd, cards, laid = own
    value = own_value(people, crowd, cards, laid, deck[0], deck[1])
    return value + rivals_value(k, seat, rivals, people, size(crowd), deck, q, rival)


@inlined
def rest_value(k: State, seat: int, rivals: Rivals) -> int:
    """The value of the position if no card is played any more, without that of the hand."""
    people, crowd, laid = k.people[seat] + 0, size(k.zombies[seat]), k.barriers[seat] + 0
    shelter = shelter_value(people, 100 * crowd, laid, laid, is_final_attack(k.city, k.shows))
    return shelter + rivals_value(k, seat, rivals, people, crowd, (k.shows + 0, k.city + 0), seat, (0, 0, 0))


@rule
def rivals_value(
    k: State, seat: int, rivals: Rivals, people: int, walking: int, deck: Deck, q: int, rival: Rival
) -> int:
    """What the rivals' sides add to the value, and a lead over them, with so many own survivors and zombies."""
    weights, usual, at_last = rivals
    shows, city = deck
    final = is_final_attack(city, shows)
    value = 0
    best = 0
    for r in range(k.seats):
        if is_rival(k, seat, r):
            here, zombies = k.people[r] + 0, size(k.zombies[r])
            if r == q:
                here, zombies = rival[0], rival[1]
                value -= weights[r] * rival_value(here, zombies, rival[2], final) // 100
            else:
                value -= at_last[r] if final else usual[r]
            walking += zombies
            best = max(best, here)
            if zombies >= here and count(k.living) > 2 and (left_of(k, r) == seat or right_of(k, r) == seat):
                value -= FALLOUT * zombies
    if final and walking == 0:
        value += WON if people > best else (0 if people == best else -WON)
    elif shows != NOTHING and walking == 0:
        value += STAND if people > best else -STAND
    return value


@inlined
def expected_value(k: State, seat: int, rivals: Rivals, own: Side, deck: Deck, q: int, rival: Rival, noise: int) -> int:
    """The expected value after noise (Z13): QUIET, HERE in the own shelter, or THERE in the shelter of rival q."""
    people, crowd, cards, laid = own
    shows, city = deck
    people_q, zombies_q, laid_q = rival
    turned = noise != QUIET and shows == NOTHING and city > 0
    if noise != QUIET and shows != NOTHING:
        crowd += (1 << (8 * shows)) if noise == HERE else 0
        zombies_q += 1 if noise == THERE else 0
        shows = NOTHING
        city -= 1
    # A fast zombie runs at once, and a horde is so rare that it counts as one. Which other it is does not matter.
    slow, fast = 1, 0
    if turned:
        slow = count(k.backs & (BACK_FIELD[REGULAR] | BACK_FIELD[STRONG]))
        fast = count(k.backs & (BACK_FIELD[FAST] | BACK_FIELD[HORDE]))
    value = 0
    for runs in range(2):
        share = fast if runs == 1 else slow
        if share > 0:
            own_after = (people, crowd + runs * ONE_FAST if noise == HERE else crowd, cards, laid)
            deck_after = (REGULAR if turned and runs == 0 else shows, city - runs)
            rival_after = (people_q, zombies_q + runs if noise == THERE else zombies_q, laid_q)
            value += share * position_value(k, seat, rivals, own_after, deck_after, q, rival_after)
    return value // max(slow + fast, 1)
