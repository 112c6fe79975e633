"""Lamps, put together: setup, the steps of a turn, and the rulebook."""

from functools import partial
from importlib.resources import files

from domain.engine.series import Loss, defeat
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow import setup
from domain.games.kit.flow.steps import Stage, Steps
from domain.games.kit.game import CardTexts, Cites, Flow, Game, Lists
from domain.games.kit.zones import hand
from domain.record.events import GameBegan
from domain.record.schema import citations
from tests.lamps.acts import ACTS, WINDOW
from tests.lamps.cards import CATALOGUE, WORDS, deck_faults
from tests.lamps.manifest import MANIFEST, TALLIES
from tests.lamps.texts import OCCURRENCES, TERMS, TEXTS, TRIGGERS

FIRST_HAND, FIRST_OIL, OIL, HAND, BRIGHT = 4, 3, 2, 5, 12


def set_up(t: Table) -> Play:
    """Decks, who begins, oil and first hands."""
    t.emit(GameBegan(t.pos.game + 1), "lm:2-3")
    yield from setup.lay_out(t, setup.Deck("main", "deck", ("lm:2-1",), shuffled=("lm:2-3",)))
    first = yield from setup.who_begins(t, "lm:2-3")
    setup.first_hands(t, first, "deck", FIRST_HAND, "lm:2-3")
    for seat in (first, t.pos.rival(first)):
        t.counters("oil", FIRST_OIL, "lm:2-3", dst=f"store/{seat}")
        yield from setup.redraw(t, seat, "deck", FIRST_HAND, "lm:2-4")
    TURN.begin_turn(t, first)


def draw(t: Table) -> None:
    """A card and oil."""
    seat = t.pos.turn_seat
    if not hand.draw(t, seat, "deck", 1, "lm:3-1"):
        defeat(t, Loss((seat,), "deck", ("lm:1-2",)))
    t.counters("oil", OIL, "lm:3-1", dst=f"store/{seat}")


def dusk(t: Table) -> Play:
    """Who shines bright enough has won; else his hand and what lasted this turn come to an end."""
    p, seat = t.pos, t.pos.turn_seat
    if sum(p.cards[n].stat("light") for n in p.zone("quay", seat)) >= BRIGHT:
        defeat(t, Loss((p.rival(seat),), "outshone", ("lm:1-1",)))
    yield from hand.discard_down(t, seat, HAND, "lm:3-3")
    t.expire("turn", "lm:6-1")


def main(t: Table) -> Play:
    """One act of the turn player."""
    yield from ACTS.ask(t, t.pos.turn_seat, "main", "lm:3-2")


def window(t: Table) -> Play:
    """Gusts, until both pass."""
    yield from WINDOW.ask_until_closed(t, partial(ACTS.offer, "window"), ACTS.carry_out)


TURN: Steps = Steps(TRIGGERS, {
    "draw": Stage(draw, "main", ("lm:3-2",)),
    "main": Stage(main, "dusk", ("lm:3-3",), round=True),
    "window": Stage(window, "main", ("lm:3-2",)),
    "dusk": Stage(dusk, lambda t: TURN.begin_turn(t, t.pos.rival(t.pos.turn_seat))),
}, turns=("lm:3-1",), enters=("lm:3-1",))  # fmt: skip
HOUSE, WON = ("house:open",), ("lm:1-1",)
RULEBOOK = Game(
    manifest=MANIFEST, rules=citations.load(files(__package__) / "rules.tsv"),
    board=(files(__package__) / "board.txt").read_text("utf-8"),
    lists=Lists(CATALOGUE, WORDS, deck_faults), tallies=TALLIES,
    flow=Flow(ACTS, {"setup": set_up}, TURN, before=WINDOW.hold, acting=("window",)),
    texts=CardTexts(TERMS, TEXTS, OCCURRENCES),
    cites=Cites(opening=HOUSE, deck=("lm:2-1",), seats=HOUSE, won=WON, drawn=WON, match=WON,
                next_game=("lm:2-3",)),
)  # fmt: skip
