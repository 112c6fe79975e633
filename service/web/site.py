"""The site: the service behind the pages, and how it is shown.

Every page is made of answers of the RPCs (`Site.ask`), so that it shows nobody what gRPC would
refuse him.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.telling.book import Book
from domain.words.tables import Language
from service.api.calls.guard import Guard, Method, Sender
from service.api.matches import MatchServicer
from service.credentials.entrance import Entrance
from service.credentials.exchange import Codes
from service.credentials.issuing import Tokens
from service.identity import Keys
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.telemetry.health import Health
from service.telemetry.metrics import Metrics


class Look(Struct, frozen=True, kw_only=True):
    """How the site is shown.

    `open`: visitors without a token see matches as the public does, with the delay of their
    policies; else a code is needed for everything. `images`: a folder with pictures of cards, by
    game and id.
    `themes`: one with themes of overlays (`overlay.styling`).
    `origins`: the sites whose pages may call the API (CORS); `*`: all of them.
    """

    open: bool = True
    images: Path | None = None
    themes: Path | None = None
    origins: tuple[str, ...] = ()


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
        codes: Codes,
        tokens: Tokens,
        entrance: Entrance,
        keys: Keys,
        metrics: Metrics,
        look: Look,
        health: Health,
    ) -> None:
        """`methods` are all RPCs, by service and name: `kifu.v1.MatchService/GetMatch`.

        `health` says whether it may be sent requests.
        """
        self.guard, self.methods, self.servicer = guard, methods, servicer
        self.matches, self.tournaments, self.codes = matches, tournaments, codes
        self.tokens, self.entrance, self.keys = tokens, entrance, keys
        self.metrics, self.look, self.health = metrics, look, health
        self._by_name = {path.rpartition("/")[2]: one for path, one in methods.items()}
        self._books: dict[tuple[str, str], Book] = {}

    @property
    def rulebooks(self) -> Mapping[str, Rulebook]:
        """The rulebooks by game."""
        return self.matches.rulebooks

    async def ask(self, request: Message, sender: Sender) -> Any:
        """The answer to a request of an RPC, which it names; raises `Fault`."""
        return await self.guard.answer(self.method(request), request, sender)

    def method(self, request: Message) -> Method:
        """The RPC that a request is one of."""
        return self._by_name[type(request).__name__.removesuffix("Request")]

    def book(self, game: str, language: Language, prints: Iterable[str] = ()) -> Book:
        """The names of a game in a language, with the cards that a match brought."""
        key = game, language.tag
        if key not in self._books:
            self._books[key] = Book.of(self.matches.rulebook(game), language)
        return self._books[key].further(prints)
