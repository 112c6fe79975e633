"""The course of a game: setup, the turn, attacks, Flash timings."""
