"""The narrator: takes entries one by one and returns lines as soon as they are complete.

What an event adds to the current line is in the other modules of this package, which register a
function for each type of event (`narrates`, `narrates_before`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from msgspec import Struct, field

from domain.officials.frame import KIND, RULED
from domain.record import events as ev
from domain.record.decisions import NUMBER, TEXTS, Offer, Part
from domain.record.entries import AnyEvent, Entry, active
from domain.record.folding.fold import fold, fold_all
from domain.record.interventions import Rewound
from domain.record.position import Pending, Position
from domain.record.values import Ref
from domain.telling.book import Book
from domain.telling.names import (
    Names,
    sentence,
)
from domain.words.phrases import joined, phrase

#: How many citations a line shows.
CITES = 3
#: Facts of an official's frame by which more happens once it is closed.
LEADS_ON = RULED | {"begins"}


class Line(Struct, frozen=True):
    """One line of a transcript. `seq` is its first entry; `minor` lines may be left out.

    `ms` is how long the answer took that it is about, `link` which link of a chain it is about.
    """

    seq: int
    time: int
    turn: int
    seat: int
    step: str
    text: str
    cites: tuple[str, ...]
    kind: str = "act"  # "act" | "effect" | "event" | "result" | "note"
    minor: bool = False
    ms: int = 0
    link: int = 0


class Draft(Struct):
    """An unfinished line. Names of cards are put in when it is complete."""

    entry: Entry
    turn: int
    step: str
    seat: int
    kind: str
    minor: bool = False
    ms: int = 0
    link: int = 0
    frame: int = 0  # that the act opened: what happens in it belongs to the act
    label: str = ""
    slots: dict[str, Callable[[], str]] = field(default_factory=dict)
    details: list[Callable[[], str]] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    actors: set[Ref] = field(default_factory=set)  # who acts: that they turn is left out
    arrivals: dict[int, Callable[[], str]] = field(default_factory=dict)

    def cite(self, cites: Iterable[str]) -> None:
        """Add citations, each once."""
        self.cites += [cite for cite in cites if cite not in self.cites]


class Lapse(Struct, frozen=True):
    """An effect that did not come about, with its cause, and where it was narrated first."""

    seq: int
    source: Ref
    why: str
    draft: Draft
    text: Callable[[], str]


class Narrator:
    """Narrates a record, entry by entry."""

    def __init__(
        self,
        book: Book,
        *,
        quiet: bool = True,
        at: Callable[[int], Position] | None = None,
    ) -> None:
        """`quiet`: leave out acts that were the only option.

        `at` gives the position after an entry, once it is rewound to; without it all entries are
        kept for that.
        """
        self.book, self.quiet = book, quiet
        self.pos = Position()
        self._log: list[Entry] = []
        self._at = at
        self.draft: Draft | None = None
        self._out: list[Line] = []
        self.act: tuple[str, Ref] = ("", 0)  # the act of the open line, whose events only add to it
        self.moved: set[int] = set()  # what the moment brought: that it is known is no news
        self.dealt: tuple[int, set[Ref]] = (0, set())  # damage narrated at this moment
        self.whole = False  # whether the entries are an official's
        self.lapse: Lapse | None = (
            None  # what may be narrated once more, of the effect that ends by it
        )
        self.renamed: dict[int, str] = {}  # cards that are given other names, and the former ones
        self.new: set[int] = set()  # cards whose first figures are their printed ones

    def feed(self, entry: Entry) -> list[Line]:
        """The lines that this entry completes."""
        event = entry.event
        if isinstance(event, ev.DecisionOpened):
            self.whole = event.digest.value is not None
        if isinstance(event, ev.TurnBegan | ev.GameBegan | Rewound) or self._waits(event):
            self.flush()
        if entry.moment != self.pos.moment and not isinstance(event, ev.CardsKnown):
            self.moved = set()
        narrate = NARRATORS.get((False, type(event)))
        before = NARRATORS.get((True, type(event)))
        if before is not None:
            before(self, entry, event)
        text = isinstance(event, ev.FrameClosed) and self._says_all(event.id)
        if self._at is None:
            self._log.append(entry)
        if isinstance(event, Rewound):
            self.pos = self._at(entry.seq) if self._at else fold_all(active(self._log))
        else:
            fold(self.pos, entry)
        if narrate is not None:
            narrate(self, entry, event)
        if text:
            self.flush()
        out, self._out = self._out, []
        return out

    def _says_all(self, id_: int) -> bool:
        """Whether the open line is an official's who is done: the next act may be long off."""
        frame = next((one for one in self.pos.frames if one.id == id_), None)
        if frame is None or frame.kind != KIND or not frame.facts.keys().isdisjoint(LEADS_ON):
            return False
        draft = self.draft
        return draft is not None and (draft.kind == "note" or draft.entry.frame == id_)

    def _waits(self, event: AnyEvent) -> bool:
        """Whether somebody has to think now; a choice within an effect may be none at all."""
        if not isinstance(event, ev.OptionsOffered):
            return isinstance(event, ev.DecisionOpened) and not self.in_effect()
        return event.offer.value is None or is_choice(event.offer.value)

    def close(self) -> list[Line]:
        """The line that is still open, if any."""
        self.flush()
        out, self._out = self._out, []
        return out

    def unfinished(self) -> Line | None:
        """The line that is still open, as it would be worded if nothing followed; it stays open."""
        draft, act, out, self._out = self.draft, self.act, self._out, []
        self.flush()
        found, self._out = self._out, out
        self.draft, self.act = draft, act
        return found[0] if found else None

    # -- lines in the making ---------------------------------------------------------------------

    @property
    def names(self) -> Names:
        """How things are called, as it stands now."""
        return Names(self.book, self.pos)

    def open(
        self, entry: Entry, seat: int, label: str = "", *, kind: str = "event", minor: bool = False
    ) -> Draft:
        """Begin a line; the one before is complete."""
        self.flush()
        self.draft = Draft(entry, self.pos.turn, self.pos.step, seat, kind, minor, label=label)
        self.draft.cite(entry.cites)
        self.draft.link = max((self.names.link(a.id) for a in self._carried_out()), default=0)
        return self.draft

    def _carried_out(self) -> list[Pending]:
        return [act for act in self.pos.pending.values() if act.resolving]

    def line(self, entry: Entry, seat: int, text: str, kind: str, *, minor: bool = False) -> None:
        """A line that says just this."""
        draft = self.open(entry, seat, kind=kind, minor=minor)
        draft.details.append(fixed(text))

    def join(self, entry: Entry, seat: int, kind: str = "event") -> Draft:
        """The open line, or a new one if there is none: its own, or the effect's under way."""
        if self.draft is None:
            acts = self._carried_out()
            if acts:
                return self.open(entry, acts[-1].seat, kind="effect")
            return self.open(entry, seat, kind=kind)
        self.draft.cite(entry.cites[:1])
        return self.draft

    def say(self, entry: Entry, seat: int, text: Callable[[], str]) -> None:
        """Add a part to the open line."""
        self.join(entry, seat).details.append(text)

    def take_back(self, entry: Entry, source: Ref) -> str:
        """Why the effect that ends with this entry did not come about: narrated once."""
        lapse, self.lapse = self.lapse, None
        if lapse is None or (lapse.seq, lapse.source) != (entry.seq - 1, source):
            return ""
        if lapse.text not in lapse.draft.details:
            return ""
        lapse.draft.details.remove(lapse.text)
        return lapse.why

    def flush(self) -> None:
        """Complete the open line."""
        draft, self.draft = self.draft, None
        self.act = ("", 0)
        if draft is None:
            return
        slots = {name: word() for name, word in draft.slots.items()}
        head = sentence(draft.label, slots, slots.get("", "…")) if draft.label else ""
        details = [text for text in (word() for word in draft.details) if text]
        text = joined(phrase(", "), [part for part in (head, *details) if part])
        if text:
            at, cites = draft.entry, tuple(draft.cites[:CITES])
            self._out.append(
                Line(
                    at.seq, at.time, draft.turn, draft.seat, draft.step, text, cites,
                    draft.kind, draft.minor, draft.ms, draft.link,
                )
            )  # fmt: skip

    def same_moment(self, entry: Entry) -> bool:
        """Whether an entry happens at once with what the open line began with."""
        return self.draft is not None and self.draft.entry.moment == entry.moment

    def in_effect(self) -> bool:
        """Whether the open line is about an effect that is carried out."""
        return self.draft is not None and self.draft.kind == "effect"


def fixed(text: str) -> Callable[[], str]:
    """A text that does not depend on what follows."""
    return lambda: text


# -- what narrates which event ---------------------------------------------------------------------

Narrate = Callable[[Narrator, Entry, Any], None]
#: The function for a type of event, by whether it is called before the event is folded.
NARRATORS: dict[tuple[bool, type], Narrate] = {}


def narrates(event: type[ev.Event]) -> Callable[[Narrate], Narrate]:
    """Registers what narrates an event after it is folded."""
    return partial(_register, (False, event))


def narrates_before(event: type[ev.Event]) -> Callable[[Narrate], Narrate]:
    """Registers what narrates an event before it is folded, while what it ends is still there."""
    return partial(_register, (True, event))


def _register(when: tuple[bool, type], narrate: Narrate) -> Narrate:
    NARRATORS[when] = narrate
    return narrate


def is_choice(offer: Offer) -> bool:
    """Whether an offer leaves anything to choose."""
    if len(offer.options) != 1:
        return len(offer.options) > 1
    return any(_is_open(offer, part) for part in offer.options[0].parts)


def _is_open(offer: Offer, part: Part) -> bool:
    if part.pool in TEXTS:
        return True
    if part.low != part.high:
        return True
    if part.pool == NUMBER:
        return False
    size = len(offer.pools[part.pool])
    ordered = part.limits is not None and part.limits.ordered
    return size > part.low or (ordered and size > 1)


def narrate(book: Book, entries: Iterable[Entry], *, quiet: bool = True) -> list[Line]:
    """The whole transcript of some entries from the record's start."""
    narrator = Narrator(book, quiet=quiet)
    lines = [line for entry in entries for line in narrator.feed(entry)]
    return lines + narrator.close()
