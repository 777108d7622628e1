"""The static evaluation of a Zombie City position for one seat, in hundredths of a survivor.

A position after a decision is described by three tuples, so that no state is copied or changed: the own side (`Side`),
the City deck (`Deck`) and the one rival q that the decision may change (`Rival`); everything else is as in `k`.
"""

from __future__ import annotations

from tacit.core.bits import count, lowest
from tacit.core.rulekit import constant_array, inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import has, kind_of, left_of, number, right_of, size
from tacit.games.zombie_city.model import *

Side = tuple[int, int, int, int, int]  # survivors, zombies by kind, hand, barriers; the card that left the hand
Deck = tuple[int, int]  # the zombie that shows on the City deck, or NOTHING; how many cards it has
Rival = tuple[int, int, int]  # survivors, zombies, barriers

# What `weigh_rivals` writes, by seat: a rival's weight; its value by weight as it is now, before a usual and before the
# final attack; what each of its zombies costs who sits beside it, should it fall. And of all rivals together: their
# values with that cost, their zombies, and the most survivors that one has. And what `weigh_hand` writes: the value of
# keeping all of one's own cards, while a survivor and while a zombie shows.
WEIGHT, USUAL, AT_LAST, BESIDE = 0, 6, 12, 18
ALL_USUAL, ALL_AT_LAST, WALKING, MOST_PEOPLE, ALL_KEPT = range(24, 29)

# An additional survivor is worth most where there are few.
OUT, SECOND, THIRD, MORE = 580, 195, 175, 100
SURVIVORS = constant_array([-OUT, 0, SECOND, *(SECOND + THIRD + MORE * n for n in range(64))])  # by their number
# The value of keeping a card, by kind, while a survivor or a zombie (BLOCKED) shows; a card to be drawn counts FRESH.
KEEP = (50, 45, 25, 45, 85, 65, 45, 50, 30, 25, 5, 60, 35, 25, 55, 55)
BLOCKED = (30, 40, 20, 35, 30, 40, 30, 30, 50, 55, 35, 60, 90, 0, 70, 65)
FRESH = 70
KEPT = constant_array(worths[kind_of(card)] for worths in (KEEP, BLOCKED) for card in range(CARDS))
NO_KIND = KINDS  # no card has left the hand
KEPT_OF_KIND = constant_array((*KEEP, 0, *BLOCKED, 0))
SPARE = constant_array((0, 0, 15, 45))  # answers to zombies lose value beside each other: by their number
NEAR, LATER = 35, 80  # hundredths of a zombie that the first noise brings, and each one after it
SHELTERED = 60  # a rival's barrier
STAND = 55  # the lead, while a zombie blocks the City and no other walks
LAID = (55, 105, 105)  # barriers that lie ready: barricade, alarm, mines
ZOMBIE_COST = (0, 45, 125, 250, 360, 470, 580)  # zombies that stay after the attack
HURT = constant_array((0, 65, 120, 190, 260, 340, 440))  # what zombies will cost a rival, in hundredths of a survivor
# What a rival's survivors weigh beside one's own, by the number of rivals.
HIT = constant_array((0, 80, 60, 45, 36, 32))
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


def cost_of_zombies(open_: int, final: bool) -> int:
    """The cost of zombies (in hundredths) that stay in one's shelter, between the numbers of ZOMBIE_COST."""
    at = min(open_ // 100, 5)
    cost = ZOMBIE_COST[at] + (ZOMBIE_COST[at + 1] - ZOMBIE_COST[at]) * min(open_ - 100 * at, 300) // 100
    return cost * FINAL // 100 if final else cost


MOST_ZOMBIES = 800  # hundredths: more of them cost no more
COSTS = constant_array(cost_of_zombies(n, final) for final in (False, True) for n in range(MOST_ZOMBIES + 1))


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
    return SURVIVORS[max(people, 0)]


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
    at = min(open_, MOST_ZOMBIES)
    return COSTS[at + MOST_ZOMBIES + 1] if final else COSTS[at]


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
def laid_value(laid: int) -> int:
    """The value of barriers that lie ready."""
    return LAID[0] * count_of(laid, BARRICADE) + LAID[1] * count_of(laid, ALARM) + LAID[2] * count_of(laid, MINES)


@rule
def shelter_value(people: int, open_: int, barriers: int, laid: int, final: bool) -> int:
    """The value of a shelter that `open_` zombies (in hundredths) will attack and these barriers can defend."""
    if open_ == 0:
        return survivors_value(people) + laid_value(laid)
    if barriers == 0:
        return survivors_value_after(people, open_) - zombie_cost(open_, final)
    planks = count_of(barriers, BARRICADE)
    mines = count_of(barriers, MINES)
    alarm = count_of(barriers, ALARM)
    value = laid_value(laid)
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
def weigh_hand(cards: int, rivals: Cells) -> None:
    """Write the value of keeping all of these cards: see ALL_KEPT."""
    usual, blocked = 0, 0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        usual += KEPT[card]
        blocked += KEPT[CARDS + card]
    rivals[ALL_KEPT], rivals[ALL_KEPT + 1] = usual, blocked


@inlined
def hand_value(rivals: Cells, cards: int, left: int, blocked: bool, final: bool) -> int:
    """The value after drawing of the hand that was weighed when a card of kind `left` (NO_KIND: none) left it, and
    `cards` stay; `blocked`: a zombie shows on the City deck."""
    value = rivals[ALL_KEPT + 1] - KEPT_OF_KIND[KINDS + 1 + left] if blocked else rivals[ALL_KEPT] - KEPT_OF_KIND[left]
    value -= SPARE[count(cards & ANSWERS)]
    return value if final else value + FRESH * (HAND - count(cards))


@rule
def rescue_value(people: int, cards: int, shows: int, city: int) -> int:
    """The value of the rescue cards in hand while a survivor lies on top of the City deck."""
    if shows != NOTHING or city == 0:
        return 0
    found = count_of(cards, WALKIE) + count_of(cards, MEGAPHONE) + 2 * count_of(cards, FLARE)
    return (survivors_value(people + min(found, city)) - survivors_value(people)) * CALL // 100


@inlined
def own_value(rivals: Cells, own: Side, shows: int, city: int) -> int:
    """The value of one's own side before the attack, while cards may still be played in this turn."""
    people, crowd, cards, laid, left = own
    final = is_final_attack(city, shows)
    value = hand_value(rivals, cards, left, shows != NOTHING, final)
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
def is_rival(k: State, seat: int, q: int) -> bool:
    """Does another living seat have this number?"""
    return q != seat and (k.living >> q) & 1 == 1


@inlined
def weigh_rivals(k: State, seat: int, rivals: Cells) -> None:
    """Write what the rivals' sides are worth now: see WEIGHT. The strongest rival weighs most."""
    others = k.living & ~(1 << seat)
    final, late = is_final_attack(k.city, k.shows), k.city < LATE
    top = 1
    left = others
    while left != 0:
        q = lowest(left)
        left &= left - 1
        zombies = size(k.zombies[q])
        rivals[USUAL + q] = rival_value(k.people[q], zombies, k.barriers[q], False)
        rivals[AT_LAST + q] = rival_value(k.people[q], zombies, k.barriers[q], True) if late else rivals[USUAL + q]
        rivals[WEIGHT + q] = max(rivals[AT_LAST + q] if final else rivals[USUAL + q], 30)  # its strength
        top = max(top, rivals[WEIGHT + q])
        rivals[WALKING] += zombies
        rivals[MOST_PEOPLE] = max(rivals[MOST_PEOPLE], k.people[q])
    living = count(k.living)
    left = others
    while left != 0:
        q = lowest(left)
        left &= left - 1
        share = LEADER if rivals[WEIGHT + q] == top else LEADER * rivals[WEIGHT + q] // top
        weight = HIT[living - 1] * (100 - LEADER + share) // 100
        rivals[WEIGHT + q] = weight
        rivals[USUAL + q] = weight * rivals[USUAL + q] // 100
        rivals[AT_LAST + q] = weight * rivals[AT_LAST + q] // 100
        rivals[BESIDE + q] = FALLOUT if living > 2 and (left_of(k, q) == seat or right_of(k, q) == seat) else 0
        zombies = size(k.zombies[q])
        fallout = rivals[BESIDE + q] * zombies if zombies >= k.people[q] else 0
        rivals[ALL_USUAL] += rivals[USUAL + q] + fallout
        rivals[ALL_AT_LAST] += rivals[AT_LAST + q] + fallout


# ------------------------------------------------------------------ the whole position
@inlined
def position_value(k: State, seat: int, rivals: Cells, own: Side, deck: Deck, q: int, rival: Rival) -> int:
    """The value of a position in phase 1: one's own side, less each rival's side by its weight."""
    value = own_value(rivals, own, deck[0], deck[1])
    return value + rivals_value(k, seat, rivals, own[0], size(own[1]), deck, q, rival)


@inlined
def rest_value(k: State, seat: int, rivals: Cells) -> int:
    """The value of the position if no card is played any more, without that of the hand."""
    people, crowd, laid = k.people[seat] + 0, size(k.zombies[seat]), k.barriers[seat] + 0
    shelter = shelter_value(people, 100 * crowd, laid, laid, is_final_attack(k.city, k.shows))
    return shelter + rivals_value(k, seat, rivals, people, crowd, (k.shows + 0, k.city + 0), seat, (0, 0, 0))


@inlined
def rivals_value(
    k: State, seat: int, rivals: Cells, people: int, walking: int, deck: Deck, q: int, rival: Rival
) -> int:
    """What the rivals' sides add to the value, and a lead over them, with so many own survivors and zombies."""
    shows, city = deck
    final = is_final_attack(city, shows)
    value = -rivals[ALL_AT_LAST] if final else -rivals[ALL_USUAL]
    best = rivals[MOST_PEOPLE]
    walking += rivals[WALKING]
    if is_rival(k, seat, q):  # it is not as it was
        here, before = k.people[q] + 0, size(k.zombies[q])
        value += rivals[AT_LAST + q] if final else rivals[USUAL + q]
        value += rivals[BESIDE + q] * before if before >= here else 0
        value -= rivals[WEIGHT + q] * rival_value(rival[0], rival[1], rival[2], final) // 100
        value -= rivals[BESIDE + q] * rival[1] if rival[1] >= rival[0] else 0
        walking += rival[1] - before
        if rival[0] != here:
            best = rival[0]
            for r in range(k.seats):
                if r != q and is_rival(k, seat, r):
                    best = max(best, k.people[r])
    if final and walking == 0:
        value += WON if people > best else (0 if people == best else -WON)
    elif shows != NOTHING and walking == 0:
        value += STAND if people > best else -STAND
    return value


@inlined
def expected_value(k: State, seat: int, rivals: Cells, own: Side, deck: Deck, q: int, rival: Rival, noise: int) -> int:
    """The expected value after noise (Z13): QUIET, HERE in the own shelter, or THERE in the shelter of rival q."""
    people, crowd, cards, laid, left = own
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
            own_after = (people, crowd + runs * ONE_FAST if noise == HERE else crowd, cards, laid, left)
            deck_after = (REGULAR if turned and runs == 0 else shows, city - runs)
            rival_after = (people_q, zombies_q + runs if noise == THERE else zombies_q, laid_q)
            value += share * position_value(k, seat, rivals, own_after, deck_after, q, rival_after)
    return value // max(slow + fast, 1)
