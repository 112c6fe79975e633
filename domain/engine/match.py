"""The match: the event-sourced aggregate around a rulebook, a table and a driver.

It takes commands, refuses what the rules refuse, and hands out the entries each command added
(`collect`). It keeps no log: the entries live in a store, and a match that is not in memory is
resumed from them. A command that raises anything but `Refused` or `Stale` leaves the match unfit
for use: throw it away and resume.

Saving, publishing and who may send a command are the concern of `service/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import intern

from msgspec.structs import replace

from domain.engine import naming, timekeeping
from domain.engine.checks import versions
from domain.engine.driver import Driver, adopted, resting
from domain.engine.naming import NOTHING, Inputs, Misstated
from domain.engine.opening import beginning
from domain.engine.opening.terms import MODES as MODES
from domain.engine.opening.terms import BadDeck as BadDeck
from domain.engine.opening.terms import Deck as Deck
from domain.engine.opening.terms import Opening as Opening
from domain.engine.opening.terms import settled
from domain.engine.passes import autopass, paced, switches
from domain.engine.passes.autopass import AutoPass, AutoPasses
from domain.engine.passes.switches import Switch
from domain.engine.rulebook import Dice, Refusal, Rulebook, go, refuse
from domain.engine.rulebook import Refused as Refused
from domain.engine.signals import RollRequired
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.decisions import TEXTS, Act, Answer, Misfit, Offer, act_of
from domain.record.entries import AnyEvent, Entry, active
from domain.record.fitting.fit import fit
from domain.record.folding.fold import fold_all
from domain.record.position import Decision, Position
from domain.record.proof import draws
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS, Ref, Sealed
from domain.record.views import AUTO, seen_by_all
from domain.words.phrases import joined, phrase


class Stale(Exception):
    """A command for a decision that is not the open one; `current` is its number, 0 if none."""

    def __init__(self, current: int) -> None:
        opened = phrase("decision {n} is open", n=current)
        super().__init__(opened if current else phrase("no decision is open"))
        self.current = current


#: Why no seat may act while an official has the match stand still.
STILL = refuse("the match is standing still", "house:pause", fault="PAUSED")


class Match:
    """A match in memory, standing at its open decision."""

    def __init__(self, rules: Rulebook, table: Table, dice: Dice) -> None:
        self.rules = rules
        self.table = table
        self.dice = dice
        self.driver = Driver(rules, table, self._chance)
        self.unfit: Refusal | None = None  # why this engine may not go on with it
        self.misfits: frozenset[int] = frozenset()  # seats that sent a seed which was refused
        self.auto_passes: AutoPasses = {}  # not part of the record: the caller stores these

    @property
    def pos(self) -> Position:
        """The position now."""
        return self.table.pos

    # -- opening and resuming --------------------------------------------------------------------

    @classmethod
    def open(cls, rules: Rulebook, opening: Opening, dice: Dice) -> Match:
        """Open a match and run it to its first decision, unless it is to wait.

        Raises `BadDeck` or `Refused`.
        """
        opening = settled(opening, rules)
        match = cls(rules, Table(Position(), rules.manifest), dice)
        match._register(opening)
        match.table.rolls = list(opening.rolls)
        if not opening.waits:
            timekeeping.start(match.table)
            go(match.table, rules.first_step, *rules.opening_cites)
            match.driver.start()
        match.used_up()
        return match

    def _register(self, opening: Opening) -> None:
        t, rules = self.table, self.rules
        t.emit(
            ev.MatchOpened(
                game=rules.manifest.game,
                engine=rules.manifest.version,
                digests=dict(rules.digests),
                mode=opening.mode,
                best_of=opening.best_of,
                seats=opening.seats,
                labels=dict(opening.labels),
                options=dict(opening.options),
                at=opening.at,
                ticket=Sealed(OFFICIALS, opening.ticket),
                policy=opening.policy,
                prints=opening.prints,
                chance=opening.chance,
                commitment=opening.commitment,
                waits=opening.waits,
                id=opening.id,
            ),
            *rules.opening_cites,
            by=BY_OFFICIAL,
        )
        for seat, deck in enumerate(opening.decks):
            parts = {part: tuple(map(intern, cards)) for part, cards in deck.parts.items()}
            sizes = {part: len(cards) for part, cards in parts.items()}
            t.emit(
                ev.DeckRegistered(seat, deck.name, sizes, Sealed(1 << seat, parts)),
                *rules.deck_cites,
                by=BY_OFFICIAL,
            )

    @classmethod
    def resume(
        cls, rules: Rulebook, log: Sequence[Entry], dice: Dice, base: Position | None = None
    ) -> Match:
        """The match that a log stands at; raises `Diverged` where the rulebook disagrees.

        One that another engine recorded stands as it was left: its rulebook is not started, and
        what needs it is refused (`unfit`).

        `base`, a position at or before the last resting point of the log, saves folding from the
        start; `log` then holds the entries after it.
        """
        line = active(log)
        rest = resting(line)
        if not rest and base is None:  # it waits to begin
            rest = len(line)
        pos = fold_all(line[:rest], base.slimmed() if base is not None else None)
        last = log[-1].seq if log else pos.seq
        unfit = versions.unfit(pos, rules)
        if unfit is not None:
            pos, rest = fold_all(line[rest:], pos), len(line)
        match = cls(rules, Table(pos, rules.manifest, line[rest:], last), dice)
        match.unfit = None if pos.over else unfit
        opened = (e.event.n for e in log if type(e.event) is ev.DecisionOpened)
        match.table.asked.last = max(opened, default=0)
        rested = (e.event for e in line[:rest] if type(e.event) is ev.DecisionOpened)
        match.table.asked.rested = max((d.n for d in rested if d.rest), default=0)
        if not pos.over and unfit is None and not pos.heading.waits:
            rules.known(pos.heading.prints)  # or it can't be gone on with
            match.driver.start(anew=adopted(line, rest))
        match.table.tail = ()
        match.table.at = 0
        return match

    # -- commands --------------------------------------------------------------------------------

    def choose(
        self,
        seat: int,
        n: int,
        act: Act,
        now: int,
        ticket: str = "",
        origin: str = "seat",
        inputs: Inputs = NOTHING,
    ) -> None:
        """Answer decision `n`. `now` is milliseconds since the match was opened.

        Raises `Stale` if another decision is open, `Refused` if the rules forbid the act; at a real
        table `NameRequired` or `RollRequired` if `inputs` lacks what must be known, `Misstated`
        if it says what can't be.
        """
        self.playable()
        t, decision = self.table, self.pos.decision
        if decision is None or self.pos.over:
            raise Refused(self._refusal(t, seat, act))
        if decision.n != n:
            raise Stale(decision.n)
        self._not_paused()
        self._in_time(now)
        now = max(now, self.pos.time)
        event, cites = self._answer(decision, seat, act, now, ticket, origin, inputs)
        t.now = now
        self.go_on(event, cites, seat, inputs, act.kind)

    def _answer(
        self,
        decision: Decision,
        seat: int,
        act: Act,
        now: int,
        ticket: str,
        origin: str,
        inputs: Inputs,
    ) -> tuple[ev.DecisionMade, tuple[str, ...]]:
        """An answer to the open decision, and the rules that allow it; raises `Refused`."""
        offer, t = decision.offers.get(seat), self.with_names(inputs)
        if seat not in decision.seats or offer is None:
            raise Refused(self._refusal(t, seat, act, Misfit("not offered")))
        renewed = self._renewed(offer, t)
        answer = self._fitting(t, renewed or offer, seat, act)
        whole = act_of(renewed or offer, answer)  # what was left out decides, too
        cites = self.rules.cites(t, seat, whole)
        seen = seen_by_all(t.pos, renewed or offer, answer)
        lost = naming.forgotten(t.pos, self.rules.manifest, seat, whole)
        readers = decision.readers(seat)
        made = ev.DecisionMade(
            n=decision.n,
            seat=seat,
            answer=Sealed(readers, answer),
            ms=now - decision.time,
            origin=origin,
            ticket=Sealed(1 << seat, ticket),
            act=None if readers == EVERYONE else seen,
            stated=Sealed(OFFICIALS, naming.recorded(inputs, renewed, lost)),
        )
        return made, cites

    def _fitting(self, t: Table, offer: Offer, seat: int, act: Act) -> Answer:
        try:
            answer = fit(offer, act)
            if act.kind == "unknown":
                raise Misfit("not offered")
        except Misfit as misfit:
            naming.named_first(t.pos, seat, act, misfit)
            raise Refused(self._refusal(t, seat, act, misfit)) from None
        objection = self._unreadable(t, offer, answer, seat, act)
        if objection is not None:
            raise Refused(objection)
        return answer

    def interject(
        self,
        seat: int,
        kind: str,
        now: int,
        about: Ref = 0,
        picks: tuple[Ref, ...] = (),
        ticket: str = "",
        inputs: Inputs = NOTHING,
    ) -> None:
        """Do what stands open beside any decision: concede, tidy one's own trash."""
        self.playable()
        t = self.with_names(inputs)
        self._not_paused()
        self._in_time(now)
        act = Act(kind, about, (picks,))
        misfit = None if self.is_open_act(seat, kind, t.pos) else Misfit("not offered")
        refusal = self.rules.refusal(t, seat, act, misfit)
        if refusal is not None:
            raise Refused(refusal)
        cites = self.rules.cites(t, seat, act)
        self.table.now = max(now, self.pos.time)
        event = ev.Interjected(
            seat,
            kind,
            about,
            Sealed(EVERYONE if kind == "declare" else 1 << seat, picks),
            Sealed(1 << seat, ticket),
            Sealed(OFFICIALS, naming.recorded(inputs, None)),
        )
        self.go_on(event, cites, seat, inputs, kind)

    def set_auto_pass(
        self,
        seat: int,
        n: int,
        left: AutoPass,
        now: int,
        ticket: str = "",
        inputs: Inputs = NOTHING,
    ) -> None:
        """Set a seat's auto-pass, in place of the one that it has, if any.

        `n` is the open decision, of any seat: an auto-pass does not apply to a decision that the
        seat has not seen. If that is the seat's own and may be passed, it is passed. Raises like
        `choose`, and changes nothing then.
        """
        self.playable()
        t, decision = self.table, self.pos.decision
        if decision is None or self.pos.over:
            text = "there is nothing left to answer"
            raise Refused(refuse(text, autopass.RULE, fault="NOT_ASKED"))
        if decision.n != n:
            raise Stale(decision.n)
        self._not_paused()
        self._in_time(now)
        wrong = [*autopass.faults(left, self.rules.manifest)]
        if not 0 <= seat < self.rules.manifest.seats:
            wrong = [phrase("there is no seat {seat}", seat=seat)]
        if wrong:
            raise Refused(refuse(joined("; ", wrong), autopass.RULE, fault="BAD_AUTO_PASS"))
        had_set = self.auto_passes.get(seat)
        switch = had_set.switch if had_set is not None else None
        meant = replace(left, game=self.pos.game, began=self.pos.turn, switch=switch)
        before, self.auto_passes = self.auto_passes, {**self.auto_passes, seat: meant}
        had = naming.counted(self.pos, inputs)
        t.now, t.rolls = max(now, self.pos.time), list(inputs.rolls)
        try:
            self._answer_auto_passes(inputs, ticket)
        except Refused:
            self.auto_passes = before
            raise
        self.used_up()
        naming.listed(self.pos, self.rules, inputs, had)

    def withdraw_auto_pass(self, seat: int) -> None:
        """Withdraw the auto-pass of a seat, if there is one."""
        self.auto_passes = autopass.without(self.auto_passes, (seat,))

    def set_switch(self, seat: int, switch: Switch | None) -> None:
        """Set when a seat is asked, from the next decision on; None: always. Raises `Refused`."""
        self.playable()
        p = self.pos
        if switch is not None:
            wrong = [*switches.faults(switch, self.rules.manifest, p.heading.mode)]
            if wrong:
                text = joined("; ", wrong)
                raise Refused(refuse(text, autopass.RULE, fault="BAD_AUTO_PASS"))
            opened = p.decision.n if p.decision is not None else 0
            switch = replace(switch, since=opened)
        self.auto_passes = autopass.with_switch(self.auto_passes, seat, switch)

    def answer_paced(self, now: int) -> None:
        """Make the pass that a switch makes, if it is due; raises `Refused` if time has run out."""
        found = paced.next_paced(self.auto_passes, self.pos, self.rules.passes)
        if found is None or now < found.due or self.unfit is not None:
            return
        self._in_time(now)
        decision, t = self.pos.decision, self.table
        assert decision is not None
        event, cites = self._answer(
            decision, found.seat, found.act, max(now, self.pos.time), "", AUTO, NOTHING
        )
        t.now = max(now, self.pos.time)
        self.go_on(event, cites, found.seat, NOTHING, found.act.kind)

    def _answer_auto_passes(self, stated: Inputs, ticket: str = "") -> None:
        """Answer with what seats have left, for as long as it answers what is open by then.

        The first answer contains the statement and the ticket of the command that set it, by which
        it is found again.
        """
        t = self.table
        for _ in range(autopass.MOST if self.auto_passes else 0):
            found = autopass.next_pass(self.auto_passes, self.pos, self.rules)
            if found is None:
                return
            (seat, act), decision = found, self.pos.decision
            assert decision is not None
            event, cites = self._answer(decision, seat, act, t.now, ticket, AUTO, stated)
            self._take(event, cites, seat, act.kind)
            stated, ticket = stated.nameless(), ""

    def go_on(
        self, event: AnyEvent, cites: tuple[str, ...], by: int, inputs: Inputs, kind: str = ""
    ) -> None:
        """Take an input that is in order, with what was stated about what follows from it.

        `kind` is that of the act, if it is one of a seat.
        """
        self.table.rolls = list(inputs.rolls)
        had = naming.counted(self.pos, inputs)
        self._take(event, cites, by, kind)
        self._answer_auto_passes(inputs.nameless())
        self.used_up()
        if by != BY_OFFICIAL:  # who may record, too, what is in no list
            naming.listed(self.pos, self.rules, inputs, had)

    def _take(self, event: AnyEvent, cites: tuple[str, ...], by: int, kind: str) -> None:
        self.driver.take(self.table.input(event, *cites, by=by))
        if self.auto_passes:
            self.auto_passes = autopass.left_after(self.auto_passes, self.pos, self.rules, by, kind)

    def used_up(self) -> None:
        """Raise if a statement was not asked for."""
        if self.table.rolls or self.pos.named:
            text = "more was stated than came up: a card that was not turned up, or a roll"
            raise Misstated(refuse(text, "house:named", fault="NOT_ASKED"))

    def _chance(self, kind: str, of: int) -> tuple[int, ...]:
        """The outcome of chance: of the dice at a dealt table, as stated at a real one."""
        if self.pos.heading.mode != "table":
            if isinstance(self.dice, draws.Shared):
                heading = self.pos.heading
                seeds = [heading.seeds.get(seat, b"") for seat in range(len(heading.seats))]
                self.dice.settle(heading.commitment, seeds)
            return self.dice(kind, of)
        if kind == "shuffle":
            return ()
        if not self.table.rolls:
            raise RollRequired(kind, of)
        roll = self.table.rolls.pop(0)
        order = kind == "order" and sorted(roll) == list(range(of))
        if not order and not (kind != "order" and len(roll) == 1 and 0 <= roll[0] < of):
            text = "chance can't have fallen so: {kind}, of {of}"
            raise Misstated(refuse(text, "house:named", fault="BAD_ROLL", kind=kind, of=of))
        return roll

    def playable(self) -> None:
        """Make sure that this engine may go on with a match that has begun; raises `Refused`."""
        self.fit()
        if (waiting := beginning.refusal(self.pos)) is not None:
            raise Refused(waiting)

    def fit(self) -> None:
        """Make sure that this engine may go on with the match; raises `Refused`."""
        if self.unfit is not None:
            raise Refused(self.unfit)

    def _not_paused(self) -> None:
        """Make sure that the match does not stand still."""
        if self.pos.paused >= 0:
            raise Refused(STILL)

    def _in_time(self, now: int) -> None:
        """Make sure that it is not too late for a seat to act."""
        late = timekeeping.too_late(self.pos, now)
        if late is not None:
            raise Refused(late)

    def why_not(self, seat: int, act: Act, now: int = 0) -> Refusal | None:
        """Why a seat may not do this now, or at that time; None if it may."""
        if (halted := self.halted(now)) is not None:
            return halted
        decision = self.pos.decision
        offer = decision.offers.get(seat) if decision is not None else None
        if offer is not None and not self.is_open_act(seat, act.kind):
            try:
                return self._unreadable(self.table, offer, fit(offer, act), seat, act)
            except Misfit as misfit:
                return self._refusal(self.table, seat, act, misfit)
        return self.rules.refusal(self.table, seat, act)

    def halted(self, now: int) -> Refusal | None:
        """The reason why no seat may do anything now, or at that time, apart from the rules."""
        if (objection := self.unfit or beginning.refusal(self.pos)) is not None:
            return objection
        return STILL if self.pos.paused >= 0 else timekeeping.too_late(self.pos, now)

    def open_to(self, seat: int, names: Mapping[int, str]) -> Offer | None:
        """The offer of the open decision to a seat, if the cards are those named."""
        decision = self.pos.decision
        if decision is None:
            return None
        offer = decision.offers.get(seat)
        t = self.with_names(Inputs(names))
        return (self._renewed(offer, t) if offer is not None else None) or offer

    def with_names(self, inputs: Inputs) -> Table:
        """The table for questions, with cards as named.

        Raises `Refused` for a name that can't be.
        """
        return self.table.over(naming.named(self.pos, self.rules, inputs))

    def _renewed(self, offer: Offer, t: Table) -> Offer | None:
        """The present offer, if cards have been named since it was asked; None: unchanged."""
        news = t is not self.table or naming.outdated(self.pos, offer)
        return t.asked.renew(t) if t.asked.renew is not None and news else None

    def close(self) -> None:
        """Let go of what refers back to this match, so that its memory is free without a search.

        Nothing can be done with it any more.
        """
        self.driver.close()
        self.table.asked.renew = None
        del self.driver

    def collect(self) -> list[Entry]:
        """The entries added since the last call, in order."""
        out, self.table.out = self.table.out, []
        return out

    def _unreadable(
        self, t: Table, offer: Offer, answer: Answer, seat: int, act: Act
    ) -> Refusal | None:
        """The fault of a given text, if there is one: only the rulebook can read it."""
        texts = any(part.pool in TEXTS for part in offer.options[answer.option].parts)
        return self.rules.refusal(t, seat, act) if texts else None

    def is_open_act(self, seat: int, kind: str, pos: Position | None = None) -> bool:
        """Whether an act stands open to a seat beside any decision."""
        return any(kind == act.kind for act in self.rules.open_acts(pos or self.pos, seat))

    def _refusal(self, t: Table, seat: int, act: Act, misfit: Misfit | None = None) -> Refusal:
        refusal = self.rules.refusal(t, seat, act, misfit)
        assert refusal is not None, f"no rule forbids {act} and it is not on offer"
        return refusal
