"""Questions asked before an act is recorded, and the answers that they take.

The service's `NamesMissing` and `RollMissing` become questions such as "B's Shields: which card?",
answered by a search in what is left of the seat's list, or `????` where nobody noted it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.record.position import Position, seat_of
from domain.scorekeeping.command import NOBODY_KNOWS, Command
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import fuzzy, suggest, unseen
from domain.telling.book import Book
from domain.telling.names import Names, letter
from domain.words.phrases import joined, phrase

#: How many answers are shown.
MOST = 9


class Answer(Struct, frozen=True):
    """A possible answer: its text, and what it adds to the command."""

    text: str
    names: dict[int, str] = {}
    rolls: tuple[tuple[int, ...], ...] = ()


class Question(Protocol):
    """Something that is asked in between."""

    @property
    def text(self) -> str:
        """The question."""

    def answers(self, typed: str) -> Sequence[Answer]:
        """The possible meanings of the typed text, the likeliest first."""

    def next(self, command: Command) -> Question | None:
        """The next question, once the command has the answer."""


# -- which card ------------------------------------------------------------------------------------


class Naming(Struct, frozen=True):
    """Which cards these are; the first that the command does not name yet is asked for."""

    book: Book
    pos: Position
    cards: tuple[tuple[int, str], ...]
    command: Command

    @property
    def text(self) -> str:
        number, place = self.cards[0]
        where, lying = Names(self.book, self.pos).place(place), self.pos.zone(place)
        if len(lying) > 1 and lying[-1] == number:
            where = phrase("{place}, the topmost", place=where)
        if len(self.cards) == 1:
            return phrase("{place}: which card?", place=where)
        return phrase("{place}: which card? (of {n} to name)", place=where, n=len(self.cards))

    def answers(self, typed: str) -> Sequence[Answer]:
        """Cards of the list of which copies are left, by name or id."""
        number, place = self.cards[0]
        card = self.pos.cards.get(number)
        seat = card.owner if card is not None else seat_of(place)
        names = unseen.cards(self.book, self.pos, seat, self.command.names.values(), number)
        if typed.strip().startswith("?"):
            return [Answer(NOBODY_KNOWS, {number: NOBODY_KNOWS})]
        most = MOST if typed else 0
        found = fuzzy.ranked(typed, names, lambda one: f"{names[one]} {one}", most)
        answers = [Answer(names[one], {number: one}) for _, one in found]
        if len(answers) < MOST and typed.strip():
            answers += self._unlisted(typed, seat, number)[: MOST - len(answers)]
        return answers

    def _unlisted(self, typed: str, seat: int, number: int) -> list[Answer]:
        """Cards of which no copy is left, in case one was there all the same."""
        names = unseen.unlisted(self.book, self.pos, seat, self.command.names.values())
        found = fuzzy.ranked(typed, names, lambda one: f"{names[one]} {one}", MOST)
        return [
            Answer(phrase("{card} (none is left in the list)", card=names[one]), {number: one})
            for score, one in found
            if score >= suggest.SURE
        ]

    def next(self, command: Command) -> Question | None:
        """The next card."""
        rest = self.cards[1:]
        return Naming(self.book, self.pos, rest, command) if rest else None


def naming(session: Session, command: Command, cards: tuple[tuple[int, str], ...]) -> Question:
    """Ask which cards these are."""
    return Naming(session.book, session.pos, cards, command)


# -- how chance fell -------------------------------------------------------------------------------


class RollQuestion(Struct, frozen=True):
    """How chance fell: a seat, an outcome, or an order; `why` it was asked, as the game says it."""

    kind: str
    of: int
    seats: tuple[str, ...] = ()
    why: str = ""

    @property
    def text(self) -> str:
        why = self.why or self.kind.replace("-", " ")
        if self.kind == "order":
            sentence = "{why}: in which order did chance lay {n} things? (such as 3 1 2)"
            return phrase(sentence, why=why, n=self.of)
        if len(self.seats) == self.of:
            who = joined(
                " or ", (f"{letter(n)} {name}".strip() for n, name in enumerate(self.seats))
            )
            return phrase("{why}: who won the roll, {who}?", why=why, who=who)
        return phrase("{why}: the number rolled, 1 to {n}?", why=why, n=self.of)

    def answers(self, typed: str) -> Sequence[Answer]:
        """Outcomes by letter, name or number; an order by its numbers, or as they lie."""
        if self.kind == "order":
            return self._orders(typed)
        names = [
            f"{letter(n)} {self.seats[n]}".strip() if len(self.seats) == self.of else str(n + 1)
            for n in range(self.of)
        ]
        if typed.strip().isdecimal() and 0 < int(typed) <= self.of:
            return [Answer(names[int(typed) - 1], rolls=((int(typed) - 1,),))]
        exact = [n for n in range(self.of) if names[n][:1] == typed.strip().upper()]
        if exact and len(typed.strip()) == 1:
            return [Answer(names[n], rolls=((n,),)) for n in exact]
        found = fuzzy.ranked(typed, range(self.of), names.__getitem__, MOST)
        return [Answer(names[n], rolls=((n,),)) for _, n in found]

    def _orders(self, typed: str) -> Sequence[Answer]:
        order = [int(n) - 1 for n in re.findall(r"\d+", typed)]
        if len(set(order)) < len(order) or not all(0 <= n < self.of for n in order):
            return []
        full = (*order, *(n for n in range(self.of) if n not in order))
        return [Answer(" ".join(str(n + 1) for n in full), rolls=(full,))]

    def next(self, command: Command) -> Question | None:
        """Nothing else."""
        return None


def roll_question(session: Session, kind: str, of: int) -> Question:
    """Ask how chance fell."""
    why = session.book.manifest.label("chances", kind)
    return RollQuestion(kind, of, session.pos.heading.seats, why)
