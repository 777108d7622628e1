"""Table names in links: readable, never the same, and names of older tables stay valid."""

from __future__ import annotations

import re
import secrets

from tacit.server.keys import ADJECTIVES, NOUNS, is_table_name, new_table_name


def test_table_names_are_two_words_a_number_and_what_cannot_be_guessed() -> None:
    names = [new_table_name() for _ in range(500)]
    assert all(re.fullmatch(r"[a-z]+-[a-z]+-\d\d-[A-Za-z0-9_-]{12}", name) for name in names)
    assert len({name.split("-", 3)[3] for name in names}) == len(names)


def test_tables_that_are_made_together_have_words_and_numbers_of_their_own() -> None:
    names = [new_table_name().rpartition("-")[0].split("-")[:3] for _ in range(300)]
    assert len({tuple(name) for name in names}) == len(names)
    assert len({tuple(name[:2]) for name in names}) in (4, 5)  # and lie side by side


def test_every_name_can_be_opened_and_so_can_older_ones() -> None:
    longest = f"{max(ADJECTIVES, key=len)}-{max(NOUNS, key=len)}-99-{secrets.token_urlsafe(9)}"
    assert is_table_name(longest)
    assert is_table_name(secrets.token_urlsafe(9))
    assert not is_table_name("../etc")
