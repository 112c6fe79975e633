"""Instructions that have others carried out, or leave something to those that follow.

`COMMON` are those that all games share, for each to start from; the others (`FURTHER`) a game takes
up if its texts need them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from domain.effects.foresight.able import conditions_hold, needs_target
from domain.effects.foresight.doable import seats_of
from domain.effects.instructions import cards, lasting, players
from domain.effects.interpreter import carry_out, name_targets
from domain.effects.language.instruction import Instruction, Numbered, Player
from domain.effects.language.vocabulary import Clause, Effect, Of, Phrases
from domain.effects.select import NOTHING, Done, Running, Terms, sibling
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.decisions import Offer, Option, Part
from domain.words.phrases import Phrase, phrase


class Perform(Instruction, tag="perform", kw_only=True):
    """Carries out another effect of this card."""

    effect: Annotated[str, Of("effect")]

    plain: ClassVar[bool] = True
    example = 'effect = "main"'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {"": phrase("do what “{effect}” of this card says")}

    @property
    def performs(self) -> str:
        return self.effect

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        inner = terms.effect(t.pos, sibling(run, self))
        if lacking := self.lacking(t, terms, run, inner):
            t.not_done(self.do, run.this, lacking, *terms.words[lacking], run.text)
            return Done(1, 0)
        return (yield from _nested(t, terms, run, inner.do))

    def lacking(self, t: Table, terms: Terms, run: Running, inner: Effect) -> str:
        """Where a book activates effects as a whole or not at all, that goes for this one, too."""
        if terms.void_whole and not conditions_hold(t, terms, run, inner):
            return "condition"
        return "no target" if terms.void_whole and needs_target(t, terms, run, inner.do) else ""


def _nested(t: Table, terms: Terms, run: Running, clauses: list[Clause]) -> Play:
    """Carry out clauses in the place of one; their common result."""
    before, run.total = run.total, NOTHING
    aims = (yield from name_targets(t, terms, run, clauses)) if terms.targets_first else None
    yield from carry_out(t, terms, run, clauses, aims)
    whole, run.total = run.total, before
    return whole


class OneOf(Instruction, tag="one-of", kw_only=True):
    """You choose one of several lists of clauses, by the words of `value` if there are any."""

    options: list[list[Clause]]
    value: Annotated[list[str] | None, Of(newer="ways")] = None

    plain: ClassVar[bool] = True
    example = 'options = [[{ do = "draw" }], [{ do = "ready" }]]'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {"": phrase("do one of these: {ways}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        """Nobody is asked where there is one way alone: that holds clauses together."""
        n, called = len(self.options), tuple(self.value or ())
        if n == 1:
            return (yield from _nested(t, terms, run, self.options[0]))
        if terms.targets(t.pos) is not None and not run.looked and self._of_looked():
            t.not_done(self.do, run.this, "gone", *terms.words["impossible"], run.text)
            return Done(1, 0)
        open_ = self._open(t, terms, run)
        low, high = open_[0] + 1, open_[-1] + 1
        if len(open_) <= high - low:  # there is one between them that is not open
            called = called or tuple(str(at + 1) for at in range(n))
        part = Part("mode", 0) if called else Part("mode", -1, low, high)
        pool = tuple(called[at] for at in open_) if called else ()
        offer = Offer((Option("mode", run.this, (part,)),), (pool,) if called else ())
        act = yield from t.ask(
            run.seat, "mode", offer, *terms.words["choose"], run.text, about=run.this, public=True
        )
        chosen = act.picks[0][0]
        at = called.index(str(chosen)) if called else int(chosen) - 1
        return (yield from _nested(t, terms, run, self.options[at]))

    def _of_looked(self) -> bool:
        """Whether each of the ways is done to the cards looked at."""
        groups = [clause.to for way in self.options for clause in way]
        return all(group is not None and group.zone == "looked" for group in groups)

    def _open(self, t: Table, terms: Terms, run: Running) -> list[int]:
        """The ways to go on: of a command, where a book is exact, those that find their targets."""
        ways = range(len(self.options))
        if terms.targets(t.pos) is None or run.effect.kind != "command":
            return [*ways]
        found = [at for at in ways if not needs_target(t, terms, run, self.options[at])]
        return found or [*ways]

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.value is not None and (
            len({*self.value}) != len(self.options) or not all(self.value)
        ):
            yield phrase("`value` lists as many different words as there are ways to go on")
        yield from super().check(effect, words)


class EachPlayer(Instruction, tag="each-player", kw_only=True):
    """Those players do the clauses of `options` one after the other, the turn player first.

    Each does them as though the text were his: what is yours there is his. `key` is `"both"` if
    left out.
    """

    key: Player = "both"
    options: list[list[Clause]]

    plain: ClassVar[bool] = True
    by_others: ClassVar[bool] = True
    example = 'key = "both", options = [[{ do = "draw" }]]'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {
        "": phrase("each player, as though this text were his, does this: {ways}"),
        "you": phrase("do this: {ways}"),
        "opponent": phrase("your opponent, as though this text were his, does this: {ways}"),
    }

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        mine, whole = run.seat, NOTHING
        for seat in seats_of(t, run, self):
            run.seat = seat
            whole = whole.and_((yield from _nested(t, terms, run, self.options[0])))
        run.seat, run.shares = mine, {}
        return whole

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if len(self.options) != 1 or not self.options[0]:
            yield phrase("`options` has one list: what each player does")
        yield from super().check(effect, words)


class Count(Numbered, tag="count"):
    """The amount is x from here on, also in filters (`lv = "<=x"`)."""

    incidental: ClassVar[bool] = True
    example = 'per = { of = { zone = "it" }, figure = "lv", plus = 4 }'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {"": phrase("X is {n} from here on")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        run.x = run.amount(self)
        return Done(1, 1)
        yield


class Nothing(Instruction, tag="nothing"):
    """Nothing by itself: the card acts only as long as it lies there."""

    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {"": phrase("nothing happens by itself")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return Done(1, 1)
        yield


#: Those that all games share, in the order of the page.
COMMON: tuple[type[Instruction], ...] = (
    players.Draw, players.Discard, players.Shuffle, players.Look,
    cards.Move, cards.Deploy, cards.Pair, cards.Token, cards.Rest, cards.Ready,
    cards.Damage, cards.Recover, cards.Destroy,
    lasting.Modify, lasting.Gain, lasting.Lose, lasting.Forbid, lasting.Allow,
    cards.Control, Perform, OneOf,
)  # fmt: skip
#: Those that a game takes up if its texts need them.
FURTHER: tuple[type[Instruction], ...] = (
    cards.Turn, cards.PlaceCounters, cards.TakeCounters, cards.Reveal, players.Roll,
    lasting.AtLast, lasting.Redirect, cards.Bind, lasting.Lend, cards.Target, Nothing,
    players.Defeat, Count, lasting.Charge, lasting.Oblige, lasting.Divert,
)  # fmt: skip
