"""Training networks by self-play, and making the files that bots play by."""
