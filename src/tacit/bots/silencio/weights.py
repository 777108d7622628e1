"""The weights of `steady` at Silencio, in 1024ths of a card, tuned by local search over many thousand deals."""

from __future__ import annotations

from tacit.core.rulekit import constant_array

# fmt: off
K_ME, K_1, K_2, K_3 = range(4)
D_RED, D_BLUE, D_YELLOW, D_GREEN, L_RED, L_BLUE, L_YELLOW, L_GREEN, L_GREEN_DEAD, DANGER = range(4, 14)
T_RED, T_BLUE, T_YELLOW, T_GREEN, T_LARGE, T_STAGE = range(14, 20)
TAKE, RENEW, SHOW, OTHERS, RESCUE, AVOID = range(20, 26)

TABLE = (  # with 2, 3, 4 seats
    (    3,   215,   288),  # K_ME: what this seat's next turn counts
    (  567,   515,   513),  # K_1: what the next seat's turn counts
    (    0,   478,   335),  # K_2: the second one's
    (    0,     0,   139),  # K_3: the third one's
    (    5,   110,    37),  # D_RED: dark red, as a loss
    (  108,   193,   141),  # D_BLUE: dark blue
    (   17,    67,    97),  # D_YELLOW: dark yellow, beside the next seat's blind card
    (  124,    43,   -37),  # D_GREEN: dark green, beside the next seat's bound card
    (    2,    52,    89),  # L_RED: light red, as a gain
    (  982,   425,   289),  # L_BLUE: light blue: a share of what the best card taken back brings
    (   -7,     2,   258),  # L_YELLOW: light yellow
    ( -291,   -35,    61),  # L_GREEN: light green
    (  342,   102,   606),  # L_GREEN_DEAD: light green for a seat with a lost card
    ( 2153,  1560,  2133),  # DANGER: that nobody can follow dark green: a share of all cards left
    (  -97,     6,   -95),  # T_RED: what the red shrine must bring
    (  602,   765,   987),  # T_BLUE: the blue one
    ( -135,    41,   200),  # T_YELLOW: the yellow one
    (  -48,   500,   520),  # T_GREEN: the green one
    (  316,   614,   189),  # T_LARGE: the large one, on top
    (   39,    20,    15),  # T_STAGE: any shrine, on top for every card left
    (  123,   340,   449),  # TAKE: what taking a card back must bring
    (  362, -6144, -6144),  # RENEW: an exchange that brings less renews the Oracle
    (   -9,  -111,   -63),  # SHOW: what showing a card must bring
    (   33,   660,   227),  # OTHERS: an exchange by a partner with a lost card
    (  452,  1014,  -193),  # RESCUE: what a shrine must bring a seat that cannot play
    (  200,   200,   200),  # AVOID: passing over cards in a colour that a partner asked to avoid
)
# fmt: on
WEIGHTS = len(TABLE)
W = constant_array(row[seats] for seats in range(3) for row in TABLE)
