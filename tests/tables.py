"""A scripted scorekeeper: enters at a real table what was played at a table of our own.

He follows a dealt match command by command. Asked which card is which (`Unnamed`), he looks at the
dealt table: numbers are the same at both. So a match, or a scenario, can be recorded twice and the
two records compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from msgspec.structs import replace

from domain.events import CardsKnown, ChanceDrawn, Entry, MatchOpened
from domain.match import Match, Opening, Refused
from domain.naming import Told
from domain.notation import UNKNOWN
from domain.position import Position
from domain.rulebook import Rulebook
from domain.table import Need, Unnamed, Untold
from domain.views import PUBLIC, redact

#: Carries a command out on a match, with what was seen.
Command = Callable[[Match, Told], None]
#: Which card it is that must be named.
Name = Callable[[Need], str]


def no_dice(kind: str, of: int) -> tuple[int, ...]:
    """Nothing is drawn at a real table: chance falls there."""
    raise AssertionError("a real table draws nothing")


def at_table(rules: Rulebook, opening: Opening, dealt: Iterable[Entry]) -> Match:
    """The match of an opening at a real table, where chance fell as in these entries."""
    return Match.open(rules, replace(opening, mode="table", rolls=rolls(dealt)), no_dice)


class Scorekeeper:
    """Records a match at a real table; `log` is the record, `asked` how many names it took."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.log: list[Entry] = match.collect()
        self.asked = 0

    def enter(self, command: Command, entries: Iterable[Entry], name: Name) -> list[Entry]:
        """Carry out a command that led to these entries where it was dealt; what it added here."""
        told = Told({}, rolls(entries), "Sam")
        while True:
            try:
                command(self.match, told)
            except Unnamed as unnamed:
                names = {need.number: name(need) for need in unnamed.needs}
                assert not names.keys() & told.names.keys(), "a name is asked for once"
                self.asked += len(names)
                told = replace(told, names={**told.names, **names})
                self.match = Match.resume(self.match.rules, self.log, no_dice)
            else:
                added = self.match.collect()
                self.log += added
                return added

    def refused(self, command: Command, name: Name, rules: Sequence[str]) -> None:
        """What was refused where it was dealt is refused here, by the same rules."""
        try:
            self.enter(command, (), name)
        except Refused as refusal:
            assert tuple(rules) == refusal.refusal.rules  # noqa: PT017
        else:
            raise AssertionError(f"refused by {rules} elsewhere, and done at a real table")


def names_in(p: Position, entries: Iterable[Entry]) -> Name:
    """Names as a dealt table knows them, with these entries to come; fillers nobody knows."""
    known = {number: card.id for number, card in p.cards.items()}
    for entry in entries:
        if isinstance(entry.event, CardsKnown):
            known |= dict(entry.event.cards.value or ())
    return lambda need: known[need.number] or UNKNOWN


def roll(rng: Random, untold: Untold) -> tuple[int, ...]:
    """Chance as it may have fallen."""
    every = tuple(rng.sample(range(untold.of), untold.of))
    return every if untold.kind == "order" else every[:1]


def rolls(entries: Iterable[Entry]) -> tuple[tuple[int, ...], ...]:
    """How chance fell in these entries, for all to see or not; the order of a stack is nobody's."""
    drawn = [entry.event for entry in entries if isinstance(entry.event, ChanceDrawn)]
    return tuple(one.result.value or () for one in drawn if one.kind != "shuffle")


def public(log: Sequence[Entry]) -> list[Entry]:
    """What the public sees of a record, but for what says at which kind of table it was played."""
    seen = [redact(entry, PUBLIC) for entry in log]
    return [
        replace(one, event=replace(one.event, mode=""))
        if isinstance(one.event, MatchOpened)
        else one
        for one in seen
    ]
