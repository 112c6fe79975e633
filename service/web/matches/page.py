"""The page of a match, live and replay: its board at an entry, and the transcript around it.

All of it is there without scripts, at an address of its own for every entry. The scripts of the
page put the next board in the place of this one; what they fetch is at the addresses of
`positions`, which this page is made of as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from kifu.v1 import match_service_pb2 as pb
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.record.position import seat_of
from domain.record.proof import draws
from domain.record.views import OFFICIAL
from domain.telling import notices
from domain.telling.names import countdown, letter, player
from domain.words.phrases import Phrase, phrase
from domain.words.tables import Language
from service.identity import BadToken
from service.store.delay import Delay
from service.store.records import NoSuchMatch
from service.web import answers, views, visitors
from service.web.matches.rows import NAMES, where
from service.web.matches.timeline import Timeline
from service.web.positions import feed as feeds
from service.web.positions.feed import Feed
from service.web.positions.sending import refused, send
from service.web.positions.shared import Body
from service.web.positions.sights import Sight
from service.web.positions.telling.transcripts import Told
from service.web.site import Site
from service.web.visitors import Spectators

#: Lines that are shown before the one that is looked at, and after it.
BEFORE, AFTER = 60, 8
#: Entries whose marks are read at once, by whole ranges: what was made of them serves all pages.
RANGE = 1024
#: For how long the page of an open site may be kept, where whoever asks has no session.
A_SECOND = "public, max-age=1"
_NUMBER = re.compile("[1-9][0-9]{0,8}")


class Shown(NamedTuple):
    """A line of the transcript; `at` is the entry at which all of it has happened."""

    line: Told
    at: int
    undone: int
    current: bool
    first: bool


class Seat(NamedTuple):
    """A seat in the heading of a page."""

    seat: int
    name: str
    score: int | None
    won: bool


class Clock(NamedTuple):
    """A clock: its name, whose it is (-1: the round's), what it shows in milliseconds, and so."""

    name: str
    seat: int
    left: int
    running: bool
    text: str


class View(NamedTuple):
    """Through whose eyes the page may be seen as well."""

    label: Phrase
    address: str
    current: bool


class MatchPage:
    """The pages of matches."""

    def __init__(self, site: Site, spectators: Spectators) -> None:
        self._site, self._feed = site, feeds.of(site, spectators)

    async def page(self, request: Request) -> Response:
        """`/m/{match}`."""
        try:
            return await self._page(request)
        except BadToken as error:
            return answers.fault(error, request)
        except Exception as error:
            return refused(error, request)

    async def _page(self, request: Request) -> Response:
        match, asked = request.path_params["match"], request.query_params
        feed, view = self._feed, asked.get("as", "")
        try:
            sight = await feed.sights.see(request, match, view)
        except NoSuchMatch:  # a fork has no public: it is shown to those whose it is
            own = self._views(request, match, 0)
            if view or not own or views.name_of(own[0]) == views.EVERYBODY:
                raise
            return RedirectResponse(f"/m/{match}?as={views.name_of(own[0])}")
        upto = await feed.sights.released(sight)
        at = _number(asked.get("at", ""), upto, upto)
        found = (await self._site.ask(pb.GetMatchRequest(match_id=match), sight.sender)).match
        now = msgspec.json.decode((await feed.now(sight)).codings[""])
        timeline = Timeline(await _marks(feed, sight, upto), upto)
        board = Markup((await feed.at(sight, at, False)).codings[""].decode())
        told = await feed.told(sight, 0, upto)
        whole = _Addresses(match, view, asked.get("lang", ""))
        begin = _number(asked.get("from", ""), 0, upto)
        window, earlier, later = _window(told, at, begin)
        mine = self._views(request, match, len(found.seats))
        why, decision = (_number(asked.get(name, ""), 0, upto) for name in ("why", "decision"))
        book = feed.book(match, sight.language)
        text = answers.rendered(
            "matches/match.html",
            sight.language,
            found=found,
            now=now,
            title=book.manifest.called,
            seats=_seats(found, now),
            where=where(found),
            state=NAMES.get(found.state, ""),
            notices=_notices(found, sight, now),
            board=board,
            at=at,
            upto=upto,
            current=_current(told, at),
            decision=timeline.decision(at),
            behind=await self._behind(sight, why, decision),
            clocks=_clocks(now),
            late=bool(sight.late),
            lines=_shown(told, window, at, timeline),
            earlier=whole.of(at, window.start and told[max(0, window.start - BEFORE)].seq)
            if earlier
            else "",
            later=whole.of(at, told[window.stop].seq) if later else "",
            steps={name: whole.of(seq) for name, seq in timeline.steps(at).items()},
            moments=[(one, whole.of(one.seq)) for one in timeline.moments],
            undone=timeline.undone(at),
            back_to=dict(timeline.rewinds).get(timeline.undone(at), 0),
            address=whole.of,
            base=whole.base,
            lang_asked=asked.get("lang", ""),
            views=_offered(mine, whole, at, view),
            letter=letter,
            texts=_texts(sight.language),
        )
        anybody = sight.shared and visitors.authorization(request) is None
        keep = A_SECOND if anybody else answers.NOT_KEPT
        return send(request, Body.of(text.encode(), feeds.HTML), keep, shared=False)

    async def _behind(self, sight: Sight, why: int, decision: int) -> Markup:
        """The causes of an entry, or what there was to decide, for who reads without scripts."""
        if decision:
            body = await self._feed.decision(sight, decision, False)
        elif why:
            body, _ = await self._feed.entry(sight, why, False)
        return Markup(body.codings[""].decode()) if why or decision else Markup()

    def _views(self, request: Request, match: str, seats: int) -> list[int]:
        """Through whose eyes somebody who is signed in may see a match."""
        authorized = visitors.authorization(request)
        if authorized is None:
            return []
        try:
            who = self._site.keys.check(visitors.sender(request, authorized).token)
        except BadToken:
            return []
        return views.open_to(who, seats) if who.may_see(match) else []


class _Addresses:
    """The addresses of a match, as a page shows it."""

    def __init__(self, match: str, view: str, lang: str) -> None:
        self._page, self._kept = f"/m/{match}", {"as": view, "lang": lang}
        self.base = f"{self._page}/as/{view}" if view else self._page

    def of(self, at: int, begin: int = 0, view: str | None = None, **more: int) -> str:
        """The page at an entry, with the lines from one on, and `more` that is shown."""
        asked: dict[str, Any] = {"at": at, "from": begin, **more, **self._kept}
        if view is not None:
            asked["as"] = view
        return f"{self._page}?{urlencode({name: one for name, one in asked.items() if one})}"


def _number(text: str, missing: int, most: int) -> int:
    """A number of an entry that is known; raises `Fault` for any other."""
    if not text:
        return missing
    if _NUMBER.fullmatch(text) is None or int(text) > most:
        raise answers.NOTHING
    return int(text)


async def _marks(feed: Feed, sight: Sight, upto: int) -> list[Any]:
    """What is marked among all entries that are known."""
    found = list[Any]()
    for after in range(0, upto, RANGE):
        body = await feed.marks(sight, after, min(after + RANGE, upto))
        found += msgspec.json.decode(body.codings[""])["marks"]
    return found


# -- the transcript --------------------------------------------------------------------------------


def _current(told: Sequence[Told], at: int) -> Told | None:
    """The line that an entry belongs to: the last one that has begun by then."""
    index = bisect_right(told, at, key=lambda line: line.seq)
    return told[index - 1] if index else None


def _window(told: Sequence[Told], at: int, begin: int) -> tuple[range, bool, bool]:
    """Which lines are shown; whether there are earlier ones, and later ones."""
    start = bisect_left(told, begin, key=lambda line: line.seq) if begin else 0
    if not begin:
        start = max(0, bisect_right(told, at, key=lambda line: line.seq) - BEFORE)
    stop = min(len(told), start + BEFORE + AFTER)
    return range(start, stop), start > 0, stop < len(told)


def _shown(told: Sequence[Told], window: range, at: int, timeline: Timeline) -> list[Shown]:
    current, found = _current(told, at), list[Shown]()
    for index in window:
        line = told[index]
        end = told[index + 1].seq - 1 if index + 1 < len(told) else timeline.last
        first = not found or found[-1].line.turn != line.turn
        found.append(
            Shown(line, max(line.seq, end), timeline.undone(line.seq), line is current, first)
        )
    return found


# -- the heading -----------------------------------------------------------------------------------


def _seats(found: pb.Match, now: Any) -> list[Seat]:
    games = list(found.score) or now["score"]
    counted = found.best_of > 1 or found.state == pb.MATCH_STATE_ENDED
    return [
        Seat(
            seat,
            name,
            games[seat] if counted and seat < len(games) else None,
            found.state == pb.MATCH_STATE_ENDED and found.winner == seat,
        )
        for seat, name in enumerate(found.seats)
    ]


def _clocks(now: Any) -> list[Clock]:
    """The clocks of a match that is played."""
    if now["state"] != "live":
        return []
    return [
        Clock(
            one["clock"], seat_of(one["clock"]), one["left"], one["running"], countdown(one["left"])
        )
        for one in now["clocks"]
    ]


def _notices(found: pb.Match, sight: Sight, now: Any) -> list[Phrase]:
    """What is said of the match as a whole."""
    labels = {one.name: one.value for one in found.labels}
    told = []
    if found.unofficial:
        told.append(notices.fork(found.fork.match))
    if found.state == pb.MATCH_STATE_WAITING:
        told.append(phrase("The match waits: {what}.", what=notices.waiting(found.waits, labels)))
    elif found.state == pb.MATCH_STATE_ENDED and not found.unofficial:
        result = notices.won(found.winner, list(found.score))
        told.append(phrase("The match is over: {result}.", result=result))
    elif now["paused"]:
        told.append(phrase("The match stands still: an official has paused it."))
    told += [
        phrase(
            "A result that was told before stands no more, since entry {n}: {result}.",
            n=one.by,
            result=notices.won(one.winner, list(one.score)),
        )
        for one in found.superseded
    ]
    if sight.late:
        told.append(_late(sight.late))
    if found.chance != draws.SEED and (chance := notices.chance(found.chance)):
        told.append(chance)  # of a seed the board itself warns
    return told


def _late(delay: Delay) -> Phrase:
    """How late a match is seen."""
    if delay.game:
        return phrase("You see this match late: each game once it is over.")
    if delay.decisions:
        text = "You see this match late, by {n} decision."
        if delay.decisions != 1:
            text = "You see this match late, by {n} decisions."
        return phrase(text, n=delay.decisions)
    minutes, seconds = divmod(delay.seconds, 60)
    return phrase("You see this match late, by {time}.", time=f"{minutes}:{seconds:02d}")


def _offered(mine: Sequence[int], whole: _Addresses, at: int, view: str) -> list[View]:
    """The views that a visitor may have; none where there is only one."""
    if not mine:
        return []
    found = [View(phrase("spectators"), whole.of(at, view=""), not view)]
    for viewer in mine:
        name = views.name_of(viewer)
        label = phrase("everything") if viewer == OFFICIAL else views.label(viewer)
        if name != views.EVERYBODY:
            found.append(View(label, whole.of(at, view=name), name == view))
    return found


def _texts(language: Language) -> dict[str, str]:
    """What scripts say."""
    seats = {f"seat-{n}": language.say(player(n)) for n in range(4)}
    return seats | {name: language.say(text) for name, text in TEXTS.items()}


#: What scripts say, by the names that they have for it; they fill the places in.
TEXTS = {
    "value": phrase("Decision {n} of {of}, turn {turn}: {what}"),
    "newest": phrase("Newest entry, {n}, turn {turn}"),
    "entry": phrase("Entry {n}"),
    "turn": phrase("Turn {n}"),
    "setup": phrase("Before the first turn"),
    "undone": phrase("This was undone: entry {n} took the match back to entry {to}."),
    "why": phrase("Why"),
    "options": phrase("Options"),
    "on": phrase("Go on where it was played on"),
    "waiting": phrase("The connection is lost; it is tried again."),
    "ended": phrase("The match is over."),
    "missing": phrase("That could not be fetched; try again."),
    "copied": phrase("The link to this entry is copied."),
    "play": phrase("Play"),
    "stop": phrase("Stop"),
    "game": phrase("game {n} begins"),
    "ruling": phrase("a ruling"),
    "irregularity": phrase("{player} against {rule}"),
    "penalty": phrase("{label} for {player}"),
    "rewind": phrase("taken back to entry {to}"),
    "time": phrase("time was called"),
    "result": phrase("the result is corrected"),
    "end": phrase("the match is over"),
}
