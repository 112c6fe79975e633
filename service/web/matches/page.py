"""The page of a match, live and replay: its board at an entry, and the transcript around it.

All of it is there without scripts, at an address of its own for every entry. The scripts of the
page put the next board in the place of this one; what they fetch is at the addresses of
`positions`, which this page is made of as well. What stands above the board is in `heading`, which
lines stand beside it in `window`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from kifu.v1 import match_service_pb2 as pb
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.record.views import OFFICIAL
from domain.telling.names import letter, player
from domain.words.phrases import Phrase, joined, phrase
from domain.words.tables import ENGLISH, Language
from service.identity import BadToken
from service.store.records import NoSuchMatch
from service.web import answers, views, visitors
from service.web.board.picture import available
from service.web.called import may_know
from service.web.matches.heading import heading
from service.web.matches.timeline import Timeline
from service.web.matches.window import window
from service.web.positions.feed import HTML, Feed
from service.web.positions.sending import refused, send
from service.web.positions.shared import Body
from service.web.positions.sights import Sight
from service.web.site import Site

#: Entries whose marks are read at once, by whole ranges: what was made of them serves all pages.
RANGE = 1024
#: How long the page of an open site may be cached, for visitors without a session.
A_SECOND = "public, max-age=1"
#: What previews of links call a language.
LOCALES = {ENGLISH: "en_US", "ja": "ja_JP", "zh-Hans": "zh_CN", "zh-Hant": "zh_TW"}
_NUMBER = re.compile("[1-9][0-9]{0,8}")


class View(NamedTuple):
    """Through whose eyes the page may be seen as well."""

    label: Phrase
    address: str
    current: bool


class MatchPage:
    """The pages of matches."""

    def __init__(self, feed: Feed) -> None:
        self._site, self._feed = feed.site, feed

    async def page(self, request: Request) -> Response:
        """`/m/{match}`."""
        try:
            return await self._page(request)
        except BadToken as error:
            return answers.fault(error, request)
        except Exception as error:
            return refused(error, request)

    async def _page(self, request: Request) -> Response:
        match, asked, feed = request.path_params["match"], request.query_params, self._feed
        view, lang = asked.get("as", ""), asked.get("lang", "")
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
        whole = _Addresses(match, view, lang)
        begin, why, decision = (
            _number(asked.get(name, ""), 0, upto) for name in ("from", "why", "decision")
        )
        head, book = heading(found, now, sight.late), feed.book(match, sight.language)
        text = answers.rendered(
            "matches/match.html",
            sight.language,
            **head,
            preview=_preview(self._site.look.web, head, whole.base, at, sight.language.tag),
            **window(await feed.transcript_lines(sight, 0, upto), at, begin, timeline, whole.of),
            **_going(timeline, at, whole),
            game=feed.heading(match).game,
            title=book.manifest.called,
            signs=[
                (sign, book.manifest.label("stats", key)) for key, sign in book.look.glyphs.items()
            ],
            now=now,
            board=Markup((await feed.at(sight, at, False)).codings[""].decode()),
            behind=await self._behind(sight, why, decision),
            at=at,
            upto=upto,
            address=whole.of,
            base=whole.base,
            lang_asked=lang,
            views=_offered(self._views(request, match, len(found.seats)), whole, at, view),
            calls=_knows_calls(self._site, request, match),
            letter=letter,
            texts=_texts(sight.language),
        )
        anybody = sight.shared and visitors.authorization(request) is None
        keep = A_SECOND if anybody else answers.NOT_KEPT
        return send(request, Body.of(text.encode(), HTML), keep, shared=False)

    async def _behind(self, sight: Sight, why: int, decision: int) -> Markup:
        """The causes of an entry, or what there was to decide, for who reads without scripts."""
        if decision:
            body = await self._feed.decision(sight, decision, False)
        elif why:
            body, _ = await self._feed.entry(sight, why, False)
        return Markup(body.codings[""].decode()) if why or decision else Markup()

    def _views(self, request: Request, match: str, seats: int) -> list[int]:
        """Through whose eyes somebody who is signed in may see a match."""
        try:
            visitor = visitors.signed_in(self._site, request)
        except BadToken:
            return []
        if visitor is None or not visitor.who.may_see(match):
            return []
        return views.open_to(visitor.who, seats)


def _knows_calls(site: Site, request: Request, match: str) -> bool:
    try:
        return may_know(site, request, match)
    except BadToken:
        return False


class Preview(NamedTuple):
    """What pages of others show of a link: players and score, where it is played, a board."""

    title: str
    text: Phrase
    locale: str
    address: str
    picture: str


def _preview(site: str, head: Mapping[str, Any], base: str, at: int, language: str) -> Preview:
    """The preview of a link. Only what the public sees has a picture: nobody else can fetch it.

    Addresses in it have to be whole: without that of the `site` there are none. They
    say the language: who fetches a preview prefers none.
    """
    seats = head["seats"]
    scores = [str(one.score) for one in seats if one.score is not None]
    title = " – ".join(one.name for one in seats)
    drawn = bool(at and site) and available() and "/as/" not in base
    asked = "" if language == ENGLISH else f"?lang={language}"
    return Preview(
        f"{title} ({'–'.join(scores)})" if scores else title,
        joined(" · ", head["where"]),
        LOCALES.get(language, ""),
        f"{site}/m/{head['found'].id}{asked}" if site else "",
        f"{site}{base}/at/{at}.png{asked}" if drawn else "",
    )


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
    """The marks of all known entries."""
    found = list[Any]()
    for after in range(0, upto, RANGE):
        body = await feed.marks(sight, after, min(after + RANGE, upto))
        found += msgspec.json.decode(body.codings[""])["marks"]
    return found


def _going(timeline: Timeline, at: int, whole: _Addresses) -> dict[str, Any]:
    """Where one can go from an entry, and whether it stands."""
    undone = timeline.undone(at)
    return {
        "decision": timeline.decision(at),
        "steps": {name: whole.of(seq) for name, seq in timeline.steps(at).items()},
        "moments": [(one, whole.of(one.seq)) for one in timeline.moments],
        "undone": undone,
        "back_to": dict(timeline.rewinds).get(undone, 0),
    }


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
    """The texts of scripts."""
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
    "options": phrase("Choices"),
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
