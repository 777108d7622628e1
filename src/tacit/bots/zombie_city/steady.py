"""`steady` at Zombie City: takes the decision with the best expected value, noise included."""

from __future__ import annotations

from tacit.bots.zombie_city.evaluation import (
    HERE,
    LAID,
    NEAR,
    NO_KIND,
    QUIET,
    THERE,
    WEIGHT,
    count_of,
    expected_value,
    hand_value,
    is_final_attack,
    is_rival,
    rest_value,
    rival_value,
    survivors_value,
    survivors_value_after,
    weigh_hand,
    weigh_rivals,
    zombie_cost,
)
from tacit.core.bits import local_cells, lowest, only
from tacit.core.chance import below
from tacit.core.events import HEARS_NOTHING
from tacit.core.rulekit import constant_array, inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import number, size, with_card, without_card
from tacit.games.zombie_city.model import *

NAME, GAME = "steady", "zombie-city"
STYLE = "Gathers survivors, keeps something against zombies in hand, and sends the others to whoever is doing best."
ASSUMES = "That everyone looks after themselves: whoever has more survivors is the greater danger."
HEARS = HEARS_NOTHING

REDRAW = 120  # a first hand of lower value is discarded
NEVER = -1_000_000
CARDS_KEPT = DISCARDS | 1 << A_DONE  # the decisions of phase 1 that play no card
# Decisions that differ in whether a zombie is a regular or a fast one have the same value: by decision, the cell of
# scratch memory that keeps it; UNLIKE for all others.
FIRST_ALIKE, UNLIKE = 32, 62
GROUPS = (
    (A_AXE, A_AXE + 1), (A_REVOLVER, A_REVOLVER + 1), (A_SHOTGUN + 1, A_SHOTGUN + 2),
    (A_SHOTGUN + 3, A_SHOTGUN + 4, A_SHOTGUN + 5), (A_SNIPER, A_SNIPER + 1),
    *((first + q, first + q + 6) for first in (A_DRONE, A_SURPRISE) for q in range(6)),
)  # fmt: skip
ALIKE = constant_array(
    next((FIRST_ALIKE + i for i, group in enumerate(GROUPS) if action in group), UNLIKE) for action in range(ACTIONS)
)


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision; -1 where there are several."""
    return only(mask)


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The legal decision with the highest value; ties are broken at random."""
    forced = only(mask)
    if forced >= 0:
        return forced
    rivals = local_cells()
    rest = 0
    plays = k.phase == MAIN and (mask[0] & ~CARDS_KEPT) | mask[1] != 0  # else all decisions leave the table as it is
    if plays or k.phase == SEND:
        weigh_rivals(k, seat, rivals)
    if plays:
        rest = rest_value(k, seat, rivals)
    if k.phase == MAIN or k.phase == ANSWER:
        weigh_hand(k.hand[seat], rivals)
    best = NEVER
    chosen = -1
    ties = 0
    known = 0  # the cells of decisions that are alike
    for word in range(len(mask)):
        left = mask[word]
        while left != 0:
            action = 64 * word + lowest(left)
            left &= left - 1
            cell = ALIKE[action]
            if (known >> cell) & 1 == 1:
                value = rivals[cell]
            else:
                value = evaluate(k, seat, rivals, rest, action)
                rivals[cell] = value
                known |= (1 << cell) & ~(1 << UNLIKE)
            if value > best:
                best = value
                chosen = action
                ties = 1
            elif value == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = action
    return chosen


@inlined
def evaluate(k: State, seat: int, rivals: Cells, rest: int, action: int) -> int:
    """The value of a decision. Values of different phases are not comparable."""
    if k.phase == ANSWER:
        return REDRAW if action == A_REDRAW else hand_value(rivals, k.hand[seat], NO_KIND, False, True)
    if k.phase == SEND:
        return evaluate_send(k, seat, rivals, action)
    if k.phase == ATTACK:
        return evaluate_barrier(k, seat, action)
    if action == A_DONE:
        return rest + hand_value(rivals, k.hand[seat], NO_KIND, k.shows != NOTHING, is_final_attack(k.city, k.shows))
    if action < A_NOISE:
        cards = without_card(k.hand[seat], action - A_DISCARD)
        return rest + hand_value(
            rivals, cards, action - A_DISCARD, k.shows != NOTHING, is_final_attack(k.city, k.shows)
        )
    return evaluate_play(k, seat, rivals, action)


# ------------------------------------------------------------------ phase 1
@rule
def gone(action: int) -> int:
    """The zombies that a weapon, a drone or a surprise takes out of one's shelter."""
    if action >= A_DRONE:
        return 1 << (8 * ((action - A_DRONE) // 6 % 3))
    if action >= A_SNIPE_CITY:
        return 0
    if action >= A_SNIPER:
        return 1 << (8 * (action - A_SNIPER))
    if action >= A_SHOTGUN:
        return SHOTS[action - A_SHOTGUN]
    return 1 << (8 * ((action - A_AXE) % 2))


@inlined
def evaluate_play(k: State, seat: int, rivals: Cells, action: int) -> int:
    """A card played: its effect, then its noise."""
    kind = CARD_OF[action]
    people = k.people[seat] + 0
    crowd = k.zombies[seat] + 0
    cards = without_card(k.hand[seat], kind)
    laid = k.barriers[seat] + 0
    shows = k.shows + 0
    city = k.city + 0
    q = seat
    if action >= A_SABOTAGE:
        q = (action - A_SABOTAGE) % 6
    elif action == A_SACRIFICE:
        q = strongest(k, seat, rivals)
    people_q = k.people[q] + 0
    zombies_q = size(k.zombies[q])
    laid_q = k.barriers[q] + 0
    noise = HERE if (LOUD >> kind) & 1 == 1 else QUIET
    if action < A_AXE:
        pass  # no effect
    elif kind <= SNIPER:
        crowd -= gone(action)
        if action == A_SNIPE_CITY:
            shows = NOTHING
            city -= 1
    elif kind <= MEGAPHONE:
        taken = min(2, city) if kind == FLARE else 1
        people += taken
        city -= taken
    elif kind <= MINES:
        laid = with_card(laid, kind)
        noise = QUIET
    elif kind == SABOTAGE:
        laid_q = 0
    elif kind == BRIBERY:
        people += 1
        people_q -= 1
    elif kind == EVICTION:
        zombies_q = size(crowd)
        crowd = k.zombies[q] + 0
        laid, laid_q = laid_q, laid
    elif kind == SACRIFICE:
        people -= 1
        zombies_q += size(crowd)
        crowd = 0
    else:
        crowd -= gone(action)
        zombies_q += 1
        if kind == DRONE:
            noise = THERE
        elif city > 0:
            zombies_q += 1
            shows = NOTHING
            city -= 1
    own, deck, rival = (people, crowd, cards, laid, kind), (shows, city), (people_q, zombies_q, laid_q)
    return expected_value(k, seat, rivals, own, deck, q, rival, noise)


@rule
def strongest(k: State, seat: int, rivals: Cells) -> int:
    """The rival with the highest weight."""
    found = seat
    most = -1
    for q in range(k.seats):
        if is_rival(k, seat, q) and rivals[WEIGHT + q] > most:
            most = rivals[WEIGHT + q]
            found = q
    return found


# ------------------------------------------------------------------ zombies to be sent
@inlined
def evaluate_send(k: State, seat: int, rivals: Cells, action: int) -> int:
    """Z11, Z14, Z18: strong zombies first, each to the rival it costs most; to oneself last, and a weak one."""
    zombie = (action - A_SEND) // 6
    q = (action - A_SEND) % 6
    worst = 100_000 if zombie == STRONG else 0
    if q == seat:
        return -worst
    final = is_final_attack(k.city, k.shows)
    here = size(k.zombies[q])
    hurt = rival_value(k.people[q], here, k.barriers[q], final) - rival_value(
        k.people[q], here + 1, k.barriers[q], final
    )
    return worst + 100 + rivals[WEIGHT + q] * hurt // 10


# ------------------------------------------------------------------ phase 2
@inlined
def evaluate_barrier(k: State, seat: int, action: int) -> int:
    """A barrier, or none, against the attackers that nothing has stopped yet."""
    final = is_final_attack(k.city, k.shows)
    people = k.people[seat] + 0
    laid = k.barriers[seat] + 0
    open_ = max(size(k.attackers) - k.stopped, 0)
    stay = size(k.zombies[seat])
    risk = 0
    if k.city > 0:
        risk = 100 if k.shows != NOTHING else NEAR
    if action == A_BRACE:
        return survivors_value_after(people, 100 * open_) - zombie_cost(100 * stay, final)
    if action == A_USE_ALARM:
        return survivors_value(people) - zombie_cost(100 * stay + risk, final) - LAID[1]
    if action == A_USE_BARRICADE:
        planks = min(count_of(laid, BARRICADE), open_)
        return survivors_value_after(people, 100 * (open_ - planks)) - zombie_cost(100 * stay, final) - planks * LAID[0]
    part = BLASTS[action - A_USE_MINES]
    killed = size(part)
    left = max(open_ - killed, 0)
    planks = min(count_of(laid, BARRICADE), left)
    value = survivors_value_after(people, 100 * (left - planks)) - planks * LAID[0] - LAID[2] + number(part, STRONG)
    return value - zombie_cost(100 * (stay - killed) + risk, final)
