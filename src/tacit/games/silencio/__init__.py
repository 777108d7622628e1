"""Silencio: 2–4 seats, cooperative, silent."""
