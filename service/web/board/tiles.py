"""Makes tiles of cards: figures as they are now and as printed, how a card lies, its notes.

What is noted of a card is `domain.telling.table`'s; what the viewer can't see is not in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from domain.record.position import Card, Modifier
from domain.record.values import Ref, Value
from domain.telling.names import UNKNOWN, letter, signs
from domain.telling.table import Table
from domain.words.phrases import Phrase, phrase
from service.web.board.model import Counter, Figure, Tile

#: Where there is a picture of a card, by its id; empty: there is none.
Images = Callable[[str], str]


class Tiles:
    """The tiles of one position."""

    def __init__(self, table: Table, images: Images | None) -> None:
        self.table, self.pos, self.book = table, table.pos, table.book
        self.manifest, self._images = table.book.manifest, images
        attack, targets = self.pos.attack, set[Ref]()
        for act in self.pos.pending.values():
            targets.update(act.targets)
        #: What befalls cards, as classes say it.
        self._befalls: list[tuple[str, set[Ref]]] = [
            ("attacking", {attack.attacker} if attack else set()),
            ("attacked", {attack.target} if attack else set()),
            ("aimed", targets),
            ("acting", {act.source for act in self.pos.pending.values()}),
        ]

    def unknown(self, number: int = 0) -> Tile:
        """A card of which nothing is known."""
        return Tile(number=number, name=UNKNOWN, known=False)

    def tile(self, number: int, *, shared: bool = False) -> Tile:
        """A card by its number; `shared`: it has to say whose it is."""
        card, table = self.pos.cards.get(number), self.table
        if card is None:
            return self.unknown(number)
        orients = self.manifest.zone(card.place).orients
        turn = orients.index(card.orient) if card.orient in orients else 0
        whose = card.controller if shared or card.controller != card.owner else -1
        return Tile(
            number=number,
            name=table.card(number),
            nth=self._nth(number),
            known=bool(card.id),
            kind=self._kind(card),
            seat=whose,
            letter=letter(whose),
            figures=tuple(self._figures(number, card)),
            counters=self.counters(card.counters),
            traits=tuple(table.traits(number, card) if card.stats else self._printed(card)),
            notes=tuple(self._notes(number, card)),
            lies=self.manifest.lying(card.orient) if card.orient and len(orients) > 1 else "",
            sign=self.manifest.sign(card.orient) if card.orient else "",
            turn=turn,
            down=table.face_down(card),
            new=table.new(card),
            image=self._images(card.id) if self._images is not None and card.id else "",
            classes=self._classes(number, card),
            under=tuple(
                (self.manifest.label("roles", role) if role else "", tuple(map(self.tile, some)))
                for role, some in table.riders(card)
            ),
        )

    def counters(self, held: Mapping[str, int]) -> tuple[Counter, ...]:
        """Counters, a kind after the other."""
        return tuple(self.counter(kind, n) for kind, n in self.table.held(held))

    def counter(self, kind: str, n: int) -> Counter:
        """Counters of one kind."""
        label, sign = self.manifest.label("counters", kind), self.manifest.sign(kind)
        return Counter(kind, label, n, signs(sign, n) if sign else "")

    def _nth(self, number: int) -> str:
        """What tells a card from others of its name in its place: `#2`; empty if there is none."""
        _, mark, nth = self.table.name_in_place(number).rpartition("#")
        return f"#{nth}" if mark and nth.isdecimal() else ""

    def _kind(self, card: Card) -> str:
        found = self.book.cards.get(card.id)
        return found.type if found is not None else ""

    def _notes(self, number: int, card: Card) -> Iterator[str]:
        for text in (self.table.bond(number), self.table.going(number, card)):
            if text is not None:
                yield text
        if bound := self.pos.linked(number):
            yield phrase("with {cards}", cards=self.table.cards(bound))

    def _classes(self, number: int, card: Card) -> str:
        found = [name for name, some in self._befalls if number in some]
        if card.departing:
            found.append("departing")
        if card.token:
            found.append("token")
        return " ".join(found)

    # -- figures ---------------------------------------------------------------------------------

    def _figures(self, number: int, card: Card) -> Iterator[Figure]:
        """The figures in force, each with the printed one; the printed ones if none are."""
        if not card.id and not card.stats:
            return
        printed = {key: self.book.fact(card.id, key) for key in self.manifest.badges}
        if not card.stats and not any(type(one) is int and one for one in printed.values()):
            return
        for key in self.manifest.badges:
            now = card.stats.get(key) if card.stats else printed[key]
            if now is not None and isinstance(now, int | str):
                yield self._figure(number, key, now, printed[key])

    def _figure(self, number: int, key: str, now: Value, printed: object) -> Figure:
        sign, label = self.manifest.sign(key), self.manifest.label("stats", key)
        text = signs(sign, now) if sign and type(now) is int else ""
        if type(now) is not int:
            return Figure(key, label, str(now), text)
        if type(printed) is not int:
            change = self._added.get((number, key), 0)
            printed = now - change
        way = "up" if now > printed else "down" if now < printed else ""
        return Figure(key, label, str(now), text, str(printed) if way else "", way)

    @cached_property
    def _added(self) -> Mapping[tuple[Ref, str], int]:
        """What effects add to figures of cards; figures that they change otherwise are left out."""
        found, otherwise = defaultdict[tuple[Ref, str], int](int), set[tuple[Ref, str]]()
        for one in self.pos.modifiers.values():
            for target in one.targets:
                if one.change.op == "add" and type(one.change.value) is int:
                    found[target, one.change.key] += one.change.value
                elif _changes(one):
                    otherwise.add((target, one.change.key))
        return {key: n for key, n in found.items() if key not in otherwise}

    def _printed(self, card: Card) -> Iterator[str]:
        """What is printed on a card that the manifest has words for: of cards out of play."""
        found = self.book.cards.get(card.id)
        if found is None:
            return
        keywords = found.facts.get("keywords")
        facts = {**found.facts, **(keywords if isinstance(keywords, Mapping) else {})}
        for key, label in self._labels:
            value = facts.get(key)
            if value and isinstance(value, int | str):
                yield (
                    label
                    if value is True
                    else phrase("{figure} {value}", figure=label, value=value)
                )

    @cached_property
    def _labels(self) -> list[tuple[str, Phrase]]:
        """What cards may have beside their figures, by name."""
        words = self.manifest.words("stats").items()
        return [(key, label) for key, label in words if key not in self.manifest.badges]


def _changes(one: Modifier) -> bool:
    return one.change.op not in ("forbid", "allow")
