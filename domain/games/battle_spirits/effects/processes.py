"""Rule processing: what the rules do by themselves, at once, even in mid action (bs:10-1-2).

`settle` is called after every batch of events: it brings derived numbers up to date, ends the game
for whoever meets a condition of defeat, and lets cards with too few cores for their Lv1 disappear.
A card on its way out is in a wait state: it stays on the Field until every effect that this has set
off is carried out, and then goes where it was to go (`close_waits`), its cores to its owner's
Reserve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.figures import DISAPPEARED
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.kit.effects import processes
from domain.record.events import SeatLost
from domain.record.position import Position
from domain.record.values import Ref

SEATS = (0, 1)
#: The step in which an empty deck loses the game (reading 3).
START = "start"
#: The frame in which a card is played: what disappears in it does so by being paid with.
PLAY = "play"


def settle(t: Table) -> Play:
    """Do what is due: defeat first, then cards disappear and leave."""
    yield from processes.settle(t, TERMS, _process, first=defeat)


def _process(t: Table) -> Play:
    disappear(t)
    close_waits(t)
    return
    yield


# -- defeat ----------------------------------------------------------------------------------------


def defeat(t: Table) -> Play:
    """The game ends for whoever has no Life left, or no deck in his Start Phase (bs:10-2-1)."""
    p = t.pos
    if not p.turn:
        return
    dead = tuple(seat for seat in SEATS if not cores.count(p, cores.life(seat)))
    decked = p.step == START and not p.zone("deck", p.turn_seat) and p.turn_seat not in dead
    if not dead and not decked:
        return
    with t.at_once():
        if dead:
            t.emit(SeatLost(dead, "life"), "bs:10-2-1-1", "bs:1-3-2-1", "bs:1-3-7")
        if decked:
            cites = ("bs:10-2-1-2", "bs:1-3-2-2", "bs:1-3-8", "reading:bs/3")
            t.emit(SeatLost((p.turn_seat,), "deck out"), *cites)
    raise Over
    yield


# -- disappearing ----------------------------------------------------------------------------------


def disappear(t: Table) -> None:
    """Cards with fewer cores than their Lv1 takes enter the wait state of disappearing.

    One that waits to be destroyed or to return does so, too (bs:10-2-2-6), and goes where it was to
    go all the same (bs:4-1-6, 10-2-2-7).
    """
    p = t.pos
    gone = [n for n in _field(p) if p.cards[n].departing != DISAPPEARED
            and figures.lacking(TERMS, p, n)]  # fmt: skip
    if not gone:
        return
    with t.at_once():
        for blamed, rule, theirs in _blamed(p, gone):
            for number in theirs:
                kind = "bs:3-2-5-4" if figures.is_spirit(p, number) else "bs:3-3-3-3"
                cites = (rule, kind, "bs:5-11-1", "bs:10-2-2-1")
                t.depart([number], DISAPPEARED, blamed, _whither(p, number), *cites)


def _whither(p: Position, number: int) -> str:
    """Where a card goes that disappears: to the Trash, or where it was to go before."""
    before = p.departures.get(number)
    if p.cards[number].departing and before is not None:
        return before.to
    return f"trash/{p.cards[number].owner}"


def _blamed(p: Position, gone: Iterable[int]) -> Iterator[tuple[Ref, str, list[int]]]:
    """Who or what is to blame for cards that disappear, and by which rule.

    That is the text that has raised their Lv1 cost, the effect that is being carried out, or else
    their own player, who has moved cores or paid with them (reading 15).
    """
    found: dict[tuple[Ref, str], list[int]] = {}
    for number in gone:
        found.setdefault(_blame(p, number), []).append(number)
    yield from ((blamed, rule, theirs) for (blamed, rule), theirs in found.items())


def _blame(p: Position, number: int) -> tuple[Ref, str]:
    raised = figures.raised_by(TERMS, p, number)
    if raised is not None:
        return raised, "bs:10-2-2-9"
    resolving = [act for act in p.pending.values() if act.resolving]
    if resolving and p.frames[-1].kind != PLAY:
        return resolving[-1].source, "bs:10-2-2-8"
    return f"seat/{p.cards[number].controller}", "bs:10-2-2-10"


# -- leaving ---------------------------------------------------------------------------------------


def close_waits(t: Table) -> None:
    """Cards leave whose wait state has set nothing off that is still to be carried out.

    Their cores go to their owners' Reserves (bs:10-2-2-5, reading 25).
    """
    p = t.pos
    for number in [n for n in _field(p) if p.cards[n].departing and not _waits(p, n)]:
        going = p.departures[number]
        t.move([number], going.to, going.cause, "bs:10-2-2-5", "bs:4-1-4")


def _waits(p: Position, number: int) -> bool:
    """Whether an effect that this leaving has set off is not over yet."""
    seq = p.departures[number].seq
    return any(act.cause == seq for act in p.pending.values())


def _field(p: Position) -> list[int]:
    first = max(p.turn_seat, 0)
    return [number for seat in (first, 1 - first) for number in p.zone("field", seat)]
