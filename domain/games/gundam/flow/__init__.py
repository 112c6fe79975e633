"""The course of a game (chapters 5 to 8): setup, the turn, attacks, the Action Step."""
