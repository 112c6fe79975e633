"""Hollow Flux; `rulebook` puts it together."""

from domain.games.hollow_flux.rulebook import RULEBOOK

__all__ = ["RULEBOOK"]
