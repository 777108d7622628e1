"""What people may call themselves and say, as everyone will see it; and whether two names look alike (UTS 39)."""

from __future__ import annotations

import functools
import re
import unicodedata

from tacit.server.errors import refuse
from tacit.server.protocol import MAX_CHAT, MAX_NAME

MARKS = 3  # accents and points on one letter
VARIATIONS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # choose between looks of a sign; phones add them
# Signs that show nothing, though Python calls them printable: default-ignorable ones, and blank letters and patterns.
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\U0001d159]")
# Scripts that are written together (UTS 39, "highly restrictive"); all others stand alone.
TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


def checked_name(given: str) -> str:
    """A name as everyone will see it: one line, nothing hidden, blank, stacked or borrowed from another script."""
    name = " ".join(VARIATIONS.sub("", unicodedata.normalize("NFC", given)).split())
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise refuse("name.form", 400, n=MAX_NAME)
    if BLANK.search(name) or unicodedata.category(name[0])[0] == "M":
        raise refuse("name.hidden", 400)
    if stacked(name):
        raise refuse("name.stacked", 400)
    scripts = scripts_of(name)
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        raise refuse("name.scripts", 400)
    return name


def checked_chat(given: str) -> str:
    """What was said, on one line and without signs that cannot be seen."""
    text, marks = "", 0
    for sign in unicodedata.normalize("NFC", given):
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MARKS:
            text += " " if not sign.isprintable() or BLANK.match(sign) else sign
    text = text.strip()
    if not text:
        raise refuse("chat.empty", 400)
    if len(text) > MAX_CHAT:
        raise refuse("chat.long", 400, n=MAX_CHAT)
    return text


def stacked(text: str) -> bool:
    """Do more marks lie on one letter than people write, or the same one twice?"""
    before, marks = "", 0
    for sign in unicodedata.normalize("NFD", text):
        if unicodedata.category(sign) in ("Mn", "Me"):
            marks += 1
            if marks > MARKS or sign == before:
                return True
        else:
            marks = 0
        before = sign
    return False


def scripts_of(text: str) -> set[str]:
    """The scripts of a text, without what all scripts share."""
    from confusable_homoglyphs import categories

    return set(categories.unique_aliases(text)) - {"COMMON", "INHERITED"}


def confusable(one: str, other: str) -> bool:
    """Would people take one name for the other?"""
    return one.casefold() == other.casefold() or skeleton(one) == skeleton(other)


def skeleton(text: str) -> str:
    """The same text for all names that look alike, whatever their letters are (UTS 39, section 4), in lower case."""
    prototypes = _prototypes()
    plain = (prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(plain)).casefold()


@functools.cache
def _prototypes() -> dict[str, str]:
    """For each sign that looks like others, the one sign (or run of signs) that stands for all of them.

    The library lists each pair from both sides: a sign with many others is the one that stands for them.
    """
    from confusable_homoglyphs import confusables

    found: dict[str, str] = {}
    for key, pairs in confusables.confusables_data.items():
        others = [pair["c"].strip("\u200e") for pair in pairs]  # it puts marks of direction around Hebrew and Arabic
        sign = key.strip("\u200e")
        if len(sign) == 1 and len(others) == 1:
            back = len(confusables.confusables_data.get(others[0], ()))
            found[sign] = others[0] if back != 1 or len(others[0]) > 1 else min(sign, others[0])
    return found
