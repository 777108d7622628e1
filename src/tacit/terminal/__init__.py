"""Playing and replaying in a terminal; knows no game."""
