"""Bots that search: playouts of each decision in imagined worlds, by compiled rules."""
