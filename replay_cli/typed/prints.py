"""Lists of printed cards in files: CSV as `spreadsheet` reads it, or JSON; and what they say.

JSON is a list of rows, or a table with such a list under `cards`. What a row says is read by the
game (`kit.lists.printed.Reading`); all that is wrong is named at once, with line and column. What a
match brings of such a list is shown in Kifu's own words, for a judge to accept (`accepted`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from domain import games
from domain.games.kit.lists.printed import BadPrint, Card, Printed, Reading
from domain.text import brought, printing
from domain.words.phrases import message_of, phrase
from replay_cli.output import MISSING, REFUSED, Failed, console, say
from replay_cli.reaching.asking import confirmed
from replay_cli.typed import spreadsheet
from replay_cli.typed.spreadsheet import Faults

#: Endings of files that are such lists.
ENDINGS = (".csv", ".json")
_LIST, _CARDS = re.compile(r"\s*\["), re.compile(r'"cards"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
#: The column that keeps its line breaks: each is a text of its own.
_TEXT = "effect"


def read(paths: Iterable[Path], of: str) -> list[Printed]:
    """The cards of a game in these files, each once, in their order; raises `Failed`."""
    try:
        game = games.reading(of)
    except KeyError:
        raise Failed(
            phrase("lists of printed cards of {of} are not read", of=of), MISSING
        ) from None
    found: dict[str, Printed] = {}
    for path in paths:
        faults = Faults(path)
        for line, row in _rows(path, game, faults):
            try:
                card = game.read(row)
            except BadPrint as bad:
                faults.add(message_of(bad), line, bad.column)
                continue
            if found.setdefault(card.id, card) != card:
                faults.add(phrase("{id} is another card above", id=card.id), line)
        faults.check()
    return [*found.values()]


def accepted(path: Path, of: str, *, yes: bool = False) -> list[str]:
    """The cards that a match brings of a list, as JSON, once what was understood is accepted.

    A card whose text is not understood is brought by its figures: its players declare what it does.
    """
    cards = printing.compiled(of, read([path], of))
    for card in cards:
        console(stderr=True).print(*_shown(of, card), sep="\n")
    warning = phrase(
        "{name} has printed texts; what was understood of them stands above.", name=path.name
    )
    if not confirmed(warning, yes, "Is it what they do?"):
        raise Failed(phrase("{path}: not accepted", path=path), REFUSED)
    tables = ({k: v for k, v in card.table.items() if k != "unread"} for card in cards)
    return [json.dumps(table, ensure_ascii=False) for table in tables]


def _shown(of: str, card: Card) -> Iterator[str]:
    """A card, and what it does in Kifu's own words."""
    yield f"{card.source.id} {card.table['name']}"
    if card.declined is not None:
        text = phrase("not understood from “{words}” on: its players declare its text",
                      words=card.declined.words)  # fmt: skip
        yield f"  {say(text)}"
    for sentence in brought.effects(of, card.table):
        yield f"  {say(sentence)}"


def _rows(path: Path, game: Reading, faults: Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file, each with the line that it begins on."""
    if path.suffix.lower() == ".json":
        yield from _of_json(path, game, faults)
        return
    columns = [
        spreadsheet.Column(name, also, name in game.NEEDED, raw=name == _TEXT)
        for name, also in game.COLUMNS.items()
    ]
    for row in spreadsheet.read(path, columns).rows:
        yield row.line, row.cells


def _of_json(path: Path, game: Reading, faults: Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    text = _text(path)
    begun = _LIST.match(text) or _CARDS.search(text)
    if begun is None:
        text = "a list of cards is expected, or a table with such a list under `cards`"
        faults.add(phrase(text), 1)
        return
    decoder, at = json.JSONDecoder(), begun.end()
    while True:
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == "]":
            return
        line = text.count("\n", 0, at) + 1
        try:
            row, at = decoder.raw_decode(text, at)
        except ValueError as error:
            where = getattr(error, "lineno", line)
            why = getattr(error, "msg", error)
            faults.add(phrase("this is no JSON: {why}", why=why), where)
            return
        if not isinstance(row, dict):
            faults.add(phrase("a card is a table"), line)
            continue
        yield line, row


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise Failed(
            phrase("{path} can't be read: {strerror}", path=path, strerror=error.strerror), MISSING
        ) from error
    except UnicodeDecodeError as error:
        raise Failed(phrase("{path} is not in UTF-8", path=path), REFUSED) from error
