"""Whether an instruction can be done completely, checked in advance.

A text that *must* be done wholly or not at all (`join = "must"`) asks for that. It checks in
advance that the cards are there and can be affected, and the game's further needs (`Texts.enough`);
prohibitions and replacements by other texts show only when it is done.
"""

from __future__ import annotations

from domain.effects.language.vocabulary import Clause
from domain.effects.select import Running, Terms, Texts
from domain.engine.table import Table


def seats_of(t: Table, run: Running, c: Clause) -> list[int]:
    """Whom a clause about players concerns; both at one moment, the turn player first."""
    p = t.pos
    if c.key == "both":
        return [p.turn_seat, p.rival(p.turn_seat)]
    if c.key == "its":
        return list(dict.fromkeys(p.card(number).controller for number in run.it))
    return [p.rival(run.seat) if c.key == "opponent" else run.seat]


def doable(
    t: Table, terms: Terms, run: Running, clause: Clause, numbers: list[int], asked: int
) -> bool:
    """Whether all that a clause asks for can be done now, to those cards if it is done to any."""
    p = t.pos
    if clause.of_zone:
        zone, n = clause.place or clause.of_zone, run.amount(clause)
        there = [len(terms.lying(p, terms.place(zone, seat))) for seat in seats_of(t, run, clause)]
        endless = clause.do == "draw" and "draw on" in terms.words
        return n > 0 and bool(there) and (endless or min(there) >= n)
    texts: Texts = t.game.texts
    enough = texts.enough.get(clause.do)
    if enough is not None and not enough(p, run, clause, numbers):
        return False
    if not asked:
        return run.amount(clause) > 0
    if len(numbers) < asked:
        return False
    return all(
        terms.permits(p, run, clause, number) and not clause.done_already(t, terms, number)
        for number in numbers
    )


def lies_there(t: Table, terms: Terms, clause: Clause, number: int) -> bool:
    """Whether a card lies where it is to go already, in the open and in no order that matters."""
    card = t.pos.cards[number]
    dst = terms.place(clause.place, card.owner)
    zone = t.manifest.zone(dst)
    return card.place == dst and zone.faces == "all" and not (zone.ordered or clause.orient)
