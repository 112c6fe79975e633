"""The player that looks ahead: it tries acts in worlds that its seat can't tell from the real one.

Each act on offer is carried out in the same worlds, which are then played on by rules of thumb
(`playing.bots`) until turns have gone by, and weighed (`domain.record.schema.worth`). What is best
on average is taken. All chance comes from a seed: with the same seed, entries and budget it chooses
the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.games.kit.game import Game
from domain.record.decisions import Act, Offer, Option
from domain.record.entries import Entry
from domain.record.position import Position
from replay_cli.playing.bots import Bot
from replay_cli.playing.policy.sight import Sight, Unsure

#: Acts of one option that are tried, and acts of a decision in all.
WAYS, TRIES = 6, 24
#: Decisions after which a world is weighed as it is.
FAR = 150
#: How sure a lead can be: the rest is for games that are won or lost.
SURE = 0.96


class Budget(NamedTuple):
    """How much is looked at: so many worlds for each act, played on for so many turns."""

    worlds: int = 1
    turns: int = 1


#: Enough to play sensibly, a few milliseconds a decision.
QUICK = Budget()


class Player:
    """Plays one seat from the entries that the seat may see (`follow`)."""

    def __init__(self, rules: Game, seat: int, seed: int | str, budget: Budget = QUICK) -> None:
        self.rules, self.seat, self.seed, self.budget = rules, seat, seed, budget
        self.sight = Sight(rules, seat)
        self._bot = Bot(rules.manifest, seat, seed)

    def follow(self, entries: Iterable[Entry]) -> None:
        """Follow further entries of the match."""
        self.sight.follow(entries)

    def choose(self, offer: Offer) -> Act:
        """One of the acts on offer, with its parts picked."""
        if self.rules.worth is None:
            return self._bot.choose(offer, self.sight.pos)
        acts = [*islice(self.acts(offer), TRIES)]
        if len(acts) == 1:
            return acts[0]
        worth = self.worth(acts) if acts else []
        if not worth:
            return self._bot.choose(offer, self.sight.pos)
        return acts[max(range(len(acts)), key=worth.__getitem__)]

    def worth(self, acts: Sequence[Act]) -> list[float]:
        """How good acts are, 0 to 1 each; nothing where that can't be found out."""
        totals = [0.0] * len(acts)
        for n in range(self.budget.worlds):
            seed = f"{self.seed}/{self.seat}/{self.sight.pos.decisions}/{n}"
            try:
                for at, act in enumerate(acts):
                    totals[at] += self._tried(act, seed)
            except Unsure:
                return []
        return [total / self.budget.worlds for total in totals]

    def acts(self, offer: Offer) -> Iterator[Act]:
        """Acts to try: each option that uses something up, with some ways to pick its parts."""
        for option in offer.options:
            if option.kind not in self.rules.manifest.free:
                yield from islice(self._ways(offer, option), WAYS)

    def _ways(self, offer: Offer, option: Option) -> Iterator[Act]:
        if not option.parts:
            yield option.act()
            return
        part = option.parts[0]
        if len(option.parts) == 1 and part.pool >= 0 and part.low == part.high == 1:
            yield from (option.act(((ref,),)) for ref in dict.fromkeys(offer.pools[part.pool]))
            return
        ways = (self._bot.complete(offer, option, self.sight.pos) for _ in range(WAYS))
        yield from dict.fromkeys(ways)

    def _tried(self, act: Act, seed: str) -> float:
        """What an act leads to in one world."""
        match = self.sight.world(seed)
        try:
            p = match.pos
            assert p.decision is not None
            stand, until = Stand.of(p), p.turn + self.budget.turns
            try:
                match.choose(self.seat, p.decision.n, act, p.time)
            except Refused:  # a text that the bot made up
                return 0.0
            bots = bots_of(self.rules, seed)
            for _ in range(FAR):
                p = match.pos
                if stand.ended(p) or p.decision is None or (p.turn >= until and p.decision.rest):
                    break
                step_on(match, bots)
            return self._chance(match.pos, stand)
        finally:
            match.close()

    def _chance(self, p: Position, stand: Stand) -> float:
        """What a position is worth to this seat: a game that is won counts fully."""
        if (result := stand.result(p, self.seat)) is not None:
            return result
        worth = self.rules.worth
        chance = worth.chance(self.rules.tallies, p, self.seat) if worth is not None else 0.5
        return 0.5 + SURE * (chance - 0.5)


class Stand(NamedTuple):
    """At which score of a series a game is played."""

    game: int
    score: tuple[int, ...]

    @classmethod
    def of(cls, p: Position) -> Stand:
        """That of a position."""
        return cls(p.game, (*p.score,))

    def ended(self, p: Position) -> bool:
        """Whether the game has ended by then."""
        return p.over or Stand.of(p) != self

    def result(self, p: Position, seat: int) -> float | None:
        """1 if a seat has won the game by then, 0 if it has lost; None: it goes on."""
        won = [now - then for now, then in zip(p.score, self.score, strict=True)]
        if any(won):
            return 1.0 if won[seat] > won[p.rival(seat)] else 0.0
        if p.over and p.winner >= 0:
            return float(p.winner == seat)
        return 0.5 if self.ended(p) else None


def bots_of(rules: Game, seed: str) -> list[Bot]:
    """The bots that play a world on, one a seat."""
    return [Bot(rules.manifest, seat, seed) for seat in range(rules.manifest.seats)]


def step_on(match: Match, bots: Sequence[Bot]) -> None:
    """Have a bot answer the open decision."""
    decision = match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    match.choose(seat, decision.n, bots[seat].choose(offer, match.pos), match.pos.time)
