"""Sentences for effects, attacks and damage."""

from __future__ import annotations

from functools import partial

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import seat_of
from domain.record.values import Ref
from replay_cli.drawing import officials
from replay_cli.drawing.telling.cards import with_id
from replay_cli.drawing.telling.narrator import Narrator, foretells, tells


@tells(ev.ActDeclared)
def _declared(n: Narrator, e: Entry, v: ev.ActDeclared) -> None:
    kind, _ = n.told
    if kind == v.kind:
        n.join(e, v.seat).cite(e.cites)
        return
    told = n.draft is not None and not n.draft.label
    draft = n.draft if told and n.draft is not None else n.open(e, v.seat)
    draft.cite(e.cites)
    draft.kind, draft.seat, draft.label = "act", v.seat, n.book.manifest.label("acts", v.kind)
    source = v.source
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.actors.add(source)
    if isinstance(source, int) and source in draft.arrivals:  # it came to be carried out
        draft.slots["card"] = lambda: with_id(n, source)
        draft.details.remove(draft.arrivals.pop(source))
    if v.targets:
        draft.details.append(lambda: f"on {n.names.refs(v.targets)}")
    n.told = (v.kind, v.source)


@tells(ev.FrameOpened)
def _frame(n: Narrator, e: Entry, v: ev.FrameOpened) -> None:
    """What somebody began by an answer that the reader may not see; its events will name it."""
    if v.kind == KIND:
        if text := officials.opening(v):
            n.line(e, -1, text, "note")
        return
    if n.told[0] and n.draft is not None:
        n.draft.frame = v.id
    if n.told[0] or n.in_effect():
        return
    seat = v.facts.get("seat")
    draft = n.open(e, seat if isinstance(seat, int) else n.pos.turn_seat, kind="act")
    draft.cites = list(e.cites[:1])
    draft.actors = {
        fact for fact in v.facts.values() if isinstance(fact, int) and fact in n.pos.cards
    }


@tells(ev.ActResolving)
def _resolving(n: Narrator, e: Entry, v: ev.ActResolving) -> None:
    act = n.pos.pending[v.id]
    if act.kind != "triggered":
        n.join(e, act.seat)
        if n.draft is not None:
            n.draft.kind = "effect"
        return
    draft = n.open(e, act.seat, "{card}: {effect}", kind="effect")
    source, effect = act.source, act.effect.partition("/")[2] or act.effect
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.slots["effect"] = lambda: f"{effect.replace('-', ' ')} effect"
    draft.cites.sort(key=lambda cite: not cite.startswith("card:"))
    draft.actors = {source}


@foretells(ev.ActEnded)
def _act_ended(n: Narrator, e: Entry, v: ev.ActEnded) -> None:
    """Told before it is folded: the act is still there."""
    act = n.pos.pending.get(v.id)
    if act is None or v.outcome == "resolved":
        if n.in_effect():
            n.flush()
        return
    outcome = n.book.manifest.label("reasons", v.outcome)
    if act.resolving and n.in_effect():
        n.say(e, act.seat, lambda: outcome)
        n.flush()
        return
    effect = act.effect.partition("/")[2] or act.effect
    source = n.names.ref(act.source)
    n.line(e, act.seat, f"{source}: {effect} effect {outcome}", "effect")


@tells(ev.NotDone)
def _not_done(n: Narrator, e: Entry, v: ev.NotDone) -> None:
    why = n.book.manifest.label("reasons", v.why)
    some = f", {v.done} of {v.asked}" if v.done else ""
    n.say(e, -1, lambda: f"not done: {v.what} ({why}{some})")


@tells(ev.EffectScheduled)
def _scheduled(n: Narrator, e: Entry, v: ev.EffectScheduled) -> None:
    manifest, source = n.book.manifest, v.source
    what = manifest.label("declarations", v.kind) if v.kind else _effect(v.effect)
    due = manifest.label("durations", v.due)
    n.say(e, v.seat, lambda: f"later ({due}): {what} of {n.names.ref(source)}")


@foretells(ev.ScheduleEnded)
def _schedule_ended(n: Narrator, e: Entry, v: ev.ScheduleEnded) -> None:
    """Told before it is folded: what was scheduled is still there."""
    outcome = n.book.manifest.label("outcomes", v.outcome)
    for one in (n.pos.scheduled[number] for number in v.ids if number in n.pos.scheduled):
        what = n.book.manifest.label("declarations", one.kind) if one.kind else _effect(one.effect)
        told = "is due" if v.outcome == "resolved" else outcome
        source = n.names.ref(one.source)
        n.line(e, one.seat, f"{source}: {what} {told}", "effect")


def _effect(ref: str) -> str:
    name = ref.partition("/")[2] or ref
    return f"{name.replace('-', ' ')} effect"


@tells(ev.AttackDeclared)
def _attack(n: Narrator, e: Entry, v: ev.AttackDeclared) -> None:
    kind, card = n.told
    if kind and card == v.attacker:
        n.join(e, -1).cite(e.cites)
        return
    manifest = n.book.manifest
    label = manifest.label("acts", "attack")
    attacker, target = v.attacker, v.target
    seat = n.pos.card(attacker).controller
    opened = n.draft is not None and not n.draft.label and not n.draft.details
    draft = n.draft if opened and n.draft is not None else n.open(e, seat)
    draft.cite(e.cites)
    draft.kind, draft.seat = "act", seat
    draft.actors.add(attacker)
    draft.label = label if "{" in label else "attacks {target} with {card}"
    draft.slots["card"] = partial(str, n.names.card(attacker, apart=True))
    draft.slots["target"] = partial(str, n.names.ref(target, apart=True))
    n.told = ("attack", attacker)


@tells(ev.AttackChanged)
def _retargeted(n: Narrator, e: Entry, v: ev.AttackChanged) -> None:
    if n.told[0]:
        n.join(e, -1).cite(e.cites)
        return
    n.say(e, -1, lambda: f"the attack goes to {n.names.ref(v.target)}")


@tells(ev.DamageDealt)
def _damage(n: Narrator, e: Entry, v: ev.DamageDealt) -> None:
    if n.dealt[0] != e.moment:
        n.dealt = (e.moment, set())
    n.dealt[1].add(v.to)
    source, to = n.names.ref(v.source, apart=True), _victim(n, v.to)
    seat = n.pos.card(v.source).controller if isinstance(v.source, int) else seat_of(v.source)
    text = f"{source} deals {v.n} damage to {to}"
    if n.same_moment(e) or n.in_effect():
        n.say(e, seat, lambda: text)
    else:
        n.open(e, seat, kind="event").details.append(lambda: text)


def _victim(n: Narrator, ref: Ref) -> str:
    """What is hit; of a card that lies face down it is said where."""
    name = n.names.ref(ref, apart=True)
    if isinstance(ref, int) and n.book.manifest.zone(n.pos.card(ref).place).faces != "all":
        return f"{name} in {n.names.place(n.pos.card(ref).place)}"
    return name
