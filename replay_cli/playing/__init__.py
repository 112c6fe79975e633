"""Bots, whole matches of theirs (`playout`), and fuzzing with made-up cards (`fuzz`)."""
