"""The chain of causes from an entry back to the choice or the chance that began it.

An entry's frame says what was going on, and the frame's cause what had set that off; a trigger
names its cause itself; for a destroyed card the damage is searched. Pure functions over a record.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from msgspec import Struct

from domain.record import events as ev
from domain.record.entries import Entry, name_of
from domain.record.position import seat_of
from domain.record.values import Fact, Ref
from replay_cli.drawing.book import Book
from replay_cli.drawing.names import Names, player
from replay_cli.drawing.transcript import Narrator
from replay_cli.record import Record

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


def causes(record: Record, book: Book, seq: int) -> list[Cause]:
    """The chain of causes of an entry, the entry first; raises `Failed` if there is none.

    What was abandoned is explained by the line that it lay on.
    """
    found: list[Cause] = []
    entry, link = record.entry(seq), ""
    record, _ = record.lying(seq)
    while len(found) < LONGEST:
        at = record.index(entry.seq) - 1
        pos = record.position(at)
        step = book.manifest.label("steps", pos.step) or "before the game"
        text = describe(record, book, entry.seq)
        found.append(Cause(entry, name_of(entry.event), link, text, pos.turn, step))
        before = _before(record, at) if entry is record.line[at] else None
        if before is None:
            return found
        link, entry = before[0], record.entry(before[1])
    return found


def _before(record: Record, at: int) -> tuple[str, int] | None:
    """What an entry followed from: how, and the entry."""
    entry = record.line[at]
    if entry.input:
        return None
    match entry.event:
        case ev.EffectTriggered(cause=cause) | ev.FrameOpened(cause=cause) if cause:
            return "set off by", cause
        case ev.ActResolving(id=act) | ev.ActEnded(id=act):
            return _act(record, at, act)
        case ev.CardsMoved(was=was) if was.value:
            if blow := _blow(record, at, set(was.value)):
                return "because of", blow
        case ev.SeatLost(seats=seats):
            if blow := _blow(record, at, {f"seat/{seat}" for seat in seats}):
                return "because of", blow
        case ev.CountersMoved(dst=dst) if record.line[at - 1].moment == entry.moment:
            before = record.line[at - 1]
            if isinstance(before.event, ev.DamageDealt) and before.event.to == dst:
                return "by", before.seq
        case _:
            pass
    if entry.frame:
        opened = _opener(record, at, entry.frame)
        if opened:
            return "in the course of", opened
    return _input(record, at)


def _act(record: Record, at: int, act: int) -> tuple[str, int] | None:
    for entry in reversed(record.line[:at]):
        if isinstance(entry.event, ev.EffectTriggered | ev.ActDeclared) and entry.event.id == act:
            return "it had been waiting since", entry.seq
    return None


def _blow(record: Record, at: int, cards: AbstractSet[Ref]) -> int:
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
            return "following on", entry.seq
    return None


# -- in words ------------------------------------------------------------------------------------


def describe(record: Record, book: Book, seq: int) -> str:
    """An entry in words, as the record's viewer may know it; raises `Failed` if there is none."""
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
    said = "; ".join(line.text for line in lines if line.text) or _plainly(record, book, at)
    who = entry.by if entry.by >= 0 else -1
    return f"{player(who)} {said}" if who >= 0 else said


def _plainly(record: Record, book: Book, at: int) -> str:
    """What a transcript leaves out."""
    entry, manifest = record.line[at], book.manifest
    names = Names(book, record.position(at + 1))
    match entry.event:
        case ev.FrameOpened(kind=kind, facts=facts):
            said = ", ".join(_fact(names, key, value) for key, value in facts.items())
            return f"{manifest.label('frames', kind)} begins ({said})"
        case ev.FrameClosed():
            return "that is over"
        case ev.StepBegan(path=path):
            return f"the {manifest.label('steps', path)} begins"
        case ev.TurnBegan(n=n, seat=seat):
            return f"turn {n} begins, {player(seat)}'s"
        case ev.EffectTriggered(effect=effect, source=source):
            return f"{names.ref(source)}: {effect.partition('/')[2] or effect} effect triggers"
        case ev.ActResolving() | ev.ActEnded():
            return "an effect is carried out"
        case ev.DecisionOpened(n=n, seats=seats, kind=kind):
            who = " and ".join(player(seat) for seat in seats)
            return f"decision {n}: {who} to choose, {manifest.label('decisions', kind)}"
        case ev.OptionsOffered(n=n, seat=seat):
            return f"the options of {player(seat)} at decision {n}"
        case ev.DecisionMade(n=n):
            return f"answers decision {n}"
        case ev.Marked(subject=subject, key=key, value=value):
            return f"{names.ref(subject)}: {manifest.label('marks', key.partition(':')[0])} {value}"
        case ev.CardsKnown(place=place, why=why):
            return f"cards of {names.place(place)} become known ({manifest.label('reasons', why)})"
        case ev.ChanceDrawn(kind=kind):
            return f"chance decides ({kind})"
        case ev.AttackEnded(outcome=outcome):
            return f"the attack is over ({outcome})"
        case _:
            return name_of(entry.event)


def _fact(names: Names, key: str, value: Fact) -> str:
    if isinstance(value, tuple):
        told = (names.card(n) if n in names.pos.cards else str(n) for n in value)
        return f"{key} {' and '.join(told)}"
    if isinstance(value, int) and not isinstance(value, bool) and value in names.pos.cards:
        return f"{key} {names.card(value)}"
    if isinstance(value, str) and (value in names.book.cards or seat_of(value) >= 0):
        return f"{key} {names.book.name(value) if value in names.book.cards else names.ref(value)}"
    return (
        f"{key} {player(value)}" if key == "seat" and isinstance(value, int) else f"{key} {value}"
    )
