"""The servicer of the catalogue (catalog_service.proto): games, cards, decks and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from kifu.v1 import catalog_service_pb2 as pb
from kifu.v1.values_pb2 import DeckPart, Digest

from domain.engine.rulebook import Rulebook
from domain.record.schema import tallies
from domain.words.phrases import message_of, phrase
from service import wire
from service.api.calls import pages
from service.api.calls.errors import malformed
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.api.calls.requests import listed, options_of
from service.live.matches import UnknownGame

T = TypeVar("T")
#: How many ids a request may ask for, how many cards a list may have to be looked at.
IDS, CARDS = 1000, 400
#: How many cards are kept as they are sent: all of a large game.
KEPT = 2_000


class CatalogServicer:
    """Answers `kifu.v1.CatalogService`; each of it is done in a thread (`calls.guard`)."""

    def __init__(self, rulebooks: Mapping[str, Rulebook], marks: Pages) -> None:
        self._rulebooks, self._pages = rulebooks, marks
        self._card = lru_cache(KEPT)(lambda game, id_: _card(rulebooks[game].cards[id_]))

    def list_games(self, request: pb.ListGamesRequest, who: object) -> pb.ListGamesResponse:
        games = [_game(name, self._rulebooks[name]) for name in self._rulebooks]
        return pb.ListGamesResponse(games=games)

    def get_manifest(self, request: pb.GetManifestRequest, who: object) -> pb.GetManifestResponse:
        rules, language = self._rulebook(request.game), current()
        shown = tallies.in_language(rules.tallies, request.game, language)
        return pb.GetManifestResponse(
            manifest=wire.manifest_(rules.manifest.in_language(language)),
            tallies=map(wire.tally, shown),
        )

    def list_cards(self, request: pb.ListCardsRequest, who: object) -> pb.ListCardsResponse:
        scope = ("cards", request.game, list(request.ids))
        found = _asked(self._rulebook(request.game).cards, request.ids)
        part, token = self._page(found, request, scope, 100, 500)
        return pb.ListCardsResponse(
            cards=[self._card(request.game, id_) for id_ in part], next_page_token=token
        )

    def list_decks(self, request: pb.ListDecksRequest, who: object) -> pb.ListDecksResponse:
        rules = self._rulebook(request.game)
        return pb.ListDecksResponse(
            decks=[pb.Deck(name=name, parts=_parts(deck)) for name, deck in rules.decks.items()],
            forms=[wire.list_form(form) for form in rules.list_forms],
        )

    def check_deck(self, request: pb.CheckDeckRequest, who: object) -> pb.CheckDeckResponse:
        deck = {part.part: listed(part.cards) for part in request.parts}
        if sum(map(len, deck.values())) > CARDS:
            raise malformed("parts", phrase("must be at most {cards} cards", cards=CARDS))
        if len(request.options) > IDS:
            raise malformed("options", phrase("must be at most {ids}", ids=IDS))
        rules, options = self._rulebook(request.game), options_of(request.options)
        try:
            rules.settle(options)
        except ValueError as error:
            raise malformed("options", message_of(error)) from None
        faults = rules.check_deck(deck, options=options)
        return pb.CheckDeckResponse(
            faults=[
                pb.DeckFault(rule=f.rule, card=f.card, text=current().say(f.text)) for f in faults
            ]
        )

    def list_rules(self, request: pb.ListRulesRequest, who: object) -> pb.ListRulesResponse:
        rules = self._rulebook(request.game).rules
        scope = ("rules", request.game, request.prefix, list(request.ids))
        found = [id_ for id_ in _asked(rules, request.ids) if id_.startswith(request.prefix)]
        part, token = self._page(found, request, scope, 200, 1000)
        some = [rules[id_] for id_ in part]
        return pb.ListRulesResponse(
            rules=[pb.Rule(id=rule.id, kind=rule.kind, gist=rule.gist) for rule in some],
            next_page_token=token,
        )

    def _page(
        self, found: list[str], request: Any, scope: tuple[Any, ...], default: int, most: int
    ) -> tuple[list[str], str]:
        start = self._pages.read(request.page_token, scope, int) or 0
        end = start + pages.size(request.page_size, default, most)
        return found[start:end], self._pages.token(scope, end) if end < len(found) else ""

    def _rulebook(self, game: str) -> Rulebook:
        if game not in self._rulebooks:
            raise UnknownGame(game)
        return self._rulebooks[game]


def _asked(table: Mapping[str, Any], ids: Sequence[str]) -> list[str]:
    if len(ids) > IDS:
        raise malformed("ids", phrase("must be at most {ids}", ids=IDS))
    return [id_ for id_ in dict.fromkeys(ids) if id_ in table] if ids else list(table)


def _game(name: str, rules: Rulebook) -> pb.Game:
    manifest = rules.manifest
    return pb.Game(
        name=name,
        title=manifest.title,
        version=manifest.version,
        prefix=manifest.prefix,
        seats=manifest.seats,
        digests=[Digest(name=what, sha256=found) for what, found in rules.digests.items()],
    )


def _card(card: Any) -> pb.CatalogCard:
    facts = msgspec.to_builtins(card, str_keys=True)
    found = pb.CatalogCard(id=facts.pop("id"), name=facts.pop("name"), type=facts.pop("type"))
    found.facts.update(facts)
    return found


def _parts(deck: Mapping[str, Sequence[str]]) -> list[DeckPart]:
    return [DeckPart(part=part, cards=cards) for part, cards in deck.items()]
