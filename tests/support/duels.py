"""Matches of a player against others, without a server: how strong it is."""

from __future__ import annotations

from random import Random
from typing import Protocol

from domain.engine.match import Deck, Match, Opening
from domain.games.kit.game import Game
from domain.record.decisions import Act, Offer
from domain.record.position import Position
from domain.record.views import redact
from replay_cli.playing.bots import Bot, seeded_dice
from replay_cli.playing.playout import ENDLESS, OPENED, Stuck
from replay_cli.playing.policy.player import Player


class Chooser(Protocol):
    """Whoever plays against the player."""

    def choose(self, offer: Offer, pos: Position | None = None) -> Act:
        """One of the acts on offer."""


class Uniform:
    """Takes any option, each as likely as the others, with any picks."""

    def __init__(self, rules: Game, seat: int, seed: int) -> None:
        self._bot, self._free = Bot(rules.manifest, seat, seed), rules.manifest.free
        self._rng = Random(f"uniform/{seed}/{seat}")

    def choose(self, offer: Offer, pos: Position | None = None) -> Act:
        """One of the acts on offer; none that may be done for ever."""
        options = [one for one in offer.options if one.kind not in self._free]
        return self._bot.complete(offer, self._rng.choice(options or offer.options))


def duel(
    rules: Game, deck: str, seed: int, player: Player, other: Chooser, most: int = 0
) -> Position:
    """The end of a match of two with one deck, or how it stands after `most` decisions."""
    decks = (Deck(deck, rules.decks[deck]),) * 2
    match = Match.open(rules, Opening(("one", "other"), decks, OPENED), seeded_dice(seed))
    for n in range(ENDLESS):
        player.follow(redact(entry, player.seat) for entry in match.collect())
        pos, decision = match.pos, match.pos.decision
        if decision is None or n == most > 0:
            return pos
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        mine = seat == player.seat
        act = player.choose(offer) if mine else other.choose(offer, pos)
        match.choose(seat, decision.n, act, pos.time + 1000)
    raise Stuck(f"{ENDLESS} decisions, and no end")
