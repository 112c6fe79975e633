"""The client's calls about games (see `client`): manifests, cards, decks, rules; and metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kifu.v1 import admin_service_pb2, catalog_service_pb2

from domain.record.schema.listing import ListForm
from domain.record.schema.manifest import Manifest
from domain.record.values import Value
from service import wire
from service.client import convert
from service.client.connection import CallError, Connection
from service.client.seen import Declared


class Catalog(Connection):
    """Calls that are about no match."""

    def games(self) -> list[catalog_service_pb2.Game]:
        """The games."""
        request = catalog_service_pb2.ListGamesRequest()
        return list(self.call(self.catalog.ListGames, request).games)

    def manifest(self, game: str) -> Manifest:
        """The words in which a game's records are written."""
        return self._declared(game).manifest

    def declares(self, game: str) -> Declared | None:
        """The declarations of a game, asked for once a channel; None if the service can't say."""
        if game not in self._games:
            try:
                self._games[game] = self._declared(game)
            except (CallError, ValueError):  # or the channel is closed
                return None
        found: Declared = self._games[game]
        return found

    def _declared(self, game: str) -> Declared:
        request = catalog_service_pb2.GetManifestRequest(game=game)
        found = self.call(self.catalog.GetManifest, request)
        tallies = tuple(map(wire.tally_of, found.tallies))
        return Declared(wire.manifest_of(found.manifest), tallies)

    def cards(
        self, game: str, ids: Sequence[str] = ()
    ) -> Iterator[catalog_service_pb2.CatalogCard]:
        """Cards of a game, all of them or some."""
        request = catalog_service_pb2.ListCardsRequest(game=game, ids=ids)
        yield from self.pages(self.catalog.ListCards, request, "cards")

    def decks(self, game: str) -> dict[str, dict[str, list[str]]]:
        """The ready-made decks of a game."""
        return self.listed(game)[0]

    def listed(self, game: str) -> tuple[dict[str, dict[str, list[str]]], tuple[ListForm, ...]]:
        """The ready-made decks of a game, and the forms in which other programs keep lists."""
        found = self.call(self.catalog.ListDecks, catalog_service_pb2.ListDecksRequest(game=game))
        decks = {
            deck.name: {part.part: list(part.cards) for part in deck.parts} for deck in found.decks
        }
        return decks, tuple(map(wire.list_form_of, found.forms))

    def check_deck(
        self,
        game: str,
        deck: Mapping[str, Sequence[str]],
        options: Mapping[str, Value] | None = None,
    ) -> list[catalog_service_pb2.DeckFault]:
        """The faults of a deck list, in a match with these options."""
        request = catalog_service_pb2.CheckDeckRequest(
            game=game, parts=convert.deck(deck).parts, options=convert.options(options)
        )
        return list(self.call(self.catalog.CheckDeck, request).faults)

    def rules(
        self, game: str, ids: Sequence[str] = (), prefix: str = ""
    ) -> Iterator[catalog_service_pb2.Rule]:
        """Rules of a game, all of them or some."""
        request = catalog_service_pb2.ListRulesRequest(game=game, ids=ids, prefix=prefix)
        yield from self.pages(self.catalog.ListRules, request, "rules")

    def access(self, match: str = "") -> Iterator[admin_service_pb2.AccessLine]:
        """The log of access to hidden cards, of a match or all, newest first (organisers only)."""
        request = admin_service_pb2.ListAccessRequest(match_id=match, page_size=500)
        yield from self.pages(self.admin.ListAccess, request, "lines")

    def check_access(
        self, noted: tuple[int, bytes] | None = None, match: str = ""
    ) -> admin_service_pb2.CheckAccessResponse:
        """Whether the log of access is whole, and leads through a head that was noted earlier.

        That of a match, where each has a log of its own.
        """
        head = None if noted is None else admin_service_pb2.AccessHead(n=noted[0], hash=noted[1])
        request = admin_service_pb2.CheckAccessRequest(noted=head, match_id=match)
        found: admin_service_pb2.CheckAccessResponse = self.call(self.admin.CheckAccess, request)
        return found

    def describe(self) -> admin_service_pb2.DescribeServerResponse:
        """The description of the server that answers (organisers only)."""
        request = admin_service_pb2.DescribeServerRequest()
        return self.call(self.admin.DescribeServer, request)  # type: ignore[no-any-return]

    def metrics(self) -> list[admin_service_pb2.Metric]:
        """The service's metrics (organisers only)."""
        request = admin_service_pb2.GetMetricsRequest()
        return list(self.call(self.admin.GetMetrics, request).metrics)
