"""`tacit benchmark`: named tracks with fixed deals and partners, result files that can be checked, and their table."""
