"""A scripted scorekeeper: enters at a real table what was played at a table of our own.

He follows a dealt match command by command. Asked which card is which (`Unnamed`) or how chance
fell (`Untold`), he looks at what happened there: numbers are the same at both tables. So a match,
or a scenario, can be recorded twice and the two records compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from domain.events import ChanceDrawn, Entry, MatchOpened
from domain.match import Match, Opening
from domain.naming import Told
from domain.notation import UNKNOWN
from domain.rulebook import Rulebook
from domain.table import Unnamed, Untold
from domain.views import PUBLIC, redact


def no_dice(kind: str, of: int) -> tuple[int, ...]:
    """Nothing is drawn at a real table: chance falls there."""
    raise AssertionError("a real table draws nothing")


#: Carries a command out on a match, with what was seen.
Command = Callable[[Match, Told], None]


class Scorekeeper:
    """Records a match at a real table; `log` is the record."""

    def __init__(self, rules: Rulebook, opening: Opening, dealt: Match, log: Sequence[Entry]):
        """`dealt` is the match that is followed, `log` what its opening added."""
        self.rules, self.dealt = rules, dealt
        rolls = tuple(_rolls(log))
        self.match = Match.open(rules, replace(opening, mode="table", rolls=rolls), no_dice)
        self.log: list[Entry] = self.match.collect()
        self.asked = 0

    def enter(self, command: Command, entries: Sequence[Entry]) -> None:
        """Carry out a command that added these entries to the dealt match, naming what must be."""
        told = Told({}, tuple(_rolls(entries)), "Sam")
        while True:
            try:
                command(self.match, told)
            except Unnamed as unnamed:
                self.asked += len(unnamed.needs)
                names = {need.number: self._name(need.number) for need in unnamed.needs}
                assert not names.keys() & told.names.keys(), "asked twice"
                told = replace(told, names={**told.names, **names})
                self.match = Match.resume(self.rules, self.log, no_dice)
            else:
                self.log += self.match.collect()
                return

    def _name(self, number: int) -> str:
        return self.dealt.pos.card(number).id or UNKNOWN


def _rolls(entries: Iterable[Entry]) -> Iterator[tuple[int, ...]]:
    for entry in entries:
        event = entry.event
        if isinstance(event, ChanceDrawn) and event.kind != "shuffle":
            assert event.result.value is not None
            yield event.result.value


def public(log: Iterable[Entry]) -> list[Entry]:
    """What the public sees of a record, but for what says at which kind of table it was played."""
    seen = [redact(entry, PUBLIC) for entry in log]
    return [
        replace(e, event=replace(e.event, mode="")) if isinstance(e.event, MatchOpened) else e
        for e in seen
    ]


__all__ = ["Scorekeeper", "Untold", "no_dice", "public"]
