"""Silent Planet: 2–6 seats, cooperative, silent except for signals."""
