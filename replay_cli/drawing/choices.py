"""The options of a decision as text, and the one that was taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from rich.table import Table

from domain.record.decisions import Act, Offer, Option
from domain.record.fitting.fit import completed
from domain.record.position import Position
from domain.text import notation
from domain.words.phrases import joined, phrase
from replay_cli.drawing.book import Book
from replay_cli.drawing.names import Names
from replay_cli.output import say, table

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook


def options(book: Book, pos: Position, seat: int, offer: Offer, taken: Act | None = None) -> Table:
    """The options of an offer: what each would do, and how it is typed; the one taken is marked."""
    found = table("", say(phrase("option")), say(phrase("typed")), right=("",))
    for n, (option, act) in enumerate(acts(offer, taken), 1):
        chosen = taken is not None and _meant(option, taken)
        mark = "→" if chosen else ""
        typed = notation.write(act, pos, cast("Rulebook", book), seat, offer)
        text = say(Names(book, pos).option(offer, option))
        found.add_row(f"{mark} {n}", text, typed, style="bold green" if chosen else "")
    return found


def acts(offer: Offer, taken: Act | None = None) -> Iterator[tuple[Option, Act]]:
    """Each option with the act that it comes to by default, or as it was taken."""
    for option in offer.options:
        act = Act(option.kind, option.card, completed(offer, option), option.effect)
        yield option, taken if taken is not None and _meant(option, taken) else act


def taken_text(book: Book, pos: Position, offer: Offer, taken: Act) -> str:
    """What was taken, with everything that was picked for it."""
    option = next((one for one in offer.options if _meant(one, taken)), None)
    names = Names(book, pos)
    sentence = names.act(taken, option, apart=True)
    return joined("; ", [sentence, *names.rest_of(taken, option, apart=True)])


def _meant(option: Option, act: Act) -> bool:
    return (option.kind, option.card, option.effect) == (act.kind, act.card, act.effect)
