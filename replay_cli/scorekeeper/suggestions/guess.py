"""Suggestions of acts with cards that nobody has named yet, which are named with the act.

Any copy left in the seat's list may be the card, with any verb that acts on cards; `habits` ranks
them, the service decides what is legal. Hosts and targets are written out where the act's label
mentions them. Results are cached for the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from domain.record.decisions import Act
from domain.record.fitting.fit import completed
from domain.record.position import zone_of
from domain.record.values import Ref
from domain.text import notation
from replay_cli.scorekeeper.command import Command
from replay_cli.scorekeeper.suggestions import fuzzy, unseen
from replay_cli.scorekeeper.suggestions.suggest import (
    LIKELY,
    UNKNOWN,
    Row,
    Table,
    is_written,
    pickable,
    unlike,
    verbs,
)

#: What being unusual takes away, and lying where it is seldom done from.
UNUSUAL, ELSEWHERE = -12.0, -25.0
#: How the notation leads to a host, or a target.
LEADS = {"with": "host", "->": "target"}


class _Card(Struct, frozen=True):
    """What an unknown card may be: where it lies, which card, and how a line calls it."""

    number: int
    zone: str
    card: str
    name: str
    called: str


class Guesses:
    """What may be done with unknown cards at one position, by the seat that is asked."""

    def __init__(self, t: Table) -> None:
        self.t = t

    def rows(self, typed: str) -> Iterator[Row]:
        """Acts that a line may mean, with its scores."""
        query = fuzzy.words(typed)
        if not query:
            return
        yield from self._picks(query)
        if self._cards:
            meant = [verb for verb in verbs(self.t, typed) if verb in self._able]
            for verb in self._able:
                told = [card for card in self._cards if not self._misread(typed, query, verb, card)]
                yield from self._rows(query, verb, verb in meant, told)

    def _misread(self, typed: str, query: Sequence[str], verb: str, card: _Card) -> bool:
        """Whether a word of a longer verb would be read as a card's zone: `set monster GM`.

        A zone that makes a verb of another one is meant only with the dot that follows zones.
        """
        if f"{verb}-{card.zone}" not in self._able or f"{card.zone}." in typed.casefold():
            return False
        return not fuzzy.score(query, f"{verb} {card.name}")

    def _rows(
        self, query: Sequence[str], verb: str, meant: bool, cards: Sequence[_Card]
    ) -> Iterator[Row]:
        for card in cards:
            if not meant and verb not in self._usual[card.card]:
                continue
            if len(query) > 2 and not fuzzy.score(query[: 1 + meant], f"{verb} {card.called}"):
                continue  # most cards, most of the time: not worth all their hosts and targets
            for text, ref in self._texts(verb, card, ended=len(query) > 2):
                score = fuzzy.score(query, text)
                if score > 0:
                    act = Act(verb, card.number, ((ref,),) if ref else ())
                    command = Command(self.t.seat, act, text, {card.number: card.card})
                    yield Row(text, command, score=score + self._bonus(verb, card.card))

    def _bonus(self, verb: str, card: str) -> float:
        if self.t.habits.in_the_open(verb):
            return ELSEWHERE
        suits = self.t.habits.suits(verb, card)
        return 0.0 if suits is None else LIKELY if suits else UNUSUAL

    # -- what is written out ---------------------------------------------------------------------

    @cached_property
    def _able(self) -> list[str]:
        """The verbs that act on a card."""
        acts = self.t.manifest.acts
        return [act.name for act in acts if "{card}" in act.label and act.name != UNKNOWN]

    @cached_property
    def _cards(self) -> list[_Card]:
        """Every card that an unknown one on offer may be; one number a place, as all are alike."""
        t, first = self.t, dict[str, int]()
        for option in t.offer.options if t.offer is not None else ():
            if option.kind == UNKNOWN and isinstance(option.card, int):
                first.setdefault(t.pos.card(option.card).place, option.card)
        return [
            _Card(number, zone, card, name, f"{zone}.{name}" if len(first) > 1 else name)
            for zone, number in ((zone_of(place), number) for place, number in first.items())
            for card, name in unseen.cards(t.book, t.pos, t.pos.card(number).owner).items()
        ]

    @cached_property
    def _usual(self) -> dict[str, list[str]]:
        """The verbs that cards of each one's type were used with."""
        return {card.card: self.t.habits.verbs(card.card) for card in self._cards}

    def _texts(self, verb: str, card: _Card, ended: bool) -> Iterator[tuple[str, Ref]]:
        """Lines with a verb and a card: by themselves, and with each host or target."""
        bare, leads = self._leads(verb, ended)
        text = f"{verb} {card.called}"
        if bare:
            yield text, 0
        for lead in leads:
            yield from ((f"{text} {lead} {name}", ref) for ref, name in self._ends)

    def _leads(self, verb: str, ended: bool) -> tuple[bool, list[str]]:
        """Whether an act may stand by itself, and what leads to its host or target.

        Its label says so; where it does not, both are tried once more than a name was typed.
        """
        label = self.t.manifest.label("acts", verb)
        leads = [lead for lead, part in LEADS.items() if f"{{{part}}}" in label]
        if leads or not ended:
            return not leads, leads
        parts = {part.name for part in self.t.manifest.parts}
        return True, [lead for lead, part in LEADS.items() if part in parts]

    @cached_property
    def _ends(self) -> list[tuple[Ref, str]]:
        """Cards in front that an act may be directed at, the seat's own first."""
        t = self.t
        names = notation.Names(t.pos, t.rules, t.seat)
        there = [
            n
            for n in names.in_sight()
            if t.manifest.zone(t.pos.card(n).place).row == 0 and not t.pos.card(n).host
        ]
        there.sort(key=lambda n: t.pos.card(n).controller != t.seat)
        return [(n, names.name(n, there)) for n in there]

    # -- picks -----------------------------------------------------------------------------------

    def _picks(self, query: Sequence[str]) -> Iterator[Row]:
        """One unknown card out of a pool, named: `discard GM`."""
        for row in self._picked:
            score = fuzzy.score(query, row.text)
            if score > 0:
                yield Row(row.text, row.command, score=score)

    @cached_property
    def _picked(self) -> list[Row]:
        t, found = self.t, []
        for option in t.offer.options if t.offer is not None else ():
            for at, part in enumerate(option.parts):
                if part.pool < 0 or part.low > 1 or not is_written(t.manifest, option, part):
                    continue
                assert t.offer is not None
                for ref, name, card in pickable(t, list(unlike(t.pos, t.offer.pools[part.pool]))):
                    if card:
                        text = f"{option.kind.replace('-', ' ')} {name}"
                        picks = completed(t.offer, option, {at: (ref,)})
                        act = Act(option.kind, option.card, picks, option.effect)
                        found.append(Row(text, Command(t.seat, act, text, {int(ref): card})))
        return found
