"""Sentences for effects, attacks and damage."""

from __future__ import annotations

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import seat_of
from domain.record.values import Ref
from domain.telling import officials
from domain.telling.narration.cards import with_id
from domain.telling.narration.narrator import Lapse, Narrator, fixed, narrates, narrates_before
from domain.words.phrases import Phrase, phrase, renamed

#: What is not done where an effect that has triggered is not carried out.
TRIGGER = "trigger"


@narrates(ev.ActDeclared)
def _declared(n: Narrator, e: Entry, v: ev.ActDeclared) -> None:
    kind, card = n.act
    if kind == v.kind or (kind and card == v.source):
        joined = n.join(e, v.seat)
        joined.cite(e.cites)
        joined.link = n.names.link(v.id)
        if v.targets and "{target}" not in joined.label and "{}" not in joined.label:
            targets = n.names.refs(v.targets)
            joined.details.insert(0, lambda: phrase("on {targets}", targets=targets))
        return
    unlabelled = n.draft is not None and not n.draft.label
    draft = n.draft if unlabelled and n.draft is not None else n.open(e, v.seat)
    draft.cite(e.cites)
    draft.link = n.names.link(v.id)
    manifest = n.book.manifest
    known = v.kind in manifest.words("acts")
    draft.kind, draft.seat = "act", v.seat
    draft.label = manifest.label("acts" if known else "declarations", v.kind)
    source = v.source
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.actors.add(source)
    if isinstance(source, int) and source in draft.arrivals:  # it came to be carried out
        draft.slots["card"] = lambda: with_id(n, source)
        draft.details.remove(draft.arrivals.pop(source))
    if v.targets:
        draft.details.append(lambda: phrase("on {targets}", targets=n.names.refs(v.targets)))
    n.act = (v.kind, v.source)


@narrates(ev.FrameOpened)
def _frame(n: Narrator, e: Entry, v: ev.FrameOpened) -> None:
    """The beginning of an act that the reader may not see; its events will name it."""
    if v.kind == KIND:
        if text := officials.opening(v):
            n.line(e, -1, text, "note")
        return
    if n.act[0] and n.draft is not None:
        n.draft.frame = v.id
    if n.act[0] or n.in_effect():
        return
    seat = v.facts.get("seat")
    draft = n.open(e, seat if isinstance(seat, int) else n.pos.turn_seat, kind="act")
    draft.cites = list(e.cites[:1])
    draft.actors = {
        fact for fact in v.facts.values() if isinstance(fact, int) and fact in n.pos.cards
    }


@narrates(ev.ActResolving)
def _resolving(n: Narrator, e: Entry, v: ev.ActResolving) -> None:
    act = n.pos.pending[v.id]
    if act.kind != "triggered":
        link = n.names.link(act.id)
        if link and n.draft is not None:
            n.flush()
        draft = n.join(e, act.seat)
        draft.kind, draft.link = "effect", link
        return
    draft = n.open(e, act.seat, phrase("{card}: {effect}"), kind="effect")
    source, effect = act.source, act.effect.partition("/")[2] or act.effect
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.slots["effect"] = lambda: _effect(effect)
    draft.cites.sort(key=lambda cite: not cite.startswith("card:"))
    draft.actors = {source}


@narrates_before(ev.ActEnded)
def _act_ended(n: Narrator, e: Entry, v: ev.ActEnded) -> None:
    """Narrated before it is folded: the act is still there."""
    act = n.pos.pending.get(v.id)
    if act is None or v.outcome == "resolved":
        if n.in_effect():
            n.flush()
        return
    manifest = n.book.manifest
    reason = any(word.name == v.outcome for word in manifest.reasons)
    outcome = manifest.label("reasons" if reason else "outcomes", v.outcome)
    if v.outcome == "activated":
        return
    if act.resolving and n.in_effect():
        n.say(e, act.seat, lambda: outcome)
        n.flush()
        return
    effect = act.effect.partition("/")[2] or act.effect
    sentence = "{source}: {effect} effect {outcome}" if effect else "{source}: {outcome}"
    source = n.names.ref(act.source)
    text = phrase(sentence, source=source, effect=effect, outcome=outcome)
    if why := n.take_back(e, act.source):
        text = phrase("{text} ({why})", text=text, why=why)
    n.line(e, act.seat, text, "effect")
    if n.draft is not None:
        n.draft.link = n.names.link(v.id)  # of the act that came to nothing, not of what undid it


@narrates(ev.NotDone)
def _not_done(n: Narrator, e: Entry, v: ev.NotDone) -> None:
    why = n.book.manifest.label("reasons", v.why)
    what = renamed(n.book.manifest.label("attempts", v.what), v.what)
    if v.done:
        text = "not done: {what} ({why}, {done} of {asked})"
        n.say(e, -1, lambda: phrase(text, what=what, why=why, done=v.done, asked=v.asked))
        return
    draft = n.join(e, -1)
    draft.details.append(lambda: phrase("not done: {what} ({why})", what=what, why=why))
    if v.what == TRIGGER:
        n.lapse = Lapse(e.seq, v.ref, why, draft, draft.details[-1])


@narrates(ev.EffectScheduled)
def _scheduled(n: Narrator, e: Entry, v: ev.EffectScheduled) -> None:
    manifest, source = n.book.manifest, v.source
    what = manifest.label("declarations", v.kind) if v.kind else _effect(v.effect)
    due = manifest.label("durations", v.due)
    n.say(
        e,
        v.seat,
        lambda: phrase(
            "later ({due}): {what} of {card}", due=due, what=what, card=n.names.ref(source)
        ),
    )


@narrates_before(ev.ScheduleEnded)
def _schedule_ended(n: Narrator, e: Entry, v: ev.ScheduleEnded) -> None:
    """Narrated before it is folded: what was scheduled is still there."""
    outcome = n.book.manifest.label("outcomes", v.outcome)
    for one in (n.pos.scheduled[number] for number in v.ids if number in n.pos.scheduled):
        what = n.book.manifest.label("declarations", one.kind) if one.kind else _effect(one.effect)
        became = phrase("is due") if v.outcome == "resolved" else outcome
        source = n.names.ref(one.source)
        n.line(
            e,
            one.seat,
            phrase("{source}: {what} {became}", source=source, what=what, became=became),
            "effect",
        )


def _effect(ref: str) -> Phrase:
    name = ref.partition("/")[2] or ref
    return phrase("{effect} effect", effect=name.replace("-", " "))


@narrates(ev.AttackDeclared)
def _attack(n: Narrator, e: Entry, v: ev.AttackDeclared) -> None:
    kind, card = n.act
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
    draft.label = label if "{" in label else phrase("attacks {target} with {card}")
    draft.slots["card"] = fixed(n.names.card(attacker, apart=True))
    draft.slots["target"] = fixed(n.names.ref(target, apart=True))
    n.act = ("attack", attacker)


@narrates(ev.AttackChanged)
def _retargeted(n: Narrator, e: Entry, v: ev.AttackChanged) -> None:
    if n.act[0]:
        n.join(e, -1).cite(e.cites)
        return
    attack = n.book.manifest.label("frames", "attack")
    text = "the {attack} goes to {target}"
    n.say(e, -1, lambda: phrase(text, attack=attack, target=n.names.ref(v.target)))


@narrates(ev.DamageDealt)
def _damage(n: Narrator, e: Entry, v: ev.DamageDealt) -> None:
    if n.dealt[0] != e.moment:
        n.dealt = (e.moment, set())
    n.dealt[1].add(v.to)
    source, to = n.names.ref(v.source, apart=True), _damaged(n, v.to)
    seat = n.pos.card(v.source).controller if isinstance(v.source, int) else seat_of(v.source)
    text = phrase("{source} deals {n} damage to {to}", source=source, n=v.n, to=to)
    if n.same_moment(e) or n.in_effect():
        n.say(e, seat, lambda: text)
    else:
        n.open(e, seat, kind="event").details.append(lambda: text)


def _damaged(n: Narrator, ref: Ref) -> str:
    """The target that is hit; of a face-down card its place."""
    name = n.names.ref(ref, apart=True)
    if isinstance(ref, int) and n.book.manifest.zone(n.pos.card(ref).place).faces != "all":
        return phrase("{name} in {place}", name=name, place=n.names.place(n.pos.card(ref).place))
    return name
