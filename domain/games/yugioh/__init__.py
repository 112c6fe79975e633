"""Yu-Gi-Oh! OCG as it was played in 2013; `rulebook` puts it together."""

from domain.games.yugioh.rulebook import RULEBOOK

__all__ = ["RULEBOOK"]
