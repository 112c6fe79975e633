"""Folding numbers, effects and combat: counters, modifiers, marks, what waits, the attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Attack, Frame, Modifier, Pending, Position, Scheduled
from domain.record.values import Value

# -- numbers ----------------------------------------------------------------------------------


def _counters_moved(p: Position, e: Entry, v: ev.CountersMoved) -> None:
    for holder, n in ((v.src, -v.n), (v.dst, v.n)):
        if holder == "":
            continue
        if isinstance(holder, int):
            card = p.cards[holder]
            table = card.counters = card.counters or {}
        else:
            table = _table_of(p.holders, holder)
        left = table.get(v.kind, 0) + n
        if left:
            table[v.kind] = left
        else:
            table.pop(v.kind, None)


def _modifier_began(p: Position, e: Entry, v: ev.ModifierBegan) -> None:
    text = next((cite for cite in e.cites if cite.startswith("card:")), "")
    p.modifiers[v.id] = Modifier(v.source, list(v.targets), v.change, v.until, v.scope, text)
    p.next_modifier = v.id + 1


def _modifier_ended(p: Position, e: Entry, v: ev.ModifierEnded) -> None:
    for key in v.ids:
        p.modifiers.pop(key, None)


def _stats_set(p: Position, e: Entry, v: ev.StatsSet) -> None:
    for subject, key, value in v.stats.value or ():
        if isinstance(subject, int):
            card = p.cards[subject]
            card.stats = card.stats or {}
            _set_or_drop(card.stats, key, value)
        else:
            _set_or_drop(_table_of(p.stats, subject), key, value)


def _marked(p: Position, e: Entry, v: ev.Marked) -> None:
    if isinstance(v.subject, int):
        card = p.card(v.subject)
        card.marks = card.marks or {}
        _set_or_drop(card.marks, v.key, v.value)
    else:
        _set_or_drop(_table_of(p.marks, v.subject), v.key, v.value)


def _set_or_drop(table: dict[str, Value], key: str, value: Value) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _table_of(tables: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    return tables.setdefault(name, {})


# -- effects ----------------------------------------------------------------------------------


def _effect_triggered(p: Position, e: Entry, v: ev.EffectTriggered) -> None:
    p.pending[v.id] = Pending(
        v.id, "triggered", v.effect, v.source, v.seat, v.cause, v.group or e.moment, v.optional,
        moment=e.moment, about=v.about,
    )  # fmt: skip
    p.next_act = v.id + 1


def _act_declared(p: Position, e: Entry, v: ev.ActDeclared) -> None:
    p.pending[v.id] = Pending(
        v.id, v.kind, v.effect, v.source, v.seat, e.seq, e.moment,
        targets=v.targets, x=v.x, speed=v.speed, mode=v.mode,
    )  # fmt: skip
    p.next_act = v.id + 1


def _act_resolving(p: Position, e: Entry, v: ev.ActResolving) -> None:
    act = p.pending[v.id]
    act.resolving = True
    p.frames.append(Frame(v.frame, "act", p.frame, act.cause, {"act": v.id}))
    p.next_frame = v.frame + 1


def _act_ended(p: Position, e: Entry, v: ev.ActEnded) -> None:
    p.pending.pop(v.id, None)
    p.frames = [frame for frame in p.frames if frame.facts.get("act") != v.id]


def _effect_scheduled(p: Position, e: Entry, v: ev.EffectScheduled) -> None:
    p.scheduled[v.id] = Scheduled(
        v.kind, v.effect, v.source, v.seat, v.due, v.turn, v.whose, v.targets, v.x, e.seq
    )
    p.next_act = v.id + 1


def _schedule_ended(p: Position, e: Entry, v: ev.ScheduleEnded) -> None:
    for number in v.ids:
        p.scheduled.pop(number, None)


# -- combat -----------------------------------------------------------------------------------


def _attack_declared(p: Position, e: Entry, v: ev.AttackDeclared) -> None:
    p.attack = Attack(v.attacker, v.target, v.target)


def _attack_changed(p: Position, e: Entry, v: ev.AttackChanged) -> None:
    if p.attack is not None:
        p.attack.target, p.attack.defender = v.target, v.defender


def _attack_ended(p: Position, e: Entry, v: ev.AttackEnded) -> None:
    p.attack = None


#: How each event changes a position.
APPLY: dict[type, Callable[..., None]] = {
    ev.CountersMoved: _counters_moved,
    ev.ModifierBegan: _modifier_began,
    ev.ModifierEnded: _modifier_ended,
    ev.StatsSet: _stats_set,
    ev.Marked: _marked,
    ev.EffectTriggered: _effect_triggered,
    ev.ActDeclared: _act_declared,
    ev.ActResolving: _act_resolving,
    ev.ActEnded: _act_ended,
    ev.EffectScheduled: _effect_scheduled,
    ev.ScheduleEnded: _schedule_ended,
    ev.AttackDeclared: _attack_declared,
    ev.AttackChanged: _attack_changed,
    ev.AttackEnded: _attack_ended,
}
