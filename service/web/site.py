"""The site: the service behind the pages, and how it is shown.

Every page is made of answers of the RPCs (`Site.ask`), so that it shows nobody what gRPC would
refuse him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import time
from typing import Any

from google.protobuf.message import Message
from kifu.v1 import tournament_service_pb2 as pb
from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.telling.book import Book
from domain.tournament.state import State
from domain.words.tables import Language
from service.api.calls.guard import Guard, Method, Sender
from service.api.matches import MatchServicer
from service.api.tournaments.queries import Queries
from service.credentials.entrance import Entrance
from service.credentials.exchange import Codes
from service.credentials.issuing import Tokens
from service.identity import Identity, Keys, Role
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.store.derived import listing
from service.store.records import NoSuchMatch
from service.telemetry.health import Health
from service.telemetry.metrics import Metrics
from service.web.play.pairs import Pairs

#: How long the token of a spectator lasts that nobody is ever given, in days.
_DAYS = 2.0


class Look(Struct, frozen=True, kw_only=True):
    """How the site is shown.

    `open`: visitors without a token see matches as the public does, with the delay of their
    policies; else a code is needed for everything. `images`: a folder with pictures of cards, by
    game and id.
    `card_photos`: photos of cards that a match brings are kept with it, and shown.
    `themes`: one with themes of overlays (`overlay.styling`).
    `origins`: the sites whose pages may call the API (CORS); `*`: all of them.
    `web`: the address of the site itself, `https://HOST`, where it is known: previews of links name
    it, and never the host that somebody asked for.
    """

    open: bool = True
    images: Path | None = None
    card_photos: bool = False
    themes: Path | None = None
    origins: tuple[str, ...] = ()
    web: str = ""


class Spectators:
    """The tokens by which the service itself asks for those who have none.

    There is one for each match, and one for each event: those of its public, as late as the policy
    says. A fork has no public.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._tokens: dict[str, tuple[str, Identity]] = {}

    async def token(self, match: str) -> tuple[str, Identity]:
        """A token of the public of a match; raises `NoSuchMatch`."""
        known = self._known(match)
        if known is not None:
            return known
        matches = self._site.matches
        listed = await matches.lanes.run(listing.find, matches.records, match)
        if listed.heading.origin is not None:
            raise NoSuchMatch(match)
        late = listed.heading.policy.delay
        return self._issue(match, Identity(Role.PUBLIC, f"public of {match}", match, delay=late))

    async def event_token(self, event: str) -> tuple[str, Identity]:
        """A token of the public of an event; raises `NoSuchTournament`."""
        known = self._known(f"event {event}")
        if known is not None:
            return known
        late = (await self._site.tournaments.state(event)).format.policy.delay
        who = Identity(Role.PUBLIC, f"public of {event}", event=event, delay=late)
        return self._issue(f"event {event}", who)

    def _known(self, of: str) -> tuple[str, Identity] | None:
        known = self._tokens.get(of)
        return known if known is not None and known[1].expires > time() + 86_400 else None

    def _issue(self, of: str, who: Identity) -> tuple[str, Identity]:
        if len(self._tokens) >= 10_000:
            self._tokens.clear()
        self._tokens[of] = found = self._site.keys.issue(who, _DAYS)
        return found


class Site:
    """The parts of pages. To be used within one loop."""

    def __init__(
        self,
        *,
        guard: Guard,
        methods: Mapping[str, Method],
        servicer: MatchServicer,
        matches: Matches,
        tournaments: Tournaments,
        queries: Queries,
        codes: Codes,
        tokens: Tokens,
        entrance: Entrance,
        keys: Keys,
        metrics: Metrics,
        look: Look,
        health: Health,
        rival: Callable[[str, str, int, str], None] | None = None,
    ) -> None:
        """`methods` are all RPCs, by service and name: `kifu.v1.MatchService/GetMatch`.

        `queries` answer those that read events.

        `health` says whether it may be sent requests; `rival`: see `service.settings`.
        """
        self.guard, self.methods, self.servicer = guard, methods, servicer
        self.matches, self.tournaments, self.codes = matches, tournaments, codes
        self.queries = queries
        self.tokens, self.entrance, self.keys = tokens, entrance, keys
        self.metrics, self.look, self.health, self.rival = metrics, look, health, rival
        self._by_name = {path.rpartition("/")[2]: one for path, one in methods.items()}
        self.spectators, self.pairs = Spectators(self), Pairs()
        self._books: dict[tuple[str, str], Book] = {}

    @property
    def rulebooks(self) -> Mapping[str, Rulebook]:
        """The rulebooks by game."""
        return self.matches.rulebooks

    async def ask(self, request: Message, sender: Sender) -> Any:
        """The answer to a request of an RPC, which it names; raises `Fault`."""
        return await self.guard.answer(self.method(request), request, sender)

    async def event(self, event: str, sender: Sender, *, with_lists: bool = False) -> State:
        """An event as GetTournament answers, without the message; raises `Fault`."""

        async def seen(who: Identity) -> State:
            return await self.queries.seen(event, who, with_lists=with_lists)

        return await self.guard.value(self.method(pb.GetTournamentRequest()), sender, seen)

    def method(self, request: Message) -> Method:
        """The RPC that a request is one of."""
        return self._by_name[type(request).__name__.removesuffix("Request")]

    def book(self, game: str, language: Language, prints: Iterable[str] = ()) -> Book:
        """The names of a game in a language, with the cards that a match brought."""
        key = game, language.tag
        if key not in self._books:
            self._books[key] = Book.of(self.matches.rulebook(game), language)
        return self._books[key].further(prints)
