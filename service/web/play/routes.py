"""The pages for two friends.

/play            the organiser picks a game, `?game=`; POST: his name and deck, `alone`: no friend
/play/{code}     the one who invited waits, until he is led to his seat; any other picks a deck
/play/{code}/on  whether the match has begun, for the script of who waits
/play/rematch      POST: a seat of a match goes on to the next one; `swap`: with the decks swapped
/play/leave      POST: out of the seat, back to what the browser was before
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from secrets import compare_digest

from kifu.v1 import catalog_service_pb2, values_pb2
from kifu.v1 import match_service_pb2 as pb
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from domain.text import pasted
from domain.words.phrases import Phrase, phrase
from service.api.calls.errors import Fault, forbidden
from service.identity import BadToken, Role
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.entrance import signing
from service.web.play.pairs import Pair
from service.web.site import Site

#: The cookie by which a browser has invited, and that with its session as the organiser meanwhile.
INVITED, BEFORE = "kifu-play", visitors.BEFORE
#: How long cookies last, in seconds; how long a name is; the bytes of a form with a list.
LASTS, NAME, MOST = 30 * 86_400, 40, 64 * 1024
#: Names by which a machine calls itself.
HERE = ("localhost", "127.0.0.1", "::1")
#: The most characters of a list.
LONGEST = 16_000


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    here = Play(site)
    return [
        Route("/play", with_faults(here.begin), methods=["GET"]),
        Route("/play", with_faults(here.invite), methods=["POST"]),
        Route("/play/rematch", with_faults(here.rematch), methods=["POST"]),
        Route("/play/leave", with_faults(here.leave), methods=["POST"]),
        Route("/play/{code}", with_faults(here.pair), methods=["GET"]),
        Route("/play/{code}", with_faults(here.join), methods=["POST"]),
        Route("/play/{code}/on", with_faults(here.on), methods=["GET"]),
    ]


class Play:
    """Answers at these addresses."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def begin(self, request: Request) -> Response:
        """Where the game and a deck are picked."""
        visitor = visitors.signed_in(self._site, request)
        if visitor is None:
            return RedirectResponse("/in?to=/play", HTTPStatus.SEE_OTHER)
        if visitor.who.role != Role.ORGANISER:
            raise forbidden("an organiser")
        return self._form(request, request.query_params.get("game", ""))

    async def invite(self, request: Request) -> Response:
        """Keep what the organiser picked, and lead him to the link for the other."""
        sent = await signing.form_of(request, MOST)
        visitor = visitors.signed_in(self._site, request)
        if visitor is None or visitor.who.role != Role.ORGANISER:
            raise forbidden("an organiser")
        game = sent.get("game", "")
        if game not in self._site.rulebooks:
            raise answers.NOTHING
        deck, faults = await self._deck(request, game, sent)
        if deck is None:
            return self._form(request, game, sent=sent, faults=faults)
        pair = self._site.pairs.invite(game, visitor.sender, _name(sent, "Ann"), deck)
        if "alone" in sent and self._site.rival is not None:
            return await self._alone(request, pair, sent.get("rival", ""))
        found = _to(f"/play/{pair.code}")
        visitors.keep(found, request, INVITED, pair.secret, LASTS)
        return found

    async def _alone(self, request: Request, pair: Pair, deck: str) -> Response:
        """Open a match against the site's rival, with a ready-made deck."""
        ready = [*self._site.rulebooks[pair.game].decks]
        pair.alone = True
        pair.names.append("Kifu")
        pair.decks.append(pb.DeckChoice(name=deck if deck in ready else ready[-1]))
        await self._open(pair)
        return self._seated(request, pair, 0)

    async def pair(self, request: Request) -> Response:
        """The invitation, for who gave it or for who got it."""
        pair = self._pair(request)
        if not _invited(request, pair):
            if pair.match:
                text = phrase("This match has begun without you.")
                return self._form(request, pair.game, pair=pair, faults=[text])
            return self._form(request, pair.game, pair=pair)
        if pair.match:
            return self._seated(request, pair, 0)
        return answers.page(
            "play/wait.html",
            visitors.language_of(request),
            link=str(request.url.replace(query="")),
            near=request.url.hostname in HERE,
            title=self._title(request, pair.game),
        )

    async def join(self, request: Request) -> Response:
        """Open the match with the deck of the other, and lead him to his seat."""
        sent = await signing.form_of(request, MOST)
        pair = self._pair(request)
        deck, faults = await self._deck(request, pair.game, sent)
        async with pair.lock:
            if pair.match:
                faults = [phrase("This match has begun without you.")]
            elif deck is not None:
                pair.names[1:], pair.decks[1:] = [_name(sent, "Ben")], [deck]
                try:
                    await self._open(pair)
                except Fault as fault:
                    faults = [fault.text]
                else:
                    return self._seated(request, pair, 1)
        return self._form(request, pair.game, pair=pair, sent=sent, faults=faults)

    async def on(self, request: Request) -> Response:
        """Whether the match of an invitation has begun."""
        return answers.data({"on": bool(self._pair(request).match)})

    async def rematch(self, request: Request) -> Response:
        """The next match of a pair: whoever asks first has it opened, the other comes to it."""
        sent = await signing.form_of(request)
        visitor = visitors.signed_in(self._site, request)
        pair = self._site.pairs.of(visitor.who.match) if visitor is not None else None
        if visitor is None or pair is None or visitor.who.role != Role.SEAT:
            raise answers.NOTHING
        async with pair.lock:
            if pair.match == visitor.who.match:
                now = await self._site.ask(pb.GetMatchRequest(match_id=pair.match), visitor.sender)
                if now.match.state != pb.MATCH_STATE_ENDED:
                    return _to(f"/seat/{pair.match}")
                if "swap" in sent:
                    pair.swap()
                await self._open(pair)
        return self._seated(request, pair, visitor.who.seat)

    async def leave(self, request: Request) -> Response:
        """Out of a seat: to the session that the browser had before, or out."""
        await signing.form_of(request)
        before = request.cookies.get(visitors.cookie_name(request, BEFORE), "")
        try:
            self._site.keys.check(before)
        except BadToken:
            found = _to("/")
            visitors.forget(found, request)
            return found
        found = _to("/play")
        visitors.keep(found, request, visitors.COOKIE, before, LASTS)
        visitors.keep(found, request, BEFORE, "", 0)
        return found

    # -- parts -------------------------------------------------------------------------------------

    def _pair(self, request: Request) -> Pair:
        pair = self._site.pairs.named(request.path_params["code"])
        if pair is None:
            raise answers.NOTHING
        return pair

    async def _open(self, pair: Pair) -> None:
        request = pb.OpenMatchRequest(game=pair.game, seats=pair.names, decks=pair.decks)
        game, _, edition = pair.game.partition("@")
        request.game, request.edition = game, edition
        opened = await self._site.ask(request, pair.host)
        seats = [one for one in opened.tokens if one.HasField("seat")]
        pair.tokens = {one.seat: one.token for one in seats}
        self._site.pairs.plays(pair, opened.match.id)
        if pair.alone and self._site.rival is not None:
            self._site.rival(pair.game, pair.match, 1, pair.tokens[1])

    def _seated(self, request: Request, pair: Pair, seat: int) -> Response:
        """Lead a browser to its seat, with the token of that."""
        found = _to(f"/seat/{pair.match}")
        had = request.cookies.get(visitors.cookie_name(request), "")
        try:
            organises = self._site.keys.check(had).role == Role.ORGANISER
        except BadToken:
            organises = False
        if organises:
            visitors.keep(found, request, BEFORE, had, LASTS)
        visitors.keep(found, request, visitors.COOKIE, pair.tokens[seat], LASTS)
        return found

    async def _deck(
        self, request: Request, game: str, sent: Mapping[str, str]
    ) -> tuple[pb.DeckChoice | None, list[str]]:
        """The deck that a form says, or its faults."""
        book = self._site.book(game, visitors.language_of(request))
        text, name = sent.get("cards", "")[:LONGEST], sent.get("deck", "")
        if not text.strip():
            if name in book.decks:
                return pb.DeckChoice(name=name), []
            return None, [phrase("Pick a deck, or paste a list.")]
        try:
            typed = await self._site.matches.lanes.run(pasted.read, text, book.cards, book.decks)
        except pasted.BadList as error:
            return None, [*error.faults]
        whole = pasted.completed(typed, book.decks)
        parts = [values_pb2.DeckPart(part=part, cards=cards) for part, cards in whole.items()]
        deck = pb.DeckChoice(name=phrase("a list of one's own"), parts=parts)
        asked = catalog_service_pb2.CheckDeckRequest(game=game, parts=parts)
        found = await self._site.ask(asked, visitors.sender(request, None))
        return (None if found.faults else deck), [one.text for one in found.faults]

    def _title(self, request: Request, game: str) -> Phrase:
        return self._site.book(game, visitors.language_of(request)).manifest.called

    def _form(
        self,
        request: Request,
        game: str,
        *,
        pair: Pair | None = None,
        sent: Mapping[str, str] = {},
        faults: Sequence[str] = (),
    ) -> Response:
        language = visitors.language_of(request)
        known = game in self._site.rulebooks
        return answers.page(
            "play/begin.html",
            language,
            status=HTTPStatus.BAD_REQUEST if faults else HTTPStatus.OK,
            games={key: self._title(request, key) for key in _newest(self._site)},
            game=game if known else "",
            title=self._title(request, game) if known else "",
            decks=[*self._site.book(game, language).decks] if known else [],
            pair=pair,
            alone=pair is None and self._site.rival is not None,
            sent=sent,
            faults=[language.say(one) for one in faults],
            longest=LONGEST,
        )


def _newest(site: Site) -> list[str]:
    """The games, each by the newest edition of its book that is served."""
    found = dict[str, str]()
    for key in site.rulebooks:
        game, _, edition = key.partition("@")
        if game not in found or edition > found[game].partition("@")[2]:
            found[game] = key
    return [*found.values()]


def _invited(request: Request, pair: Pair) -> bool:
    given = request.cookies.get(visitors.cookie_name(request, INVITED), "")
    return compare_digest(given.encode(), pair.secret.encode())


def _name(sent: Mapping[str, str], otherwise: str) -> str:
    name = "".join(one for one in sent.get("name", "") if one.isprintable()).strip()
    return name[:NAME] or otherwise


def _to(address: str) -> Response:
    found = RedirectResponse(address, HTTPStatus.SEE_OTHER)
    found.headers["cache-control"] = answers.NOT_KEPT
    return found
