"""Lamps, a small game made up to try domain/games/ADDING.md, step by step; no published game."""

from tests.lamps.rulebook import RULEBOOK

__all__ = ["RULEBOOK"]
