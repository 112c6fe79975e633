"""Positions that are impossible in this game between two moments.

That is several world sets of a player, and cards that the rules would have taken away by
themselves. Cards that are nowhere are for `domain.engine.checks.invariants`; what sees to them is
in `play` and `effects.processes`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.signals import unknown
from domain.games.hollow_flux.choices.play import WORLDS
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.processes import DYING, lethal
from domain.games.kit.zones.room import Belongings, strays, surplus
from domain.record.decisions import Act
from domain.record.position import Position
from domain.words.phrases import Phrase, phrase

#: Characters alone are damaged; there are no tokens.
BELONGINGS = Belongings(counters={"damage": ("battlefield",)}, ties=("battlefield",))


def disorder(p: Position, quiet: bool) -> Iterator[Phrase]:
    """Everything against the rules; more must be true where nothing is under way (`quiet`)."""
    yield from strays(p, BELONGINGS)
    on_field = [n for n in p.zone("battlefield") if not unknown(p, n)]
    for seat in (0, 1):
        yield from surplus(p, seat, (WORLDS,))
    markers = sum(held.get("marker", 0) for held in p.holders.values())
    if markers > 1:
        yield phrase("there are {markers} markers", markers=markers)  # hf:setup.marker.1
    if not quiet:
        return
    for number in p.zone("limbo"):
        yield phrase("card {number} was played, and nothing is carried out", number=number)
    for number in on_field:
        kind = figures.facts(p, number).type
        if kind == "character" and lethal(p, number) and not DYING.survives(p, number):
            yield phrase(
                "character {number} is to be destroyed ({lethal}) and stays",
                number=number,
                lethal=lethal(p, number),
            )
        if kind == "set":  # hf:card.set.6
            yield phrase("set card {number} lies without a host", number=number)


def untenable(p: Position, act: Act) -> str:
    """Why a fight is impossible, even by an official: characters attack players and cards."""
    card = act.card if act.kind in ("attack", "defend") else 0
    if isinstance(card, int) and card and not figures.is_character(p, card):
        return phrase("only a character on the battlefield fights")
    targets = act.picks[0] if act.kind == "attack" and act.picks else ()
    seats = {f"seat/{seat}" for seat in range(len(p.heading.seats))}
    strange = [ref for ref in targets if isinstance(ref, str) and ref not in seats]
    return phrase("{strange!r} can't be attacked", strange=strange[0]) if strange else ""
