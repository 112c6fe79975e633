"""Plays whole matches with bots in this process, without a server or a store.

Used by `commands.keeping.simulate`, tests and benchmarks; `commands.demo` plays through a real
server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.match import Deck, Match, Opening
from domain.games.kit.game import Game
from domain.record import views
from domain.record.entries import Entry
from replay_cli.playing.bots import Bot, seeded_dice

#: When playouts are opened: a fixed time, so that a seed gives the same record (ms since 1970).
OPENED = 1_700_000_000_000
#: Decisions after which a match counts as stuck.
ENDLESS = 20_000


class Stuck(Exception):
    """A match that does not end."""


class Playout:
    """A match of bots. Iterate to play it: each step gives the entries that it added."""

    def __init__(
        self,
        rules: Game,
        decks: Sequence[str | Deck],
        seed: int,
        *,
        best_of: int = 1,
        pace: int = 1000,
    ) -> None:
        """`decks` are lists, or names of ready-made ones; `pace` is milliseconds a decision."""
        chosen = tuple(
            deck if isinstance(deck, Deck) else Deck(deck, rules.decks[deck]) for deck in decks
        )
        seats = tuple(f"Bot {deck.name}" for deck in chosen)
        self.bots = [Bot(rules.manifest, seat, seed) for seat in range(len(decks))]
        self.pace = pace
        self.match = Match.open(rules, Opening(seats, chosen, OPENED, best_of), seeded_dice(seed))

    def __iter__(self) -> Iterator[list[Entry]]:
        match = self.match
        yield match.collect()
        for _ in range(ENDLESS):
            pos = match.pos
            if pos.over:
                return
            decision = pos.decision
            if decision is None:
                raise Stuck("no decision is open and the match is not over")
            seat = decision.seats[0]
            offer = decision.offers[seat]
            if offer is None or not offer.options:
                raise Stuck(f"decision {decision.n} offers nothing")
            act = self.bots[seat].choose(offer, pos)
            match.choose(seat, decision.n, act, pos.time + self.pace)
            yield match.collect()
        raise Stuck(f"{ENDLESS} decisions, and no end")


def play(rules: Game, decks: Sequence[str], seed: int, *, best_of: int = 1) -> list[Entry]:
    """A whole match, as its record."""
    return [entry for some in Playout(rules, decks, seed, best_of=best_of) for entry in some]


def view(log: Sequence[Entry], viewer: int) -> list[Entry]:
    """A record as one viewer may see it."""
    return [views.redact(entry, viewer) for entry in log]
