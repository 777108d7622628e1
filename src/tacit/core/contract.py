"""The contract of a game: every member that its folder (or single module) has, with its type and what it does.

A member without a default is required. `read_contract` checks all of them and raises ContractError with a sentence for
each fault; `Game` (core/game.py) does this when a game is loaded. docs/writing-a-game.md shows this declaration as
tables (`contract_page`).
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, NoneType
from typing import Annotated, Any, ClassVar

from tacit.core.errors import Finding
from tacit.core.events import event_faults
from tacit.core.fragments import Fragments, hear_of_keys, show_of_keys, view_of_fragments
from tacit.core.messages import Message
from tacit.core.observation import Field
from tacit.core.rulekit import is_rule, rule
from tacit.core.state_layout import Cells, dtype_of

MESSAGE_CACHE = 8192  # texts of a game whose messages are kept
OptionValue = bool | int | str
Options = Mapping[str, tuple[OptionValue, ...]]
Signal = tuple[int, str]  # who gave it, and its text
S = Any  # a state, as the game's class `State` declares it
K = Any  # a state that holds what one seat (or NOBODY) knows


# ------------------------------------------------------------------ the members
@dataclass(kw_only=True, eq=False, repr=False)
class Model:
    """The pieces: constants, the state, the number of decisions and outcomes."""

    FILES: ClassVar[tuple[str, ...]] = ("model",)
    NAME: Annotated[str, "the game's name in records, commands and addresses: `silencio`"]
    TITLE: Annotated[str, "its name for people"]
    RULES_VERSIONS: Annotated[tuple[int, ...], "the rules versions it can play, oldest first; new matches use the last"]
    MIN_SEATS: Annotated[int, "the smallest number of seats"]
    MAX_SEATS: Annotated[int, "the largest number of seats, at most 6"]
    OPTIONS: Annotated[Options, "each option's values, the default first; `State` has a field of the same name"]
    ACTIONS: Annotated[int, "decisions are numbers below this"]
    OUTCOMES: Annotated[int, "outcomes of chance are numbers below this"]
    MAX_DECISIONS: Annotated[int, "no match has more decisions"]
    State: Annotated[type, "the state's fields: `seats`, one for each option, and the game's own"]
    COOPERATIVE: Annotated[bool, "all seats share one score"] = False
    SILENT: Annotated[bool, "talking is against the rules: tables have no chat while a match runs"] = False
    DIVERGENT: Annotated[
        bool, "its phases take such different ways that a GPU should sort matches before it plays them (measure both)"
    ] = False
    PACKED: Annotated[
        bool,
        "a GPU gathers observations as bits; then `spread` alone writes cells before the first number (measure both)",
    ] = False
    RULES: Annotated[tuple[str, ...], "the numbers of the written rules, which tests and pages name"] = ()
    CATALOGUE: Annotated[
        Mapping[str, str | dict[str, str]] | None, "the English sentences, for a game of one file without an `en.json`"
    ] = None


def _none(s: S) -> int:
    return 0


@dataclass(kw_only=True, eq=False, repr=False)
class Rules:
    """The rules, in the order of play."""

    FILES: ClassVar[tuple[str, ...]] = ("rules", "audit")
    start: Annotated[Callable[[S], None], "`start(s)` lays out an empty state whose `seats` and options are set"]
    due: Annotated[Callable[[S], int], "`due(s)`: the seats that may decide now as a bit set; CHANCE; 0 at the end"]
    legal: Annotated[
        Callable[[S, int, Cells], None],
        "`legal(s, seat, mask)` marks a due seat's legal decisions in an empty mask; nothing for another seat",
    ]
    chance: Annotated[
        Callable[[S, Cells], int], "`chance(s, weights)` writes every outcome's weight and returns their sum"
    ]
    pool: Annotated[
        Callable[[S], int],
        "`pool(s)`: the deck that chance draws from now (a renewed deck has a new number), FRESH for none",
    ]
    step: Annotated[Callable[[S, int, int], None], "`step(s, who, action)` applies a legal decision, or an outcome"]
    score: Annotated[Callable[[S, Cells], None], "`score(s, out)` writes each seat's result; more is better"]
    audit: Annotated[Callable[[S], int], "`audit(s)`: 0 if every card is in exactly one place and all counts are right"]
    roll: Annotated[
        Callable[[S, Cells, Cells], int] | None,
        "`roll(s, rng, weights)`: a faster `pick(weights, below(rng, chance(s, weights)))`, which is used without it",
    ] = None
    sealed: Annotated[
        Callable[[S], int],
        "`sealed(s)`: a number for this moment while choices are hidden until all due seats have chosen; else 0. "
        "Without it no choice is sealed",
    ] = _none
    decode_text: Annotated[
        Callable[[S, int, int], int] | None,
        "`decode_text(s, seat, code)`, with `encode_text`: the decision that `parse` reads from the text, or -1 where "
        "it refuses it. Without it records are read more slowly",
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Knowledge:
    """What each seat knows: the only way out of a state."""

    FILES: ClassVar[tuple[str, ...]] = ("knowledge",)
    know: Annotated[
        Callable[[S, int, K], None],
        "`know(s, seat, k)` fills an empty state with what a seat (or NOBODY) knows; it never copies and removes",
    ]
    imagine: Annotated[
        Callable[[K, int, Cells], None],
        "`imagine(k, seat, rng)` fills the unknown in `k` with one possibility; all that agree with what was heard are "
        "equally likely",
    ]
    observe: Annotated[
        Callable[[K, int, Cells], None], "`observe(k, seat, out)` writes every cell of the tensor that FIELDS declares"
    ]
    overhear: Annotated[
        Callable[[S, int, int, int], int] | None,
        "`overhear(s, seat, who, action)`: what a seat hears of a step about to be made, as a number: the action, "
        "HIDDEN or UNHEARD; it must agree with `hear`. Of the deal that begins a match a seat hears by it alone: the "
        "record's line, whose last word is `?` for HIDDEN, up to the first step that is UNHEARD. Without it that takes "
        "longer, and bots get no events (core/events.py)",
    ] = None
    alone: Annotated[
        Callable[[K, int], None] | None,
        "`alone(k, seat)`, with `sealed`: changes knowledge as if no other seat had chosen. Without it a preview ends "
        "before the choice that opens the seal",
    ] = None


def _all_lines(lines: list[str]) -> list[str]:
    return lines


@rule
def _never(before: K, after: K) -> int:
    return 0


@dataclass(kw_only=True, eq=False, repr=False)
class Notation:
    """How a match is written down, and what each seat hears."""

    FILES: ClassVar[tuple[str, ...]] = ("notation",)
    show: Annotated[
        Callable[[S, int, int], str],
        "`show(s, who, action)`: a decision or outcome as it stands in the record. A game with `decision_key` needs "
        "none",
    ]
    parse: Annotated[
        Callable[[K, int, str], int], "`parse(k, seat, text)`: its number; raises IllegalDecision if there is none"
    ]
    encode_text: Annotated[
        Callable[[str], int] | None,
        "`encode_text(text)`, with `decode_text`: a decision's text as a number that depends on no state, or -1. For "
        "texts that are many, or whose meaning depends on a set of cards",
    ] = None
    hear: Annotated[
        Callable[[K, int, int, K], list[str]],
        "`hear(before, who, action, after)`: what a seat hears of a step, from what it knew before and after. A game "
        "with `hear_keys` needs none",
    ]
    result: Annotated[Callable[[S], dict[str, Any]], "`result(s)`: the record's last line, once the match is over"]
    curtain_falls: Annotated[
        Callable[[K, K], int],
        "`curtain_falls(before, after)`: 1 if a seat withdraws lines with this step. Without it: never",
    ] = _never
    curtain: Annotated[
        Callable[[list[str]], list[str]],
        "`curtain(lines)`, with `curtain_falls`: the earlier lines that a seat still has then",
    ] = _all_lines
    best_score: Annotated[
        Callable[[int], int] | None, "`best_score(seats)`: the score that cannot be bettered. Without it: not known"
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Words:
    """Messages for people."""

    FILES: ClassVar[tuple[str, ...]] = ("words",)
    offer: Annotated[Callable[[str], Message], "`offer(text)`: a decision as it is offered"]
    tell: Annotated[Callable[[str], Message], "`tell(line)`: a heard line"]
    refuse: Annotated[Callable[[K, int, int], Message], "`refuse(k, seat, action)`: why a decision is not allowed"]


@dataclass(kw_only=True, eq=False, repr=False)
class View:
    """The table as one seat sees it."""

    FILES: ClassVar[tuple[str, ...]] = ("view",)
    view: Annotated[
        Callable[..., Any],
        "`view(k, seat)`: a frozen msgspec struct; a field `ask: Message` is the question. With signals: "
        "`view(k, seat, given=())`. A game with fragments needs none: it is made of them",
    ]


@dataclass(kw_only=True, eq=False, repr=False)
class Fragmented:
    """The same table in fragments, each made from a few numbers (`core/fragments.py`), and so the texts of decisions
    and of heard lines: a server plays several times as fast (`core/compiled_match.py`).
    """

    FILES: ClassVar[tuple[str, ...]] = ("notation", "view")
    view_keys: Annotated[
        Callable[[K, int, Cells], int] | None,
        "`view_keys(k, seat, keys)` writes the key of each fragment; returns how many numbers that were",
    ] = None
    VIEW_KEYS: Annotated[int, "the most numbers that `view_keys` writes"] = 0
    fragments: Annotated[
        Callable[[], Fragments] | None, "`fragments()`: the struct's class, and a `Fragment` for each of its fields"
    ] = None
    decision_key: Annotated[
        Callable[[K, int, int], int] | None,
        "`decision_key(s, who, action)`: a number from which alone the text of a decision or an outcome follows",
    ] = None
    decision_text: Annotated[Callable[[int], str] | None, "`decision_text(key)`: that text, as `show` has it"] = None
    hear_keys: Annotated[
        Callable[[K, int, int, K, Cells], int] | None,
        "`hear_keys(before, who, action, after, keys)` writes a number for each line that a seat hears of a step, from "
        "what it knew before and after; returns how many",
    ] = None
    HEAR_KEYS: Annotated[int, "the most lines of a step"] = 0
    line_text: Annotated[Callable[[int], str] | None, "`line_text(key)`: the line, as `hear` has it"] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Aids:
    """What a seat can work out (`core/outlook.py`), and why a decision is good: for hints, puzzles and reviews."""

    FILES: ClassVar[tuple[str, ...]] = ("aids",)
    hidden: Annotated[
        Callable[[S, K], dict[str, list[str]]] | None,
        "`hidden(s, k)`: the cards, as records name them, that lie in a possible state where `k` does not know them, "
        "by place: `hand 1`, `row 1 4`, `deck`. Without it: nothing is told",
    ] = None
    card_words: Annotated[
        Callable[[str], Message] | None,
        "`card_words(name)`: a card that `hidden` names, for sentences. Without it a review does not name it",
    ] = None
    possibilities: Annotated[
        Callable[[K, int, int], list[S] | None] | None,
        "`possibilities(k, seat, most)`: all possible states; None if they are too many. Without it they are sampled",
    ] = None
    suffered: Annotated[
        Callable[[S, int, int, S], dict[int, dict[str, int]]] | None,
        "`suffered(before, who, action, after)`: what a seat's decision did to others, for a review: by seat, what and "
        "how often. Without it: nothing is counted",
    ] = None
    why: Annotated[
        Callable[[Any, Callable[[str], Any], str, str | None], Message | None] | None,
        "`why(view, then, better, worse)`: why a good player decides so, by what the seat sees; `then(text)` is what a "
        "preview of a decision shows it. With `worse`, what tells the two apart; None if nothing does. Without it "
        "nothing is told",
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Tensor:
    """The observation tensor."""

    FILES: ClassVar[tuple[str, ...]] = ("observation",)
    FIELDS: Annotated[tuple[Field, ...], "the tensor's fields, in the order in which `observe` writes them"]
    OBSERVATION_VERSION: Annotated[int, "rises when the fields or their meaning change"] = 1
    score_range: Annotated[
        Callable[[int], tuple[int, int]] | None,
        "`score_range(seats)`: the least and the greatest score. Without it: no bounds",
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Signals:
    """Signals between seats: a game has all of these, or none."""

    FILES: ClassVar[tuple[str, ...]] = ("model", "rules", "words")
    SIGNALS: Annotated[tuple[str, ...], "all signals, as they stand in the record"] = ()
    SIGNAL_LIMIT: Annotated[int, "how many a seat may give on one occasion"] = 0
    signallers: Annotated[Callable[[S], int], "`signallers(s)`: the seats that may signal now, as a bit set"] = _none
    occasion: Annotated[
        Callable[[S], int], "`occasion(s)`: what signals are about now; when it changes, the limit counts anew"
    ] = _none
    refuse_signal: Annotated[
        Callable[[K, int], Message] | None, "`refuse_signal(k, seat)`: why a seat may give none now"
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Decks:
    """A deck that can be exchanged: a game has all of these, or none."""

    FILES: ClassVar[tuple[str, ...]] = ("model", "deck")
    DECK: Annotated[str | None, "the name of the game's own deck in records; `OPTIONS` has `deck: (DECK,)`"] = None
    read_deck: Annotated[
        Callable[[object], Any] | None,
        "`read_deck(deck)`: an object with `digest`, `text` and `warnings`; raises BadDeck with every error",
    ] = None
    deck_constants: Annotated[
        Callable[[Any], dict[str, object]] | None, "`deck_constants(deck)`: the model's constants as that deck has them"
    ] = None
    check_deck: Annotated[
        Callable[[str], list[Finding]] | None, "`check_deck(text)`: all that is wrong with a text, by line"
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class Terminal:
    """How `tacit play` shows the game. Only the terminal imports this file: it needs rich."""

    FILES: ClassVar[tuple[str, ...]] = ("terminal",)
    draw: Annotated[
        Callable[[Any, Sequence[str]], Any] | None,
        "`draw(view, names)`: the view drawn with rich. Without it the terminal lists the view's fields",
    ] = None
    arrange: Annotated[
        Callable[[Any, Any], list[str] | None] | None,
        "`arrange(console, view)`: lets a person make several decisions on one screen; returns them, or None to ask "
        "for one decision as usual",
    ] = None
    pictures: Annotated[
        Callable[[Any], Sequence[Any]] | None,
        "`pictures(view)`: `core.notebook.Pictures`, symbols of the page's art.svg that a notebook shows above the "
        "drawing. Without it: none",
    ] = None
    CONFIRM: Annotated[bool, "a person sees a preview and confirms it before a decision is played"] = False


@dataclass(kw_only=True, eq=False, repr=False)
class Contract(Decks, Signals, Tensor, Aids, Fragmented, View, Words, Notation, Knowledge, Rules, Model):
    """Every member of a game, interpreted; an optional member that the game lacks has its default."""


PARTS = (Model, Rules, Knowledge, Notation, Words, View, Fragmented, Aids, Tensor, Signals, Decks)
COMPILED = (Rules, Knowledge)  # the functions of these parts are rules
RULE_NAMES = ("view_keys", "decision_key", "hear_keys", "curtain_falls")  # and these
VIEW_MEMBERS = ("view_keys", "VIEW_KEYS", "fragments")
SHOW_MEMBERS = ("decision_key", "decision_text")
HEAR_MEMBERS = ("hear_keys", "HEAR_KEYS", "line_text")
ALL_OR_NONE = (Fragmented, Signals, Decks)


# ------------------------------------------------------------------ reading and checking
class ContractError(TypeError):
    """A module does not keep the contract of a game; `faults` has a sentence for each fault."""

    def __init__(self, module: str, faults: Sequence[str]) -> None:
        super().__init__(f"{module} does not keep the contract of a game:\n" + "\n".join(f"- {f}" for f in faults))
        self.faults = list(faults)


def gather(module: ModuleType) -> ModuleType:
    """The members of a game in one module: a package's from its files, a single module as it is."""
    if "__path__" not in vars(module):
        return module
    gathered = ModuleType(module.__name__, module.__doc__)
    for part in PARTS:
        for file in part.FILES:
            name = f"{module.__name__}.{file}"
            if find_spec(name) is None:
                continue
            found = vars(import_module(name))
            if file == "model":
                vars(gathered).update({n: value for n, value in found.items() if n.isupper()})
            for field in fields(part):
                if field.name in found:
                    vars(gathered).setdefault(field.name, found[field.name])
    return gathered


def read_contract(module: ModuleType) -> Contract:
    """The contract's members in a gathered module; raises ContractError with a sentence for each fault."""
    found = {field.name: vars(module)[field.name] for field in fields(Contract) if field.name in vars(module)}
    if not any(name in found for name in ("read_deck", "deck_constants", "check_deck")):
        found.pop("DECK", None)  # a constant of the game's own that happens to have this name
    if all(name in found for name in VIEW_MEMBERS):
        found["fragments"] = cache(found["fragments"])
        found.setdefault("view", view_of_fragments(*map(found.get, VIEW_MEMBERS)))
    if all(name in found for name in SHOW_MEMBERS):
        found.setdefault("show", show_of_keys(*map(found.get, SHOW_MEMBERS)))
    if all(name in found for name in HEAR_MEMBERS):
        found.setdefault("hear", hear_of_keys(*map(found.get, HEAR_MEMBERS)))
    faults = [fault for part in PARTS for fault in _member_faults(part, found)]
    if not faults:
        faults = list(_value_faults(Contract(**found)))
    if faults:
        raise ContractError(module.__name__, faults)
    for name in ("offer", "tell"):  # they depend on the text alone, and texts recur
        found[name] = lru_cache(MESSAGE_CACHE)(found[name])
    return Contract(**found)


def read_terminal(module: ModuleType) -> Terminal:
    """The members of Terminal, from a game's `terminal.py` or its single module; ContractError for each fault."""
    name = f"{module.__name__}.terminal"
    try:
        own = find_spec(name) is not None
    except ModuleNotFoundError:  # a game of one module
        own = False
    members = vars(import_module(name) if own else module)
    found = {field.name: members[field.name] for field in fields(Terminal) if field.name in members}
    if faults := list(_member_faults(Terminal, found)):
        raise ContractError(name, faults)
    return Terminal(**found)


def _member_faults(part: type, found: Mapping[str, Any]) -> Iterator[str]:
    """What is missing in one part of the contract, or is of the wrong type."""
    some = any(field.name in found for field in fields(part))
    for field in fields(part):
        kind, doc, required = _declared(part, field)
        if field.name not in found:
            if required:
                yield f"{field.name} is missing: {doc}."
            elif part in ALL_OR_NONE and some:
                yield f"{field.name} is missing, which belongs to the game's {part.__name__.lower()}: {doc}."
            continue
        value = found[field.name]
        kinds = [typing.get_origin(k) or k for k in (typing.get_args(kind) if _is_optional(kind) else (kind,))]
        if Callable in kinds:
            if not callable(value):
                yield f"{field.name} is not a function: {doc}."
            elif (part in COMPILED or field.name in RULE_NAMES) and not is_rule(value):
                yield f"{field.name} is not marked @rule."
        elif (Any not in kinds and not isinstance(value, tuple(kinds))) or (int in kinds and isinstance(value, bool)):
            names = " or ".join(k.__name__ for k in kinds if k is not NoneType)
            yield f"{field.name} is {value!r}, not {names}: {doc}."


def _value_faults(c: Contract) -> Iterator[str]:
    """What does not fit together, where every member is there."""
    if not 1 <= c.MIN_SEATS <= c.MAX_SEATS <= 6:
        yield f"MIN_SEATS and MAX_SEATS are {c.MIN_SEATS} and {c.MAX_SEATS}; they must be 1 to 6, in this order."
    if not c.RULES_VERSIONS or list(c.RULES_VERSIONS) != sorted(set(c.RULES_VERSIONS)):
        yield f"RULES_VERSIONS is {c.RULES_VERSIONS}; it must name at least one version, oldest first."
    if not c.FIELDS:
        yield "FIELDS is empty; the observation needs at least one field."
    elif len({field.name for field in c.FIELDS}) < len(c.FIELDS):
        yield "FIELDS has two fields of one name."
    try:
        names = dtype_of(c.State).names or ()
    except TypeError as error:
        yield str(error)
    else:
        needed = ["seats", *c.OPTIONS, *(["rules"] if len(c.RULES_VERSIONS) > 1 else [])]
        for name in [n for n in needed if n not in names]:
            why = {"seats": "every game has it", "rules": "the game has several rules versions"}
            yield f"State has no field `{name}`: {why.get(name, 'it is an option')}."
    if c.DECK is not None and c.OPTIONS.get("deck") != (c.DECK,):
        yield "OPTIONS must have the entry `deck: (DECK,)`."
    yield from event_faults(c.ACTIONS, c.OUTCOMES, len(c.SIGNALS))


def _is_optional(kind: Any) -> bool:
    return NoneType in typing.get_args(kind)


def _declared(part: type, field: Any) -> tuple[Any, str, bool]:
    """A member's type, its documentation, and whether it is required."""
    kind, doc = typing.get_args(typing.get_type_hints(part, include_extras=True)[field.name])
    return kind, doc, field.default is MISSING


def contract_page() -> str:
    """The contract as Markdown: a table for each part."""
    lines = []
    for part in (*PARTS, Terminal):
        files = " or ".join(f"`{file}.py`" for file in part.FILES)
        lines += [f"### {part.__name__}: {files}", part.__doc__ or "", "", "| member | is |", "|---|---|"]
        for field in fields(part):
            kind, doc, required = _declared(part, field)
            plain = not callable(field.default) and not _is_optional(kind)
            default = "" if required else f"optional, {field.default!r}: " if plain else "optional: "
            lines.append(f"| `{field.name}` | {default}{doc} |")
        lines.append("")
    return "\n".join(lines)
