"""The responses at the addresses of a match, each made once for all with the same view.

A visitor learns nothing that he may not know (`sights`): what is not released does not exist. Parts
that put these bodies into pages of theirs are given the feed of the site (`app`).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from kifu.v1 import match_service_pb2 as pb

from domain.record.events import MatchOpened
from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import PUBLIC, redact
from domain.telling.board import board_of
from domain.telling.book import Book, brought
from domain.telling.card_text import card_text
from domain.telling.names import clock
from domain.words.tables import Language
from service import wire
from service.api.answers import progress
from service.api.summaries import NAMES, summary
from service.store.derived import listing
from service.store.records import LAST
from service.store.tables import card_photos
from service.web import answers, views
from service.web.board import drawn
from service.web.board.images import Images, images
from service.web.board.picture import KIND as PICTURE
from service.web.board.picture import available, picture
from service.web.cards.linking import linked, own_cards
from service.web.positions.brought import Brought
from service.web.positions.following import Announcers
from service.web.positions.shared import Body, Shared
from service.web.positions.sights import REMEMBERED, Sight, Sights
from service.web.positions.telling.decided import Decisions
from service.web.positions.telling.marks import marks
from service.web.positions.telling.reasons import Entries
from service.web.positions.telling.transcripts import LineData, Transcripts, Which
from service.web.site import Site

if TYPE_CHECKING:
    from domain.games.kit.game import Game

HTML, JSON, PHOTO = "text/html; charset=utf-8", "application/json", "image/jpeg"


class Feed:
    """The content of the matches of a site. To be used within one loop."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.sights = Sights(site)
        matches = site.matches
        self.announcers = Announcers(
            matches.streams, matches.lanes, matches.records, self.sights.note
        )
        self.shared = Shared()
        history = matches.history
        self._history, self._run = history, matches.lanes.run
        self._headings: dict[str, MatchOpened] = {}
        self._brought = Brought(matches.records, self.heading)
        self._transcripts = Transcripts(history, self.book)
        self._entries = Entries(history, self.book)
        self._decisions = Decisions(history, self.book)

    # -- what is known of a match; in threads ------------------------------------------------------

    def heading(self, match: str) -> MatchOpened:
        """The settings with which a match was opened, which never change; raises `NoSuchMatch`."""
        found = self._headings.get(match)
        if found is None:
            found = listing.find(self.site.matches.records, match).heading
            if len(self._headings) >= REMEMBERED:
                self._headings.clear()
            self._headings[match] = found
        return found

    def book(self, match: str, language: Language, upto: int = LAST) -> Book:
        """The names of a match's game in a language, with the cards that it brought up to then."""
        prints = self._brought.prints(match, upto)
        return self.site.book(self.heading(match).game, language, prints)

    # -- what is kept for ever; each raises `Fault` where there is nothing for whoever asks --------

    async def at(self, sight: Sight, seq: int, data: bool) -> Body:
        """The position after an entry: its board, or the position as data."""
        await self.sights.show(sight, seq)

        def make() -> Body:
            pos = self._history.position(sight.match, sight.viewer, Point(seq=seq))
            if not data:
                return Body.of(self._board(sight, pos).encode(), HTML)
            tallies = wire.tally_values(self.site.servicer.tallies(pos))
            found = pb.GetPositionResponse(position=wire.clamped(wire.table, pos), tallies=tallies)
            return Body.of(answers.encoded(found), JSON)

        return await self._made("at", sight, (seq, data), make)

    async def picture(self, sight: Sight, seq: int) -> Body:
        """The position after an entry as a PNG, for previews of links."""
        await self.sights.show(sight, seq)
        if not available():
            raise answers.NOTHING

        def make() -> Body:
            pos = self._history.position(sight.match, sight.viewer, Point(seq=seq))
            book = self.book(sight.match, sight.language, seq)
            found = picture(board_of(book, pos, max(0, sight.viewer)), sight.language)
            return Body(PICTURE, blake2b(found, digest_size=12).hexdigest(), {"": found})

        return await self._made("picture", sight, (seq,), make)

    def _board(self, sight: Sight, pos: Position) -> str:
        """A board, the viewer's own side at the bottom, with the pictures that there are."""
        book, near = self.book(sight.match, sight.language, pos.seq), max(0, sight.viewer)
        return drawn(book, pos, sight.language, near=near, images=self.images(sight, pos))

    def images(self, sight: Sight, pos: Position) -> Images:
        """Where pictures of cards are: photos of those that the match brought, the organiser's."""
        game = self.book(sight.match, sight.language, pos.seq).manifest.name
        folder = self.site.look.images
        found = images(folder, game, self.site.matches.rulebook(game).cards)
        photos = self._photographed(sight.match) if pos.heading.prints else frozenset[str]()
        return lambda card: _photo_address(sight, card) if card in photos else found(card)

    def _photographed(self, match: str) -> frozenset[str]:
        """The cards that a match brought of which a photo is shown."""
        kept = self.site.look.card_photos
        return card_photos.cards(self.site.matches.records, match) if kept else frozenset()

    async def transcript_lines(self, sight: Sight, after: int, upto: int) -> list[LineData]:
        """The lines of the transcript that entries after one up to another complete."""
        await self.sights.show(sight, upto)
        return await self._run(self._transcripts.lines, _which(sight), after, upto)

    async def unfinished(self, sight: Sight, upto: int) -> LineData | None:
        """The line that no entry up to this one has completed; it may yet become another one."""
        await self.sights.show(sight, upto)
        return await self._run(self._transcripts.unfinished, _which(sight), upto)

    async def last(self, sight: Sight, upto: int) -> LineData | None:
        """The last line by an entry that tells of something that was done."""
        await self.sights.show(sight, upto)
        return await self._run(self._transcripts.last, _which(sight), upto)

    async def lines(self, sight: Sight, after: int, upto: int, data: bool) -> Body:
        """Those lines as list items, or as data."""
        await self.sights.show(sight, upto)

        def make() -> Body:
            found = self._transcripts.lines(_which(sight), after, upto)
            if data:
                value = {"after": after, "upto": upto, "lines": found}
                return Body.of(answers.encoded(value), JSON)
            game, prints = self.heading(sight.match).game, self._brought.prints(sight.match, upto)
            own = own_cards(sight.match, prints)
            links = linked(game, self.site.book(game, sight.language), sight.language, own)
            return _page("lines", sight, lines=found, linked=links)

        return await self._made("lines", sight, (after, upto, data), make)

    async def marks(self, sight: Sight, after: int, upto: int) -> Body:
        """The marks of the entries after one up to another."""
        await self.sights.require(sight, upto)

        def make() -> Body:
            entries = self.site.matches.records.entries(sight.match, after, upto)
            seen = (redact(entry, sight.viewer) for entry in entries)
            book, heading = self.book(sight.match, sight.language), self.heading(sight.match)
            found = [*marks(seen, heading, book, sight.language)]
            value = {"after": after, "upto": upto, "marks": found}
            return Body.of(answers.encoded(value), JSON)

        return await self._made("marks", sight, (after, upto), make)

    # -- what may change yet -----------------------------------------------------------------------

    async def entry(self, sight: Sight, seq: int, data: bool) -> tuple[Body, bool]:
        """An entry and its causes, and whether that is final."""
        await self.sights.require(sight, seq)
        upto = await self.sights.released(sight, seq + 1)
        await self.sights.look(sight)
        found = await self._run(self._entries.reasons, _which(sight), seq, upto)

        def make() -> Body:
            if data:
                return Body.of(answers.encoded(found), JSON)
            return _page("entry", sight, entry=found)

        keep = found.settled
        return await self._made("entry", sight, (seq, data, keep), make, keep=keep), keep

    async def card(self, sight: Sight, card: str, *, part: bool) -> Body:
        """A card that the match brought, as its data say."""
        upto = await self.sights.released(sight)

        def make() -> Body:
            brought_ = brought(self._brought.prints(sight.match, upto))
            found = next((one for one in brought_ if one.id == card), None)
            if found is None:
                raise answers.NOTHING
            photo = card in self._photographed(sight.match)
            rules = self.site.matches.rulebook(self.heading(sight.match).game)
            book, language = self.book(sight.match, sight.language, upto), sight.language
            shown = card_text(cast("Game", rules), book, found, language)
            template = f"cards/{'part' if part else 'card'}.html"
            title = book.manifest.title
            address = _photo_address(sight, card) if photo else ""
            page = answers.rendered(template, language, card=shown, title=title, photo=address)
            return Body.of(page.encode(), HTML)

        return await self._made("card", sight, (card, part, upto), make, keep=False)

    async def photo(self, sight: Sight, card: str) -> Body:
        """The photo of a card that the match brought, for whoever is shown what it says."""
        upto = await self.sights.released(sight)

        def make() -> Body:
            shown = any(one.id == card for one in brought(self._brought.prints(sight.match, upto)))
            records, kept = self.site.matches.records, self.site.look.card_photos
            found = card_photos.find(records, sight.match, card) if shown and kept else None
            if found is None:
                raise answers.NOTHING
            return Body(PHOTO, blake2b(found, digest_size=12).hexdigest(), {"": found})

        return await self._made("photo", sight, (card, upto), make, keep=False)

    async def decision(self, sight: Sight, n: int, data: bool) -> Body:
        """A decision in its present state."""
        upto = await self.sights.released(sight)
        await self.sights.look(sight)

        def make() -> Body:
            found = self._decisions.decided(_which(sight), n, upto)
            return (
                Body.of(answers.encoded(found), JSON)
                if data
                else _page("decision", sight, one=found)
            )

        return await self._made("decision", sight, (n, data, upto), make, keep=False)

    async def now(self, sight: Sight) -> Body:
        """How far a match is, for somebody. It tells nothing that is hidden."""
        upto = await self.sights.released(sight)
        return await self._made("now", sight, upto, lambda: self._now(sight, upto), keep=False)

    def _now(self, sight: Sight, upto: int) -> Body:
        site, match = self.site, sight.match
        listed = listing.find(site.matches.records, match)
        heading, found = listed.heading, summary(self._history, listed, upto)
        pos = self._history.position(match, PUBLIC, upto=upto)
        live = not sight.late and found.state == pb.MATCH_STATE_LIVE
        at = site.matches.clock() - heading.at if live else pos.time
        going, decision = progress(pos, heading.at, at), pos.decision
        values: dict[str, Any] = {
            "match": match,
            "seq": upto,
            "state": NAMES[found.state],
            "game": heading.game,
            "mode": heading.mode,
            "seats": heading.seats,
            "labels": heading.labels,
            "best_of": heading.best_of,
            "unofficial": found.unofficial,
            "nth_game": going.game,
            "turn": going.turn,
            "turn_seat": going.turn_seat,
            "step": going.step,
            "decision": decision.n if decision is not None else 0,
            "deciding": [*going.deciding],
            "score": [*going.score],
            "winner": found.winner,
            "paused": going.paused,
            "called": pos.called,
            "time": at,
            "clocks": [
                {"clock": one.clock, "left": one.left, "running": one.running}
                for one in going.clocks
            ],
            "rewinds": found.rewinds,
            "late": str(sight.late),
            "view": views.name_of(sight.viewer),
        }
        if not sight.shared:
            mine = views.open_to(sight.who, len(heading.seats))
            values["views"] = [views.name_of(viewer) for viewer in mine]
        return Body.of(answers.encoded(values), JSON)

    async def _made(
        self,
        kind: str,
        sight: Sight,
        what: Any,
        make: Callable[[], Body],
        *,
        keep: bool = True,
    ) -> Body:
        own = None if sight.shared or keep else (sight.who, sight.late)
        key = kind, sight.match, sight.viewer, sight.language.tag, what, own
        return await self.shared.get(key, lambda: self._run(make), keep=keep)


def _photo_address(sight: Sight, card: str) -> str:
    """Where the photo of a card is, for who sees it so."""
    view = "" if sight.shared else f"/as/{views.name_of(sight.viewer)}"
    return f"/m/{sight.match}{view}/photo/{quote(card, safe='')}"


def _which(sight: Sight) -> Which:
    return Which(sight.match, sight.viewer, sight.language)


def _page(name: str, sight: Sight, **data: Any) -> Body:
    path = f"positions/telling/{name}.html"
    return Body.of(answers.rendered(path, sight.language, clock=clock, **data).encode(), HTML)
