"""Before the first turn: the decks, who begins, Life Points and the first hands."""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow.setup import SEATS, Deck, first_hands, lay_out, loser, who_begins
from domain.games.yugioh.flow.turn import begin_turn
from domain.games.yugioh.lists.formats import chosen
from domain.record.events import GameBegan

HAND = 5
MAIN = Deck("main", "deck", ("ygo:base.deck.1", "ygo:base.setup.1"), shuffled=("ygo:base.setup.1",))
EXTRA = Deck("extra", "extra", ("ygo:base.deck.3",))


def setup_step(t: Table) -> Play:
    """Everything up to the first turn."""
    played, chooser, by = chosen(t.pos.heading.options), loser(t.pos), "house:loser"
    if not t.pos.game:
        chooser, by = SEATS.get(played.first), "house:chooser"
    t.emit(GameBegan(t.pos.game + 1), "ygo:base.setup.1", "ygo:base.match.1")
    yield from lay_out(t, MAIN, EXTRA)
    first = yield from who_begins(t, "ygo:base.setup.2", chooser=chooser, by=by)
    with t.at_once():
        for seat in (0, 1):
            t.counters("life", played.life, "ygo:base.life.1", dst=f"seat/{seat}")
    first_hands(t, first, "deck", HAND, "ygo:base.setup.3")
    begin_turn(t, first, "ygo:turn.order.1")
