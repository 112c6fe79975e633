"""Groups a record by command: an input, and everything that followed from it.

Cards turned up in consequence, and how chance fell, belong to the command; `write` writes them and
`read` feeds them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry
from domain.record.interventions import ClockSet
from domain.record.values import BY_OFFICIAL, CHANCE, EVERYONE, RULES, Ref
from domain.text.transcript.lines import Roll


def commands(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """The entries of each command; the first are those before the first decision was made."""
    found: list[Entry] = []
    frame = 0  # of the official who speaks
    for entry in entries:
        event = entry.event
        if found and not frame and _begins(entry):
            yield found
            found = []
        found.append(entry)
        if isinstance(event, ev.FrameOpened) and is_official(event):
            frame = event.id
        elif isinstance(event, ev.FrameClosed) and event.id == frame:
            frame = 0
    if found:
        yield found


def _begins(entry: Entry) -> bool:
    """Whether a command begins with this entry."""
    event = entry.event
    opening = ev.MatchOpened | ev.DeckRegistered | ClockSet
    if isinstance(event, opening) and entry.by == BY_OFFICIAL:
        return False
    return entry.by not in (RULES, CHANCE)


def is_official(event: AnyEvent) -> bool:
    """Whether an official begins to speak with this event."""
    return isinstance(event, ev.FrameOpened) and event.kind == KIND


def shown(entries: Sequence[Entry]) -> list[tuple[int, str, str]]:
    """The cards that all got to know, in order: number, where it lies, which one it is.

    Cards that come into the game known to all need no name, and are left out.
    """
    found: list[tuple[int, str, str]] = []
    made = ""
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.CardsKnown) and event.cards.to == EVERYONE and event.place != made:
            found += [(number, event.place, card) for number, card in event.cards.value or ()]
        made = event.place if isinstance(event, ev.CardsMade) else ""
    return found


def declared(entries: Sequence[Entry]) -> str:
    """The card that was declared by its name in a command; empty if none was."""
    facts = (e.event.facts.get("card") for e in entries if isinstance(e.event, ev.FrameOpened))
    return next((card for card in facts if isinstance(card, str)), "")


def rolls(entries: Sequence[Entry]) -> list[Roll]:
    """The visible outcomes of chance; shuffles are left out, since no table knows them."""
    return [
        Roll(entry.event.kind, entry.event.of, entry.event.result.value)
        for entry in entries
        if isinstance(entry.event, ev.ChanceDrawn)
        and entry.event.kind != "shuffle"
        and entry.event.result.value is not None
    ]


def sources(entries: Sequence[Entry]) -> dict[int, str]:
    """Where the cards that all got to know came from, by their numbers now."""
    found: dict[int, str] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.CardsMoved):
            found |= dict.fromkeys(event.now.value or (), event.src)
        elif isinstance(event, ev.CardsKnown):
            for number, _ in event.cards.value or ():
                found.setdefault(number, event.place)
    return found


def followed(entries: Sequence[Entry]) -> dict[int, int]:
    """The numbers that cards got by moving: old to new."""
    return {
        old: new
        for entry in entries
        if isinstance(entry.event, ev.CardsMoved)
        for old, new in zip(entry.event.was.value or (), entry.event.now.value or (), strict=False)
        if old and old != new
    }


def ends_at(numbers: dict[int, int], ref: Ref) -> set[int]:
    """Every number that a card went by, in consequence of a command."""
    found: set[int] = set()
    at = ref if isinstance(ref, int) else 0
    while at and at not in found:
        found.add(at)
        at = numbers.get(at, 0)
    return found
