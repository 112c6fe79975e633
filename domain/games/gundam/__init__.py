"""The Gundam Card Game; `rulebook` puts it together."""

from domain.games.gundam.rulebook import RULEBOOK

__all__ = ["RULEBOOK"]
