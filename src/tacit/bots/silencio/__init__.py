"""Bots for Silencio."""
