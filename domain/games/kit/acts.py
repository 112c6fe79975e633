"""The table of acts: a row for each kind of act a game knows, and all that follows from the rows.

A row says what an act is called, which decisions it answers, with which cards, what forbids it (the
checks, in the order in which a judge asks), what it picks and what is said of a bad pick, which
rules allow it, and what carries it out. From that come the offer at a decision, the refusal of what
is not on it, "why not?", the citations of an answer, and the words of the manifest, which the
notation reads.

`Acts.forbidden` is the only judge: what is on offer is what it lets pass, so there is one answer to
"may I?". Makers of checks are in `legality`; what a game's checks look at is in its own `legal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct

from domain.effects import declared
from domain.effects.select import Terms
from domain.effects.vocabulary import Effect
from domain.engine.rulebook import Refusal
from domain.engine.signals import Over, Play, unknown
from domain.engine.table import Table
from domain.games.kit.legality import Check, at, declaration, never, refuse, seen_by
from domain.record.decisions import Act, Misfit, Offer, Option, Part
from domain.record.events import Ref, SeatLost
from domain.record.manifest import Word
from domain.record.position import Position

#: The acts that all games have: of a card that nobody has named, of a text that is declared.
UNNAMED, DECLARE, CONCEDE = "unknown", "declare", "concede"
#: A sentence and the rules behind it, the narrowest first.
Sentence = tuple[str, ...]
#: What carries an act out. What it returns matters for standing acts: whether the open decision is
#: asked anew.
Do = Callable[[Table, int, Act], Play]
#: The rules that allow a legal act, the narrowest first.
Allows = Callable[[Table, int, Act], tuple[str, ...]]
#: What a game says of an act that fits no option.
Unfit = Callable[[Table, int, Act], Refusal]


class Asking:
    """An offer being made: whom it is for, and the pools that its options share so far."""

    __slots__ = ("p", "pools", "seat", "t")

    def __init__(self, t: Table, seat: int, pools: list[tuple[Ref, ...]]) -> None:
        self.t, self.p, self.seat, self.pools = t, t.pos, seat, pools

    def part(
        self, name: str, members: tuple[Ref, ...], low: int = 1, high: int | None = None
    ) -> Part:
        """A part whose picks come from these; exactly `low` of them unless more are allowed."""
        if members not in self.pools:
            self.pools.append(members)
        return Part(name, self.pools.index(members), low, low if high is None else high)


#: The cards that an act may be done with, legal or not; shared by rows, which then take turns.
Cards = Callable[[Asking], Iterable[int]]
#: The texts of a card that an act may use: `("",)` where it is done with the card itself.
Texts = Callable[[Asking, int], Iterable[str]]
#: The parts of an option with a card and a text of it.
Parts = Callable[[Asking, int, str], Iterable[Part]]


class Pick(Struct, frozen=True):
    """A part of an act: its name, what is picked from, and what is said of a bad pick.

    `parts` makes the part (or several, or none) of an option; None where the offer is made by what
    asks. `why` is asked first; else `faults` has a sentence for each fault of `Misfit`, under
    `none` for nothing picked where something must be, under `""` for any other.
    """

    name: str
    faults: Mapping[str, Sentence] = {}
    parts: Parts | None = None
    why: Callable[[Table, int, Act, Misfit], Refusal | None] | None = None


def _itself(asking: Asking, card: int) -> tuple[str, ...]:
    return ("",)


class Row(Struct, frozen=True, kw_only=True):
    """A kind of act.

    `label`: how people read it; `{card}`, `{}` and `{place}` say what follows the verb. One that
    people try and no rule knows has none.
    `at`: the kinds of decisions it answers; `against`: those that take it against the rules only.
    `cards`, `texts`: what it may be done with; None: it is offered as it stands, to whoever is
    asked.
    `aside`: what carries it out beside the open decision, against the rules; None: nothing can.
    `idle`: it does nothing; texts may leave it out. `stands`: when it stands open to a seat beside
    any decision.
    `which`: the rule that asks for the text to be named; `unasked`: what is said of one that is
    legal as such and not on offer.
    """

    name: str
    label: str = ""
    at: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    cards: Cards | None = None
    texts: Texts = _itself
    picks: tuple[Pick, ...] = ()
    checks: tuple[Check, ...] = ()
    allows: tuple[str, ...] | Allows = ()
    do: Do | None = None
    aside: Do | None = None
    idle: bool = False
    stands: Callable[[Position, int], Iterable[Act]] | None = None
    which: str = ""
    unasked: Sentence = ()


def reply(
    name: str,
    label: str,
    to: str,
    otherwise: str,
    rule: str,
    *,
    allows: tuple[str, ...] | Allows = (),
    check: Callable[[str, str, str], Check] = at,
    do: Do | None = None,
    idle: bool = False,
    which: str = "",
    unasked: Sentence = (),
) -> Row:
    """A row for what answers one kind of question and nothing else; `otherwise` it is refused.

    The rule that allows it is the one that asks, unless others do.
    """
    return Row(
        name=name,
        label=label,
        at=(to,),
        checks=(check(to, rule, otherwise),),
        allows=allows or (rule,),
        do=do,
        idle=idle,
        which=which,
        unasked=unasked,
    )


def unnamed(label: str, at: tuple[str, ...], cards: Cards) -> Row:
    """The row for a card of a real table that nobody has named: it may be anything."""
    text = "say which card it is, and what is done with it"
    return Row(name=UNNAMED, label=label, at=at, cards=cards, checks=(never("house:named", text),))


def concession(label: str, allows: str, *cites: str, why: str = CONCEDE) -> Row:
    """The row for conceding, which ends the game (citing `cites`) whatever is being done."""

    def concede(t: Table, seat: int, act: Act) -> Play:
        t.emit(SeatLost((seat,), why), *cites or (allows,))
        raise Over
        yield

    def stands(p: Position, seat: int) -> tuple[Act, ...]:
        return (Act(CONCEDE),)

    return Row(name=CONCEDE, label=label, allows=(allows,), do=concede, stands=stands)


def declaring(
    label: str,
    terms: Terms,
    faults: Callable[[str, Effect, Position], list[str]],
    busy: Check,
    follow: Callable[[Table], Play],
    before: Callable[[Table], None] | None = None,
) -> Row:
    """The row for declaring what a text does (`effects.declared`), where it is reached and beside.

    `faults` says what is wrong with what is declared, `busy` why nothing can be declared now; what
    it sets off is carried out by `follow`. `before` notes what the open decision begins anew with.
    """

    def declare(t: Table, seat: int, act: Act) -> Play:
        assert isinstance(act.card, int)
        if before is not None:
            before(t)
        text = declared.text_of(act.picks)
        return (yield from declared.declare(t, terms, seat, act.card, text, follow))

    return Row(
        name=DECLARE,
        label=label,
        at=(DECLARE,),
        checks=(declaration(terms.effect, faults, busy),),
        allows=(declared.RULE,),
        do=declare,
        stands=lambda p, seat: declared.standing(p, seat),
    )


class Question(NamedTuple):
    """A kind of decision whose offer is made from the rows.

    `pool` is what most options are paid from: part 0 of the offer, which is `kept` or not where
    nothing but passing is on offer.
    """

    pool: Callable[[Position, int], tuple[Ref, ...]] | None = None
    kept: bool = True


class Groups(NamedTuple):
    """Rows of one question that share their cards: what may be done with each card in turn."""

    cards: Cards | None
    rows: tuple[Row, ...]
    named: bool  # whether each of the cards is sure to be known


class Acts:
    """The acts of one game.

    `rows` stand in the order of the manifest, between them words that only the record has.
    `picks`: what is said of bad picks of parts that rows do not mention; the one named "" of any
    part. `over`, `seats`, `unknown`: the rules for: it is over, only so many play, no such act.
    `which`: the rule that asks to name the text that is meant, unless a row has its own. `unasked`
    says what is wrong with an act that is legal as such and not what is being asked.
    """

    def __init__(
        self,
        rows: Sequence[Row | Word],
        *,
        questions: Mapping[str, Question],
        picks: Sequence[Pick],
        unasked: Unfit,
        which: str,
        over: str,
        seats: str,
        unknown: str,
    ) -> None:
        self.rows = {row.name: row for row in rows if isinstance(row, Row)}
        self.words = tuple(Word(row.name, row.label) for row in rows if row.label)
        self.questions, self.picks, self.unasked = questions, tuple(picks), unasked
        self.which, self.over, self.seats, self.unknown = which, over, seats, unknown
        self.answers: Mapping[str, tuple[str, ...]] = {
            kind: tuple(
                row.name
                for row in self.rows.values()
                if kind in (*row.at, *row.against) and row.name != UNNAMED
            )
            for kind in questions
        }
        self.idle = frozenset(row.name for row in self.rows.values() if row.idle)
        self._checks = {row.name: row.checks for row in self.rows.values()}
        order = sorted(self.rows, key=lambda name: (name != CONCEDE, name == DECLARE))
        standing = (self.rows[name].stands for name in order)
        self._standing = tuple(stands for stands in standing if stands is not None)
        self._groups = {kind: tuple(self._grouped(kind)) for kind in questions}

    def _grouped(self, kind: str) -> Iterator[Groups]:
        """The rows of a question, those that share their cards together."""
        rows = [row for row in self.rows.values() if kind in row.at]
        shared = list(dict.fromkeys(row.cards for row in rows))
        rows.sort(key=lambda row: shared.index(row.cards))
        for cards, group in groupby(rows, lambda row: row.cards):
            some = tuple(group)
            named = all(row.name != UNNAMED for row in some)
            yield Groups(cards, tuple(row for row in some if row.name != UNNAMED), named)

    # -- what is on offer --------------------------------------------------------------------------

    def offer(self, kind: str, t: Table, seat: int) -> Offer:
        """What a seat may answer to a kind of decision: every candidate that nothing forbids."""
        question = self.questions[kind]
        asking = Asking(t, seat, [] if question.pool is None else [question.pool(t.pos, seat)])
        options: list[Option] = []
        for cards, rows, named in self._groups[kind]:
            if cards is None:
                options += [Option(row.name) for row in rows]
                continue
            for card in cards(asking):
                if named or not unknown(asking.p, card):
                    options += self._options(asking, rows, card)
                else:
                    options.append(Option(UNNAMED, card))
        kept = question.kept or any(option.card for option in options)
        return Offer(tuple(options), tuple(asking.pools) if kept else ())

    def _options(self, asking: Asking, rows: tuple[Row, ...], card: int) -> Iterator[Option]:
        for row in rows:
            for text in row.texts(asking, card):
                act = Act(row.name, card, (), text)
                if self.forbidden(asking.t, asking.seat, act) is None:
                    parts = [
                        part
                        for pick in row.picks
                        if pick.parts is not None
                        for part in pick.parts(asking, card, text)
                    ]
                    yield Option(row.name, card, tuple(parts), text)

    # -- what is not -------------------------------------------------------------------------------

    def forbidden(self, t: Table, seat: int, act: Act) -> Refusal | None:
        """What forbids an act, its picks aside; None if nothing does."""
        for check in self._checks[act.kind]:
            objection = check(t, seat, act)
            if objection is not None:
                return objection
        return None

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        """Why this seat may not do this now, by the narrowest rule; None if it may.

        `misfit` is what is wrong with it as an answer to what is on offer.
        """
        if t.pos.over:
            return refuse("the match is over", self.over, fault="MATCH_OVER")
        if seat not in range(t.manifest.seats):
            return refuse("there is no such player", self.seats, fault="NO_SUCH_SEAT")
        if act.kind not in self.rows:
            text = "there is no such act as {kind!r}"
            return refuse(text, self.unknown, fault="UNKNOWN_ACT", kind=act.kind)
        with seen_by(t.pos, seat, act) as act:
            objection = self.forbidden(t, seat, act)
            if objection is not None or misfit is None:
                return objection
            return self._unfit(t, seat, act, misfit)

    def _unfit(self, t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
        """What is wrong with a legal act that answers no option."""
        row = self.rows[act.kind]
        if misfit.fault == "which effect":
            rule = row.which or self.which
            return refuse("say which of its effects", rule, fault="BAD_PICKS")
        if misfit.part:
            return self._bad_pick(t, seat, act, misfit)
        if row.unasked:
            return refuse(*row.unasked)
        return self.unasked(t, seat, act)

    def _bad_pick(self, t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
        """What is wrong with what was picked: by its row, else by its part, else as of any part."""
        nothing = misfit.fault == "too few" and not any(act.picks)
        for pick in (*self.rows[act.kind].picks, *self.picks):
            if pick.name not in (misfit.part, ""):
                continue
            if pick.why is not None and (said := pick.why(t, seat, act, misfit)) is not None:
                return said
            sentence = (
                (pick.faults.get("none") if nothing else None)
                or pick.faults.get(misfit.fault)
                or pick.faults.get("")
            )
            if sentence is not None:
                return refuse(*sentence, fault="BAD_PICKS")
        raise LookupError(f"nothing is said of a bad pick: {act.kind}, {misfit}")

    # -- what becomes of one -----------------------------------------------------------------------

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        """The rules that allow a legal act, the narrowest first."""
        allows = self.rows[act.kind].allows
        return allows if isinstance(allows, tuple) else allows(t, seat, act)

    def carry_out(self, t: Table, seat: int, act: Act) -> Play:
        """Do what a seat has chosen; nothing where choosing it is all there is to it."""
        do = self.rows[act.kind].do
        return (yield from do(t, seat, act)) if do is not None else None

    def aside(self, t: Table, seat: int, act: Act) -> Play:
        """Carry out what was played against the rules, beside the open decision.

        Raises `ValueError` if that can't be done.
        """
        row = self.rows.get(act.kind)
        if row is None or row.aside is None:
            raise ValueError(f"{act.kind!r} can't be done beside a decision")
        return (yield from row.aside(t, seat, act))

    def standing(self, p: Position, seat: int) -> list[Act]:
        """The acts that stand open to a seat beside any decision: conceding first."""
        return [act for stands in self._standing for act in stands(p, seat)]
