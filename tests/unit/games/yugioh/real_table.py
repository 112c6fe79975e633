"""A position of Yu-Gi-Oh! at a real table, to act at: cards are named along with the acts."""

from __future__ import annotations

from domain.engine.match import Match, Refused
from domain.engine.naming import Inputs
from domain.engine.signals import NameRequired
from domain.games.yugioh.rulebook import RULEBOOK
from domain.record.decisions import Act
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.fuzz.tables import no_dice

IDS = {card.name: card.id for card in RULEBOOK.cards.values()}


class RealTable:
    """A position at a real table, where nothing that lies hidden has been named."""

    def __init__(self, position: str) -> None:
        scenario = load("scenario -\ngame yugioh\nposition\n" + position)
        self.match = Match(RULEBOOK, lay(RULEBOOK, scenario.setting, "-", "table"), no_dice)
        self.match.driver.start()
        self.log = self.match.collect()

    def lying(self, place: str) -> list[int]:
        return list(self.match.pos.zones.get(place, ()))

    def kinds(self) -> list[str]:
        decision = self.match.pos.decision
        assert decision is not None
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        return [option.kind for option in offer.options]

    def choose(self, kind: str, card: int = 0, *picks: int, **names: str) -> None:
        """An act of whoever is asked; its cards are named by number, as `n28="Kuriboh"`."""
        decision = self.match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        named = Inputs({int(n[1:]): IDS[name] for n, name in names.items()}, (), "Sam")
        act = Act(kind, card, (picks,) if picks else ())
        try:
            self.match.choose(seat, decision.n, act, self.match.pos.time + 1, inputs=named)
        except (NameRequired, Refused):
            self.match = Match.resume(RULEBOOK, self.log, no_dice)
            raise
        self.log += self.match.collect()
