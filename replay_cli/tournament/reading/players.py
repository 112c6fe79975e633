"""Players from a table: `name`, `key` (the organiser's own for them) and `deck`, a column each.

A deck, or a pool, is a ready-made one by name, or a file with a list, named as seen from the
table's folder.
Where a table has first and last names apart, they make the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from domain.telling.book import Book
from domain.tournament.record import Deck
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.output import Failed
from replay_cli.typed import lists
from replay_cli.typed.spreadsheet import Column, Faults, missing, read, shown

NAME, FIRST, LAST = "name", "first name", "last name"
COLUMNS = (
    Column(NAME, ("player", "player name", "full name")),
    Column(FIRST, ("given name", "forename")),
    Column(LAST, ("family name", "surname")),
    Column(
        "key",
        ("id", "player id", "number", "membership", "membership number"),
        ending=("id", "number"),
    ),
    Column("deck", ("list", "deck list", "decklist", "pool")),
)
#: How long a name may be.
LONGEST = 80


class Entrant(Struct, frozen=True):
    """A player as a table has him; `line` is where. `deck` is what stands there, maybe nothing."""

    name: str
    key: str
    deck: str
    line: int


class Players(Struct, frozen=True):
    """The players of a table, and the heads of columns that were not looked at.

    Those of one name are `renamed`: they are told apart by their keys.
    """

    path: Path
    players: tuple[Entrant, ...]
    ignored: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()

    @property
    def notes(self) -> list[Phrase]:
        """What is to be known of how it was read."""
        found = []
        if self.renamed:
            names = joined(", ", self.renamed)
            found.append(phrase("of one name, told apart by their keys: {names}", names=names))
        if self.ignored:
            columns = joined(", ", self.ignored)
            found.append(phrase("not looked at: {columns}", columns=columns))
        return found


def players(path: Path, taken: Iterable[str] = ()) -> Players:
    """The players of a file; raises `Failed` with all that is wrong. `taken` names are others'."""
    faults = Faults(path)
    table = read(path, COLUMNS)
    if not table.columns & {NAME, FIRST, LAST}:
        faults.add(missing(NAME, COLUMNS))
        faults.check()
    found = []
    names = {name.casefold(): 0 for name in taken}
    keys: dict[str, int] = {}
    renamed = []
    named = [row[NAME] or f"{row[FIRST]} {row[LAST]}".strip() for row in table.rows]
    often = Counter([*map(str.casefold, named), *names])
    keyed = Counter(zip(map(str.casefold, named), (row["key"] for row in table.rows), strict=True))
    for row, name in zip(table.rows, named, strict=True):
        both = (name.casefold(), row["key"])
        if all(both) and often[both[0]] > 1 == keyed[both]:
            name = f"{name} ({row['key']})"
            renamed.append(name)
        one = Entrant(name, row["key"], row["deck"], row.line)
        found.append(one)
        if not name or len(name) > LONGEST or not name.isprintable():
            text = phrase("{name} is no name of 1 to {n} characters", name=shown(name), n=LONGEST)
            faults.add(text if name else phrase("a name is missing"), row.line, NAME)
        elif name.casefold() in names:
            line = names[name.casefold()]
            where = "{name} is a player already: add what tells them apart, a key or a name"
            if line:
                where = (
                    "{name} stands on line {line} too: add what tells them apart, a key or a name"
                )
            faults.add(phrase(where, name=shown(name), line=line), row.line, NAME)
        if one.key and one.key in keys:
            where = "{name} stands on line {line} too"
            faults.add(phrase(where, name=shown(one.key), line=keys[one.key]), row.line, "key")
        names.setdefault(name.casefold(), row.line)
        keys.setdefault(one.key, row.line)
    if not found:
        faults.add(phrase("it has no players"))
    faults.check()
    return Players(path, tuple(found), table.ignored, tuple(renamed))


def decks(path: Path, entrants: Sequence[Entrant], known: Book) -> dict[str, Deck]:
    """The decks of those who have one, by player; raises `Failed` with all that is wrong."""
    faults = Faults(path)
    found: dict[str, Deck] = {}
    for one in entrants:
        if one.deck in known.decks:
            found[one.name] = Deck(one.deck, dict(known.decks[one.deck]))
        elif one.deck:
            try:
                found[one.name] = _list(path.parent / one.deck, known)
            except Failed as error:
                faults.add(error.text, one.line, "deck")
    faults.check()
    return found


def _list(file: Path, known: Book) -> Deck:
    if not file.is_file():
        raise Failed(
            phrase(
                "{shown} is no ready-made deck, and there is no file {file}",
                shown=shown(file.name),
                file=file,
            )
        )
    (listed,), prints = lists.opened_with([str(file)], known)
    assert not isinstance(listed.deck, str)  # which is a deck that is known
    if prints:
        raise Failed(
            phrase(
                "cards that {name} brings belong into the event's file, under prints",
                name=file.name,
            )
        )
    return Deck(listed.deck.name, {part: tuple(ids) for part, ids in listed.deck.parts.items()})
