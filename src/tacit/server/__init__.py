"""The play server: live tables for people and bots. It knows no game; what anybody gets is what `Match.see` gives."""
