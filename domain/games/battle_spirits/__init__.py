"""Battle Spirits Standard."""

from domain.games.battle_spirits.rulebook import RULEBOOK

__all__ = ["RULEBOOK"]
