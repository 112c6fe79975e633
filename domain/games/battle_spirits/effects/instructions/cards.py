"""Instructions on cards: destroy, return, move, look, bring in.

A card that is destroyed, or leaves the Field for the hand or the deck, waits there first
(`effects.departing`); any other way off it is taken at once. What is brought in is placed with
cores as in a play (`choices.by_text`).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from domain.effects.foresight.doable import lies_there, seats_of
from domain.effects.instructions import players
from domain.effects.instructions.cards import Move
from domain.effects.instructions.doing import already, arrange, cited, short
from domain.effects.instructions.replacement import replacing, unreplaced
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms
from domain.engine import series
from domain.engine.series import Loss
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices.by_text import Way, bring
from domain.games.battle_spirits.effects import cores, departing, figures
from domain.games.battle_spirits.effects.departing import DECK, DESTROYED, HAND, Going
from domain.games.battle_spirits.lists.instructions import Look, Summon
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import EVERYONE, Ref

RULE = "bs:9-3-1-4"
#: Where a card on the Field returns to, through a wait state.
_RETURNS = {"hand": HAND, "deck": DECK}
#: Whence a card that goes to the Trash is discarded (bs:5-13-1).
_DISCARDED = ("hand", "deck")


def destroy(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards are destroyed, at one moment."""
    cites = (RULE, run.text)
    going = [Going(number, "trash", DESTROYED, run.this, cites) for number in numbers]
    left = yield from departing.depart(t, going)
    return Done(len(numbers), len(left))


def move(c: Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners; from the Field to hand or deck they return."""
    p = t.pos
    back = [n for n in numbers if c.place in _RETURNS and figures.on_field(p, n)]
    rest = [n for n in numbers if n not in back]
    done = NOTHING
    if back:
        done = yield from _return(c, t, terms, run, back)
    if rest:
        some: Done = yield from _elsewhere(c, t, terms, run, rest)
        done = done.and_(some)
    return done


def _return(c: Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards return: several to one deck in the order that the effect's player wants (bs:4-1-5)."""
    p, cites = t.pos, cited(terms, run, "move")
    ordered: list[int] = []
    for owner in dict.fromkeys(p.cards[number].owner for number in numbers):
        theirs = [number for number in numbers if p.cards[number].owner == owner]
        if c.place == "deck" and len(theirs) > 1:
            theirs = yield from arrange(t, terms, run, run.seat, theirs, f"deck/{owner}")
        ordered += theirs
    going = [Going(n, c.place, _RETURNS[c.place], run.this, cites) for n in ordered]
    left = yield from departing.depart(t, going, bottom=c.at == "bottom")
    return Done(len(numbers), len(left))


def _elsewhere(c: Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards that are moved at once: those of hand or deck that go to the Trash are discarded."""
    if c.reveal and _from(t.pos, numbers, ("hand",)):
        shown = t.reveal(numbers, "reveal", *cited(terms, run, "move"))
        now = dict(zip(numbers, shown, strict=True))
        run.it = [now.get(number, number) for number in run.it]
        numbers, c = shown, replace(c, reveal=False)
    if c.place != "trash" or not _from(t.pos, numbers, _DISCARDED):
        return (yield from Move.carry_out(c, t, terms, run, numbers))
    going = [number for number in numbers if not lies_there(t, terms, c, number)]
    cites = cited(terms, run, "discard")
    owners = {number: t.pos.cards[number].owner for number in going}
    with t.at_once():
        for owner in dict.fromkeys(owners.values()):
            theirs = [number for number in going if owners[number] == owner]
            t.move(theirs, f"trash/{owner}", "discard", *cites)
    run.looked = [number for number in run.looked if number not in going]
    return already(t, terms, run, c, numbers, len(going))


def _from(p: Position, numbers: Iterable[int], zones: Iterable[str]) -> bool:
    return all(zone_of(p.cards[number].place) in zones for number in numbers)


def look(c: Look, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The topmost cards of the deck are looked at, by their player or, revealed, by all."""
    if not c.reveal:
        return (yield from players.LookAtDeck.carry_out(c, t, terms, run, numbers))
    place, n = terms.place("deck", run.seat), run.amount(c)
    run.looked = t.top(place, n)
    if len(run.looked) < max(n, 1):
        short(t, terms, run, c, place, n, len(run.looked))
    t.show(run.looked[::-1], EVERYONE, "reveal", *cited(terms, run, "look"))
    return Done(n, len(run.looked))


def deploy(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Spirit cards are summoned and Nexus cards deployed, without paying their cost."""
    return (yield from _bring(t, run, c, numbers, Way(run.seat)))


def summon(c: Summon, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The same, and their cost is paid; with cores of the Reserve alone where the text says so."""
    among = (cores.reserve(run.seat),) if c.source else None
    return (yield from _bring(t, run, c, numbers, Way(run.seat, pays=True, among=among)))


def _bring(t: Table, run: Running, c: Clause, numbers: list[int], way: Way) -> Play:
    """Bring cards in, at one moment: the card itself where the text names none."""
    named = c.to is not None or c.choose is not None
    coming = numbers if named else run.itself(t.pos)
    done = yield from bring(t, way, coming, RULE, run.text)
    run.looked = [number for number in run.looked if t.pos.present(number)]
    return Done(len(coming) or 1, done)


def defeat(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Players lose by what the text says, at once (bs:1-3-6), unless something is done instead."""
    seats: list[Ref] = [f"seat/{seat}" for seat in seats_of(t, run, c)]
    left = seats if replacing(t.pos) else (yield from unreplaced(t, terms, "lost", seats))
    if left:
        series.defeat(t, Loss(tuple(map(seat_of, left)), "text", ("bs:1-3-6", run.text)))
    return Done(len(seats), 0)
