"""Rule processing: what the rules do by themselves, at once, even in mid action (bs:10-1-2).

`settle` is called after every batch of events: it brings derived numbers up to date, ends the game
for a player who meets a condition of defeat, lets cards with too few cores for their Lv1 disappear,
and moves those whose wait state is over (`departing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from domain.effects.constant.calculator import counting
from domain.effects.instructions.replacement import REPLACEMENT, unreplaced
from domain.engine import series
from domain.engine.series import Loss
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores, departing, figures
from domain.games.battle_spirits.effects.departing import Going, close
from domain.games.battle_spirits.effects.figures import DISAPPEARED
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.kit.effects import processes
from domain.games.kit.effects.processes import SPARED
from domain.record.position import Position, seat_of
from domain.record.values import Ref

SEATS = {"seat/0": 0, "seat/1": 1}
#: The step in which an empty deck loses the game (reading:bs/3).
START = "start"
#: The frame in which a card is played: what disappears in it does so by being paid with.
PLAY = "play"


def settle(t: Table) -> Play:
    """Do what is due: defeat first, then cards disappear and leave."""
    yield from processes.settle(t, TERMS, _process, first=defeat)


def _process(t: Table) -> Play:
    yield from disappear(t)
    close(t)


# -- defeat ----------------------------------------------------------------------------------------


def defeat(t: Table) -> Play:
    """The game ends for a player without Life, or without a deck in his Start Phase (bs:10-2-1).

    For one for whom something was done instead it ends when that was of no use.
    """
    p = t.pos
    if not p.turn:
        return
    met = {seat: why for seat, n in SEATS.items() if (why := _beaten(p, n))}
    for seat in SEATS:
        if seat not in met and p.mark(seat, SPARED):
            t.mark(seat, SPARED, None, "bs:10-2-1")
    if not met:
        return
    lost = {seat: why for seat, why in met.items() if not _being_saved(p, seat)}
    if not lost:
        return
    free = [seat for seat in lost if not p.mark(seat, SPARED)]
    left = (yield from unreplaced(t, TERMS, "lost", free, partial(_spare, t))) if free else []
    lost = {seat: why for seat, why in lost.items() if seat in left or seat not in free}
    if lost:
        series.defeat(t, *_losses(lost))


def _beaten(p: Position, seat: int) -> str:
    """Why a player has lost as it stands; empty if he has not."""
    if not cores.count(p, cores.life(seat)):
        return "life"
    return (
        "deck out" if p.step == START and p.turn_seat == seat and not p.zone("deck", seat) else ""
    )


def _being_saved(p: Position, seat: str) -> bool:
    """Whether something is being done in the place of a player's defeat."""
    return any(act.kind == REPLACEMENT and seat in act.targets for act in p.pending.values())


def _spare(t: Table, seat: Ref) -> None:
    t.mark(seat, SPARED, True, "bs:9-1-8-1")


#: The rules by which a player loses, by why.
_LOSES = {
    "life": ("bs:10-2-1-1", "bs:1-3-2-1", "bs:1-3-7"),
    "deck out": ("bs:10-2-1-2", "bs:1-3-2-2", "bs:1-3-8", "reading:bs/3"),
}


def _losses(lost: Mapping[str, str]) -> Iterator[Loss]:
    for why, cites in _LOSES.items():
        yield Loss(tuple(seat_of(seat) for seat, its in lost.items() if its == why), why, cites)


# -- disappearing ----------------------------------------------------------------------------------


def disappear(t: Table) -> Play:
    """Cards with fewer cores than their Lv1 takes enter the wait state of disappearing.

    One that waits to be destroyed or to return does so, too (bs:10-2-2-6), and goes where it was to
    go all the same (bs:4-1-6, 10-2-2-7). For one that has stayed since something was done instead
    nothing is done again.
    """
    p = t.pos
    if not t.due.changed:
        return
    field, among = _field(p), [one for one in counting(p) if one.change.key == "lv1"]
    short = [n for n in field if figures.lacking(TERMS, p, n, among)]
    for number in (n for n in field if p.cards[n].marks and n not in short):
        t.mark(number, SPARED, None, "bs:2-8-3")
    gone = [n for n in short if not _disappeared(p, n)]
    if not gone:
        return
    left = yield from departing.depart(t, [_going(p, number) for number in gone])
    for number in gone:
        if number not in left and p.present(number) and not p.cards[number].departing:
            t.mark(number, SPARED, True, "bs:9-1-8-1")


def _disappeared(p: Position, number: int) -> bool:
    """Whether a card is on its way out since it has too few cores, or has been."""
    card = p.cards[number]
    return card.departing == DISAPPEARED or bool(p.mark(number, departing.HAS_DISAPPEARED))


def _going(p: Position, number: int) -> Going:
    by, rule = _blame(p, number)
    kind = "bs:3-2-5-4" if figures.is_spirit(p, number) else "bs:3-3-3-3"
    to = departing.whither(p, number, "trash")
    return Going(number, to, DISAPPEARED, by, (rule, kind), final=bool(p.mark(number, SPARED)))


def _blame(p: Position, number: int) -> tuple[Ref, str]:
    raised = figures.raised_by(TERMS, p, number)
    if raised is not None:
        return raised, "bs:10-2-2-9"
    resolving = [act for act in p.pending.values() if act.resolving]
    if resolving and p.frames[-1].kind != PLAY:
        return resolving[-1].source, "bs:10-2-2-8"
    return f"seat/{p.cards[number].controller}", "bs:10-2-2-10"


def _field(p: Position) -> list[int]:
    return [number for seat in p.seats() for number in p.zone("field", seat)]
