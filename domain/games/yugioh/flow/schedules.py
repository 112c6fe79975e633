"""Effects scheduled for a time, done then without a chain (ygo:order.phase.2).

It waits on the match, not on its card: that may be gone by then (ygo:effect.oath.1). In a phase
players say in which order (`gathering`); at the end of a battle, of the Battle Phase or of the turn
it is done at once, with what lasts until then (`run_out`).
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.instructions.lasting import LAPSE
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import later
from domain.games.yugioh.effects.field.places import alone, free, hold, leave, make_way, room, send
from domain.games.yugioh.effects.figures import BACK
from domain.games.yugioh.effects.instructions import lacking, take_control
from domain.games.yugioh.effects.summons.revival import followed
from domain.games.yugioh.effects.texts import TERMS, follow_up
from domain.record import events as ev
from domain.record.position import Card, Position, Scheduled, seat_of, zone_of

#: The phases in which something may come due, by the step that is their window.
WHEN = {"standby/close": "standby", "end/close": "end"}


def due(p: Position) -> list[tuple[int, Scheduled]]:
    """The effects due in the present phase, oldest first."""
    when = WHEN.get(p.step)
    return [one for one in p.due(when) if not _idle(p, one[1])] if when is not None else []


def come_due(t: Table) -> Play:
    """Triggered effects that were scheduled for the phase trigger; then they wait with the rest."""
    for number, job in due(t.pos):
        if not job.kind and TERMS.effect(t.pos, job.effect).kind == "triggered":
            yield from do_scheduled(t, number, job)


def _idle(p: Position, job: Scheduled) -> bool:
    """Whether it would end an effect that is over already."""
    return job.kind == LAPSE and job.x not in p.modifiers


def run_out(t: Table, when: str, *cites: str) -> Play:
    """End effects that last until this time, and do those scheduled for it; whether any were."""
    p, ran = t.pos, False
    while True:
        ended = t.expire(when, *cites)
        jobs = [*p.due(when)]
        for number, job in sorted(jobs, key=lambda one: one[1].seat != p.turn_seat):
            if number in p.scheduled:
                yield from do_scheduled(t, number, job, *cites, "ygo:effect.oath.1")
        yield from follow_up(t)
        if not ended and not jobs:
            return ran
        ran = True


def drop_idle(t: Table, *cites: str) -> None:
    """Drop the scheduled end of an effect that is over already."""
    t.lift([number for number, job in t.pos.scheduled.items() if _idle(t.pos, job)], *cites)


ORDERED = ("ygo:order.phase.2", "ygo:effect.oath.1")


def do_scheduled(t: Table, number: int, job: Scheduled, *cites: str) -> Play:
    """Something that was scheduled comes due."""
    cites = cites or ORDERED
    t.emit(ev.ScheduleEnded((number,), "resolved"), *cites, f"card:{job.effect}")
    yield from later.carry_out(t, TERMS, job, _back, _give, *cites)
    yield from TERMS.settle(t)


def _back(t: Table, number: int, was: Card, job: Scheduled) -> Play:
    """A card comes back to where, and how, it lay: no Summon (ygo:card.dimensionhole.1).

    That is on the side of who controlled it then, whosever it is (reading:ygo/A30). What has gone
    in the midst of its Summon was nowhere yet that it could come back to (ygo:summon.steps.5).
    """
    zone, seat = zone_of(was.place), seat_of(was.place)
    text = f"card:{job.effect}"
    if zone == "limbo":
        t.not_done("move", number, "impossible", "ygo:summon.steps.5", text, asked=1)
        return
    if zone in ("monster", "spell") and not room(t.pos, zone, seat):
        t.not_done("move", number, "impossible", "ygo:base.zone.1", text, asked=1)
        send(t, [number], "grave", "effect", "ygo:base.zone.1", text)
        return
    rules = ("ygo:effect.oath.1", *(("reading:ygo/A30",) if seat != was.owner else ()), text)
    with followed(t, [number], zone):
        if zone == "field":
            make_way(t, seat)
        (now,) = t.move([number], was.place, "return", *rules, orient=was.orient, up=was.up)
        if zone == "monster":
            t.mark(now, BACK, True, *rules)
        if zone in ("monster", "spell"):
            slot = was.marks.get("zone")
            open_ = isinstance(slot, int) and slot in free(t.pos, zone, seat, now)
            hold(t, now, zone, slot if open_ and isinstance(slot, int) else 0)
        if zone == "field" and was.up:
            alone(t, seat)
    return
    yield


def _give(t: Table, numbers: Sequence[int], seat: int, job: Scheduled) -> Play:
    """Control goes back to who had it (ygo:card.brain-control.1).

    A monster that he has no zone for can stay with neither: it is destroyed by rule.
    """
    text = f"card:{job.effect}"
    take_control(t, numbers, seat, text)
    away = [number for number in numbers if t.pos.cards[number].controller != seat]
    crowded = [number for number in away if lacking(t.pos, number, seat)]
    if crowded:
        for number in crowded:
            t.not_done("control", number, "impossible", "ygo:base.zone.1", text, asked=1)
        leave(t, crowded, "grave", "rule", "ygo:base.zone.1", "ygo:base.destroy.1", text)
    return
    yield
