"""The chain of causes from an entry back to the choice or the chance that began it.

An entry's frame says what was going on, and the frame's cause what had set that off; a trigger
names its cause itself; for a destroyed card the damage is searched. Pure functions over a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

from domain.record import events as ev
from domain.record.entries import Entry, name_of
from domain.record.position import seat_of
from domain.record.schema.manifest import Manifest
from domain.record.values import Fact, Ref
from domain.telling.book import Book
from domain.telling.names import Names, player, players
from domain.telling.narration import Narrator
from domain.telling.record import Record
from domain.words.phrases import Phrase, joined, labelled, phrase, renamed

#: A chain is no longer than this.
LONGEST = 60


class Cause(Struct, frozen=True):
    """A link of the chain: an entry in words, and how the one before it followed from it."""

    entry: Entry
    name: str
    link: str
    text: str
    turn: int
    step: str

    @property
    def linked_text(self) -> str:
        """The entry, and how it is linked."""
        return labelled(self.link, self.text) if self.link else self.text


def causes(record: Record, book: Book, seq: int) -> list[Cause]:
    """The chain of causes of an entry, the entry first; raises `NoSuchPoint` if there is none.

    What was abandoned is explained by the line that it lay on.
    """
    found: list[Cause] = []
    entry, link = record.entry(seq), ""
    record, _ = record.lying(seq)
    while len(found) < LONGEST:
        at = record.index(entry.seq) - 1
        pos = record.position(at)
        step = book.manifest.label("steps", pos.step) or phrase("before the game")
        text = describe(record, book, entry.seq)
        found.append(Cause(entry, name_of(entry.event), link, text, pos.turn, step))
        before = _before(record, at) if entry is record.line[at] else None
        if before is None:
            return found
        link, entry = before[0], record.entry(before[1])
    return found


def _before(record: Record, at: int) -> tuple[str, int] | None:
    """The entry that an entry followed from, and how."""
    entry = record.line[at]
    if entry.input:
        return None
    match entry.event:
        case ev.EffectTriggered(cause=cause) | ev.FrameOpened(cause=cause) if cause:
            return phrase("set off by"), cause
        case ev.ActResolving(id=act) | ev.ActEnded(id=act):
            return _act(record, at, act)
        case ev.CardsMoved(was=was) if was.value:
            if blow := _damage_before(record, at, set(was.value)):
                return phrase("because of"), blow
        case ev.SeatLost(seats=seats):
            if blow := _damage_before(record, at, {f"seat/{seat}" for seat in seats}):
                return phrase("because of"), blow
        case ev.CountersMoved(dst=dst) if record.line[at - 1].moment == entry.moment:
            before = record.line[at - 1]
            if isinstance(before.event, ev.DamageDealt) and before.event.to == dst:
                return phrase("by"), before.seq
        case _:
            pass
    if entry.frame:
        opened = _opener(record, at, entry.frame)
        if opened:
            return phrase("in the course of"), opened
    return _input(record, at)


def _act(record: Record, at: int, act: int) -> tuple[str, int] | None:
    for entry in reversed(record.line[:at]):
        if isinstance(entry.event, ev.EffectTriggered | ev.ActDeclared) and entry.event.id == act:
            return phrase("it had been waiting since"), entry.seq
    return None


def _damage_before(record: Record, at: int, cards: AbstractSet[Ref]) -> int:
    """The last damage to one of the cards, or their departure, in the same frame; 0 if none."""
    frame = record.line[at].frame
    for entry in reversed(record.line[:at]):
        if entry.frame != frame:
            return 0
        match entry.event:
            case ev.DamageDealt(to=to) if to in cards:
                return entry.seq
            case ev.DepartureBegan(cards=going) if cards & set(going):
                return entry.seq
            case _:
                pass
    return 0


def _opener(record: Record, at: int, frame: int) -> int:
    for entry in reversed(record.line[:at]):
        match entry.event:
            case ev.FrameOpened(id=number) | ev.ActResolving(frame=number) if number == frame:
                return entry.seq
            case _:
                pass
    return 0


def _input(record: Record, at: int) -> tuple[str, int] | None:
    """The last thing that came from outside: a choice, chance, an official's word."""
    for entry in reversed(record.line[:at]):
        if entry.input:
            return phrase("following on"), entry.seq
    return None


# -- in words ------------------------------------------------------------------------------------


def describe(record: Record, book: Book, seq: int) -> str:
    """An entry in words, as the viewer may know it; raises `NoSuchPoint` if there is none."""
    entry = record.entry(seq)
    record, count = record.lying(seq)
    at = count - 1
    narrator = Narrator(book, quiet=False)
    narrator.pos = record.position(at)
    lines = narrator.feed(entry)
    for later in record.line[count:]:  # identities follow what brought the cards
        if later.moment != entry.moment or not isinstance(later.event, ev.CardsKnown):
            break
        lines += narrator.feed(later)
    lines += narrator.close()
    text = joined("; ", [line.text for line in lines if line.text]) or _described(record, book, at)
    who = entry.by if entry.by >= 0 else -1
    return phrase("{player} {did}", player=player(who), did=text) if who >= 0 else text


#: What facts of a frame are called; others are notes that a rulebook makes for itself.
FACTS = {
    "seat": phrase("seat"),
    "card": phrase("card"),
    "cost": phrase("cost"),
    "attacker": phrase("attacker"),
    "target": phrase("target"),
}


def _described(record: Record, book: Book, at: int) -> str:
    """An entry that a transcript leaves out."""
    event = record.line[at].event
    worded = _WORDED.get(type(event))
    if worded is None:
        return name_of(event)
    return worded(Names(book, record.position(at + 1)), book.manifest, event)


def _frame(names: Names, m: Manifest, e: ev.FrameOpened) -> Phrase:
    frame = m.label("frames", e.kind)
    stated = [_fact(names, key, e.facts[key]) for key in e.facts if key in FACTS]
    if not stated:
        return phrase("{frame} begins", frame=frame)
    return phrase("{frame} begins ({facts})", frame=frame, facts=joined(", ", stated))


def _mark(names: Names, m: Manifest, e: ev.Marked) -> Phrase:
    subject, mark = names.ref(e.subject), m.label("marks", e.key.partition(":")[0])
    if e.value is None:
        return phrase("{subject}: no longer {mark}", subject=subject, mark=mark)
    # text is a rulebook's own
    value = repr(e.value) if isinstance(e.value, str) else e.value
    return phrase("{subject}: {mark} {value}", subject=subject, mark=mark, value=value)


def _carried_out(names: Names, m: Manifest, e: object) -> Phrase:
    return phrase("an effect is carried out")


#: Sentences for events that a transcript leaves out, by their type.
_WORDED: Mapping[type, Callable[[Names, Manifest, Any], Phrase]] = {
    ev.FrameOpened: _frame,
    ev.FrameClosed: lambda names, m, e: phrase("that is over"),
    ev.StepBegan: lambda names, m, e: phrase("the {step} begins", step=m.label("steps", e.path)),
    ev.TurnBegan: lambda names, m, e: phrase(
        "turn {n} begins, {player}'s", n=e.n, player=player(e.seat)
    ),
    ev.EffectTriggered: lambda names, m, e: phrase(
        "{card}: {effect} effect triggers",
        card=names.ref(e.source),
        effect=e.effect.partition("/")[2] or e.effect,
    ),
    ev.ActResolving: _carried_out,
    ev.ActEnded: _carried_out,
    ev.DecisionOpened: lambda names, m, e: phrase(
        "decision {n}: {who} to choose, {what}",
        n=e.n,
        who=players(e.seats),
        what=m.label("decisions", e.kind),
    ),
    ev.OptionsOffered: lambda names, m, e: phrase(
        "the options of {player} at decision {n}", player=player(e.seat), n=e.n
    ),
    ev.DecisionMade: lambda names, m, e: phrase("answers decision {n}", n=e.n),
    ev.StatsSet: lambda names, m, e: phrase("figures are computed again"),
    ev.Marked: _mark,
    ev.CardsKnown: lambda names, m, e: phrase(
        "cards of {place} become known ({why})",
        place=names.place(e.place),
        why=m.label("reasons", e.why),
    ),
    ev.ChanceDrawn: lambda names, m, e: phrase(
        "chance decides ({kind})", kind=renamed(m.label("chances", e.kind), e.kind)
    ),
    ev.AttackEnded: lambda names, m, e: phrase(
        "the {attack} is over ({outcome})",
        attack=m.label("frames", "attack"),
        outcome=renamed(m.label("outcomes", e.outcome), e.outcome),
    ),
}


def _fact(names: Names, key: str, value: Fact) -> str:
    shown: str = str(value)
    if isinstance(value, tuple):
        shown = joined(" and ", (names.card(n) if n in names.pos.cards else str(n) for n in value))
    elif isinstance(value, int) and not isinstance(value, bool) and value in names.pos.cards:
        shown = names.card(value)
    elif isinstance(value, str) and (value in names.book.cards or seat_of(value) >= 0):
        shown = names.book.name(value) if value in names.book.cards else names.ref(value)
    elif key == "seat" and isinstance(value, int):
        shown = player(value)
    return phrase("{fact} {value}", fact=FACTS[key], value=shown)
