"""The table of acts: what follows from a game's rows (`rows`), one for each kind of act.

From them come the offer at a decision, the refusal of what is not on it, "why not?", the citations
of an answer, what carries it out, and the words of the manifest, which the notation reads.

An offer lists what the checks of a row let pass, and a refusal is what the first of them says:
there is one answer to "may I?".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from domain.engine.rulebook import Refusal
from domain.engine.signals import Play, unknown
from domain.engine.table import Table
from domain.games.kit.choices.legality import Check, refuse, seen_by
from domain.games.kit.choices.rows import (
    CONCEDE,
    DECLARE,
    UNNAMED,
    Asking,
    Cards,
    Parts,
    Pick,
    Row,
    Texts,
    Together,
)
from domain.record.decisions import PLAIN, Act, Limits, Misfit, Offer, Option, Part
from domain.record.fitting.fit import feasible, fit
from domain.record.position import Position
from domain.record.schema.manifest import Word
from domain.record.values import Ref

#: The fault of picks for which an act has no part.
EXTRA = "too many parts"
#: What a game says of a legal act that is not what is being asked.
Unfit = Callable[[Table, int, Act], Refusal]


class Question(NamedTuple):
    """A kind of decision whose offer is made from the rows.

    `pool` is what most options are paid from: part 0 of the offer, which is `kept` or not where
    nothing but passing is on offer.
    """

    pool: Callable[[Position, int], tuple[Ref, ...]] | None = None
    kept: bool = True


class Use(NamedTuple):
    """A row with the data that offers need."""

    kind: str
    types: tuple[str, ...]
    when: tuple[Check, ...]
    texts: Texts | None
    checks: tuple[Check, ...]
    makers: tuple[Parts, ...]
    together: Together | None
    meets: bool

    def option(self, asking: Asking, card: int, text: str) -> Option:
        """It as an option, with a card and a text of it."""
        parts: list[Part] = []
        for make in self.makers:
            parts += make(asking, card, text)
        if self.together is not None and parts:  # where nothing is picked nothing hangs together
            parts[-1] = bound(parts[-1], self.together(asking, card, text))
        return Option(self.kind, card, tuple(parts), text)


class Group(NamedTuple):
    """Rows of one question that share their cards: what may be done with each card in turn.

    `plain`: those that are offered as they stand. `unnamed`: a card may be one that nobody has
    named; `typed`: some are for cards of some types only.
    """

    cards: Cards | None
    uses: tuple[Use, ...]
    plain: tuple[Option, ...]
    unnamed: bool
    typed: bool


_ITSELF = ("",)


class Acts:
    """The acts of one game.

    `rows` stand in the order of the manifest, between them words that only the record has.
    `picks`: the sentences for bad picks of parts that rows do not mention; the one named "" is for
    any part. `over`, `seats`, `unknown`: the rules for: it is over, only so many play, no such act.
    `which`: the rule that asks to name the text that is meant, unless a row has its own. `unasked`
    says what is wrong with an act that is legal as such and not what is being asked. `type_of` is
    the type of a card, where rows ask for one.
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
        type_of: Callable[[Position, int], str] = lambda p, card: "",
    ) -> None:
        self.rows = {row.name: row for row in rows if isinstance(row, Row)}
        self.words = tuple(Word(row.name, row.label) for row in rows if row.label)
        self.questions, self.picks, self.unasked = questions, tuple(picks), unasked
        self.which, self.over, self.seats, self.unknown = which, over, seats, unknown
        self.type_of = type_of
        self.answers: Mapping[str, tuple[str, ...]] = {
            kind: tuple(
                row.name
                for row in self.rows.values()
                if kind in (*row.at, *row.against) and row.name != UNNAMED
            )
            for kind in questions
        }
        #: the same for all kinds, without those that take an act against the rules only
        self.by_rule = {
            kind: tuple(row.name for row in self.rows.values() if kind in row.at)
            for kind in dict.fromkeys(kind for row in self.rows.values() for kind in row.at)
        }
        self.passes = frozenset(row.name for row in self.rows.values() if row.passes)
        self.composed = {
            row.name: tuple(pick.name for pick in row.picks if pick.parts is not None)
            for row in self.rows.values()
            if row.steady
        }
        self.free = tuple(row.name for row in self.rows.values() if row.free)
        self.idle = self.passes | {row.name for row in self.rows.values() if row.idle}
        self._checks = {row.name: (*row.when, *row.checks) for row in self.rows.values()}
        order = sorted(self.rows, key=lambda name: (name != CONCEDE, name == DECLARE))
        open_acts = (self.rows[name].stands for name in order)
        self._open = tuple(stands for stands in open_acts if stands is not None)
        self._groups = {kind: tuple(self._grouped(kind)) for kind in questions}

    def _grouped(self, kind: str) -> Iterator[Group]:
        """The rows of a question, those that share their cards together."""
        rows = [row for row in self.rows.values() if kind in row.at]
        for cards in dict.fromkeys(row.cards for row in rows):
            sharing = [row for row in rows if row.cards is cards]
            uses = tuple(_use(row) for row in sharing if row.name != UNNAMED)
            plain = tuple(Option(row.name) for row in sharing) if cards is None else ()
            typed = any(use.types for use in uses)
            yield Group(cards, uses, plain, len(uses) < len(sharing), typed)

    # -- what is on offer --------------------------------------------------------------------------

    def offer(self, kind: str, t: Table, seat: int) -> Offer:
        """The offer to a seat for a kind of decision: every candidate that nothing forbids."""
        question, asking = self.questions[kind], self._asking(kind, t, seat)
        options: list[Option] = []
        passed: set[Check] = set()
        for group in self._groups[kind]:
            if group.cards is None:
                options += group.plain
            else:
                self._add(options, asking, group, passed)
        kept = question.kept or any(option.card for option in options)
        return Offer(tuple(options), tuple(asking.pools) if kept else ())

    def _asking(self, kind: str, t: Table, seat: int) -> Asking:
        pool = self.questions[kind].pool
        return Asking(t, seat, [] if pool is None else [pool(t.pos, seat)])

    def _add(self, options: list[Option], asking: Asking, group: Group, passed: set[Check]) -> None:
        """Add what may be done with each card: one option for each text of it that is used."""
        t, p, seat = asking.t, asking.p, asking.seat
        assert group.cards is not None
        timely: list[Use] | None = None
        by_type: dict[str, list[Use]] = {}
        for card in group.cards(asking):
            if asking.strangers and group.unnamed and unknown(p, card):
                options.append(Option(UNNAMED, card))
                continue
            if timely is None:
                timely = [use for use in group.uses if _timely(use, t, seat, passed)]
            if not timely and not (asking.strangers and group.unnamed):
                return
            uses = timely
            if group.typed:
                type_ = self.type_of(p, card)
                if type_ not in by_type:
                    by_type[type_] = [use for use in timely if type_ in (use.types or (type_,))]
                uses = by_type[type_]
            for use in uses:
                for text in _ITSELF if use.texts is None else use.texts(asking, card):
                    act = Act(use.kind, card, (), text)
                    for check in use.checks:
                        if check(t, seat, act) is not None:
                            break
                    else:
                        option = use.option(asking, card, text)
                        if use.meets or _unmet(asking, option) is None:
                            options.append(option)

    # -- what is not -------------------------------------------------------------------------------

    def forbidden(self, t: Table, seat: int, act: Act) -> Refusal | None:
        """The rule that forbids an act with any picks; None if none does."""
        for check in self._checks[act.kind]:
            objection = check(t, seat, act)
            if objection is not None:
                return objection
        row = self.rows[act.kind]
        if row.together is None or row.meets or not isinstance(act.card, int):
            return None
        asking = self._asking(row.at[0], t, seat)
        misfit = _unmet(asking, _use(row).option(asking, act.card, act.effect))
        return self._bad_pick(t, seat, act, misfit) if misfit is not None else None

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
        t, act = seen_by(t, seat, act)
        objection = self.forbidden(t, seat, act)
        if objection is not None and not objection.wrong_card and self._wrong_card(t, seat, act):
            return objection.of_wrong_card()
        if objection is not None or misfit is None:
            return objection
        return self._unfit(t, seat, act, misfit)

    def _wrong_card(self, t: Table, seat: int, act: Act) -> bool:
        """Whether an act is not done with such a card, whatever is asked about it before."""
        row, card = self.rows[act.kind], act.card
        if row.cards is None or not isinstance(card, int) or card not in t.pos.cards:
            return False
        known = bool(row.types and t.pos.cards[card].id)
        if known and self.type_of(t.pos, card) not in row.types:
            return True
        # the first looks at where the card lies; further ones may need what the act is asked in
        first = row.checks[0](t, seat, act) if row.checks else None
        return first is not None and first.wrong_card

    def misfit(self, t: Table, seat: int, act: Act) -> Misfit | None:
        """The fault of the picks of an act that nothing forbids; None: unknown.

        It uses only the act's row and its card, so that the rest of the offer is not needed.
        """
        row, decision = self.rows[act.kind], t.pos.decision
        kind = decision.kind if decision is not None else ""
        if kind not in row.at or not isinstance(act.card, int) or not act.card:
            return None
        asking = self._asking(kind, t, seat)
        use = _use(row)
        texts = _ITSELF if use.texts is None else tuple(use.texts(asking, act.card))
        if act.effect not in texts:
            return None
        option = use.option(asking, act.card, act.effect)
        offer = Offer((option,), tuple(asking.pools))
        try:
            fit(offer, act)
        except Misfit as misfit:
            return misfit if misfit.part and feasible(offer, option) else None
        return None

    def _unfit(self, t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
        """The fault of a legal act that answers no option."""
        row = self.rows[act.kind]
        if misfit.fault == "which effect":
            rule = row.which or self.which
            return refuse("say which of its effects", rule, fault="BAD_PICKS")
        if misfit.part:
            return self._bad_pick(t, seat, act, misfit)
        if misfit.fault == EXTRA:
            wrong = next((pick.faults[EXTRA] for pick in row.picks if EXTRA in pick.faults), None)
            wrong = wrong or ("nothing more is picked for it", *self.cites(t, seat, act))
            return refuse(*wrong, fault="BAD_PICKS")
        if row.unasked:
            return refuse(*row.unasked)
        return self.unasked(t, seat, act)

    def _bad_pick(self, t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
        """The fault of a pick: by its row, else by its part, else as of any part."""
        nothing = misfit.fault == "too few" and not any(act.picks)
        for pick in (*self.rows[act.kind].picks, *self.picks):
            if pick.name not in (misfit.part, ""):
                continue
            if pick.why is not None and (refusal := pick.why(t, seat, act, misfit)) is not None:
                return refusal
            sentence = (
                (pick.faults.get("none") if nothing else None)
                or pick.faults.get(misfit.fault)
                or pick.faults.get("")
            )
            if sentence is not None:
                text, *rules = sentence
                return refuse(text, *(rules or t.asked.by), fault="BAD_PICKS")
        raise LookupError(f"nothing is said of a bad pick: {act.kind}, {misfit}")

    # -- what becomes of one -----------------------------------------------------------------------

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        """The rules that allow a legal act, the narrowest first."""
        allows = self.rows[act.kind].allows
        return allows if isinstance(allows, tuple) else allows(t, seat, act)

    def ask(self, t: Table, seat: int, kind: str, *cites: str) -> Play:
        """Ask a seat what it does, by these rules, and do it."""
        act = yield from t.ask(seat, kind, partial(self.offer, kind, seat=seat), *cites)
        yield from self.carry_out(t, seat, act)

    def carry_out(self, t: Table, seat: int, act: Act) -> Play:
        """Do what a seat has chosen; nothing where choosing it is all there is to it."""
        do = self.rows[act.kind].do
        doing = do(t, seat, act) if do is not None else None
        return (yield from doing) if doing is not None else None

    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        """Carry out what was played against the rules, beside the open decision.

        Raises `ValueError` if that can't be done.
        """
        row = self.rows.get(act.kind)
        if row is None or row.play_anyway is None:
            raise ValueError(f"{act.kind!r} can't be done during a decision")
        doing = row.play_anyway(t, seat, act)
        return (yield from doing) if doing is not None else None

    def whole(self, t: Table, seat: int, act: Act) -> Act:
        """An act against the rules, with nothing picked for what it leaves out; its only text."""
        row, card = self.rows.get(act.kind), act.card
        if row is None or not row.at or not isinstance(card, int) or not card:
            return act
        asking, use = self._asking(row.at[0], t, seat), _use(row)
        if use.texts is not None and not act.effect:
            texts = tuple(use.texts(asking, card))
            act = replace(act, effect=texts[0]) if len(texts) == 1 else act
        missing = len(use.option(asking, card, act.effect).parts) - len(act.picks)
        return replace(act, picks=act.picks + ((),) * missing) if missing > 0 else act

    def open_acts(self, p: Position, seat: int) -> list[Act]:
        """The acts that stand open to a seat beside any decision: conceding first."""
        return [act for stands in self._open for act in stands(p, seat)]


def _timely(use: Use, t: Table, seat: int, passed: set[Check]) -> bool:
    """Whether it is the time for an act; what one row's checks have `passed` is not asked again."""
    for check in use.when:
        if check not in passed:
            if check(t, seat, Act(use.kind)) is not None:
                return False
            passed.add(check)
    return True


def _use(row: Row) -> Use:
    makers = tuple(pick.parts for pick in row.picks if pick.parts is not None)
    checks = tuple(check for check in row.checks if check not in row.met)
    meets = row.together is None or row.meets
    return Use(row.name, row.types, row.when, row.texts, checks, makers, row.together, meets)


def bound(part: Part, together: Limits) -> Part:
    """The last part of an option, with what is asked of it and of others together."""
    own = part.limits or PLAIN
    limits = replace(own, sums=together.sums, supplies=together.supplies)
    return Part(part.name, part.pool, part.low, part.high, limits)


def _unmet(asking: Asking, option: Option) -> Misfit | None:
    """The first sum that no picks of an option can meet; None if some picks do."""
    offer = Offer((), tuple(asking.pools))
    if feasible(offer, option):
        return None
    last = option.parts[-1]
    assert last.limits is not None
    for one in last.limits.sums[:-1]:
        alone = Limits(sums=(one,), supplies=last.limits.supplies)
        if not feasible(offer, replace(option, parts=(*option.parts[:-1], bound(last, alone)))):
            return Misfit("sum", one.name)
    sums = last.limits.sums
    return Misfit("sum", sums[-1].name) if sums else Misfit("repeated", last.name)
