"""Records for the tests of the service: matches of the toy game, played at random from a seed."""

from __future__ import annotations

from random import Random

from domain.decisions import Act
from domain.events import Entry
from domain.match import Deck, Match, Opening
from service.dice import Dice
from tests.toy import TOY

AT = 1_700_000_000_000


def toy_match(turns: int = 6, seed: int = 1, labels: dict[str, str] | None = None) -> Match:
    """A toy match at its first decision."""
    decks = tuple(Deck(name, TOY.decks[name]) for name in ("ones", "tens"))
    opening = Opening(("Ann", "Ben"), decks, AT, labels=labels or {}, options={"turns": turns})
    return Match.open(TOY, opening, Dice(seed))


def toy_commands(turns: int = 6, seed: int = 1, most: int = 100_000) -> list[list[Entry]]:
    """The entries of a toy match, command by command."""
    match, rng = toy_match(turns, seed), Random(seed)
    found = [match.collect()]
    while not match.pos.over and len(found) <= most:
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        option = rng.choice(offer.options)
        now = match.pos.time + rng.randrange(100, 9000)
        match.choose(seat, decision.n, Act(option.kind, option.card), now, f"t{decision.n}")
        found.append(match.collect())
    return found


def toy_log(turns: int = 6, seed: int = 1) -> list[Entry]:
    """The entries of a toy match."""
    return [entry for command in toy_commands(turns, seed) for entry in command]
