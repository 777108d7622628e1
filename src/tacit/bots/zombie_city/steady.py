"""`steady`: weighs every decision by what the table would be worth after it, noise included, and takes the best."""

from __future__ import annotations

from tacit.bots.zombie_city.judgement import (
    LAID,
    NEAR,
    copies,
    dread,
    esteem,
    esteem_after,
    hand_worth,
    no_more,
    noisy,
    tallest,
    theirs,
    total,
    weight,
)
from tacit.core.bits import marked, nth
from tacit.core.chance import below
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.table import number, size, with_card, without_card

NAME, GAME = "steady", "zombie-city"
STYLE = "Gathers survivors, keeps answers to zombies in hand and sends the rest of them to whoever is doing best."
ASSUMES = "Rivals look after themselves: whoever has more survivors is the greater danger."

REDRAW = 120  # a first hand worth less is thrown away
NEVER = -1_000_000


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The legal decision that promises most; the generator breaks ties."""
    top = tallest(k, seat)
    best = NEVER
    chosen = -1
    ties = 0
    for action in range(ACTIONS):
        if marked(mask, action):
            worth = appraise(k, seat, top, action)
            if worth > best:
                best = worth
                chosen = action
                ties = 1
            elif worth == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = action
    return chosen


@rule
def appraise(k: State, seat: int, top: int, action: int) -> int:
    """What a decision promises. Worths are compared only between decisions of one moment."""
    if k.phase == ANSWER:
        return REDRAW if action == A_REDRAW else hand_worth(k.hand[seat], False, True)
    if k.phase == SEND:
        return appraise_send(k, seat, top, action)
    if k.phase == ATTACK:
        return appraise_barrier(k, seat, action)
    if action == A_DONE or action < A_NOISE:
        return appraise_rest(k, seat, top, action)
    if action >= A_SABOTAGE:
        return appraise_scheme(k, seat, top, action)
    return appraise_play(k, seat, top, action)


# ------------------------------------------------------------------ phase 1
@rule
def appraise_rest(k: State, seat: int, top: int, action: int) -> int:
    """`done` or a discard: nothing more is played in this turn."""
    cards = k.hand[seat] + 0
    if action != A_DONE:
        cards = without_card(cards, action - A_DISCARD)
    return total(
        k, seat, top, k.people[seat], k.zombies[seat], cards, k.barriers[seat], k.shows, k.city, False, -1, 0, 0, 0
    )  # fmt: skip


@rule
def appraise_play(k: State, seat: int, top: int, action: int) -> int:
    """A card that names no rival: its effect, then its noise."""
    people = k.people[seat] + 0
    crowd = k.zombies[seat] + 0
    laid = k.barriers[seat] + 0
    shows = k.shows + 0
    city = k.city + 0
    quiet = False
    kind = AXE
    if action < A_AXE:
        kind = nth(LOUD, action - A_NOISE)
    elif action < A_REVOLVER:
        crowd -= 1 << (8 * (action - A_AXE))
        quiet = True
    elif action < A_SHOTGUN:
        kind = REVOLVER
        crowd -= 1 << (8 * (action - A_REVOLVER))
    elif action < A_SNIPER:
        kind = SHOTGUN
        crowd -= SHOTS[action - A_SHOTGUN]
    elif action < A_WALKIE:
        kind = SNIPER
        if action == A_SNIPE_CITY:
            shows = NOTHING
            city -= 1
        else:
            crowd -= 1 << (8 * (action - A_SNIPER))
    elif action < A_BARRICADE:
        kind = WALKIE + action - A_WALKIE
        taken = min(2, city) if kind == FLARE else 1
        people += taken
        city -= taken
        quiet = kind == WALKIE
    elif action < A_SACRIFICE:
        kind = BARRICADE + action - A_BARRICADE
        laid = with_card(laid, kind)
        quiet = True
    else:
        return appraise_sacrifice(k, seat, top)
    cards = without_card(k.hand[seat], kind)
    if quiet:
        return total(k, seat, top, people, crowd, cards, laid, shows, city, True, -1, 0, 0, 0)
    return noisy(k, seat, top, people, crowd, cards, laid, shows, city, -1, 0, 0, 0, True)


@rule
def appraise_sacrifice(k: State, seat: int, top: int) -> int:
    """A survivor for all one's zombies: they will go to the strongest rival."""
    leader = -1
    for q in range(k.seats):
        if (
            q != seat
            and (k.living >> q) & 1 == 1
            and (leader < 0 or weight(k, seat, q, top) > weight(k, seat, leader, top))
        ):
            leader = q
    zombies = size(k.zombies[leader]) + size(k.zombies[seat])
    return total(
        k, seat, top, k.people[seat] - 1, 0, without_card(k.hand[seat], SACRIFICE), k.barriers[seat], k.shows, k.city,
        True, leader, k.people[leader], zombies, k.barriers[leader],
    )  # fmt: skip


@rule
def appraise_scheme(k: State, seat: int, top: int, action: int) -> int:
    """A card played against a rival."""
    q = (action - A_SABOTAGE) % 6
    people = k.people[seat] + 0
    crowd = k.zombies[seat] + 0
    laid = k.barriers[seat] + 0
    people_q = k.people[q] + 0
    crowd_q = k.zombies[q] + 0
    laid_q = k.barriers[q] + 0
    if action < A_DRONE:
        kind = SABOTAGE + (action - A_SABOTAGE) // 6
        cards = without_card(k.hand[seat], kind)
        if kind == BRIBERY:
            return total(
                k, seat, top, people + 1, crowd, cards, laid, k.shows, k.city, True,
                q, people_q - 1, size(crowd_q), laid_q,
            )  # fmt: skip
        if kind == SABOTAGE:
            laid_q = 0
        else:
            crowd, crowd_q = crowd_q, crowd
            laid, laid_q = laid_q, laid
        return noisy(
            k, seat, top, people, crowd, cards, laid, k.shows, k.city, q, people_q, size(crowd_q), laid_q, True
        )  # fmt: skip
    kind = DRONE if action < A_SURPRISE else SURPRISE
    zombie = (action - A_DRONE) // 6 % 3
    crowd -= 1 << (8 * zombie)
    zombies_q = size(crowd_q) + 1
    cards = without_card(k.hand[seat], kind)
    if kind == DRONE:
        return noisy(k, seat, top, people, crowd, cards, laid, k.shows, k.city, q, people_q, zombies_q, laid_q, False)
    city = k.city + 0
    if city > 0:
        city -= 1
        zombies_q += 1
    return total(
        k, seat, top, people, crowd, cards, laid, NOTHING, city, True, q, people_q, zombies_q, laid_q
    )  # fmt: skip


# ------------------------------------------------------------------ zombies to be sent
@rule
def appraise_send(k: State, seat: int, top: int, action: int) -> int:
    """Z11, Z14, Z18: the strong ones first, each to where it hurts most; oneself last, and with a weak one."""
    zombie = (action - A_SEND) // 6
    q = (action - A_SEND) % 6
    worst = 100_000 if zombie == STRONG else 0
    if q == seat:
        return -worst
    final = no_more(k.city, k.shows)
    here = size(k.zombies[q])
    hurt = theirs(k.people[q], here, k.barriers[q], final) - theirs(k.people[q], here + 1, k.barriers[q], final)
    return worst + 100 + weight(k, seat, q, top) * hurt // 10


# ------------------------------------------------------------------ phase 2
@rule
def appraise_barrier(k: State, seat: int, action: int) -> int:
    """A barrier, or none, against the attackers that are still unstopped."""
    final = no_more(k.city, k.shows)
    people = k.people[seat] + 0
    laid = k.barriers[seat] + 0
    open_ = max(size(k.attackers) - k.stopped, 0)
    stay = size(k.zombies[seat])
    risk = 0
    if k.city > 0:
        risk = 100 if k.shows != NOTHING else NEAR
    if action == A_BRACE:
        return esteem_after(people, 100 * open_) - dread(100 * stay, final)
    if action == A_USE_ALARM:
        return esteem(people) - dread(100 * stay + risk, final) - LAID[1]
    if action == A_USE_BARRICADE:
        planks = min(copies(laid, BARRICADE), open_)
        return esteem_after(people, 100 * (open_ - planks)) - dread(100 * stay, final) - planks * LAID[0]
    part = BLASTS[action - A_USE_MINES]
    killed = size(part)
    left = max(open_ - killed, 0)
    planks = min(copies(laid, BARRICADE), left)
    worth = esteem_after(people, 100 * (left - planks)) - planks * LAID[0] - LAID[2] + number(part, STRONG)
    return worth - dread(100 * (stay - killed) + risk, final)
