"""Bots that play Silent Planet."""
