"""Silent Planet: 2–6 seats, cooperative, silent but for signals."""
