"""Instructions about players, their decks and their hands, and about chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from domain.effects.foresight.doable import seats_of
from domain.effects.instructions.doing import cited, short
from domain.effects.language.instruction import (
    Instruction,
    Numbered,
    Place,
    Player,
    Returns,
    Run,
)
from domain.effects.language.vocabulary import Effect, Of, Phrases
from domain.effects.select import Done, Running, Terms
from domain.engine.series import Loss, defeat
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.record.decisions import ORDERED, Limits
from domain.record.values import EVERYONE
from domain.words.phrases import Phrase, phrase


class Draw(Numbered, tag="draw"):
    """A player draws `n`. `key`: `"you"` (if left out), `"opponent"`, `"both"` at once."""

    key: Player = ""

    plain: ClassVar[bool] = True
    of_zone: ClassVar[str] = "deck"
    example = "n = 2"
    phrases: ClassVar[Phrases] = {
        "": phrase("draw {n}"),
        "opponent": phrase("your opponent draws {n}"),
        "both": phrase("each player draws {n}"),
    }


class Discard(Numbered, tag="discard"):
    """A player chooses `n` cards of his hand and discards them."""

    key: Player = ""
    random: Annotated[bool, Returns] = False

    plain: ClassVar[bool] = True
    moves: ClassVar[bool] = True
    of_zone: ClassVar[str] = "hand"
    example = 'n = 1, key = "opponent"'
    phrases: ClassVar[Phrases] = {
        "": phrase("discard {n} from your hand"),
        "opponent": phrase("your opponent discards {n} from the hand"),
        "both": phrase("each player discards {n} from the hand"),
    }

    def lacks(self, t: Table, terms: Terms, run: Running) -> bool:
        hands = [terms.lying(t.pos, terms.place("hand", seat)) for seat in seats_of(t, run, self)]
        return not any(number != run.this for hand in hands for number in hand)

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return (yield from discarding(limits=ORDERED)(self, t, terms, run, numbers))


def discarding(*rules: str, limits: Limits | None = None) -> Run:
    """Players choose cards of their hands and discard them.

    Of both, the turn player chooses first, and they discard at one moment. `rules` say that they
    choose, and that there are not enough, where no word of the vocabulary does; `limits` let them
    put in order what they discard.
    """

    def discard(c: Discard, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        seats = seats_of(t, run, c)
        wanted = {seat: run.amount(c, seat) for seat in seats}
        both = terms.words["both"] if c.key == "both" and not rules else ()
        cites = (*both, *(rules or terms.words["choose"]), run.text)
        chosen: dict[int, list[int]] = {}
        for seat in seats:
            place = terms.place("hand", seat)
            hand, asked = t.pos.zone(place), wanted[seat]
            n = max(0, min(asked, len(hand)))
            if n < max(asked, 1):
                few = rules or terms.words["impossible"]
                words = few if asked > 0 else terms.words["nothing asked"]
                t.not_done(c.do, place, "impossible", *words, run.text, asked=asked, done=n)
            if n and c.random:
                order = yield Chance("order", len(hand), cited(terms, run, "random"))
                chosen[seat] = [hand[at] for at in order[:n]]
            elif n:
                chosen[seat] = yield from pick(
                    t, seat, "discard", hand, n, *cites, limits=limits, about=run.this
                )
        with t.at_once():
            for seat, cards in chosen.items():
                t.move(cards, terms.place("trash", seat), "discard", *cited(terms, run, "discard"))
                run.moved += cards
        run.shares = {seat: len(chosen.get(seat, ())) for seat in seats}
        return Done(sum(wanted.values()), sum(run.shares.values()))

    return discard


class Shuffle(Instruction, tag="shuffle"):
    """You shuffle your deck."""

    plain: ClassVar[bool] = True
    incidental: ClassVar[bool] = True
    phrases: ClassVar[Phrases] = {"": phrase("shuffle your deck")}


class LookAtDeck(Numbered):
    """To look at the uppermost cards of the deck, or of a `place` if one can be named."""

    plain: ClassVar[bool] = True
    of_zone: ClassVar[str] = "deck"

    def lacks(self, t: Table, terms: Terms, run: Running) -> bool:
        return not terms.lying(t.pos, terms.place(self.place or "deck", run.seat))

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        place, n = terms.place(self.place or "deck", run.seat), run.amount(self)
        run.looked = list(terms.lying(t.pos, place)[: -n - 1 : -1]) if n > 0 else []
        if len(run.looked) < max(n, 1):
            short(t, terms, run, self, place, n, len(run.looked))
        t.show(run.looked[::-1], 1 << run.seat, "look", *cited(terms, run, "look"))
        return Done(n, len(run.looked))
        yield  # an instruction is a generator, even one that asks nothing


class Look(LookAtDeck, tag="look"):
    """You look at the top `n` of your deck (or of `place`).

    They are `looked` now, and stay where they are.
    """

    place: Place = ""

    example = "n = 3"
    phrases: ClassVar[Phrases] = {"": phrase("look at the top {n} of {place}")}

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        zone = words.layout.get(self.place)
        if self.place and (zone is None or zone.faces == "all"):
            yield phrase("what lies in {place!r} lies open", place=self.place)
        yield from super().check(effect, words)


class Defeat(Instruction, tag="defeat"):
    """A player loses."""

    key: Player = ""

    example = 'key = "opponent"'
    phrases: ClassVar[Phrases] = {
        "": phrase("you lose the game"),
        "opponent": phrase("your opponent loses the game"),
    }

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        seats = tuple(seats_of(t, run, self))
        if not seats:  # those of cards of which none was chosen
            short(t, terms, run, self, run.this, 1, 0)
            return Done(1, 0)
        defeat(t, Loss(seats, "text", cited(terms, run, self.do)))
        yield


class Roll(Numbered, tag="roll", kw_only=True):
    """A random number from 1 to `n`; see `rolled`."""

    key: Annotated[str, Of("chance")]

    example = 'key = "die", n = 6'
    phrases: ClassVar[Phrases] = {"": phrase("roll a die with {n} sides")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        n = max(run.amount(self), 2)
        (fell,) = yield Chance(self.key, n, cited(terms, run, self.do), EVERYONE)
        run.rolled = (fell + 1,)
        return Done(1, 1)
