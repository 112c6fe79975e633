"""A game's cards and decks, read from its folder: `cards/*.toml`, `decks.toml`.

A game says of what type its cards are and what may be wrong with one; reading, naming every fault
at once, counting copies and playing with a scenario's own cards for a while are the same for all.
Matches may bring cards that no file has, with their printed figures only (`admit`): they stay, and
are part of the record of every match that brings them. What card data says is in `effects`, what it
does in the game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from importlib.resources.abc import Traversable
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

C = TypeVar("C", bound=Struct)
#: What is wrong with a card, a sentence each, given all the cards there are.
Faults = Callable[[C, Mapping[str, C]], Iterable[str]]
_ID = re.compile(r"\w+(-\w+)*", re.ASCII)


class BadCard(ValueError):
    """Card data that can't be used; the text names the card and every fault."""


class Catalogue(Generic[C]):
    """The cards of a game by id (`cards`), its ready-made decks and their titles by name.

    `faults` says what is wrong with a card; `printed` what else may not be left out of those in the
    files, though a scenario's own cards can do without it. `declarable` gives a card that a match
    brings what it needs for its text to be declared when it is played. `further` are the cards that
    matches have brought.
    """

    def __init__(
        self,
        folder: Traversable,
        card: type[C],
        faults: Faults[C],
        printed: Faults[C] | None = None,
        declarable: Callable[[C], C] = lambda card: card,
    ) -> None:
        self._type, self._faults, self._printed = card, faults, printed
        self._declarable, self._lock = declarable, Lock()
        self.further: dict[str, C] = {}
        #: called whenever the cards change, to forget what was worked out from them
        self.forget: list[Callable[[], None]] = []
        self.tables = list(_tables(folder))
        self.cards: dict[str, C] = {}
        self.cards.update(self.parse(self.tables, printed=True))
        self._own = frozenset(self.cards)
        self.digest = digest(self.tables)
        listed = tomllib.loads(folder.joinpath("decks.toml").read_text("utf-8"))
        self.titles = {name: str(deck["title"]) for name, deck in listed.items()}
        self.decks = {name: self._deck(name, deck) for name, deck in listed.items()}

    def parse(self, tables: Iterable[Mapping[str, Any]], printed: bool = False) -> dict[str, C]:
        """Cards from tables as they stand in the files (`[[card]]`), by id; raises `BadCard`."""
        cards: dict[str, C] = {}
        bad: list[str] = []
        for table in tables:
            called = str(table.get("id", "a card without an id"))
            try:
                card = msgspec.convert(table, self._type)
            except msgspec.ValidationError as error:
                bad.append(f"{called}: {error}")
                continue
            if called in cards:
                bad.append(f"{called}: listed twice")
            if not _ID.fullmatch(called):
                bad.append(f"{called}: an id is letters, digits and dashes, not {called!r}")
            cards.setdefault(called, card)
        known = {**{id_: c for id_, c in self.cards.items() if id_ not in self.further}, **cards}
        for called, card in cards.items():
            bad += [f"{called}: {fault}" for fault in self._faults(card, known)]
            if printed and self._printed is not None:
                bad += [f"{called}: {fault}" for fault in self._printed(card, known)]
        if bad:
            raise BadCard("\n".join(bad))
        return cards

    def admit(self, prints: Iterable[str]) -> None:
        """Take in cards that a match brings, each as the JSON of its table, for good.

        Raises `BadCard` if one can't be used, or if another card goes by its id already.
        """
        try:
            tables = [msgspec.json.decode(text, type=dict[str, Any]) for text in prints]
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise BadCard(f"a card is a table of its figures, as JSON: {error}") from error
        if not tables:
            return
        brought = {
            called: card if called in self._own else self._declarable(card)
            for called, card in self.parse(tables, printed=True).items()
        }
        with self._lock:
            other = [id_ for id_, card in brought.items() if self.cards.get(id_, card) != card]
            if other:
                raise BadCard("\n".join(f"{id_}: is another card already" for id_ in other))
            new = {id_: card for id_, card in brought.items() if id_ not in self.cards}
            self.further.update(new)
            self.cards.update(new)  # nothing is taken away meanwhile: other matches go on
            for forget in self.forget if new else ():
                forget()

    def extended(self, tables: Sequence[Mapping[str, Any]]) -> AbstractContextManager[None]:
        """Play with further cards for a while; raises `BadCard` at once."""
        return self._with(self.parse(tables))

    @contextmanager
    def _with(self, extra: Mapping[str, C]) -> Iterator[None]:
        kept = dict(self.cards)
        self._change({**kept, **extra})
        try:
            yield
        finally:
            self._change({**kept, **self.further})

    def _change(self, cards: dict[str, C]) -> None:
        self.cards.clear()
        self.cards.update(cards)
        for forget in self.forget:
            forget()

    def _deck(self, name: str, deck: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        parts = {part: counts for part, counts in deck.items() if isinstance(counts, dict)}
        unknown = {card for counts in parts.values() for card in counts} - self.cards.keys()
        if unknown:
            raise BadCard(f"deck {name}: unknown cards {', '.join(sorted(unknown))}")
        return {
            part: tuple(card for card, n in counts.items() for _ in range(n))
            for part, counts in parts.items()
        }


def digest(tables: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 of card data, hex: of what it says, not of how the files are laid out."""
    said = {str(table["id"]): table for table in tables}
    return sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def _tables(folder: Traversable) -> Iterator[dict[str, Any]]:
    for file in sorted(folder.joinpath("cards").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            data = tomllib.loads(file.read_text("utf-8"))
            if set(data) != {"card"}:
                raise BadCard(f"{file.name}: only [[card]] tables are expected")
            yield from data["card"]
