"""Checks of names and chat, and whether two names look alike (UTS 39)."""

from __future__ import annotations

import functools
import re
import unicodedata

from tacit.server.errors import refuse
from tacit.server.protocol import MAX_CHAT, MAX_NAME

MAX_MARKS = 3  # combining marks on one letter
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # phones add them
# Invisible characters that `isprintable` accepts: default-ignorable ones, blank letters and blank patterns.
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\U0001d159]")
# Scripts that may be mixed (UTS 39, "highly restrictive").
MIXED_SCRIPTS = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


@functools.lru_cache(maxsize=4096)
def checked_name(given: str) -> str:
    """The name normalised to one line. Refuses invisible characters, stacked marks and mixed scripts."""
    name = " ".join(VARIATION_SELECTORS.sub("", unicodedata.normalize("NFC", given)).split())
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise refuse("name.form", 400, n=MAX_NAME)
    if BLANK.search(name) or unicodedata.category(name[0])[0] == "M":
        raise refuse("name.hidden", 400)
    if has_stacked_marks(name):
        raise refuse("name.stacked", 400)
    scripts = scripts_of(name)
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in MIXED_SCRIPTS):
        raise refuse("name.scripts", 400)
    return name


def checked_chat(given: str) -> str:
    """The text normalised to one line, without invisible characters. Refuses empty and long texts."""
    text, marks = "", 0
    for char in unicodedata.normalize("NFC", given):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            text += " " if not char.isprintable() or BLANK.match(char) else char
    text = text.strip()
    if not text:
        raise refuse("chat.empty", 400)
    if len(text) > MAX_CHAT:
        raise refuse("chat.long", 400, n=MAX_CHAT)
    return text


def has_stacked_marks(text: str) -> bool:
    """Does a letter have more than MAX_MARKS combining marks, or the same one twice?"""
    before, marks = "", 0
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.category(char) in ("Mn", "Me"):
            marks += 1
            if marks > MAX_MARKS or char == before:
                return True
        else:
            marks = 0
        before = char
    return False


def scripts_of(text: str) -> set[str]:
    """The scripts of a text, without characters that all scripts share."""
    from confusable_homoglyphs import categories

    return set(categories.unique_aliases(text)) - {"COMMON", "INHERITED"}


def confusable(one: str, other: str) -> bool:
    """Do two names look alike?"""
    return one.casefold() == other.casefold() or skeleton(one) == skeleton(other)


@functools.lru_cache(maxsize=4096)
def skeleton(text: str) -> str:
    """The skeleton of a text (UTS 39, section 4), in lower case: equal for all names that look alike."""
    prototypes = _prototypes()
    plain = (prototypes.get(char, char) for char in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(plain)).casefold()


@functools.cache
def _prototypes() -> dict[str, str]:
    """For each confusable character its prototype: the character, or characters, that stand for all alike.

    The library lists each pair from both sides: a character with many partners is their prototype.
    """
    from confusable_homoglyphs import confusables

    found: dict[str, str] = {}
    for key, pairs in confusables.confusables_data.items():
        others = [pair["c"].strip("\u200e") for pair in pairs]  # direction marks around Hebrew and Arabic
        char = key.strip("\u200e")
        if len(char) == 1 and len(others) == 1:
            back = len(confusables.confusables_data.get(others[0], ()))
            found[char] = others[0] if back != 1 or len(others[0]) > 1 else min(char, others[0])
    return found
