"""The cards of a game by what is printed on them: what passes a filter, goes well, does something.

And what texts speak of, so that it can be there as they are tried. Laying it out is for `laying`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.effects.language.vocabulary import (
    Choose,
    Clause,
    Condition,
    Cost,
    Effect,
    Happened,
    every,
)
from domain.effects.select import COMPARED_WITH, X, fits
from domain.games.kit.game import Game
from domain.record.groups import Filter, Group, Whose
from domain.text.scenario.setting import lay
from domain.text.scenario.text import Line
from replay_cli.playing.effects.situations import Row, Situations

#: What a condition says of how many there may be at most, if it says something.
FEW = 1_000


class Wanted(Struct, frozen=True):
    """Cards that a text speaks of: how many, and the instruction that is `done` to them.

    `unless`: it says that they must not be there.
    """

    group: Group = Group()
    n: int = 1
    unless: bool = False
    done: str = ""


ANY = Wanted()


def wanted(part: object, like: Wanted = ANY) -> Iterator[Wanted]:
    """All that a text, or a part of one, speaks of."""
    match part:
        case Group():
            yield replace(like, group=part)
        case Condition():
            few = part.unless or part.most < FEW
            like = replace(like, n=part.least, unless=few)
        case Choose() | Cost():
            like = replace(like, n=part.n)
        case Clause():
            like = replace(like, done=part.do)
        case list() | tuple():
            for one in part:
                yield from wanted(one, like)
    if isinstance(part, Struct):
        for name in part.__struct_fields__:
            yield from wanted(getattr(part, name), like)


class Doing(NamedTuple):
    """What a text of a card does: an instruction, or the kind of the text; to which cards."""

    what: str
    card: str
    effect: Effect
    of: Group


class Shelf:
    """All cards of a game, and which of them may lie where, beneath what, and do what."""

    def __init__(self, rules: Game, has: Situations) -> None:
        assert rules.terms is not None
        self.cards, self.terms, self._has = rules.cards, rules.terms, has
        shown = next(z.name for z in rules.manifest.zones if z.faces == "all" and not z.orients)
        row = Line(1, 0, f"A {shown}: {', '.join(rules.cards)}")
        self._p = lay(rules, [row], "shelf").pos  # in the open, so that filters may be asked
        self._numbers = {self._p.cards[n].id: n for n in self._p.zone(shown, 0)}
        self._fitting: dict[str, list[str]] = {}
        self._well: dict[tuple[str, str], list[str]] = {}
        self._words = {card: set(_printed(facts)) for card, facts in rules.cards.items()}
        self.rows = {row.name: row for row in reversed(has.zone)}
        self._lying = {id(row): self._cards(row) for row in has.zone}
        self.riders = {role: [c for c in self.cards if self._rides(c, role)] for role in has.rider}
        self._doing: dict[str, list[Doing]] = defaultdict(list)
        for doing in self._all_doing():
            self._doing[doing.what].append(doing)

    # -- what is printed ---------------------------------------------------------------------------

    def figure(self, card: str, key: str) -> int:
        """A printed figure; 0 without one."""
        value = self.terms.attribute(self._p, self._numbers[card], key)
        return value if isinstance(value, int) else 0

    def fits(self, card: str, asked: Filter) -> bool:
        """Whether a card passes a filter, as far as that asks for what is printed."""
        waits = asked.get(self._has.waits)
        if waits and not any(effect.on == waits for effect in self.cards[card].effects):
            return False
        printed = {
            key: test
            for key, test in asked.items()
            if key not in self._has.attribute
            and key != self._has.waits
            and not (isinstance(test, str) and (X.fullmatch(test) or COMPARED_WITH.fullmatch(test)))
        }
        return fits(self.terms, self._p, self._numbers[card], printed)

    def fitting(self, asked: Filter) -> list[str]:
        """The cards that pass it."""
        key = repr(asked)
        if key not in self._fitting:
            self._fitting[key] = [card for card in self._numbers if self.fits(card, asked)]
        return self._fitting[key]

    # -- where cards may lie -----------------------------------------------------------------------

    def places(self, card: str) -> list[str]:
        """Where a card may lie: zones, and roles in which it lies beneath others."""
        zones = [zone for zone, types in self._has.card.items() if self.cards[card].type in types]
        return [*zones, *(role for role in self.riders if card in self.riders[role])]

    def usual(self, card: str, effect: Effect) -> list[str]:
        """Those where it is as a rule as a text of it comes to something."""
        field = [*(row.name for row in self._has.zone if row.lies), *self._has.rider]
        usual = self._has.usual.get(effect.on or effect.kind, field)
        return [place for place in self.places(card) if place in usual]

    def origins(self, effect: Effect) -> list[str]:
        """Where the card has to be, or to have come from, for a text; empty if that is open."""
        conditions = (*effect.when, *effect.provided)
        asked = (condition.this.get(self._has.origin, "") for condition in conditions)
        there = "" if effect.on else effect.zone  # what triggers there may set out elsewhere
        return [str(zone) for zone in (there, *asked) if zone in self._has.card]

    def lying(self, row: Row) -> list[str]:
        """What may be drawn for a row."""
        return self._lying[id(row)]

    def may_lie(self, row: Row, card: str) -> bool:
        """Whether a card is of a row's types."""
        facts = self.cards[card]
        return facts.type in row.types and (row.tokens or not getattr(facts, "token", False))

    def field(self, card: str) -> Row | None:
        """The row in which a card lies in one of several ways, if it may."""
        return next((row for row in self._has.zone if row.lies and self.may_lie(row, card)), None)

    def bearing(self, role: str) -> Row:
        """The row whose cards bear such as lie beneath them in a role."""
        return next(row for row in self._has.zone if row.rider == role)

    def well(self, host: str, role: str) -> list[str]:
        """The cards that go well beneath a host: those with a word that its filters name."""
        if (host, role) not in self._well:
            named = set(_strings(getattr(self.cards[host], self._has.rider[role].by, None)))
            self._well[host, role] = [
                card
                for card in self.riders[role]
                if any(part in word for part in named for word in self._words[card])
            ]
        return self._well[host, role]

    def _cards(self, row: Row) -> list[str]:
        return row.cards or [card for card in self.cards if self.may_lie(row, card)]

    def _rides(self, card: str, role: str) -> bool:
        facts = self.cards[card]
        return facts.type in self._has.rider[role].types or bool(getattr(facts, role, None))

    # -- what cards do -----------------------------------------------------------------------------

    def helpers(self, card: str, effect: Effect) -> Iterator[list[Doing]]:
        """For each thing that a text waits for: what may bring it about, the likeliest."""
        waits: list[Effect | Happened] = [effect]
        conditions = (*effect.when, *effect.provided)
        waits += [one.happened for one in conditions if one.happened is not None]
        for one in waits:
            origins = self.origins(effect) if one is effect else []
            brings = [do for on in (one.on, *origins) for do in self._has.brings.get(on, ())]
            known = [doing for do in brings for doing in self._doing[do]]
            if origins:
                known = [
                    doing
                    for doing in known
                    if doing.of.zone in origins and self.fits(card, doing.of.match)
                ]
            if known:
                yield self._likely(known, one.about, one.against)

    def _likely(
        self, known: list[Doing], about: Group | None, against: Group | None
    ) -> list[Doing]:
        """Those that do it as it is waited for, if there are any; else all."""
        if against is not None:
            known = [one for one in known if self.fits(one.card, against.match)] or known
        if about is None:  # it occurs to a card on the field
            field = [row.name for row in self._has.zone if row.lies]
            return [one for one in known if one.of.zone in field] or known
        match = about.match
        there = [o for o in known if o.of.whose == about.whose and about.zone in ("", o.of.zone)]
        return there or [one for one in known if match and self.fits(one.card, match)] or known

    def _all_doing(self) -> Iterator[Doing]:
        """All that cards do as they are played, or are there: the instructions of their texts."""
        for card, facts in self.cards.items():
            for effect in facts.effects:
                yield Doing(effect.kind, card, effect, Group())
                for part in (*effect.cost, *every(effect.do)):
                    if effect.on in self._has.played:
                        whose: Whose = "theirs" if part.key == "opponent" else "yours"
                        of = next(wanted(part), Wanted(Group(whose=whose))).group
                        yield Doing(part.do + ("-" if part.n < 0 else ""), card, effect, of)


def gives(effect: Effect, name: str) -> bool:
    """Whether an effect has another one of its card carried out, or gives it to cards."""
    return any(clause.effect == name for clause in every(effect.do))


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        yield from (one for value in data.values() for one in _strings(value))
    elif isinstance(data, list | tuple):
        yield from (one for value in data for one in _strings(value))


def _printed(facts: Any) -> Iterator[str]:
    """The words on a card besides its texts."""
    plain = msgspec.to_builtins(facts)
    yield from _strings([value for key, value in plain.items() if key != "effect"])
