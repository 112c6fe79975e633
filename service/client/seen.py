"""A position for programs: an unknown name is an error that says so.

To the engine a zone in which nothing ever lay and one that no game has are alike, for it asks by
names that were checked. A program may mistype them: `SeenPosition` knows what its game declares,
from the service that it came from or from the game at hand, and looks it up once it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Self

from msgspec import Struct
from msgspec.structs import astuple

from domain.record.position import Card, Position, decoded
from domain.record.schema import tallies
from domain.record.schema.manifest import Manifest
from domain.record.schema.tallies import Tally
from domain.record.values import Ref, Value


class UnknownName(KeyError):
    """There is nothing of that name; the text says what there is."""

    def __str__(self) -> str:
        return str(self.args[0])


class Declared(Struct, frozen=True):
    """The declarations of a game, as far as its positions are asked by it."""

    manifest: Manifest
    tallies: Sequence[Tally]


#: Gets what the game of a position declares; None where nobody at hand knows.
Declares = Callable[[str], Declared | None]


@cache
def at_hand(game: str) -> Declared | None:
    """The declarations of an installed game, without a service; loads its rules."""
    from domain import games

    try:
        rules = games.rulebook(game)
    except KeyError:
        return None
    return Declared(rules.manifest, rules.tallies)


class SeenPosition(Position, dict=True):
    """A position as somebody sees it; its lookups raise `UnknownName` for what there is not.

    Where nobody knows the game any more, names are not checked.
    """

    @classmethod
    def of(cls, pos: Position, declares: Declares) -> Self:
        """A position (which becomes this one, and is to be used no more) of a known game."""
        self = cls(*astuple(pos))
        self.__dict__["_declares"] = declares
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> SeenPosition:
        return SeenPosition.of(decoded(self.encoded()), self.__dict__.get("_declares", at_hand))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and astuple(self) == astuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _declared(self) -> Declared | None:
        """The declarations of its game; None if unknown."""
        declares: Declares = self.__dict__.get("_declares", at_hand)
        return declares(self.heading.game)

    # -- questions -------------------------------------------------------------------------------

    def zone(self, name: str, seat: int | None = None) -> list[int]:
        """The numbers in a zone, bottom to top: `zone("hand", 0)` or `zone("hand/0")`.

        Cards that can't be told apart are zeros.
        """
        place = name if seat is None else f"{name}/{seat}"
        found = self.zones.get(place)
        if found is None:
            self._check_place(place)
        return [] if found is None else found

    def card(self, number: int) -> Card:
        try:
            return super().card(number)
        except KeyError:
            why = "it can't be told apart, or left before this turn"
            raise UnknownName(f"there is no card {number} here: {why}") from None

    def stat(self, card: int, key: str, default: int = 0) -> int:
        """A derived number of a card that is in force (its `ap`), or `default` if it has none."""
        found, declared = self.card(card), self._declared()
        if key not in found.stats and declared is not None:
            _check("number", key, declared.manifest.words("stats"))
        return found.stat(key, default)

    def counters(self, holder: Ref, kind: str) -> int:
        declared = self._declared()
        if declared is not None and not self.counted(holder).get(kind):
            _check("kind of counters", kind, declared.manifest.words("counters"))
        return super().counters(holder, kind)

    def counted(self, holder: Ref) -> Mapping[str, int]:
        if isinstance(holder, str) and holder not in self.holders:
            self._check_place(holder, "seat")
        return super().counted(holder)

    def mark(self, subject: Ref, key: str) -> Value:
        found, declared = super().mark(subject, key), self._declared()
        if found is None and declared is not None:
            _check("mark", key, declared.manifest.words("marks"))
        return found

    def left(self, clock: str, now: int) -> int:
        _check("clock", clock, self.clocks)
        return super().left(clock, now)

    def tally(self, name: str, seat: int) -> int:
        """A tally of a seat: `life`, `deck`, `hand`, `score` (games won) and others."""
        found = self.tallies()
        _check("tally", name, found)
        if not 0 <= seat < len(found[name]):
            raise UnknownName(f"there is no seat {seat}: they are 0 to {len(found[name]) - 1}")
        return found[name][seat]

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """The tallies of each seat for overlays, by name; without the game, only the games won."""
        declared = self._declared()
        return tallies.values(declared.tallies if declared is not None else [tallies.SCORE], self)

    # -- names -----------------------------------------------------------------------------------

    def _check_place(self, place: str, *more: str) -> None:
        """Raise `UnknownName` unless the game has such a place, or `more` of each seat."""
        declared = self._declared()
        if declared is None:
            return
        zones = {zone.name: zone.shared for zone in declared.manifest.zones}
        name, _, whose = place.partition("/")
        _check("zone", name, [*zones, *more])
        if zones.get(name, False):
            if whose:
                raise UnknownName(f"{name} is one zone for all seats: zone({name!r})")
            return
        seats = [str(seat) for seat in range(declared.manifest.seats)]
        if not whose:
            raise UnknownName(f"each seat has a {name}: zone({name!r}, 0)")
        if whose not in seats:
            raise UnknownName(f"there is no seat {whose}: they are {' and '.join(seats)}")


def _check(what: str, name: str, known: Collection[str]) -> None:
    """Raise `UnknownName` unless a name is known."""
    if name in known:
        return
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    there = f"There are {', '.join(known)}" if known else "There is none"
    raise UnknownName(f"there is no {what} {name!r}; {hint}{there}")
