"""The preview of a rewind: what it undoes, who saw what since, and how revealed cards are put back.

`preview` asks what the API says of it, as `kifu desk rewind --preview` does; that somebody looks is
recorded. What is carried out then is an act of the desk (`acts`).
"""

from __future__ import annotations

from kifu.v1 import desk_service_pb2 as pb
from msgspec import Struct

from domain.officials import rewind
from domain.record.entries import active
from domain.record.views import OFFICIAL
from domain.telling import consequences
from domain.telling.names import Names, clock, letter, player
from domain.words.phrases import Phrase, joined, phrase
from service.web.desk.seen import Desk
from service.web.positions.feed import Feed
from service.web.positions.telling.decided import Decisions
from service.web.positions.telling.transcripts import Which
from service.web.site import Site

#: The most decisions whose answers are listed; more are counted.
MOST = 40


class Undone(Struct, frozen=True):
    """A decision that would be undone: what was asked, and what was answered."""

    n: int
    time: str
    what: str
    answers: str


class Seen(Struct, frozen=True):
    """A card that somebody has seen since: where it lay, who has seen it, where it went."""

    card: int
    name: str
    place: str
    who: str
    went: str


class Preview(Struct, frozen=True):
    """The consequences of going back. `rest`: cards can be put back other than as they were."""

    n: int
    to: int
    entries: int
    decisions: tuple[Undone, ...]
    more: int
    seen: tuple[Seen, ...]
    rest: bool
    near: tuple[int, ...]
    over: Phrase


async def preview(site: Site, feed: Feed, seen: Desk, n: int) -> Preview:
    """The consequences of going back to decision `n`; raises `Fault`."""
    request = pb.PreviewRewindRequest(match_id=seen.id, decision=n)
    found: pb.PreviewRewindResponse = await site.ask(request, seen.visitor.sender)
    language, history = seen.visitor.sender.language, site.matches.history
    book = feed.book(seen.id, language)

    def undone() -> tuple[Undone, ...]:
        decisions = Decisions(history, feed.book)
        which = Which(seen.id, OFFICIAL, language)
        undone_ = []
        for one in found.decisions[:MOST]:
            record = decisions.decided(which, one.n, seen.seq)
            answers = [
                phrase("{player}: {what}", player=player(side.seat), what=side.taken)
                for side in record.seats
                if side.taken
            ]
            text = joined("; ", answers) if answers else phrase("no one had answered yet")
            undone_.append(Undone(one.n, clock(one.time), record.label, text))
        return tuple(undone_)

    def near() -> tuple[int, ...]:
        if not found.seen or found.rest:
            return ()
        return rewind.near(active([*history.after(seen.id, 0)]), n)

    run, names = site.matches.lanes.run, Names(book, seen.pos)
    cards = tuple(
        Seen(
            one.card,
            book.name(one.id),
            names.place(one.place),
            phrase("everybody") if one.all else ", ".join(map(letter, one.seats)),
            names.place(one.went) if one.went else "",
        )
        for one in found.seen
    )
    more = max(len(found.decisions) - MOST, 0)
    return Preview(
        n, found.to, found.entries, await run(undone), more, cards, found.rest, await run(near),
        consequences.revival(seen.pos),
    )  # fmt: skip
