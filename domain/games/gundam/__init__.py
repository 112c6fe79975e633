"""The Gundam Card Game; `rulebook` puts it together."""

from domain.games.gundam.rulebook import RULEBOOK, in_edition

__all__ = ["RULEBOOK", "in_edition"]
