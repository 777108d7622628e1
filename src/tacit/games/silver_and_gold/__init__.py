"""Silver & Gold: 2–4 seats, a race in which all cross off the same shape at once."""
