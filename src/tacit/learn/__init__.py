"""From trained networks to the files that bots play by."""
