"""A game's cards and decks, read from its folder: `decks.toml`, and what lies in `cards`.

A game says of what type its cards are and what may be wrong with one; reading, naming every fault
at once and counting copies are the same for all. A match may bring cards that no file has
(`MatchOpened.prints`): they belong to its record only, so all look-ups of cards are by match
(`Catalogue.known`, `per_match`). What card data says is in `effects`, what it does in the game.

Cards are `[[card]]` tables of `.toml` files. Figures of many cards are rows of a `.tsv`, a card a
line under the names of the columns: read ten times as fast. A `[[card]]` with the id of a row adds
what a row has no room for, texts above all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any, Generic, Self, TypeVar

import msgspec
from msgspec import Struct

from domain.effects.language.vocabulary import Effect
from domain.effects.language.words import BadClause, Words
from domain.record.schema import bounds
from domain.words.phrases import joined, labelled, phrase

C = TypeVar("C", bound=Struct)
S = TypeVar("S")
#: What is wrong with a card, a sentence each, given all the cards there are.
Faults = Callable[[C, Mapping[str, C]], Iterable[str]]
#: The table of a card, of the cells of its row by column.
Row = Callable[[Mapping[str, str]], dict[str, Any]]
#: Of how many matches that bring cards it is kept what was worked out from them.
KEPT = 32
_ID = re.compile(r"\w+(-\w+)*", re.ASCII)


class BadCard(ValueError):
    """Card data that can't be used; the text names the card and every fault."""


class Catalogue(Generic[C]):
    """The cards of a game by id (`cards`), its ready-made decks and their titles by name.

    A ready-made deck lists its cards by id, or by name.

    `faults` says what is wrong with a card; `printed` what else may not be left out of those in the
    files and those that are handed in, though a scenario's own cards can do without it.
    `declarable` gives a card of which only the figures are known what it needs for its text to be
    declared when it is played. `row` makes
    a table of the cells of a row, by column; `ValueError` if it can't.
    """

    def __init__(
        self,
        folder: Traversable,
        card: type[C],
        words: Words,
        faults: Faults[C],
        printed: Faults[C] | None = None,
        declarable: Callable[[C], C] = lambda card: card,
        row: Row = dict,
    ) -> None:
        self._type, self._words, self._faults, self._printed = card, words, faults, printed
        self._declarable = declarable
        self.tables = _tables(folder, row)
        self.cards: Mapping[str, C] = {}
        printed_here = self.parse(self.tables, printed=True)
        self.cards = {called: declarable(card) for called, card in printed_here.items()}
        self._extended = lru_cache(maxsize=KEPT)(self._with)
        self.digest = digest(self.tables)
        listed = tomllib.loads(folder.joinpath("decks.toml").read_text("utf-8"))
        self.titles = {name: str(deck["title"]) for name, deck in listed.items()}
        self.decks = {name: self._deck(name, deck) for name, deck in listed.items()}

    def narrowed(self, words: Words, faults: Faults[C]) -> Self:
        """The same cards, for matches that may bring only such as use these words."""
        found = copy(self)
        found._words, found._faults = words, faults
        return found

    def parse(self, tables: Iterable[Mapping[str, Any]], printed: bool = False) -> dict[str, C]:
        """Cards from tables as they stand in the files (`[[card]]`), by id; raises `BadCard`."""
        cards: dict[str, C] = {}
        bad: list[str] = []
        for table in tables:
            called = str(table.get("id", "a card without an id"))
            try:
                card = self._words.convert(table, self._type)
            except msgspec.ValidationError as error:
                bad += [
                    labelled(called, fault) for fault in self._unreadable(table) or [str(error)]
                ]
                continue
            if called in cards:
                bad.append(labelled(called, phrase("listed twice")))
            if not _ID.fullmatch(called):
                bad.append(
                    phrase(
                        "{called}: an id is letters, digits and dashes, not {called!r}",
                        called=called,
                    )
                )
            cards.setdefault(called, card)
        known = {**self.cards, **cards}
        for called, card in cards.items():
            bad += [labelled(called, fault) for fault in self._faults(card, known)]
            if printed and self._printed is not None:
                bad += [labelled(called, fault) for fault in self._printed(card, known)]
        if bad:
            raise BadCard(joined("\n", bad))
        return cards

    def _unreadable(self, table: Mapping[str, Any]) -> list[str]:
        """The unreadable parts of a card's effects, each named; none if the fault is elsewhere."""
        bad = list[str]()
        for effect in table.get("effect", ()):
            try:
                self._words.convert(effect, Effect)
            except msgspec.ValidationError as error:
                name = effect.get("name", "an effect")
                where = f"{name}, " if isinstance(error, BadClause) else f"{name}: "
                bad.append(f"{where}{error}")
        return bad

    def known(self, prints: tuple[str, ...]) -> Mapping[str, C]:
        """The cards of a match: the game's own, and those it brings, each as the JSON of its table.

        Raises `BadCard` if one can't be used.
        """
        return self._extended(prints) if prints else self.cards

    def admit(self, prints: tuple[str, ...]) -> None:
        """Make sure that a match may be opened with these; raises `BadCard`.

        Nothing may be left out of them, and none takes the place of one of the game's own.
        """
        brought = self.parse(map(_table, prints), printed=True)
        own = self.cards.get
        other = [
            id_
            for id_, card in brought.items()
            if own(id_) not in (None, card, self._declarable(card))
        ]
        if other:
            raise BadCard(
                joined("\n", (labelled(one, phrase("is another card already")) for one in other))
            )

    def _with(self, prints: tuple[str, ...]) -> Mapping[str, C]:
        brought = self.parse(map(_table, prints))
        own = self.cards.get
        new = {
            called: card if card == own(called) else self._declarable(card)
            for called, card in brought.items()
        }
        return {**self.cards, **new}

    def _deck(self, name: str, deck: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        parts = {part: counts for part, counts in deck.items() if isinstance(counts, dict)}
        parts = {part: self._numbered(counts) for part, counts in parts.items()}
        unknown = {card for counts in parts.values() for card in counts} - self.cards.keys()
        if unknown:
            raise BadCard(
                phrase(
                    "deck {name}: unknown cards {names}",
                    name=name,
                    names=", ".join(sorted(unknown)),
                )
            )
        return {
            part: tuple(card for card, n in counts.items() for _ in range(n))
            for part, counts in parts.items()
        }

    def _numbered(self, counts: Mapping[str, int]) -> dict[str, int]:
        """A part of a list by ids, where it names cards: people read it."""
        named = {getattr(card, "name", id_): id_ for id_, card in self.cards.items()}
        return {
            card if card in self.cards else named.get(card, card): n for card, n in counts.items()
        }


def per_match(brought: Callable[[tuple[str, ...]], S]) -> Callable[[tuple[str, ...]], S]:
    """The result of `brought` for the prints of a match, cached for those played last, by content.

    It is asked for at every turn, so one that brings none is not to ask.
    """
    made = lru_cache(maxsize=KEPT)(brought)
    last: tuple[tuple[str, ...], S | None] = ((), None)

    def of(prints: tuple[str, ...]) -> S:
        nonlocal last
        before, found = last
        if (
            before is not prints or found is None
        ):  # else the same match as before: nothing to compare
            found = made(prints)
            last = (prints, found)
        return found

    return of


def _table(text: str) -> dict[str, Any]:
    """A card that is handed in, as the table it stands for."""
    if bounds.depth(text) > bounds.DEPTH:
        raise BadCard(
            phrase("the data of a card are nested {depth} deep at most", depth=bounds.DEPTH)
        )
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadCard(
            phrase("a card is a table of its figures, as JSON: {error}", error=error)
        ) from error


def digest(tables: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 of card data, hex: of what it says, not of how the files are laid out."""
    by_id = {str(table["id"]): table for table in tables}
    return sha256(msgspec.json.encode(by_id, order="sorted")).hexdigest()


def _tables(folder: Traversable, row: Row) -> list[dict[str, Any]]:
    """The table of every card; what a `.toml` says of one that has a row goes with that."""
    files = sorted(_files(folder.joinpath("cards")), key=lambda file: file.name)
    tables = [table for file in files if file.name.endswith(".tsv") for table in _rows(file, row)]
    rows = {table["id"]: table for table in tables}
    for file in files:
        if not file.name.endswith(".toml"):
            continue
        data = tomllib.loads(file.read_text("utf-8"))
        if set(data) != {"card"}:
            raise BadCard(phrase("{name}: only [[card]] tables are expected", name=file.name))
        for table in data["card"]:
            listed = rows.get(table.get("id"))
            if listed is None:
                tables.append(table)
            elif other := [key for key in table if listed.get(key, table[key]) != table[key]]:
                text = phrase("its row says another {names}", names=", ".join(other))
                raise BadCard(labelled(table["id"], text))
            elif not table.keys() - listed.keys():
                tables.append(table)  # it adds nothing: it is there twice
            else:
                listed.update(table)
    return tables


def _files(folder: Traversable) -> Iterator[Traversable]:
    """The files of a folder and of the folders in it."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _files(one)
        else:
            yield one


def _rows(file: Traversable, row: Row) -> Iterator[dict[str, Any]]:
    head, *lines = file.read_text("utf-8").splitlines()
    columns = head.split("\t")
    for n, line in enumerate(lines, 2):
        try:
            yield row(dict(zip(columns, line.split("\t"), strict=True)))
        except ValueError as error:
            raise BadCard(
                phrase("{name}, line {n}: {error}", name=file.name, n=n, error=error)
            ) from error
