"""Bots that play Silenz: Zombie City."""
