"""Positions that are impossible between two moments: more cards than zones, and the like."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.kit.zones.room import Belongings, strays
from domain.games.yugioh.effects.field.places import HOLD, holding
from domain.games.yugioh.effects.field.zones import held
from domain.games.yugioh.effects.figures import FIELD, underway
from domain.games.yugioh.manifest import MANIFEST, ZONES_EACH
from domain.record.position import Position, zone_of
from domain.words.phrases import Phrase, phrase

#: The timings in which a monster that a battle has fixed as destroyed lies there still
#: (ygo:battle.d5.2, ygo:battle.d9.1).
_FIXED = frozenset({"damage/4", "damage/6", "damage/7", "damage/8", "damage/9"})


#: Tokens are on the field or nowhere (ygo:base.token.1), and nothing else has counters, or is
#: equipped (ygo:base.spell.4).
BELONGINGS = Belongings(
    tokens=FIELD,
    counters={word.name: FIELD for word in MANIFEST.counters},
    ties=FIELD,
)


def disorder(p: Position, quiet: bool) -> Iterator[Phrase]:
    """Everything against the rules; more must be true where nothing is under way (`quiet`)."""
    yield from strays(p, BELONGINGS)
    for seat in (0, 1):
        for zone in HOLD:
            n = len(holding(p, zone, seat))
            if n > ZONES_EACH:
                yield phrase("seat {seat} has {n} cards in {zone}", seat=seat, n=n, zone=zone)
            found = [held(p, number, zone) for number in holding(p, zone, seat)]
            taken = [at for at in found if at is not None]
            if len(taken) != len({*taken}):
                yield phrase("two cards of seat {seat} hold one zone", seat=seat)
        if len(p.zone("field", seat)) > 1:
            yield phrase("seat {seat} has two cards in its Field Zone", seat=seat)
        if quiet and p.zone("limbo", seat):
            yield phrase("a monster of seat {seat} is being Summoned still", seat=seat)
    yield from _staying(p)


def _staying(p: Position) -> Iterator[Phrase]:
    """Cards on their way out that no battle takes along: nothing else leaves later than at once."""
    fixing = not _FIXED.isdisjoint(underway(p)) or bool(p.why)  # or the game ended meanwhile
    if p.step == "chain/resolve" and p.attack is not None:  # its frame is closed: it leads back now
        fixing = fixing or all(frame.kind != "chain" for frame in p.frames)
    for number, card in p.cards.items():
        fixed = card.departing == "battle" and zone_of(card.place) == "monster"
        if card.departing and not (fixing and fixed):
            yield phrase(
                "card {number} is on its way out, and no battle ends with that", number=number
            )
