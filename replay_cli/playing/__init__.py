"""Who plays when nobody is at the table: bots, whole matches of theirs, and made-up cards."""
