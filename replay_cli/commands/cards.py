"""`kifu cards`: the cards of a game, searched; one card with all that its data say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from domain import games
from domain.effects.language.reference import reference
from domain.effects.language.vocabulary import Effect
from domain.effects.wording import prints, texts
from domain.effects.wording.phrasebook import Words
from domain.games.kit.game import Game
from domain.telling.book import Book, CardFacts
from domain.telling.names import brief
from domain.text.notation import plain
from replay_cli.commands.rules import rulebook
from replay_cli.output import (
    MISSING,
    Failed,
    NewFile,
    as_json,
    console,
    hang,
    json_option,
    language,
    say,
    styled,
    table,
    write_table,
)
from replay_cli.reaching import completing
from replay_cli.typed import lists

#: What several rows of figures stand in.
_ROWS = (list, tuple)


@click.command("cards")
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
def cards_command(
    words: tuple[str, ...],
    game: str,
    deck: str,
    target: Path | None,
    vocabulary: bool,
    as_data: bool,
) -> None:
    """Look up cards by id, name or any other data (`unit blue`)."""
    rules = rulebook(game)
    if vocabulary:
        if words or deck or target is not None or as_data:
            raise click.UsageError("--words goes with --game only")
        click.echo(reference(rules.words))
        return
    book = Book.of(rules, language())
    (listed,), brought = lists.opened_with([deck], book) if deck else ((None,), ())
    book = book.further(brought)
    parts = _parts(book, listed) if listed is not None else {}
    numbers = Counter(card for cards in parts.values() for card in cards)
    if target is not None:
        if listed is None:
            raise click.UsageError("--write needs --deck")
        lists.write(target, listed.name, parts, book)
        return
    chosen = [card for card in book.cards.values() if not deck or card.id in numbers]
    found = [card for card in chosen if matches(card, words)]
    if not found:
        raise Failed(f"no card of {book.manifest.title} has {' '.join(words)!r}", MISSING)
    if as_data:
        wording = _words(rules)
        as_json([
            {"id": card.id, "name": card.name, "type": card.type, **card.facts,
             "texts": _texts(rules, wording, card)}
            for card in found
        ])  # fmt: skip
    elif len(found) == 1:
        _one(rules, found[0])
    else:
        _list(book, found, numbers)


def _parts(book: Book, listed: lists.Listed) -> Mapping[str, Sequence[str]]:
    return book.decks[listed.deck] if isinstance(listed.deck, str) else listed.deck.parts


def matches(card: CardFacts, words: tuple[str, ...]) -> bool:
    """Whether a card has all of these words, in its id, its name or its data."""
    text = plain(" ".join([card.id, card.name, card.type, *_plain_values(card.facts)]))
    return all(plain(word) in text for word in words)


def _plain_values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if one not in (None, False, 0, "", [], {}):
                yield str(key)
                yield from _plain_values(one)
    elif isinstance(value, _ROWS):
        for one in value:
            yield from _plain_values(one)
    elif value is not None:
        yield str(value)


def _list(book: Book, found: list[CardFacts], numbers: Mapping[str, int]) -> None:
    labels = [(key, book.manifest.label("stats", key)) for key in _printed(book, found)]
    figures = [label for _, label in labels]
    counts = ["×"] if numbers else []
    heads = (*counts, "card", "name", "type", *figures)
    rows = {
        label for key, label in labels if any(isinstance(c.facts.get(key), _ROWS) for c in found)
    }
    shown = table(*heads, right={*figures} - rows, whole={*heads} - {"name"})
    for card in found:
        row = [card.id, card.name, card.type]
        row += [_figure(card, key) for key, _ in labels]
        shown.add_row(*([str(numbers[card.id])] if numbers else []), *row)
    write_table(shown)


def _printed(book: Book, found: Sequence[CardFacts]) -> list[str]:
    """The figures that some of these cards have: those that boards show, then other numbers.

    What follows from other figures in force is on no card by itself.
    """
    badges = [key for key in book.manifest.badges if any(_figure(card, key) for card in found)]
    keys = dict.fromkeys(
        key
        for card in found
        for key, value in card.facts.items()
        if _figure(card, key) and not isinstance(value, str | bool)
    )
    return [*badges, *(key for key in keys if key not in badges)]


def _figure(card: CardFacts, key: str) -> str:
    """A figure as it is printed, or rows of them; lists by kind are left out."""
    value = card.facts.get(key)
    if isinstance(value, _ROWS):
        rows = [row for row in value if isinstance(row, _ROWS)]
        return brief([_trimmed(row) for row in rows])
    return str(value) if value and isinstance(value, int | str) else ""


def _trimmed(row: Sequence[Any]) -> Sequence[Any]:
    """A row of figures without those at its end that are 0, but for its first."""
    last = max((at for at, value in enumerate(row) if value), default=0)
    return row[: last + 1]


def _words(rules: Game) -> Words:
    """The words for the texts of a game's cards."""
    return Words(games.phrasebook(rules.manifest.game), rules.manifest, rules.cards)


def _texts(rules: Game, words: Words, card: CardFacts) -> dict[str, str]:
    """The texts of a card as sentences, by their names."""
    effects = card.facts.get("effect", card.facts.get("effects", []))
    found = [rules.words.convert(effect, Effect) for effect in effects]
    return {effect.name: say(texts.sentence(words, effect)) for effect in found}


def _one(rules: Game, card: CardFacts) -> None:
    out, words = console(), _words(rules)
    out.print(styled((card.name, "bold"), (f"  {card.id}, {card.type}", "dim")))
    attributes = rules.words.attributes
    shown = {k: v for k, v in card.facts.items() if v not in (None, False, 0, "", [], {}, ())}
    labels = {k: str(words.figure(k)) for k in shown if k not in ("effects", "effect")}
    texts = _texts(rules, words, card)
    room = max(map(len, [*labels.values(), *texts]), default=0)
    for key, label in labels.items():
        value = say(prints.fact(words, key, shown[key], attributes))
        out.print(hang(f"  {label:<{room}}  ", value))
    for name, text in texts.items():
        out.print(hang(f"  {name:<{room}}  ", text), style="cyan")
