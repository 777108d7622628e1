"""A second implementation of Silent Planet, written from the rules page with lists and dictionaries."""

from __future__ import annotations

from collections import Counter

KINDS = "12345x"
COPIES = {"1": 15, "2": 12, "3": 9, "4": 6, "5": 4, "x": 9}


class Reference:
    def __init__(self, seats: int) -> None:
        self.n = seats
        self.deck = Counter(COPIES)
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.rows: list[list[str]] = [[] for _ in range(seats)]
        self.hints: list[list[int]] = [[] for _ in range(seats)]
        self.ready: set[int] = set()
        self.open: set[tuple[int, int]] = set()  # turned up
        self.turn: int | None = None
        self.rounds: list[dict[int, int]] = []  # of this turn: who pointed where
        self.team: list[str] = []
        self.done: list[list[str]] = []
        self.result: dict[str, object] | None = None

    def face_down(self, seat: int) -> list[int]:
        if len(self.ready) < self.n:
            return []
        return [p for p in range(1, 10) if p not in self.hints[seat] and (seat, p) not in self.open]

    def chance(self) -> dict[str, int]:
        if self.result or (len(self.ready) == self.n and self.turn is not None):
            return {}
        for seat in range(self.n):
            if len(self.hands[seat]) + len(self.rows[seat]) < 9:
                return {f"deal {seat} {k}": self.deck[k] for k in KINDS if self.deck[k]}
        return {f"start {seat}": 1 for seat in range(self.n)} if len(self.ready) == self.n else {}

    def legal(self, seat: int) -> list[str]:
        if self.result or self.chance():
            return []
        if len(self.ready) < self.n:
            if seat in self.ready:
                return []
            if self.hands[seat]:
                return [f"place {k}" for k in KINDS if k in self.hands[seat]]
            least = max(self.hints[seat], default=0)
            return [f"reveal {p}" for p in range(1, 10) if p > least] + ["ready"]
        if seat == self.turn or seat in self.rounds[-1]:
            return []
        assert self.turn is not None
        return [f"point {p}" for p in self.face_down(self.turn)]

    def play(self, who: str, text: str) -> None:
        verb, *rest = text.split()
        if verb == "deal":
            self.deck[rest[1]] -= 1
            self.hands[int(rest[0])].append(rest[1])
        elif verb == "start":
            self.next_turn(int(rest[0]))
        elif verb == "place":
            self.hands[int(who)].remove(rest[0])
            self.rows[int(who)].append(rest[0])
        elif verb == "reveal":
            self.hints[int(who)].append(int(rest[0]))
        elif verb == "ready":
            self.ready.add(int(who))
            if len(self.ready) == self.n:
                self.judge()
        else:
            self.point(int(who), int(rest[0]))

    def next_turn(self, seat: int) -> None:
        while not self.face_down(seat):
            seat = (seat + 1) % self.n
        self.turn, self.rounds = seat, [{}]

    def point(self, seat: int, position: int) -> None:
        assert self.turn is not None
        now = self.rounds[-1]
        now[seat] = position
        if len(now) < self.n - 1:
            return
        votes = Counter(now.values())
        if len(votes) > 1 and len(self.rounds) < 3:
            self.rounds.append({})
            return
        equals = {p for p, n in votes.items() if n == max(votes.values())}
        clockwise = [(self.turn + i) % self.n for i in range(1, self.n)]
        self.turn_up(next(now[q] for q in clockwise if now[q] in equals))

    def turn_up(self, position: int) -> None:
        assert self.turn is not None
        self.open.add((self.turn, position))
        self.team.append(self.rows[self.turn][position - 1])
        aliens = [card for card in self.team if card != "x"]
        if len(set(aliens)) not in (len(aliens), 1, 0):
            self.team = []
        elif len(self.team) == 5:
            self.done.append(self.team)
            self.team = []
        self.judge()
        if not self.result:
            self.next_turn((self.turn + 1) % self.n)

    def judge(self) -> None:
        left = sum(len(self.face_down(q)) for q in range(self.n)) + len(self.team)
        missing = self.n - len(self.done)
        if missing == 0 or left < 5 * missing:
            reason = "out-of-cards" if missing else "teams"
            self.result = {"won": not missing, "teams": len(self.done), "needed": self.n, "reason": reason}
