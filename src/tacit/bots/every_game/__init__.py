"""Bots that play every game: they look at nothing that only one game has."""
