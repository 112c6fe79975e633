"""Before the first turn (bs:6-2-1): decks, cores, first hands, who begins, redraws."""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.flow.turn import TURN
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import SOUL
from domain.games.kit.flow.setup import Deck, first_hands, lay_out, redraw, who_begins, who_chooses
from domain.games.kit.lists.decks import MAIN
from domain.record.events import GameBegan

LIFE, RESERVE, HAND = 5, 3, 4
DECK = Deck(MAIN, "deck", ("bs:6-2-1-4", "bs:6-2-1-1"), shuffled=("bs:6-2-1-2", "bs:4-2-4"))


def setup_step(t: Table) -> Play:
    """The steps before the game, in the order of the book."""
    played = chosen(t.pos.heading.options)
    chooser, by = who_chooses(t.pos, played.first, played.later)
    t.emit(GameBegan(t.pos.game + 1), "bs:6-2-1", "bs:6-2-1-1-1")
    yield from lay_out(t, DECK)
    for seat in (0, 1):  # and then the other player's deck
        yield from t.shuffle(f"deck/{t.pos.rival(seat)}", "bs:6-2-1-2", "bs:4-2-4")
    for seat in (0, 1):
        with t.at_once():
            cores.move(t, LIFE, cores.VOID, cores.life(seat), "bs:6-2-1-3")
            cores.move(t, RESERVE, cores.VOID, cores.reserve(seat), "bs:6-2-1-3")
            cores.move(t, 1, cores.VOID, cores.reserve(seat), "bs:6-2-1-3", kind=SOUL)
    first_hands(t, 0, "deck", HAND, "bs:6-2-1-5")
    first = yield from who_begins(t, "bs:6-2-1-6", chooser=chooser, by=by)
    for seat in (first, t.pos.rival(first)):
        rules = ("bs:6-2-1-7", "bs:6-2-1-8")
        yield from redraw(t, seat, "deck", HAND, *rules, shuffles=2)
    TURN.begin_turn(t, first, "bs:6-2-1-9")
