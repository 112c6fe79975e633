"""Suggestions of acts with unknown cards, which are named with the act.

Any copy left in the seat's list may be the card, with any verb that acts on cards; `habits` ranks
them, the service decides what is legal. The same is true of the seat's own open cards, of which
acts that are not offered are against the rules: a name means them before it means a card of the
hand, unless the verb is known to be for the hand. Hosts and targets are written out where the act's
label mentions them. Results are cached for the position.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from domain.record.decisions import Act
from domain.record.fitting.fit import completed
from domain.record.position import zone_of
from domain.record.values import Ref
from domain.scorekeeping.command import Command
from domain.scorekeeping.suggestions import fuzzy, unseen
from domain.scorekeeping.suggestions.suggest import (
    LIKELY,
    UNKNOWN,
    Row,
    Table,
    distinguishable,
    is_face_down,
    is_on_offer,
    is_written,
    pickable,
    unknown,
    verbs,
)
from domain.telling.names import letter
from domain.text import notation

#: Points for how a guess agrees with what was done in the match so far (`habits`), added to those
#: for its text (`fuzzy`: a whole word is worth 100, and 75 is `SURE`). One to three points order
#: guesses of the same text; twelve outweigh three words passed over; with 25 off even a whole word
#: is no longer sure.
#:
#: Whether the verb was ever on offer for cards of its zone, or done there; None: nowhere yet.
ZONE_POINTS = {True: 0.0, None: 0.0, False: -25.0}
#: The same of a card that lies open, which is known: acts with it that are likely are on offer.
OPEN_POINTS = {True: 2.0, None: 1.0, False: -50.0}
#: Whether the verb was used for cards of its type; None: no verb was.
TYPE_POINTS = {True: LIKELY, None: 0.0, False: -12.0}
#: Its zone lies open, and the verb was never seen; it was last done out of another zone; it names a
#: target for which the verb does not ask.
NEW_IN_THE_OPEN, OTHER_ZONE, UNASKED_TARGET = -3.0, -1.0, -2.0
#: The kind of decision at which the text of a card is declared.
DECLARES = "declare"
#: How a card is called of which nobody says which it is.
UNNAMED = "????"
#: How the notation leads to a host, or a target.
LEADS = {"with": "host", "->": "target"}


class _Card(Struct, frozen=True):
    """A possible identity of an unknown card: its place, the card, and its name in a line.

    `known`: it is no unknown one, but lies open.
    """

    number: int
    zone: str
    card: str
    name: str
    called: str
    known: bool = False


class Guesses:
    """The possible acts with unknown cards at one position, by the seat that is asked."""

    def __init__(self, t: Table) -> None:
        self.t = t

    def rows(self, typed: str, *, legal: bool = False) -> Iterator[Row]:
        """Acts that a line may mean, with its scores; `legal`: none that the rules forbid."""
        query = fuzzy.words(typed)
        if not query:
            return
        yield from self._picks(query)
        yield from self._called_by_place(typed, query)
        if not legal:
            yield from self._unoffered(typed)
        if self._cards:
            meant = [verb for verb in verbs(self.t, typed) if verb in self._able]
            for verb in self._able:
                cards = [
                    card for card in self._cards if not self._misread(typed, query, verb, card)
                ]
                yield from self._rows(typed, verb, verb in meant, cards)

    def named(self, numbers: Container[int]) -> Iterator[Row]:
        """The usual acts with unknown cards of these numbers, without a word typed."""
        for card in self._cards if self.t.offer is not None else ():
            able = [verb for verb in self._able if self.t.habits.from_zone(verb, card.zone)]
            usual = [verb for verb in able if verb in self._usual[card.card]]
            for verb in usual if card.number in numbers else ():
                for text, ref in self._texts(verb, card, ended=False):
                    act = Act(verb, card.number, ((ref,),) if ref else ())
                    yield Row(text, Command(self.t.seat, act, text, {card.number: card.card}))

    def unlisted(self, typed: str) -> Iterator[Row]:
        """Acts with a card that is in no list, or a copy more than there are: against the rules."""
        query, t = fuzzy.words(typed), self.t
        named = dict[str, str]()
        for verb in verbs(t, typed) if len(query) > 1 else ():
            named = named or unseen.unlisted(t.book, t.pos, t.seat)
            numbers = distinguishable(t, unknown(t.offer)) if verb in self._able else ()
            meant = [card for card in named.items() if fuzzy.score(query[1:2], card[1]) > 0]
            for number in map(int, numbers):
                zone = zone_of(t.pos.card(number).place)
                cards = [_Card(number, zone, id_, name, name) for id_, name in meant]
                yield from self._rows(typed, verb, True, cards)

    def _misread(self, typed: str, query: Sequence[str], verb: str, card: _Card) -> bool:
        """Whether a word of a longer verb would be read as a card's zone: `set monster GM`.

        A zone that makes a verb of another one is meant only with the dot that follows zones.
        """
        if f"{verb}-{card.zone}" not in self._able or f"{card.zone}." in typed.casefold():
            return False
        return not fuzzy.score(query, f"{verb} {card.name}")

    def _rows(self, typed: str, verb: str, meant: bool, cards: Sequence[_Card]) -> Iterator[Row]:
        query = fuzzy.words(typed)
        for card in cards:
            if not meant and verb not in self._usual[card.card]:
                continue
            if len(query) > 2 and not fuzzy.score(query[: 1 + meant], f"{verb} {card.called}"):
                continue  # most cards, most of the time: not worth all their hosts and targets
            for text, ref in self._texts(verb, card, ended=len(query) > 2):
                score = fuzzy.score(query, text)
                if score > 0:
                    act = Act(verb, card.number, ((ref,),) if ref else ())
                    names = {} if card.known else {card.number: card.card}
                    command = Command(self.t.seat, act, text, names)
                    unasked = ref and self._leads(verb, ended=True)[0]
                    score += UNASKED_TARGET if unasked else 0.0
                    score += self._habit_points(verb, card, typed)
                    yield Row(text, command, score=score, unoffered=card.known)

    def _unoffered(self, typed: str) -> Iterator[Row]:
        """Acts with cards that lie open, none of which is on offer."""
        options = self.t.offer.options if self.t.offer is not None else ()
        offered = {(option.kind, option.card) for option in options}
        for verb in verbs(self.t, typed) if self._lying else ():
            declares = verb in self.t.manifest.answers.get(DECLARES, ())
            if "{card}" in self.t.manifest.label("acts", verb) and not declares:
                for row in self._rows(typed, verb, True, self._lying):
                    act = row.command.act
                    if (verb, act.card) not in offered or not is_on_offer(self.t.offer, act):
                        yield row

    def _habit_points(self, verb: str, card: _Card, typed: str) -> float:
        """How well a verb and a card agree with the match so far. A typed zone is meant."""
        habits = self.t.habits
        seen = habits.from_zone(verb, card.zone)
        if card.known:
            return OPEN_POINTS[seen]
        if card.zone in fuzzy.words(typed) and any(mark in typed for mark in ".#"):
            points = 0.0
        elif seen is None and self.t.manifest.zone(card.zone).faces == "all":
            points = NEW_IN_THE_OPEN
        else:
            points = ZONE_POINTS[seen]
        if habits.usual_zone(verb, card.card) not in ("", card.zone):
            points += OTHER_ZONE
        return points + TYPE_POINTS[habits.suits(verb, card.card)]

    def _called_by_place(self, typed: str, query: Sequence[str]) -> Iterator[Row]:
        """Acts with a card that is called by where it lies; which one it is will be asked for."""
        hidden = self._nameless if any("?" in word for word in query) else ()
        for verb in verbs(self.t, typed) if hidden or self._face_down else ():
            if verb not in self._able:
                continue
            for number, called in hidden:
                seen = self.t.habits.from_zone(verb, called.partition(".")[0])
                yield from self._called(verb, number, called, query, ZONE_POINTS[seen])
            for number, called in self._face_down:
                if self.t.habits.from_zone(verb, called.partition("#")[0]):
                    yield from self._called(verb, number, called, query, LIKELY)

    def _called(
        self, verb: str, number: int, called: str, query: Sequence[str], points: float
    ) -> Iterator[Row]:
        text = f"{verb} {called}"
        score = fuzzy.score(query, text)
        if score > 0:
            command = Command(self.t.seat, Act(verb, number), text)
            yield Row(text, command, score=score + points)

    # -- what is written out ---------------------------------------------------------------------

    @cached_property
    def _able(self) -> list[str]:
        """The verbs that act on a card and may answer what is asked."""
        t, decision = self.t, self.t.pos.decision
        answers = t.manifest.answers.get(decision.kind, ()) if decision is not None else ()
        offered = [option.kind for option in t.offer.options] if t.offer is not None else []
        acts = [
            act.name for act in t.manifest.acts if "{card}" in act.label and act.name != UNKNOWN
        ]
        return [act for act in acts if not answers or act in answers or act in offered]

    @cached_property
    def _cards(self) -> list[_Card]:
        """Every card that an unknown one on offer may be."""
        numbers, face_down = (
            list(distinguishable(self.t, unknown(self.t.offer))),
            dict(self._face_down),
        )
        found = list[_Card]()
        for number in map(int, numbers):
            zone = zone_of(self.t.pos.card(number).place)
            several = sum(called.partition("#")[0] == zone for called in face_down.values()) > 1
            lead = face_down.get(number, zone) if several else zone if len(numbers) > 1 else ""
            lead = f"{lead}." if lead else ""
            possible = unseen.cards(
                self.t.book, self.t.pos, self.t.pos.card(number).owner, number=number
            )
            found += [_Card(number, zone, c, name, f"{lead}{name}") for c, name in possible.items()]
        return found

    @cached_property
    def _lying(self) -> list[_Card]:
        """The seat's own cards that lie open and are known, those in front first."""
        t, found = self.t, list[_Card]()
        names = notation.Names(t.pos, t.rules, t.seat)
        for number, called in self._ends:
            card = t.pos.card(int(number))
            if card.id and card.controller == t.seat:
                zone = zone_of(card.place)
                name = names.bare(int(number))
                found.append(_Card(int(number), zone, card.id, name, called, known=True))
        return found

    @cached_property
    def _nameless(self) -> list[tuple[int, str]]:
        """An unknown card of each hidden zone, and how it is called."""
        t = self.t
        found = [n for n in distinguishable(t, unknown(t.offer)) if not is_face_down(t, int(n))]
        return [(int(n), f"{zone_of(t.pos.card(int(n)).place)}.{UNNAMED}") for n in found]

    @cached_property
    def _face_down(self) -> list[tuple[int, str]]:
        """The unknown cards that all can follow, and how each is called by where it lies."""
        p = self.t.pos
        lying = [(n, p.card(n).place) for n in unknown(self.t.offer) if is_face_down(self.t, n)]
        return [(n, f"{zone_of(place)}#{p.zone(place).index(n) + 1}") for n, place in lying]

    @cached_property
    def _usual(self) -> dict[str, list[str]]:
        """The verbs that cards of each one's type were used with."""
        return {card.card: self.t.habits.verbs(card.card) for card in self._cards}

    def _texts(self, verb: str, card: _Card, ended: bool) -> Iterator[tuple[str, Ref]]:
        """Lines with a verb and a card: by themselves, and with each host or target."""
        bare, leads = self._leads(verb, ended)
        text = f"{verb} {card.called}"
        if "{target}" in self.t.manifest.label("acts", verb):
            yield f"{text} -> player", f"seat/{self.t.pos.rival(self.t.seat)}"
        if bare:
            yield text, 0
        for lead in leads:
            near = f"{{{LEADS[lead]}}}" in self.t.manifest.label("acts", verb)
            ends = (
                (ref, name)
                for ref, name in self._ends
                if ref != card.number and (not near or not self._row(int(ref)))
            )
            yield from ((f"{text} {lead} {name}", ref) for ref, name in ends)

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
        """Cards that an act may be directed at, those in front first, and the seat's own."""
        t = self.t
        names = notation.Names(t.pos, t.rules, t.seat)
        places = (place for place in t.pos.zones if t.manifest.zone(place).faces == "all")
        there = [n for place in places for n in t.pos.zones[place] if n and not t.pos.card(n).host]
        there.sort(key=lambda n: (self._row(n), t.pos.card(n).controller != t.seat))
        return [(n, self._name_of(names, n, there)) for n in there]

    def _row(self, number: int) -> int:
        """The row in which a card lies, 0 in front."""
        return self.t.manifest.zone(self.t.pos.card(number).place).row

    def _name_of(self, names: notation.Names, number: int, there: Sequence[int]) -> str:
        """A card by its name, or by where it lies."""
        card = self.t.pos.card(number)
        if card.id or number not in self.t.pos.zone(card.place):
            return names.name(number, there)
        whose = "" if card.controller == self.t.seat else f"{letter(card.controller)}."
        at = self.t.pos.zone(card.place).index(number) + 1
        return f"{whose}{zone_of(card.place)}#{at}"

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
                for ref, name, card in pickable(
                    t, list(distinguishable(t, t.offer.pools[part.pool]))
                ):
                    if card:
                        text = f"{option.kind.replace('-', ' ')} {name}"
                        picks = completed(t.offer, option, {at: (ref,)})
                        act = option.act(picks)
                        found.append(Row(text, Command(t.seat, act, text, {int(ref): card})))
        return found
