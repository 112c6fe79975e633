"""Functions that several instructions of card texts share.

What is cited for a word, what is recorded of too little and of what is so already, how cards that
go together are ordered, on what something lasts. The instructions themselves are in `cards`,
`players`, `lasting` and `ways`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.effects.foresight.doable import lies_there
from domain.effects.language.instruction import Run
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms, place_meant, places
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.record.decisions import ORDERED
from domain.record.position import Position
from domain.record.values import Ref


def cited(terms: Terms, run: Running, word: str) -> tuple[str, ...]:
    """The rules for a word of the vocabulary, and the card text that used it.

    A book may have others for what a constant text does, which nobody carries out.
    """
    always = terms.words.get("constant") if run.effect.kind == "constant" else None
    return (*(always or terms.words[word]), run.text)


def already(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int], done: int) -> Done:
    """The result of an instruction that does nothing to cards in that state already."""
    asked = len(numbers)
    if done < asked:
        ref = numbers[0] if asked == 1 else run.this
        words = terms.words.get(f"already {c.do}", terms.words["already"])
        t.not_done(c.do, ref, "already", *words, run.text, asked=asked, done=done)
    return Done(asked, done)


def short(t: Table, terms: Terms, run: Running, c: Clause, ref: Ref, asked: int, done: int) -> None:
    """Less could be done than was asked, or nothing was asked at all."""
    words = terms.words["nothing asked" if asked <= 0 else "impossible"]
    t.not_done(c.do, ref, "impossible", *words, run.text, asked=asked, done=done)


def lasting_on(
    t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]
) -> tuple[int, list[Ref]]:
    """How many a lasting effect is to act on, and on which of them it does.

    For a zone without a filter the place is affected, newcomers included. On what lies hidden among
    others nothing lasts: nobody could say any more which card it is.
    """
    targets: list[Ref] = list(numbers)
    if place_meant(c) and c.to is not None:
        targets = list(places(terms, t.pos, c.to, run.seat))
    there = [ref for ref in targets if t.in_sight(ref)]
    if len(there) < len(targets):
        short(t, terms, run, c, run.this, len(targets), len(there))
    return len(targets), there


# -- cards that go somewhere -----------------------------------------------------------------------


def newly(way: Run) -> Run:
    """To move cards: those that lie where they are to go already are not moved."""

    def moving(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        going = [number for number in numbers if not lies_there(t, terms, c, number)]
        lying = already(t, terms, run, c, numbers, len(going))
        if not going and numbers:
            return lying
        done: Done = yield from way(c, t, terms, run, going)
        return Done(done.asked + len(numbers) - len(going), done.done)

    return moving


def tokens_and_others(p: Position, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """The tokens among cards that are to be mixed, of which nobody loses sight; the others."""
    tokens = [number for number in numbers if p.cards[number].token]
    return tokens, [number for number in numbers if number not in tokens]


def with_riders(p: Position, numbers: Iterable[int]) -> list[int]:
    """These cards, each followed by those that lie beneath it."""
    whole = (one for number in numbers for one in (number, *p.cards[number].attached))
    return list(dict.fromkeys(whole))


def by_turn(p: Position, seats: Iterable[int]) -> list[int]:
    """Seats in the order in which they choose: whose turn it is first."""
    return sorted(seats, key=lambda seat: (seat != p.turn_seat, seat))


def arrange(t: Table, terms: Terms, run: Running, seat: int, numbers: list[int], dst: str) -> Play:
    """A seat decides the order of cards that arrive together, the first one lowest."""
    zones = t.manifest.zone
    hides = zones(t.pos.cards[numbers[0]].place).faces == "all" and zones(dst).faces != "all"
    cites = terms.words["arrange in secret" if hides else "arrange"]
    return (
        yield from pick(
            t, seat, "arrange", numbers, len(numbers), *cites,
            act="order", limits=ORDERED, card=run.this, about=run.this,
        )
    )  # fmt: skip
