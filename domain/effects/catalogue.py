"""A game's cards and decks, read from its folder: `decks.toml`, and what lies in `cards`.

A game says of what type its cards are and what may be wrong with one; reading, naming every fault
at once and counting copies are the same for all. A match may bring cards that no file has
(`MatchOpened.prints`): they belong to its record only, so all look-ups of cards are by match
(`Catalogue.known`, `per_match`). What card data says is in `effects`, what it does in the game.

Cards are `[[card]]` tables of `.toml` files. Figures of many cards are rows of a `.tsv`, a card a
line under the names of the columns: read ten times as fast. Cards that a program has written
(`games.kit.lists.cardfiles`) are lists in `.json` files, read as fast, and not looked through for
faults: a test does that. A `[[card]]` with the id of a row or of such a card adds what that lacks,
texts above all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Self, TypeVar

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
        self._found = found = _found(folder, row)
        self.by_hand = found.by_hand
        read = words.decoder(card)
        self.cards: Mapping[str, C] = {id_: read(data) for id_, data in found.written.items()}
        cards = {**self.parse(found.tables, printed=True), **self.cards}
        self.cards = {called: declarable(card) for called, card in cards.items()}
        self._extended = lru_cache(maxsize=KEPT)(self._with)
        self.digest = digest(found.tables, found.written)
        listed = tomllib.loads(folder.joinpath("decks.toml").read_text("utf-8"))
        self.titles = {name: str(deck["title"]) for name, deck in listed.items()}
        self.decks = {name: self._deck(name, deck) for name, deck in listed.items()}

    @property
    def card_type(self) -> type[C]:
        """The printed values of a card."""
        return self._type

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The data of every card, read anew."""
        return [*self._found.tables, *map(msgspec.json.decode, self._found.written.values())]

    def narrowed(self, words: Words, faults: Faults[C], *files: str) -> Self:
        """The cards of these files, for matches that may bring only such as use these words."""
        tables = [table for file in files for table in self.by_hand[file]]
        found = copy(self)
        found._words, found._faults = words, faults
        found._found, found.digest = _Found(tables, self.by_hand, {}), digest(tables)
        found.cards = {table["id"]: self.cards[table["id"]] for table in tables}
        found._extended = lru_cache(maxsize=KEPT)(found._with)
        found.decks = {
            name: parts
            for name, parts in self.decks.items()
            if found.cards.keys() >= {card for cards in parts.values() for card in cards}
        }
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


def digest(
    tables: Iterable[Mapping[str, Any]], written: Mapping[str, msgspec.Raw] = MappingProxyType({})
) -> str:
    """SHA-256 of card data, hex: of what it says, not of how the files are laid out.

    Cards that programs have `written` are always laid out alike.
    """
    by_id = {str(table["id"]): table for table in tables}
    found = sha256(msgspec.json.encode(by_id, order="sorted"))
    for _, data in sorted(written.items()):
        found.update(data)
    return found.hexdigest()


class _Found(NamedTuple):
    """The tables of cards, but for those that programs have `written`; those of each `.toml`."""

    tables: list[dict[str, Any]]
    by_hand: dict[str, list[dict[str, Any]]]
    written: dict[str, msgspec.Raw]


class _Id(Struct):
    """A card, of which only its id is read."""

    id: str


def _found(folder: Traversable, row: Row) -> _Found:
    """All tables; what a `.toml` says of a card that has a row goes with that.

    The cards of rows come first, then those of the hand, then those that programs have written.
    """
    files = sorted(_files(folder.joinpath("cards")), key=lambda file: file.name)
    by_hand = {file.name: _by_hand(file) for file in files if file.name.endswith(".toml")}
    rows = [table for file in files if file.name.endswith(".tsv") for table in _rows(file, row)]
    written = {
        id_: data for file in files if file.name.endswith(".json") for id_, data in _written(file)
    }
    listed = {table["id"]: at for at, table in enumerate(rows)}
    tables, added = rows, set[str]()
    for table in (table for some in by_hand.values() for table in some):
        called = str(table.get("id"))
        if called in written:
            table = _together(msgspec.json.decode(written.pop(called)), table)
        at = listed.get(called)
        if at is None or (called in added and not table.keys() - tables[at].keys()):
            tables.append(table)  # it adds nothing to another table: it is there twice
        else:
            tables[at] = _together(tables[at], table)
            added.add(called)
    return _Found(tables, by_hand, written)


def _together(listed: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """What a row and a table say of a card; they don't say different things."""
    if other := [key for key in table if listed.get(key, table[key]) != table[key]]:
        text = phrase("its row says another {names}", names=", ".join(other))
        raise BadCard(labelled(table["id"], text))
    return {**listed, **table}


_IDS, _DATA = msgspec.json.Decoder(list[_Id]), msgspec.json.Decoder(list[msgspec.Raw])


def _by_hand(file: Traversable) -> list[dict[str, Any]]:
    data = tomllib.loads(file.read_text("utf-8"))
    if set(data) != {"card"}:
        raise BadCard(phrase("{name}: only [[card]] tables are expected", name=file.name))
    found: list[dict[str, Any]] = data["card"]
    return found


def _written(file: Traversable) -> list[tuple[str, msgspec.Raw]]:
    """The data of the cards of a file, by id."""
    data = file.read_bytes()
    try:
        cards = zip(_IDS.decode(data), _DATA.decode(data), strict=True)
        return [(card.id, one) for card, one in cards]
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadCard(labelled(file.name, str(error))) from error


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
