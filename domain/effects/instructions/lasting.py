"""Instructions that start something lasting, or that are carried out at a later time.

What lasts until a later time, and cards that come back then, are scheduled here; what is done as
the time comes is in the kit (`games.kit.effects.later`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from domain.effects.constant.calculator import TEXTS, factor
from domain.effects.instructions.doing import cited, lasting_on
from domain.effects.language.asked import amounts_to
from domain.effects.language.instruction import (
    Aimed,
    Later,
    OnItself,
    Place,
    Run,
    Time,
    Until,
)
from domain.effects.language.spelling import unknown
from domain.effects.language.vocabulary import Amount, Clause, Effect, Group, Of, Phrases
from domain.effects.select import Done, Running, Terms, sibling
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import NOBODY, Position, Scheduled
from domain.record.values import Change, Ref
from domain.words.phrases import Phrase, phrase

#: `Modifier.until` of what lasts until something that is scheduled ends it.
LATER = "later"
#: What is scheduled (`EffectScheduled.kind`), beside effects of texts: a lasting effect ends, cards
#: come back from where they went, they go back to who controlled them.
LAPSE, RETURN, REVERT = "lapse", "return", "revert"
#: What is noted of a card of which control has changed for a time: whose it is beneath what is in
#: force, where the first of that has ended; since which entry it is somebody's for good.
UNDER, KEPT = "under", "kept"


class Lasting(OnItself):
    """An instruction that starts something lasting; needs `until`, except in constant effects."""

    lasts: ClassVar[bool] = True

    until: Until = ""
    whose: Annotated[Time, Later] = ""
    nth: Annotated[int, Later] = 1

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if not self.until and (effect.kind not in ("constant", "play") or effect.on):
            yield phrase("it needs `until`")
        yield from super().check(effect, words)

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return (yield from lasting()(self, t, terms, run, numbers))


class Modify(Lasting, tag="modify", kw_only=True):
    """Add `n` to a figure. `by` and `layer`: see "What lasts"."""

    key: Annotated[str, Of("figure")]
    n: int = 1
    times: Literal["", "x"] = ""
    per: Annotated[Amount | None, Of(newer="per")] = None
    by: Literal["add", "set", "multiply", "swap"] = "add"
    value: int | str | None = None
    layer: Literal["", "original", "late", "last"] = ""

    plain: ClassVar[bool] = True
    signed: ClassVar[bool] = True
    example = 'key = "ap", n = -2, until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("give {cards} {key} {n}"),
        "set": phrase("make {key} of {cards} {n}"),
        "multiply": phrase("multiply {key} of {cards} by {n}"),
        "swap": phrase("exchange {key} and {value} of {cards}"),
    }

    def change(self, run: Running) -> Change:
        plain = self.by in ("add", "set") or self.value is None
        value = run.amount(self) if plain else self.value
        return Change(self.key, f"{self.layer} {self.by}".strip(), value)

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        by, value = self.by, self.value
        if by == "swap" and (value not in words.figures or value == self.key):
            yield unknown("other figure", str(value), set(words.figures) - {self.key})
        elif by == "multiply" and self._factor() < 0:
            yield phrase(
                'it is multiplied by a number or a fraction ("1/2"), not by {value!r}', value=value
            )
        elif by in ("add", "set") and value is not None:
            yield phrase("it does not use `value` to {by}", by=by)
        yield from super().check(effect, words)

    def _factor(self) -> float:
        try:
            return float(factor(self.n if self.value is None else self.value))
        except ValueError:
            return -1


class Gain(Lasting, tag="gain", kw_only=True):
    """The cards gain a keyword, with a number or `true`."""

    key: Annotated[str, Of("keyword")]
    value: int | bool | str | None = None
    per: Annotated[Amount | None, Of(newer="per")] = None
    using: Group | None = None

    plain: ClassVar[bool] = True
    example = 'key = "breach", value = 2, until = "turn", to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {"": phrase("give {cards} {key}")}

    def change(self, run: Running) -> Change:
        number = isinstance(self.value, int) and not isinstance(self.value, bool)
        if number:
            return Change(self.key, "add", int(self.value or 0) * run.per.get(run.seat, 1))
        return Change(self.key, "set", self.value if isinstance(self.value, str) else True)

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        kind = words.keywords.get(self.key)
        if self.per is not None and kind is not int:
            yield phrase("it does not use `{field}`", field="per")
        if self.using is not None and kind is not str:
            yield phrase("it does not use `{field}`", field="using")
        elif kind and self.using is None and not amounts_to(self.value, kind):
            what = {int: phrase("a number"), str: phrase("a word")}.get(kind, "true")
            yield phrase("{key} needs {what} as its `value`", key=self.key, what=what)
        yield from super().check(effect, words)


class Lose(Lasting, tag="lose", kw_only=True):
    """The cards lose a keyword, however much of it they have by then.

    What they gain later they have. `key = "texts"`: texts, see "Texts that are lost".
    """

    key: Annotated[str, Of("keyword or texts")]
    value: str | None = None
    effect: str = ""

    plain: ClassVar[bool] = True
    example = 'key = "blocker", until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("take {key} from {cards}"),
        "texts": phrase("take all texts from {cards}"),
    }

    def change(self, run: Running) -> Change:
        """Of texts: all, those of a kind, the one of a name (`/name`)."""
        lost = f"/{self.effect}" if self.effect else self.value or True
        return Change(self.key, "lose", lost if self.key == TEXTS else True)

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        value = self.value
        if self.key == TEXTS and words.losable:
            if value is not None and value not in words.losable:
                yield unknown("kind of texts", value, words.losable)
            if value is not None and self.effect:
                yield phrase("`value` and `effect` exclude each other")
        elif value is not None or self.effect:
            yield phrase("texts alone are lost in part: no `value`, no `effect`")
        yield from super().check(effect, words)


class Forbid(Lasting, tag="forbid", kw_only=True):
    """They can't do `key`, or have it done to them.

    That is `attack`, `attack-player` (choose the player as target), `block`, `activate` (their
    activated effects), or be dealt `damage`, `battle-damage`; for more see "What may be forbidden".
    `against` narrows what is done to them to what such cards do; `most`: to so much damage, or
    less.
    """

    key: Annotated[str, Of("act")]
    against: Group | None = None
    most: Annotated[int, Of(newer="bounded")] = 0

    plain: ClassVar[bool] = True
    example = 'key = "attack", until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("do not let {cards} {key}")}

    def change(self, run: Running) -> Change:
        return Change(self.key, self.do, self.most or True, self.against)


class Allow(Forbid, tag="allow"):
    """They may do `key` though the rules would not let them.

    `attack-target` lets them attack cards of the group `against` that may not be attacked
    otherwise; `attack-at-once`, in games that have it, lets them attack in the turn in which they
    came, such cards alone if it has `against`.
    """

    example = 'key = "attack-target", until = "turn", to = { zone = "this" }, against = { zone = "battle", whose = "theirs", match = { lv = "<=2" } }'  # noqa: E501
    phrases: ClassVar[Phrases] = {"": phrase("let {cards} {key}")}


class Oblige(Lasting, tag="oblige", kw_only=True):
    """If possible, `key` is done to one of them, by each card of `against` that could.

    With `attacked`, cards that attack choose one of them as the target. Of several texts any may
    be followed; but what one says for a time goes before what constant ones say.
    """

    key: Annotated[str, Of("duty")]
    against: Group | None = None

    plain: ClassVar[bool] = True
    example = (
        'key = "attacked", until = "turn", to = { zone = "it" }, against = { whose = "theirs" }'
    )
    phrases: ClassVar[Phrases] = {"": phrase("have {cards} {key} if possible")}

    def change(self, run: Running) -> Change:
        return Change(self.key, self.do, against=self.against)


class Divert(Lasting, tag="divert", kw_only=True):
    """What would be done to them is done to another card instead: damage.

    That is this card (`onto = "this"`), or the one chosen last (`"it"`), as long as it lies there.
    """

    key: Annotated[str, Of("damage")]
    onto: Literal["this", "it"] = "this"
    until: Until
    against: Group | None = None

    plain: ClassVar[bool] = True
    example = 'key = "damage", until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("instead of {cards}, have this card {key}"),
        "it": phrase("instead of {cards}, have that card {key}"),
    }

    def receiver(self, run: Running) -> int:
        """The card that takes it; 0: none was chosen."""
        return run.this if self.onto == "this" else next(iter(run.it), 0)

    def change(self, run: Running) -> Change:
        return Change(self.key, self.do, self.receiver(run), self.against)

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        """Nothing that lasts names a card that lies hidden, or is gone."""
        there = self.receiver(run)
        if not t.pos.present(there) or not t.in_sight(there):
            t.not_done(self.do, run.this, "impossible", *cited(terms, run, "impossible"))
            return Done(1, 0)
        return (yield from lasting()(self, t, terms, run, numbers))


class Redirect(Lasting, tag="redirect", kw_only=True):
    """While it lasts, those cards go to `place` instead of `key`.

    It does not apply to the card of this text.
    """

    key: Annotated[str, Of("zone")]
    place: Place

    sends: ClassVar[bool] = True
    example = (
        'key = "trash", place = "exile", to = { zone = "anywhere", match = { type = "unit" } }'
    )
    phrases: ClassVar[Phrases] = {
        "": phrase("where {cards} would go to {key}, they go to {place} instead")
    }

    def change(self, run: Running) -> Change:
        return Change(self.key, "redirect", self.place)


class Lend(Lasting, tag="lend", kw_only=True):
    """While it lasts, those cards also have another effect of this card."""

    effect: Annotated[str, Of("effect")]
    until: Until

    example = 'effect = "debt", until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("give {cards} the text “{effect}” of this card")}

    def change(self, run: Running) -> Change:
        return Change(TEXTS, "lend", sibling(run, self))


class Charge(Lasting, tag="charge", kw_only=True):
    """Those cards can do that act only if `n` of `value` is paid first.

    The game knows which values there are.
    """

    key: Annotated[str, Of("act")]
    value: str
    n: int = 1
    times: Literal["", "x"] = ""
    per: Annotated[Amount | None, Of(newer="per")] = None

    example = 'key = "attack", value = "fuel", n = 1, to = { zone = "battle", whose = "theirs" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("let {cards} {key} only if {n} {value} is given first")
    }

    def change(self, run: Running) -> Change:
        return Change(self.key, "charge", f"{self.value} {run.amount(self)}")


# -- later -----------------------------------------------------------------------------------------


class Due(NamedTuple):
    """When something is due: not before a turn, and only in those of a seat, if of one."""

    turn: int
    whose: int


def due(p: Position, c: Clause, seat: int) -> Due:
    """When what a clause says comes, as a player sees it: the next time, or a later one.

    The present turn counts as one of them, if it is that player's.
    """
    if not c.whose:
        return Due(p.turn + c.nth - 1, NOBODY)
    whose = p.rival(seat) if c.whose == "theirs" else seat
    first = p.turn if p.turn_seat == whose else p.turn + 1
    return Due(first + 2 * (c.nth - 1), whose)


def lasting(*times: str) -> Run:
    """A lasting effect: figures, keywords, what cards may do; maybe one until a later time.

    What lasts until one of `times` is scheduled whichever of them it is: games in which players say
    in what order it ends there.
    """

    def way(c: Lasting, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        asked, targets = lasting_on(t, terms, run, c, numbers)
        cites = cited(terms, run, c.do)
        if targets and (c.whose or c.nth > 1 or c.until in times):
            with t.at_once():
                began = t.modify(run.this, targets, c.change(run), LATER, *cites)
                _schedule(t, run, c, LAPSE, *cites, x=began)
        elif targets:
            t.modify(run.this, targets, c.change(run), c.until, *cites)
        return Done(asked, len(targets))
        yield

    return way


def _schedule(
    t: Table, run: Running, c: Clause, kind: str, *cites: str, targets: tuple[Ref, ...] = (),
    x: int = 0, effect: str = "", its: int = NOBODY,
) -> None:  # fmt: skip
    when = due(t.pos, c, its if c.whose == "its" else run.seat)
    t.schedule(
        effect or run.ref, run.this, run.seat, c.until, *cites, kind=kind,
        turn=when.turn, whose=when.whose, targets=targets, x=x,
    )  # fmt: skip


def taken(p: Position, number: int) -> list[Scheduled]:
    """The changes of control for a time that are in force on a card, oldest first."""
    jobs = (one for one in p.scheduled.values() if one.kind == REVERT and number in one.targets)
    return [one for one in jobs if not kept(p, number, one)]


def kept(p: Position, number: int, change: Scheduled) -> bool:
    """Whether a card is somebody's for good since control of it has changed for a time."""
    since = p.mark(number, KEPT)
    return isinstance(since, int) and change.cause <= since


def keep(t: Table, numbers: Iterable[int], *cites: str) -> None:
    """Cards stay with their present controllers: no change of control so far ends for them."""
    for number in numbers:
        if t.pos.present(number) and taken(t.pos, number):
            t.mark(number, KEPT, t.pos.seq, *cites)
            t.mark(number, UNDER, None, *cites)


def for_a_time(way: Run, kind: str) -> Run:
    """An instruction (a move, a change of control), which is undone at a later time if it says.

    Where cards come back to is read from what they were (`Position.departed`), who controlled them
    is noted. Control that changes for good ends what has changed it for a time.
    """

    def temporary(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        p = t.pos
        had = {number: p.cards[number].controller for number in numbers}
        done: Done = yield from way(c, t, terms, run, numbers)
        if kind == REVERT and not c.until:
            ours = [n for n in numbers if p.present(n) and p.cards[n].controller == run.seat]
            keep(t, ours, *cited(terms, run, c.do))
        if c.until and done.done:
            for seat in sorted(set(had.values())):
                some = [number for number in numbers if had[number] == seat]
                went = tuple(
                    now for number in some if (now := p.latest(number)) and t.in_sight(now)
                )
                if kind == REVERT:
                    went = tuple(n for n in went if p.cards[n].controller != seat)
                if went:
                    words = cited(terms, run, c.do)
                    _schedule(t, run, c, kind, *words, targets=went, x=seat, its=seat)
        return done

    return temporary


class AtLast(Aimed, tag="later", kw_only=True):
    """At that time another effect of this card is carried out.

    It is a `part`, or a triggered one, which triggers. `it` is then the last choice made now, or
    the named targets; x is `n`.
    """

    effect: Annotated[str, Of("effect")]
    until: Until
    whose: Time = ""
    nth: int = 1
    n: int = 1
    times: Literal["", "x"] = ""
    per: Annotated[Amount | None, Of(newer="per")] = None

    example = 'effect = "debt", until = "turn", n = 3'
    phrases: ClassVar[Phrases] = {"": phrase("have “{effect}” of this card done later")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        about = tuple(number for number in numbers or run.it if t.in_sight(number))
        x = run.x if self.n == 1 and self.per is None else run.amount(self)
        effect = sibling(run, self)
        words = cited(terms, run, self.do)
        _schedule(t, run, self, "", *words, targets=about, x=x, effect=effect)
        return Done(1, 1)
        yield
