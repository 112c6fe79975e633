"""Tokens outside the game: how many is public, which ones their owner knows alone (1.9: 5-17-4)."""

import pytest

from domain.engine.match import Deck, Match, Opening
from domain.games import rulebook
from domain.record.events import DeckRegistered
from domain.record.views import redact

BOOK = rulebook("gundam@1.9")
TOKENS = ("T-001",) * 6 + ("T-002",)


@pytest.mark.rule("gcg@1.9:5-17-4-2", "gcg@1.9:5-17-4-3")
def test_the_number_of_prepared_tokens_is_public_and_their_faces_are_not():
    lists = Deck("ST01", {**BOOK.decks["ST01"], "tokens": TOKENS}), Deck("ST03", BOOK.decks["ST03"])
    opened = Opening(("Ann", "Ben"), lists, 0)
    match = Match.open(BOOK, opened, lambda kind, of: (0,) if of == 2 else tuple(range(of)))
    entry = next(one for one in match.collect() if isinstance(one.event, DeckRegistered))
    for viewer in range(2):
        seen = redact(entry, viewer).event
        assert seen.sizes["tokens"] == 7
        assert (seen.cards.value or {}).get("tokens") == (TOKENS if viewer == 0 else None)
