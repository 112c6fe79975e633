"""Files to open matches with, in TOML: deck lists, further cards, an event's policy.

    name = "Harbour control"        # a deck list: how many of which cards, part by part,
    resource = ["10 R-001"]         # as rows,
    [main]                          # or as a table
    "X-01" = 4
    [[card]]                        # a card that no catalogue has: its printed figures will do
    id = "X-01"

Further cards may stand in files of their own, or in lists of printed cards (`prints`), whose texts
are compiled. How a card is written is in domain/effects/VOCABULARY.md, what an event may settle in
`domain.record.schema.policy.read`. A list may also be a file of another program, in a form that its
game knows (`domain.text.deckfiles`), or any other text, as people paste it (`domain.text.pasted`).
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.engine.match import Deck
from domain.record.schema.listing import ListForm
from domain.record.schema.policy import BadPolicy, Policy
from domain.record.schema.policy import read as read_policy
from domain.telling.book import Book
from domain.text import deckfiles, decklists, pasted
from domain.words.phrases import joined, phrase
from replay_cli.output import MISSING, REFUSED, Failed, writing
from replay_cli.typed import prints


class Listed(Struct, frozen=True):
    """A deck, ready-made (a name) or a list, and the further cards that came with it."""

    deck: str | Deck
    prints: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self.deck if isinstance(self.deck, str) else self.deck.name


def opened_with(
    given: Iterable[str], known: Book, paths: Iterable[Path] = (), *, yes: bool = False
) -> tuple[list[Listed], tuple[str, ...]]:
    """The decks that are given, and the cards that a match with them and these files brings.

    Of lists of printed cards what is understood is asked to be accepted, unless `yes`.
    """
    further = brought(paths, known.manifest.game, yes=yes)
    book = known.further(further)
    listed = [deck(one, book) for one in given]
    of_decks = [text for one in listed for text in one.prints]
    return listed, tuple(dict.fromkeys([*of_decks, *further]))


def deck(given: str, known: Book) -> Listed:
    """A deck by the name of a ready-made one, or from a file; raises `Failed`."""
    if given in known.decks:
        return Listed(given)
    path = Path(given)
    if not path.is_file():
        text = phrase(
            "there is no deck {given!r}, and no such file; there are {known}",
            given=given,
            known=joined(", ", known.decks),
        )
        raise Failed(text, MISSING)
    return of_file(path, known.forms, known)


def of_file(path: Path, forms: Sequence[ListForm], known: Book | None = None) -> Listed:
    """A deck from a file: TOML, in one of these forms or, of known cards, any other text."""
    if (form := deckfiles.form_of(path.name, forms)) is not None:
        return Listed(_of_form(path, form, known.cards if known is not None else None))
    if known is not None and path.suffix.lower() != ".toml":
        return Listed(Deck(path.stem, _pasted(path, known)))
    table = _toml(path)
    cards, name = table.pop("card", []), table.pop("name", path.stem)
    parts = {part: _cards(path, part, counts) for part, counts in table.items()}
    return Listed(Deck(str(name), parts), _prints(path, cards))


def parts(listed: Listed, known: Book) -> Mapping[str, Sequence[str]]:
    """The cards of a deck, part by part."""
    return known.decks[listed.deck] if isinstance(listed.deck, str) else listed.deck.parts


def write(path: Path, name: str, parts: Mapping[str, Sequence[str]], known: Book) -> None:
    """Write a list to a file: in the form that the file's name says, else as rows in TOML."""
    form = deckfiles.form_of(path.name, known.forms)
    try:
        text = deckfiles.write(parts, form, name) if form is not None else _rows(name, parts)
    except ValueError as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error
    with writing(path):
        path.write_text(text, "utf-8")


def _rows(name: str, parts: Mapping[str, Sequence[str]]) -> str:
    parts = {part: decklists.rows(cards) for part, cards in parts.items()}
    lines = [f"name = {json.dumps(name, ensure_ascii=False)}"]
    lines += [f"{part} = {json.dumps(rows, indent=4)}" for part, rows in parts.items()]
    return "\n".join(lines) + "\n"


def _of_form(path: Path, form: ListForm, cards: Container[str] | None) -> Deck:
    try:
        return Deck(path.stem, deckfiles.read(_text(path), form, cards))
    except deckfiles.BadFile as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error


def _pasted(path: Path, known: Book) -> dict[str, list[str]]:
    try:
        return pasted.read(_text(path), known.cards, known.decks)
    except pasted.BadList as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error


def counted(paths: Iterable[Path]) -> str:
    """The decks of TOML files by name, as JSON: part by part how many of which cards."""
    decks = (of_file(path, ()).deck for path in paths)
    found = {one.name: one.parts for one in decks if isinstance(one, Deck)}
    return json.dumps(
        {name: {part: Counter(cards) for part, cards in of.items()} for name, of in found.items()}
    )


def brought(paths: Iterable[Path], game: str, *, yes: bool = False) -> tuple[str, ...]:
    """The cards of files that have nothing else, each once, as JSON.

    A file has [[card]] tables, or is a list of printed cards of the game (`prints`).
    """
    found = list[str]()
    for path in paths:
        if path.suffix.lower() in prints.ENDINGS:
            found += prints.accepted(path, game, yes=yes)
            continue
        table = _toml(path)
        cards = table.pop("card", [])
        if table or not cards:
            raise Failed(phrase("{path}: only [[card]] tables are expected", path=path), REFUSED)
        found += _prints(path, cards)
    return tuple(dict.fromkeys(found))


def policy(path: Path) -> Policy:
    """The policy of an event; raises `Failed`."""
    try:
        return read_policy(_text(path))
    except BadPolicy as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error


def _cards(path: Path, part: str, given: Any) -> list[str]:
    if isinstance(given, dict) and all(type(n) is int for n in given.values()):
        given = [f"{n} {card}" for card, n in given.items()]
    if not isinstance(given, list):
        text = 'a part is a table of lines such as "X-01" = 4, or a list of rows such as "4 X-01"'
        raise Failed(phrase("{path}: {part}: {text}", path=path, part=part, text=text), REFUSED)
    try:
        return list(decklists.cards(given))
    except ValueError as error:
        raise Failed(
            phrase("{path}: {part}: {error}", path=path, part=part, error=error), REFUSED
        ) from error


def _prints(path: Path, cards: Any) -> tuple[str, ...]:
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        raise Failed(phrase("{path}: cards are [[card]] tables", path=path), REFUSED)
    try:
        return tuple(json.dumps(card, ensure_ascii=False, allow_nan=False) for card in cards)
    except (TypeError, ValueError) as error:  # a date, say
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise Failed(
            phrase("{path} can't be read: {strerror}", path=path, strerror=error.strerror), MISSING
        ) from error
    except UnicodeDecodeError as error:
        raise Failed(phrase("{path} is no text", path=path), REFUSED) from error
