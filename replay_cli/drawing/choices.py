"""The options of a decision as text, and the one that was taken."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from domain.record.decisions import Act, Offer, Option
from domain.record.fitting.fit import completed
from domain.record.position import Position
from domain.telling.book import Book
from domain.telling.likeness import likeness
from domain.telling.names import Names
from domain.text import notation
from domain.words.phrases import joined, phrase
from replay_cli.output import say, table
from replay_cli.sheet import Sheet

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook


class Written(NamedTuple):
    """An option: what it would do, how it is typed, and whether it was taken."""

    text: str
    typed: str
    taken: bool


def written(
    book: Book, pos: Position, seat: int, offer: Offer, taken: Act | None = None
) -> Iterator[Written]:
    """The options of an offer, in order, those that are alike as one; the one taken as it was."""
    names, found = Names(book, pos), dict[Hashable, list[Written]]()
    for option, act in acts(offer, taken):
        typed = notation.write(act, pos, cast("Rulebook", book), seat, offer)
        chosen = taken is not None and _meant(option, taken)
        one = Written(names.option(offer, option), typed, chosen)
        found.setdefault((one.text, likeness(book, pos, act)), []).append(one)
    for some in found.values():
        first = next((one for one in some if one.taken), some[0])
        text = phrase("{act} ({n} alike)", act=first.text, n=len(some))
        yield first if len(some) == 1 else first._replace(text=text)


def options(book: Book, pos: Position, seat: int, offer: Offer, taken: Act | None = None) -> Sheet:
    """The options of an offer: what each would do, and how it is typed; the one taken is marked."""
    found = table("", say(phrase("option")), say(phrase("typed")), right=("",))
    for n, one in enumerate(written(book, pos, seat, offer, taken), 1):
        style = "bold green" if one.taken else ""
        found.add_row(f"{'→' if one.taken else ''} {n}", say(one.text), one.typed, style=style)
    return found


def acts(offer: Offer, taken: Act | None = None) -> Iterator[tuple[Option, Act]]:
    """Each option with its default act, or as it was taken."""
    for option in offer.options:
        act = option.act(completed(offer, option))
        yield option, taken if taken is not None and _meant(option, taken) else act


def taken_text(book: Book, pos: Position, offer: Offer, taken: Act) -> str:
    """The option taken, with all its picks."""
    option = next((one for one in offer.options if _meant(one, taken)), None)
    names = Names(book, pos)
    sentence = names.act(taken, option, apart=True)
    return joined("; ", [sentence, *names.rest_of(taken, option, apart=True)])


def _meant(option: Option, act: Act) -> bool:
    return (option.kind, option.card, option.effect) == (act.kind, act.card, act.effect)
