"""Printed cards as people type them, figure by figure, and what is made of them.

A game that reads lists of printed cards (`games.reading`) has the columns of those, and its texts
are compiled; of any other the columns are the plain figures of a card, and what a card does is
declared by its players as it comes up. Files of such cards are read in `replay_cli.typed.prints`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from domain import games
from domain.games.kit.lists import sources
from domain.games.kit.lists.printed import BadPrint, Card, Printed, made
from domain.games.kit.lists.sources import NOTHING, Source
from domain.words.phrases import Phrase, phrase

#: The column of a game's list that has the texts.
TEXT = "effect"


class Column(Struct, frozen=True):
    """A figure as it is typed: its name and label, what may be chosen, whether it is required.

    `kind` is `text`, `number`, `choice` or `lines`.
    """

    name: str
    label: Phrase
    kind: str = "text"
    choices: tuple[str, ...] = ()
    needed: bool = False


def columns(of: str) -> list[Column]:
    """What is typed of a card of a game."""
    label = games.rulebook(of).manifest.label
    try:
        reading = games.reading(of)
    except KeyError:
        return [*_figures(of)]
    named = {name: (also or (name,))[0] for name, also in reading.COLUMNS.items()}
    return [
        Column(
            name, label("stats", also), "lines" if name == TEXT else "text",
            needed=name in reading.NEEDED,
        )
        for name, also in named.items()
    ]  # fmt: skip


def read(of: str, row: Mapping[str, str]) -> Card:
    """The card of a game that was typed so; raises `BadPrint`."""
    try:
        reading = games.reading(of)
    except KeyError:
        table = {one.name: _value(of, one, row.get(one.name, "").strip()) for one in columns(of)}
        table = {name: value for name, value in table.items() if value not in ("", None, [], {})}
        return Card(table, Source(str(table.get("id", "")), NOTHING))
    missing = next((name for name in reading.NEEDED if not row.get(name, "").strip()), "")
    if missing:
        raise BadPrint(missing, phrase("is missing"))
    return compiled(of, [reading.read(row)])[0]


def compiled(of: str, cards: Iterable[Printed]) -> list[Card]:
    """What is made of printed cards of a game."""
    reading, words = games.reading(of), games.rulebook(of).words
    compiler, by_hand = reading.compiler(), reading.by_hand()
    known = sources.known(games.folder(of))
    return [
        made(
            card, compiler.compile(card.text), words, reading.fault, by_hand.get(card.id),
            known[card.id].why if card.id in known else "",
        )
        for card in cards
    ]  # fmt: skip


# -- the plain figures of a card -------------------------------------------------------------------


def _figures(of: str) -> Iterator[Column]:
    rules = games.rulebook(of)
    for field in msgspec.structs.fields(rules.card_type):
        label = rules.manifest.label("stats", field.encode_name)
        if get_origin(field.type) is Literal:
            choices = tuple(one for one in get_args(field.type) if one)
            yield Column(field.encode_name, label, "choice", choices, field.required)
        elif field.type is int:
            yield Column(field.encode_name, label, "number")
        elif field.type is str or _of_words(field.type) or _counted(field.type):
            yield Column(field.encode_name, label, needed=field.required)


def _value(of: str, column: Column, text: str) -> Any:
    """What a cell says: several words stand with commas between them, a number behind its word."""
    hints = {one.encode_name: one.type for one in msgspec.structs.fields(_card(of))}
    hint = hints[column.name]
    if not text:
        return None
    if hint is int:
        return _number(column, text)
    if not (_of_words(hint) or _counted(hint)):
        return text
    words = [word.strip() for word in text.split(",") if word.strip()]
    if _of_words(hint):
        return words
    if get_origin(hint) is tuple:
        return [[_number(column, one) for one in word.split()] for word in words]
    pairs = (word.rpartition(" ") for word in words)
    return {name.strip(): _number(column, n) for name, _, n in pairs}


def _card(of: str) -> type[Any]:
    return games.rulebook(of).card_type


def _number(column: Column, text: str) -> int:
    if not text.isascii() or not text.removeprefix("-").isdecimal() or len(text) > 9:
        raise BadPrint(column.name, phrase("{text!r} is no number", text=text))
    return int(text)


def _of_words(hint: Any) -> bool:
    return bool(hint == tuple[str, ...])


def _counted(hint: Any) -> bool:
    """Whether it is numbers: of each word one (`blue 1`), or of each level some (`1 3000`)."""
    inner = get_args(hint)[:1]
    if get_origin(hint) is tuple:
        fields = getattr(inner[0], "__struct_config__", None)
        return fields is not None and bool(fields.array_like)
    return get_origin(hint) not in (None, Literal) and get_args(hint) == (str, int)
