"""The course of a game: setup, the turn, attacks, interruption."""
