"""The tallies of a game for overlays: figures of each seat next to a board, by name.

Every game declares `life` (a player without it loses), `deck` and `hand` in its own terms, and
other numbers of interest; all have `score`, the games won. A tally counts only what everybody can
count, so it is the same in any viewer's position.

They lie beside the manifest and not in it: a manifest's digest is in every record, and says in
which words that was written. Tallies are derived from a record and not part of it, so they may be
added and changed at any time, without a new version of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.record.position import Position
from domain.record.schema.citations import without_edition
from domain.record.schema.manifest import Manifest
from domain.words.phrases import word
from domain.words.tables import Language


class Tally(Struct, frozen=True):
    """Of each seat the cards in its `zone`, or the `counters` of these kinds that it holds there.

    Without a zone they are the counters that the seat holds; without either it is the games won.
    """

    name: str
    label: str
    zone: str = ""
    counters: tuple[str, ...] = ()

    def value(self, p: Position, seat: int) -> int:
        """Its value in a position."""
        holder = f"{self.zone or 'seat'}/{seat}"
        if self.counters:
            held = p.holders.get(holder, {})
            return sum(held.get(kind, 0) for kind in self.counters)
        if self.zone:
            return len(p.zones.get(holder, ()))
        return p.score[seat] if seat < len(p.score) else 0


#: What every game has.
SCORE = Tally("score", "Games won")
#: What every game declares.
NEEDED = ("life", "deck", "hand")


def values(tallies: Iterable[Tally], p: Position) -> dict[str, tuple[int, ...]]:
    """The values of tallies in a position, seat by seat, by name."""
    seats = range(len(p.heading.seats))
    return {one.name: tuple(one.value(p, seat) for seat in seats) for one in tallies}


def in_language(tallies: Sequence[Tally], game: str, language: Language) -> list[Tally]:
    """Tallies with their labels in another language."""
    return [
        replace(one, label=str(language.say(word(one.label, f"{without_edition(game)}/tallies"))))
        for one in tallies
    ]


def faults(tallies: Sequence[Tally], manifest: Manifest) -> Iterator[str]:
    """The faults of the tallies of a game."""
    names = [one.name for one in tallies]
    yield from (f"there is no tally {name}" for name in NEEDED if name not in names)
    if len(set(names)) < len(names):
        yield "a tally is there twice"
    zones: Mapping[str, object] = {zone.name: zone for zone in manifest.zones if not zone.shared}
    kinds = manifest.words("counters")
    for one in tallies:
        if one.zone and one.zone not in zones:
            yield f"{one.name}: no zone of each seat is called {one.zone}"
        yield from (f"{one.name}: no counter is called {k}" for k in one.counters if k not in kinds)
