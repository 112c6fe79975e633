"""The page of a match, live and replay, and the list of matches."""
