"""Compile printed texts, and prove that nothing was lost (`Compiler`).

A text counts as read only if each of its lines has exactly one reading, if the game can use what it
means, and if that is written back as the same line, byte for byte. Anything else is declined whole
(`Declined`), with the first words that were not understood: never half of a card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct

from domain.effects.printed.normal import Normal, digest
from domain.effects.printed.patterns import Grammar
from domain.effects.printed.printing import Printer
from domain.effects.printed.reading import Reader, Unread
from domain.effects.printed.references import Unclear, forget, resolve

#: What a line says of its card: an `effect`, a `second` one that belongs to it, or other fields.
Stated = Mapping[str, Any]
#: What of it is an effect.
EFFECTS = ("effect", "second")


class Compiled(Struct, frozen=True):
    """What a printed text says: fields of its card, its effects named; of what text (SHA-256)."""

    fields: dict[str, Any]
    digest: str


class Declined(Struct, frozen=True):
    """A text that was not understood: the line, how far it was, and why.

    `why`: `words` (nothing goes on from there), `readings` (more than one), `reference` (an "it"
    without anything mentioned), `unusable` (the game refuses the data: `what`), `print` (the data
    say something else: `what`).
    """

    digest: str
    line: str
    at: int
    why: str
    what: str = ""

    @property
    def words(self) -> str:
        """The first words that were not understood."""
        return " ".join(self.line[self.at :].split()[:6])


class _Refused(Exception):
    def __init__(self, why: str, at: int = 0, what: str = "") -> None:
        super().__init__(why)
        self.why, self.at, self.what = why, at, what


class Compiler:
    """Reads the printed texts of a game in one language.

    `usual` makes the data of a line as the game has them (each effect complete and free of what is
    usual); `ValueError` if it can't use them. `printed` makes of them what texts say. `gather`
    makes the fields of a card of what its lines say.
    """

    def __init__(
        self,
        grammar: Mapping[str, str],
        normal: Normal,
        usual: Callable[[Stated], Stated],
        printed: Callable[[Stated], Stated],
        gather: Callable[[list[Stated]], dict[str, Any]],
        start: str = "line",
    ) -> None:
        self.grammar = Grammar(grammar)
        self._reader, self._printer = Reader(self.grammar, start), Printer(self.grammar)
        self._normal, self._usual, self._printed = normal, usual, printed
        self._gather, self._start = gather, start
        self._known: dict[str, Stated | _Refused] = {}

    def normal(self, text: str) -> list[str]:
        """The lines of a text, without what says nothing."""
        return self._normal(text)

    def compile(self, text: str) -> Compiled | Declined:
        """What a printed text says, or why it is not understood."""
        lines = self._normal(text)
        stated = []
        for line in lines:
            try:
                stated.append(self.line(line))
            except _Refused as no:
                return Declined(digest(lines), line, no.at, no.why, no.what)
        try:
            return Compiled(self._gather(stated), digest(lines))
        except ValueError as error:
            return Declined(digest(lines), "\n".join(lines), 0, "unusable", str(error))

    def line(self, line: str) -> Stated:
        """What one line says."""
        if line not in self._known:
            try:
                self._known[line] = self._read(line)
            except _Refused as no:
                self._known[line] = no
        found = self._known[line]
        if isinstance(found, _Refused):
            raise found
        return found

    def prints(self, stated: Stated, guide: str | None = None) -> Iterator[str]:
        """The lines that say these data."""
        stated = self._printed(stated)
        ways = [[(key, one) for one in forget(stated[key])] for key in EFFECTS if key in stated]
        for one in product(*ways):
            yield from self._printer.texts(self._start, {**stated, **dict(one)}, guide)

    def _read(self, line: str) -> Stated:
        try:
            raw = self._reader.readings(line)
        except Unread as error:
            raise _Refused("words", error.at) from None
        found, faults = list[Stated](), list[_Refused]()
        for reading in raw:
            try:
                found.append(self._meant(reading))
            except _Refused as no:
                faults.append(no)
        found = list({json.dumps(one, sort_keys=True): one for one in found}.values())
        if not found:
            raise faults[0] if faults else _Refused("words")
        if len(found) > 1:
            raise _Refused("readings", what="\n".join(map(json.dumps, found)))
        if line not in self.prints(found[0], line):
            raise _Refused("print", what=json.dumps(found[0]))
        return found[0]

    def meaning(self, reading: Stated) -> Stated:
        """What the rows of a line say, as the game has it.

        `Unclear` if it mentions nothing that an "it" could be, `ValueError` if it can't be used.
        """
        effects = {key: resolve(reading[key]) for key in EFFECTS if key in reading}
        return self._usual({**reading, **effects})

    def _meant(self, reading: Stated) -> Stated:
        try:
            return self.meaning(reading)
        except Unclear:
            raise _Refused("reference") from None
        except ValueError as error:
            raise _Refused("unusable", what=str(error)) from None
