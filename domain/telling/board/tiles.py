"""Describes cards: figures as they are now and as printed, how a card lies, what is noted of it.

What the viewer can't see is not in the position. How zones are made of cards is in `zones`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby

from domain.record.position import Card, Modifier
from domain.record.values import Ref, Value
from domain.telling.board.faces import face, glyphs, printed_glyphs
from domain.telling.board.model import Counter, Figure, Tile, Under
from domain.telling.names import BARS, UNKNOWN, Names, letter, signs
from domain.text.cardfacts import called
from domain.words.phrases import Phrase, phrase, renamed


class Tiles(Names):
    """The cards of one position."""

    def tile(self, number: int, *, shared: bool = False) -> Tile:
        """A card by its number; `shared`: it has to say whose it is."""
        card, manifest = self.pos.cards.get(number), self.book.manifest
        if card is None:
            return Tile(number=number, name=UNKNOWN)
        zone, orient = manifest.zone(card.place), card.orient
        orients = zone.orients
        whose = card.controller if shared or card.controller != card.owner else -1
        in_place = self.name_in_place(number)
        figures, printed = (
            ((*self.figures(number, card),), ()) if card.stats else self._as_printed(number, card)
        )
        return Tile(
            number=number,
            name=self.card(number),
            id=card.id,
            in_place=in_place,
            nth=_nth(in_place),
            kind=self.kind(card),
            seat=whose,
            letter=letter(whose),
            figures=figures,
            counters=self.counters(card.counters),
            traits=tuple(self.traits(number, card)),
            printed=printed,
            in_play=bool(card.stats),
            lies=manifest.lying(orient) if orient else "",
            sign=manifest.sign(orient) if orient else "",
            turn=orients.index(orient) if orient in orients else 0,
            turns=len(orients) > 1,
            ready=orient == (orients or ("",))[0],
            down=not card.up and zone.faces == "all",
            new=bool(card.came == self.pos.turn and self.pos.turn and orients),
            states=tuple(self._states(number, card)),
            bond=self._bond(number),
            bound=self._bound(number),
            going=self._going(number, card),
            under=tuple(self._under(card)),
            face=face(self.book, card.id),
            glyphs=tuple(glyphs(self.book, card.stats))
            if card.stats
            else printed_glyphs(self.book, card.id),
        )

    def kind(self, card: Card) -> str:
        """The type of a card; empty if it is not known."""
        found = self.book.cards.get(card.id)
        return called(found.type) if found is not None else ""

    def counters(self, held: Mapping[str, int]) -> tuple[Counter, ...]:
        """Counters, a kind after the other in the manifest's order."""
        if not held:
            return ()
        order = {kind: at for at, kind in enumerate(self.book.manifest.words("counters"))}
        found = sorted(held.items(), key=lambda one: order.get(one[0], 0))
        return tuple(self.counter(kind, n) for kind, n in found if n)

    def counter(self, kind: str, n: int) -> Counter:
        """Counters of one kind."""
        manifest = self.book.manifest
        sign = manifest.sign(kind)
        return Counter(kind, manifest.label("counters", kind), n, signs(sign, n) if sign else "")

    # -- figures ---------------------------------------------------------------------------------

    def figures(self, number: int, card: Card) -> Iterator[Figure]:
        """The figures in force, each with the printed one; the printed ones if none are."""
        if not card.id and not card.stats:
            return
        badges = self.book.manifest.badges
        printed = {key: self.book.fact(card.id, key) for key in badges}
        if not card.stats and not any(type(one) is int and one for one in printed.values()):
            return
        for key in badges:
            now = card.stats.get(key) if card.stats else printed[key]
            if now is not None and isinstance(now, int | str):
                yield self._figure(number, key, now, printed[key])

    def _figure(self, number: int, key: str, now: Value, printed: object) -> Figure:
        sign, label = self.book.manifest.sign(key), self.book.manifest.label("stats", key)
        if type(now) is not int:
            return Figure(key, label, str(now))
        text = signs(sign, now) if sign else ""
        if type(printed) is not int:
            printed = now - self._added.get((number, key), 0)
        way = "up" if now > printed else "down" if now < printed else ""
        return Figure(key, label, str(now), text, str(printed) if way else "", way)

    @cached_property
    def _added(self) -> Mapping[tuple[Ref, str], int]:
        """The additions of effects to figures of cards; other changes of figures are left out."""
        found, otherwise = defaultdict[tuple[Ref, str], int](int), set[tuple[Ref, str]]()
        for one in self.pos.modifiers.values():
            for target in one.targets:
                if one.change.op == "add" and type(one.change.value) is int:
                    found[target, one.change.key] += one.change.value
                elif _changes(one):
                    otherwise.add((target, one.change.key))
        return {key: n for key, n in found.items() if key not in otherwise}

    # -- what is noted ---------------------------------------------------------------------------

    def _states(self, number: int, card: Card) -> Iterator[str]:
        if number in self._befallen:
            yield from (name for name, some in self._befalls.items() if number in some)
        if card.departing:
            yield "departing"
        if card.token:
            yield "token"

    @cached_property
    def _befalls(self) -> Mapping[str, set[Ref]]:
        attack, acts = self.pos.attack, self.pos.pending.values()
        return {
            "attacking": {attack.attacker} if attack else set(),
            "attacked": {attack.target} if attack else set(),
            "aimed": {target for act in acts for target in act.targets},
            "acting": {act.source for act in acts},
        }

    @cached_property
    def _befallen(self) -> set[Ref]:
        return set[Ref]().union(*self._befalls.values())

    def _as_printed(self, number: int, card: Card) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
        """The figures of a card that is not in play, and what else is printed on it.

        That is the same for all cards of its name at any time, and looked up once.
        """
        known: dict[str, tuple[tuple[Figure, ...], tuple[str, ...]]] = self.book.printed
        if card.id not in known:
            known[card.id] = (*self.figures(number, card),), (*self._printed(card),)
        return known[card.id]

    def _printed(self, card: Card) -> Iterator[str]:
        """The printed values of a card that the manifest has words for, except its figures."""
        found = self.book.cards.get(card.id)
        if found is None:
            return
        keywords = found.facts.get("keywords")
        facts = {**found.facts, **(keywords if isinstance(keywords, Mapping) else {})}
        for key, label in self._labels.items():
            value = facts.get(key)
            if value and isinstance(value, int | str):
                yield self.trait(label, value)

    @cached_property
    def _labels(self) -> Mapping[str, Phrase]:
        """The labels of cards besides their figures, by name."""
        manifest = self.book.manifest
        words = manifest.words("stats").items()
        return {key: label for key, label in words if key not in manifest.badges}

    def _under(self, card: Card) -> Iterator[Under]:
        """The cards attached to a card, by role."""
        manifest = self.book.manifest
        for role, some in groupby(card.attached, lambda rider: self.pos.cards[rider].role):
            numbers = [*some]
            label, words = Phrase(""), self.cards(numbers)
            if role:
                label = manifest.label("roles", role)
                words = phrase("{role} {card}", role=renamed(label, role), card=words)
            yield Under(label, words, tuple(map(self.tile, numbers)))

    def _bond(self, number: int) -> str:
        """As what a card belongs to one that lies elsewhere."""
        link = self.pos.links.get(number)
        if link is None:
            return ""
        role = self.book.manifest.label("roles", link.role)
        return phrase("{role} of {host}", role=role, host=self.card(link.host))

    def _bound(self, number: int) -> str:
        """The cards that belong to a card from where they lie."""
        bound = self.pos.linked(number)
        return phrase("with {cards}", cards=self.cards(bound)) if bound else ""

    def _going(self, number: int, card: Card) -> str:
        """Why a card is on its way out, through what, and where to."""
        if not card.departing:
            return ""
        why = self.book.manifest.label("reasons", card.departing)
        departure = self.pos.departures.get(number)
        if departure is not None:
            if departure.responsible:
                why = phrase("{why} by {who}", why=why, who=self.ref(departure.responsible))
            why = phrase("{why}, to {place}", why=why, place=self.place(departure.to))
        return phrase("on its way out ({why})", why=why)


def _nth(name: str) -> str:
    """The number of a card among its namesakes in its place: `#2`; empty if it has none."""
    _, mark, nth = name.rpartition("#")
    return f"#{nth}" if mark and nth.isdecimal() else ""


def _changes(one: Modifier) -> bool:
    return one.change.op not in BARS
