"""Bots for Silver & Gold."""
