"""Who plays when nobody is at the table: bots, whole matches of them, and matches that try to break."""
