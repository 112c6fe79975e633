"""Rights to a match over HTTP: whose view, which delay, up to which entry; looks are recorded.

Rights, delays and looks are those of the RPCs (`service.api.reading`). What was released once stays
so, and what a match was opened with never changes: so most requests are answered without a look
into the store. An address without a view is the public's on an open site, for every visitor, with
the public's delay: its answer may be kept by a shared cache.
"""

from __future__ import annotations

from time import monotonic
from typing import TypeVar

from kifu.v1 import match_service_pb2 as pb
from msgspec import Struct
from starlette.requests import Request

from domain.record.views import PUBLIC
from domain.words.tables import Language
from service.api.calls.guard import Sender
from service.api.calls.languages import LANGUAGE
from service.identity import Identity
from service.live.background import Underway
from service.live.lanes import CALLER, Caller
from service.store.delay import NONE, Delay, parse
from service.store.records import LAST
from service.web import views, visitors
from service.web.answers import NOTHING
from service.web.site import Site
from service.web.visitors import Visitor

K = TypeVar("K")
V = TypeVar("V")

#: For how long a look covers what the same person fetches of the same match, in seconds.
COVERS = 60.0
#: Of how much it is remembered who may see it, what is released and who has looked.
REMEMBERED = 10_000


class Sight(Struct, frozen=True):
    """A visitor's view of a match. `shared`: everybody sees the same at this address."""

    match: str
    viewer: int
    late: Delay
    who: Identity
    sender: Sender
    shared: bool

    @property
    def language(self) -> Language:
        """The language of texts."""
        return self.sender.language

    @property
    def request(self) -> pb.GetPositionRequest:
        """The request for an RPC."""
        return pb.GetPositionRequest(
            match_id=self.match, view=views.view_of(views.name_of(self.viewer))
        )


class Sights:
    """The rights of those who ask. To be used within one loop."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rights: dict[tuple[Identity, str, str], tuple[int, Delay]] = {}
        self._released: dict[tuple[str, Delay], int] = {}
        self._asking = Underway[int]()
        self._looked: dict[tuple[str, str, str, int], float] = {}
        self._following: dict[tuple[str, str, str, int], int] = {}

    async def of(self, request: Request, *, unlimited: bool = False) -> Sight:
        """The view at the address of a request; raises `Fault` or `BadToken`.

        `unlimited`: what he asks for is limited elsewhere, as streams are.
        """
        asked = request.path_params
        return await self.see(request, asked["match"], asked.get("view", ""), unlimited=unlimited)

    async def see(
        self, request: Request, match: str, name: str, *, unlimited: bool = False
    ) -> Sight:
        """The sender's view of a match; empty: no view is named."""
        CALLER.set(Caller("", visitors.connection(request), unlimited))
        site = self._site
        if not name and site.look.open:
            token, who = await site.spectators.token(match)
            asking = visitors.sender(request, f"Bearer {token}")
            found = Sight(match, PUBLIC, _late(who), who, asking, True)
        else:
            visitor = await visitors.of(site, request, match)
            who, asking = visitor.who, visitor.sender
            viewer, late = await self._right(who, match, name or views.EVERYBODY)
            found = Sight(match, viewer, late, who, asking, False)
        CALLER.set(Caller(asking.token, asking.connection, unlimited))
        LANGUAGE.set(asking.language)
        return found

    async def _right(self, who: Identity, match: str, name: str) -> tuple[int, Delay]:
        key = who, match, name
        found = self._rights.get(key)
        if found is None:
            request = pb.GetPositionRequest(match_id=match, view=views.view_of(name))
            seen = await self._site.matches.lanes.run(self._site.servicer.viewing, who, request)
            if seen.viewer != views.viewer_of(name):
                raise NOTHING
            found = seen.viewer, seen.delay
            _remember(self._rights, key, found)
        return found

    # -- what is released --------------------------------------------------------------------------

    async def released(self, sight: Sight, wanted: int = LAST) -> int:
        """Up to which entry somebody may know, or at least that he may know of the one `wanted`.

        Those who ask at the same time share the answer. Raises `NotReleased`, `NoSuchMatch`.
        """
        key = sight.match, sight.late
        known = self._released.get(key, 0)
        if known >= wanted:
            return known
        return await self._asking.of(key, lambda: self._ask(sight))

    async def _ask(self, sight: Sight) -> int:
        servicer, records = self._site.servicer, self._site.matches.records

        def read() -> int:
            with records.reading():
                upto = servicer.viewing(sight.who, sight.request).upto
                return min(upto, records.last(sight.match))

        found = await self._site.matches.lanes.run(read)
        key = sight.match, sight.late
        _remember(self._released, key, max(found, self._released.get(key, 0)))
        return found

    def note(self, match: str, late: Delay, upto: int) -> None:
        """Note that entries were released, as announced to followers."""
        key = match, late
        _remember(self._released, key, max(upto, self._released.get(key, 0)))

    async def require(self, sight: Sight, seq: int) -> None:
        """Raises `Fault` unless there is an entry of that number for somebody."""
        if not 0 < seq <= await self.released(sight, seq):
            raise NOTHING

    # -- looks -------------------------------------------------------------------------------------

    async def look(self, sight: Sight) -> None:
        """Record that an official looks at what is hidden, before he is shown any.

        What he goes on to fetch is covered for a minute, or while he follows the match: as a stream
        of the RPCs is one look. Else each position that a page fetches ahead would be one.
        """
        key = _looker(sight)
        if sight.viewer == PUBLIC:
            return
        looked = self._looked.get(key)
        if looked is not None and (looked > monotonic() or key in self._following):
            return
        await self._site.servicer.record_look(sight.who, sight.request)
        _remember(self._looked, key, monotonic() + COVERS)

    async def show(self, sight: Sight, seq: int) -> None:
        """Require an entry and record the look, before anything up to it is shown."""
        await self.require(sight, seq)
        await self.look(sight)

    def follows(self, sight: Sight) -> None:
        """Note that somebody begins to follow a match."""
        key = _looker(sight)
        if self._looked.get(key, 0.0) < monotonic():
            self._looked.pop(key, None)
        self._following[key] = self._following.get(key, 0) + 1

    def left(self, sight: Sight) -> None:
        """Note that he has ended."""
        key = _looker(sight)
        self._following[key] -= 1
        if not self._following[key]:
            del self._following[key]


def at_once(visitor: Visitor, match: str, viewer: int) -> Sight:
    """A viewer's view of a match without any delay."""
    return Sight(match, viewer, NONE, visitor.who, visitor.sender, False)


def _looker(sight: Sight) -> tuple[str, str, str, int]:
    return sight.match, sight.who.subject, sight.who.id, sight.viewer


def _late(who: Identity) -> Delay:
    return parse(who.delay) if who.delay else NONE


def _remember(known: dict[K, V], key: K, value: V) -> None:
    """Keep something, and forget the oldest of too many."""
    known[key] = value
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
