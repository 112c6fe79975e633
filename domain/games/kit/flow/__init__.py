"""The course of a game: setup, the steps of a turn, windows in which players act, attacks.

What may be done at each point is in `choices`.
"""
