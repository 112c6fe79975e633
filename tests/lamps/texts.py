"""What card texts mean in Lamps: figures, what sets texts off, what the rules do by themselves."""

from domain.effects.language.instruction import carried_out
from domain.effects.select import Texts
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import processes
from domain.games.kit.effects.occurrences import Occurrences, Pattern
from domain.games.kit.effects.texts import CardTerms, Stock, Stocks, by_rule, perform, running
from domain.games.kit.effects.triggers import Book, Policy, Triggers
from domain.games.kit.zones.hand import drawing
from domain.games.kit.zones.moves import leave
from domain.record import events as ev
from domain.record.position import Pending
from tests.lamps.cards import CATALOGUE, WORDS, Card
from tests.lamps.manifest import MANIFEST

stock = Stocks(CATALOGUE, lambda cards: Stock(cards, Card(id="", name="?", type="gust")))
TERMS = CardTerms(MANIFEST, stock, {"": "quay"}, by_rule("lm:6-1"), {"light": "lm:6-1"}, "lm:6-1")


def go_out(t: Table) -> Play:
    """Lamps that shine no more go out."""
    dark = [n for n in TERMS.workplaces(t.pos) if not t.pos.cards[n].stats.get("light")]
    leave(t, dark, lambda owner: f"trash/{owner}", "out", "lm:5-1")
    return
    yield


def settle(t: Table) -> Play:
    """What the rules do by themselves."""
    yield from processes.settle(t, TERMS, go_out)


def carry_out(t: Table, act: Pending) -> Play:
    """Carry out a text that was set off, or a gust."""
    rule, run = "lm:6-2" if act.kind == "triggered" else "lm:4-3", running(TERMS, t.pos, act)
    yield from perform(t, TERMS, run, rule, done="lm:6-1", void="lm:6-1", declined=rule)
    yield from TERMS.settle(t)


TEXTS = Texts(carried_out(WORDS.instructions, draw=drawing("deck", "lm:6-1")), settle)
BOOK = Book(
    cites=lambda p, ref, effect: ("lm:6-2", f"card:{ref}"), order="lm:6-2",
    watched=lambda p: stock(p).watched, carry_out=carry_out,
)  # fmt: skip
TRIGGERS = Triggers(TERMS, Policy(group="newest", orders="own"), BOOK)
LIT = Pattern("lit", ev.CardsMoved, lambda case: case.event.why == "lit", lambda case: case.now)
OCCURRENCES = Occurrences(TRIGGERS, lambda p: stock(p).heard, (LIT,))
