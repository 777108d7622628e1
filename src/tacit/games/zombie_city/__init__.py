"""Silenz: Zombie City: 2–6 seats, everyone for themselves."""
