"""Play and replay matches in a terminal, for any game."""
