"""In which position a monster is Special Summoned: face up, as its player says."""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.manifest import LIES
from domain.record.decisions import Offer, Option, Part


def in_which_position(t: Table, seat: int, number: int, *cites: str) -> Play:
    """The player who Special Summons a monster chooses its position (ygo:special.default.3)."""
    offer = Offer((Option("place", number, (Part("position", 0),)),), (LIES,))
    rules = ("ygo:special.default.3", *cites)
    act = yield from t.ask(seat, "position", offer, *rules, public=t.in_sight(number))
    return str(act.picks[0][0])
