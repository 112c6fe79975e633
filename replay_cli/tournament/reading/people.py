"""Players as people name them: by number, by the organiser's key, by name, or a part of it.

Readers of files and command lines find players here by their names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from msgspec import Struct

from domain.words.phrases import joined, labelled, phrase
from replay_cli.typed.spreadsheet import shown

#: What stands for nobody in a pairing: a bye.
NOBODY = ("", "-", "bye", "(bye)", "*bye*", "free")
#: How many players are named where several are meant.
NAMED = 4


class Person(Struct, frozen=True):
    """A player: his number, his name, the organiser's key for him, and whether he plays on."""

    number: int
    name: str
    key: str = ""
    dropped: bool = False


class Nobody(ValueError):
    """No one player is meant; the text says why."""


class People:
    """The players of an event, to be found by what somebody calls them."""

    def __init__(self, players: Iterable[Person]) -> None:
        self.by_number = {one.number: one for one in players}

    def find(self, text: str) -> Person:
        """The player who is meant: a key first, then `#7` or `7`, then a name; raises `Nobody`."""
        text = " ".join(text.split())
        people = self.by_number.values()
        number = text.removeprefix("#")
        found = [one for one in people if one.key and one.key == text]
        if not found and number.isdecimal() and number.isascii() and int(number) in self.by_number:
            found = [self.by_number[int(number)]]
        wanted = text.casefold()
        found = found or [one for one in people if one.name.casefold() == wanted]
        found = found or [one for one in people if wanted and _fits(wanted, one.name)]
        if len(found) == 1:
            return found[0]
        if found:
            more = ["…"] if len(found) > NAMED else []
            names = joined(", ", [*(one.name for one in found[:NAMED]), *more])
            raise Nobody(phrase("{name} may be {players}", name=shown(text), players=names))
        near = get_close_matches(text, [one.name for one in people], 1, 0.7)
        fault = phrase("no player is called {name}", name=shown(text))
        raise Nobody(labelled(fault, f"{near[0]}?") if near else fault)

    def find_all(self, texts: Collection[str]) -> list[Person]:
        """The players who are meant, each once; raises `Nobody`."""
        return list({one.number: one for one in map(self.find, texts)}.values())


def _fits(wanted: str, name: str) -> bool:
    """Whether a name, or a word of it, begins with what was typed."""
    name = name.casefold()
    return name.startswith(wanted) or any(word == wanted for word in name.split())
