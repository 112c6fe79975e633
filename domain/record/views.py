"""Views: what one viewer may see.

An entry may be private in its fields, never in its existence: `redact` blanks the values that are
not addressed to the viewer and leaves everything else, so two games that he can't tell apart give
him the same bytes. A viewer's position is the fold of his redacted entries.

There is no default viewer: anybody but a seat of the match, an official or the public sees nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from domain.record import events as ev
from domain.record.decisions import SECRET, Act, Answer, Offer, Part, act_of
from domain.record.entries import TYPES, Entry
from domain.record.folding.fold import fold_all
from domain.record.position import Position
from domain.record.values import EVERYONE, Ref, Sealed, kept_fields

#: Viewers: a seat's number, or one of these.
PUBLIC, OFFICIAL = -1, -2

#: `DecisionMade.origin` of an answer by an auto-pass.
AUTO = "auto"
#: Among those who are addressed only where everybody is: the mask of no seat.
_NO_SEAT = 1 << 32


def redact(entry: Entry, viewer: int) -> Entry:
    """The entry as the viewer may see it; the entry itself where nothing is kept from him."""
    if viewer == OFFICIAL:
        return entry
    if viewer < PUBLIC:
        raise ValueError(f"no such viewer: {viewer}")
    event = entry.event
    fields = SEALED[type(event)]
    if not fields:
        return entry
    if isinstance(event, ev.DecisionMade) and event.origin == AUTO:
        entry = _without_auto_pass(entry, event, viewer)
    elif isinstance(event, ev.MatchOpened) and viewer >= len(event.seats):
        raise ValueError(f"no such viewer: {viewer}")
    bit = 1 << viewer if viewer >= 0 else _NO_SEAT
    hidden: dict[str, Sealed[Any]] = {}
    for _, name in fields:
        sealed = getattr(event, name)
        if sealed is not None and sealed.value is not None and not sealed.to & bit:
            hidden[name] = Sealed(sealed.to)
    if "stated" in hidden and isinstance(event, ev.DecisionMade) and event.seat == viewer:
        hidden["stated"] = forgotten(event.stated)
    return replace(entry, event=replace(entry.event, **hidden)) if hidden else entry


def forgotten(stated: Sealed[ev.Stated]) -> Sealed[object]:
    """The part of a statement that its seat may know: which of its cards can't be named any more.

    Else it would go on to see a card of its hand as what it was, though the record can't say so.
    """
    if stated.value is None:
        return stated  # type: ignore[return-value]
    lost = tuple((number, identity) for number, identity in stated.value.names if not identity)
    return Sealed(stated.to, ev.Stated(lost)) if lost else Sealed(stated.to)


def position(entries: Iterable[Entry], viewer: int) -> Position:
    """The position that a viewer's entries of an active line lead to. O(entries)."""
    return fold_all(redact(entry, viewer) for entry in entries)


def seen_by_all(p: Position, offer: Offer, answer: Answer) -> Act:
    """The part of a hidden answer that everybody can see.

    A card that can't be told apart is named by its place, and its texts not at all.
    """
    option = offer.options[answer.option]
    card = _in_sight(p, option.card)
    picks = tuple(
        _picked_in_sight(p, part, picked)
        for part, picked in zip(option.parts, answer.picks, strict=True)
    )
    return Act(option.kind, card, picks, option.effect if card == option.card else "")


def answered(
    made: ev.DecisionMade, offer: Offer | None, whole: bool
) -> tuple[Offer | None, Act | None]:
    """A seat's offer and its answer, as a reader of the answer may know them.

    `offer` is the offer that this reader received. An answer may be to another one, in which cards
    were named since, or that an official made up; of the former only who sees the `whole` record
    knows.
    """
    stated, answer = made.stated.value, made.answer.value
    if stated is not None and stated.offer is not None:
        offer = stated.offer
    elif not whole and offer is not None and any(one.kind == "unknown" for one in offer.options):
        return offer, made.act
    known = offer is not None and answer is not None
    return offer, act_of(offer, answer) if known else None  # type: ignore[arg-type]


def _picked_in_sight(p: Position, part: Part, picked: tuple[Ref, ...]) -> tuple[Ref, ...]:
    if part.pool == SECRET:
        return ()
    return picked if part.pool < 0 else tuple(_in_sight(p, ref) for ref in picked)


def _in_sight(p: Position, ref: Ref) -> Ref:
    card = p.cards.get(ref) if isinstance(ref, int) else None
    return ref if card is None or card.follow == EVERYONE else card.place


def _without_auto_pass(entry: Entry, made: ev.DecisionMade, viewer: int) -> Entry:
    """An answer by an auto-pass reads, to all but its seat, as if the seat had given it."""
    return entry if viewer == made.seat else replace(entry, event=replace(made, origin="seat"))


#: Type by type of event the fields that may be kept from somebody, with their numbers.
SEALED = {cls: kept_fields(cls) for cls in TYPES.values()}
