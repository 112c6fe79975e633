"""`kifu cards WORDS`: the cards of a game, searched; one card with all that its data say.

How cards are found without loading their game is in `cardindex`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from domain.text.cardfacts import EFFECTS, EMPTY
from domain.words.phrases import joined, phrase
from replay_cli.cardindex import reading
from replay_cli.cardindex.reading import Card, Found
from replay_cli.commands.rules import known_game, rulebook
from replay_cli.output import (
    MISSING,
    Failed,
    Misused,
    NewFile,
    as_json,
    hang,
    json_option,
    language,
    table,
    write_lines,
    write_table,
)
from replay_cli.reaching import completing

#: What several rows of figures stand in.
_ROWS = (list, tuple)
#: How many cards are named where none has the words.
NEAR = 3


@click.command("search")
@click.argument("words", nargs=-1)
@completing.game_option
@click.option(
    "--deck", metavar="NAME|FILE", default="",
    help="Only the cards of this deck, with how many.",
)  # fmt: skip
@click.option(
    "--write", "target", metavar="FILE", type=NewFile(),
    help="With --deck: write its list to a file, in the format of the file name (default: TOML).",
)  # fmt: skip
@click.option(
    "--words", "vocabulary", is_flag=True,
    help="Print the words that card texts of the game are written in, as tables, and stop.",
)  # fmt: skip
@json_option
def search_command(
    words: tuple[str, ...],
    game: str,
    deck: str,
    target: Path | None,
    vocabulary: bool,
    as_data: bool,
) -> None:
    """Look up cards by id, name or any other data (`unit blue`)."""
    if vocabulary:
        if words or deck or target is not None or as_data:
            raise Misused("--words goes with --game only")
        from domain.effects.language.reference import reference

        click.echo(reference(rulebook(game).words))
        return
    if target is not None:
        _write(game, deck, target)
        return
    found = _found(known_game(game), words, deck)
    if not found.cards:
        text = phrase(
            "no card of {title} has {words!r}", title=found.shared.title, words=" ".join(words)
        )
        raise Failed(
            phrase("{text}{near}", text=text, near=_near(game, " ".join(words), deck)), MISSING
        )
    if as_data:
        as_json([
            {"id": card.id, "name": card.name, "type": card.type, **card.facts,
             "texts": card.wording().texts}
            for card in found.cards
        ])  # fmt: skip
    elif len(found.cards) == 1:
        write_lines(_one(found.cards[0], found.shared.labels))
    else:
        _list(found)


def _found(game: str, words: tuple[str, ...], deck: str) -> Found:
    """The cards with these words; from the index of their game, if that has what is asked for."""
    spoken = language()
    if not spoken.table and (found := reading.find(game, words, deck)) is not None:
        return found
    from domain.telling.book import Book
    from replay_cli.cardindex import writing

    rules = rulebook(game)
    book, parts = Book.of(rules, spoken), None
    if deck:
        from replay_cli.typed import lists

        (listed,), brought = lists.opened_with([deck], book)
        book, parts = book.further(brought), lists.parts(listed, book)
    return writing.find(rules, book, words, parts, spoken)


def _near(game: str, wanted: str, deck: str) -> str:
    """The cards whose ids or names are nearly that, to be named after an error."""
    from difflib import get_close_matches  # which few commands need

    from domain.text.plain import plain

    cards = _found(known_game(game), (), deck).cards
    named = {plain(text): card for card in reversed(cards) for text in (card.name, card.id)}
    near = [named[text] for text in get_close_matches(plain(wanted), named, NEAR, 0.75)]
    cards_ = joined(", ", (f"{card.name} ({card.id})" for card in near))
    return phrase("; did you mean {cards}?", cards=cards_) if near else ""


def _write(game: str, deck: str, target: Path) -> None:
    """Write the list of a deck to a file."""
    from domain.telling.book import Book
    from replay_cli.typed import lists

    if not deck:
        raise Misused("--write needs --deck")
    book = Book.of(rulebook(game), language())
    (listed,), brought = lists.opened_with([deck], book)
    book = book.further(brought)
    lists.write(target, listed.name, lists.parts(listed, book), book)


def _list(found: Found) -> None:
    heads = found.shared.heads
    keys = _printed(found)
    labels = [(key, heads.get(key, key)) for key in keys]
    figures = [label for _, label in labels]
    columns = (*(["×"] if found.numbers else []), "card", "name", "type", *figures)
    rows = {
        label
        for key, label in labels
        if any(isinstance(c.facts.get(key), _ROWS) for c in found.cards)
    }
    shown = table(*columns, right={*figures} - rows, whole={*columns} - {"name"})
    for card in found.cards:
        row = [card.id, card.name, card.type]
        row += [_figure(card, key) for key in keys]
        shown.add_row(*([str(found.numbers[card.id])] if found.numbers else []), *row)
    write_table(shown)


def _printed(found: Found) -> list[str]:
    """The figures that some of these cards have: those that boards show, then other numbers.

    What follows from other figures in force is on no card by itself.
    """
    badges = [key for key in found.shared.badges if any(_figure(c, key) for c in found.cards)]
    keys = dict.fromkeys(
        key
        for card in found.cards
        for key, value in card.facts.items()
        if _figure(card, key) and not isinstance(value, str | bool)
    )
    return [*badges, *(key for key in keys if key not in badges)]


def _figure(card: Card, key: str) -> str:
    """A figure as it is printed, or rows of them; lists by kind are left out."""
    value = card.facts.get(key)
    if isinstance(value, _ROWS):
        rows = [row for row in value if isinstance(row, _ROWS)]
        return "; ".join(" ".join(map(str, _trimmed(row))) for row in rows)
    return str(value) if value and isinstance(value, int | str) else ""


def _trimmed(row: Sequence[Any]) -> Sequence[Any]:
    """A row of figures without those at its end that are 0, but for its first."""
    last = max((at for at, value in enumerate(row) if value), default=0)
    return row[: last + 1]


def _one(card: Card, labels: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
    """The lines of a card with all of its data."""
    yield [(card.name, "bold"), (f"  {card.id}, {card.type}", "dim")]
    figures, texts = card.wording()
    rows = [
        (labels[key], figures.get(key, str(value)), "")
        for key, value in card.facts.items()
        if value not in EMPTY and key not in EFFECTS
    ]
    rows += [(name, text, "cyan") for name, text in texts.items()]
    room = max((len(label) for label, _, _ in rows), default=0)
    for label, text, style in rows:
        yield [(hang(f"  {label:<{room}}  ", text), style)]
