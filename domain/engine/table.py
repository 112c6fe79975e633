"""The table: the verbs a rulebook plays with. Each emits an event and folds it at once.

Those for cards are in `verbs.cards`, what adds an event to the record in `verbs.emitter`. What
verbs need from outside (an answer, chance) they `yield` for: `Ask` and `Chance` (`signals`) are
answered by the `driver`. A verb that has nothing to do emits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from copy import copy

from domain.engine.signals import Ask
from domain.engine.verbs.cards import Cards
from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.entries import Entry, name_of
from domain.record.folding.digests import Digester
from domain.record.groups import Group
from domain.record.interventions import Paused
from domain.record.position import NOBODY, Position, Scheduled
from domain.record.schema import bounds
from domain.record.values import EVERYONE, OFFICIALS, Change, Ref, Sealed, Value


def _tellable(value: Value) -> Value:
    return bounds.within(value) if type(value) is int else value


class _Viewed(Digester):
    """What a table over a view has in place of a digester: no entry is folded into a view."""

    __slots__ = ()

    def fold(self, e: Entry) -> None:
        raise RuntimeError(f"{name_of(e.event)} on a view of the table, which is only asked things")


_VIEWED = _Viewed(Position())


class Table(Cards):
    """A position, the entries that were added to it, and the verbs that add them."""

    def stand_still(self, why: str) -> None:
        """Have the match stand still until an official has settled what does not end by itself."""
        if self.pos.paused < 0:
            self.emit(Paused(True, why), "house:endless")

    def over(self, pos: Position) -> Table:
        """The table over a view of its position (`Position.with_cards`), to be asked things.

        Nothing is played on it: what emits an event there raises `RuntimeError`.
        """
        if pos is self.pos:
            return self
        view = copy(self)
        view.pos, view.out, view.due = pos, [], copy(self.due)
        view.digester = _VIEWED
        return view

    # -- asking ----------------------------------------------------------------------------------

    def ask(
        self,
        seat: int,
        kind: str,
        offer: Offer | Callable[[Table], Offer],
        *cites: str,
        about: Ref = 0,
        public: bool = False,
    ) -> Generator[Ask, dict[int, Act], Act]:
        """Wait for one seat to choose; the act it chose.

        An offer that may depend on cards nobody has named is given as a function of the table, to
        be asked again once they are. `public` where neither the options nor the answer tell
        anything hidden: then all see them.
        """
        self.asked.renew = None if isinstance(offer, Offer) else offer
        offer = offer if isinstance(offer, Offer) else offer(self)
        self.asked.offers, self.asked.by = {seat: offer}, cites
        to = EVERYONE if public else 1 << seat
        digest = Sealed(OFFICIALS, self.digester.digest())
        n = self._number()
        self.asked.rested = n if self.at_rest else self.asked.rested
        self.emit(ev.DecisionOpened(n, (seat,), kind, about, self.at_rest, digest), *cites)
        self.emit(ev.OptionsOffered(n, seat, Sealed(to, offer)), *cites[:1])
        acts = yield _ASK
        return acts[seat]

    def resting_point(self) -> None:
        """Note that nothing is unfinished, so that the game can be gone on with from what is asked.

        The step of the position, begun again, comes to the same question and emits nothing before.
        """
        self.at_rest, self.running.since = True, 0

    def _number(self) -> int:
        """The next decision's number: no number is used twice, on any line."""
        if self.at < len(self.tail):
            event = self.tail[self.at].event
            if type(event) is ev.DecisionOpened and event.n > self.pos.decisions:
                return event.n
        return max(self.pos.decisions, self.asked.last) + 1

    # -- numbers ---------------------------------------------------------------------------------

    def counters(self, kind: str, n: int, *cites: str, src: Ref = "", dst: Ref = "") -> int:
        """Move up to `n` counters, as many as the source holds; how many that was.

        The number of counters is bounded (`house:bounds`).
        """
        if src != "":
            n = min(n, self.pos.counters(src, kind))
        if dst != "":
            n = min(n, bounds.RANGE - self.pos.counters(dst, kind))
        self._in_sight(src, dst)
        if n > 0:
            self.emit(ev.CountersMoved(kind, n, src, dst), *cites)
        return max(n, 0)

    def modify(
        self,
        source: Ref,
        targets: Iterable[Ref],
        change: Change,
        until: str,
        *cites: str,
        scope: Group | None = None,
    ) -> int:
        """Start a lasting effect; its id."""
        number = self.pos.next_modifier
        began = ev.ModifierBegan(number, source, tuple(targets), change, until, scope)
        self.emit(began, *cites)
        return number

    def end_modifiers(self, ids: Iterable[int], why: str, *cites: str) -> None:
        """End lasting effects."""
        self.emit(ev.ModifierEnded(tuple(ids), why), *cites)

    def expire(self, until: str, *cites: str) -> int:
        """End the lasting effects that last until then, at one moment; how many."""
        ids = tuple(key for key, m in self.pos.modifiers.items() if m.until == until)
        if ids:
            self.end_modifiers(ids, until, *cites)
        return len(ids)

    def stats(
        self,
        figures: Iterable[tuple[int, Mapping[str, Value]]],
        rule: Callable[[int, str, Value], str],
    ) -> bool:
        """Record all the derived numbers of these cards, those that changed; whether any did.

        `rule` says by which rule each of them is derived, of which card. Their values are bounded
        (`house:bounds`).
        """
        cards, changed = self.pos.cards, list[tuple[int, str, Value]]()
        for number, now in figures:
            was = cards[number].stats
            if now != was:
                for key in {**now, **was}:
                    value = _tellable(now.get(key))
                    if value != was.get(key):
                        changed.append((number, key, value))
        if changed:
            rules = dict.fromkeys(rule(*one) for one in changed)
            self.emit(ev.StatsSet(Sealed(EVERYONE, tuple(changed))), *rules)
        return bool(changed)

    def mark(self, subject: Ref, key: str, value: Value, *cites: str) -> None:
        """Note a fact, or erase it (None), unless it stands so already."""
        if self.pos.mark(subject, key) != value:
            self._in_sight(subject)
            self.emit(ev.Marked(subject, key, value), *cites)

    # -- effects ---------------------------------------------------------------------------------

    def trigger(
        self,
        effect: str,
        source: Ref,
        seat: int,
        cause: int,
        *cites: str,
        optional: bool = False,
        group: int = 0,
        about: Ref = 0,
    ) -> int:
        """An effect was triggered and waits, with those of a `group` or of its moment; its id.

        `about`: the card that it befell, where all can tell it from others.
        """
        number = self.pos.next_act
        self._in_sight(about)
        triggered = ev.EffectTriggered(number, effect, source, seat, cause, optional, group, about)
        self.emit(triggered, *cites)
        return number

    def group(self) -> int:
        """The group of all that triggers until the next waiting effect is carried out."""
        newest = max((act.group for act in self.pos.waiting()), default=0)
        return newest if newest > self.running.since else self.moment

    def declare(
        self,
        kind: str,
        source: Ref,
        seat: int,
        *cites: str,
        effect: str = "",
        targets: Iterable[Ref] = (),
        x: int = 0,
        speed: int = 0,
        mode: str = "",
    ) -> int:
        """Somebody declares an act; its id."""
        number = self.pos.next_act
        self.emit(
            ev.ActDeclared(number, kind, source, effect, seat, tuple(targets), x, speed, mode),
            *cites,
        )
        return number

    def resolve(self, act: int, *cites: str) -> None:
        """Begin to carry out a waiting effect or declared act, as a frame."""
        self.emit(ev.ActResolving(act, self.pos.next_frame), *cites)
        if self.pos.pending[act].kind == "triggered":
            self.running.since = self.moment

    def end_act(self, act: int, outcome: str, *cites: str) -> None:
        """A waiting effect or declared act is over."""
        self.emit(ev.ActEnded(act, outcome), *cites)

    def schedule(
        self,
        effect: str,
        source: Ref,
        seat: int,
        due: str,
        *cites: str,
        kind: str = "",
        turn: int = 0,
        whose: int = NOBODY,
        targets: Iterable[Ref] = (),
        x: int = 0,
    ) -> int:
        """Something is due later (`events.EffectScheduled`); its id, to lift it with."""
        number = self.pos.next_act
        self._in_sight(source, *(targets := tuple(targets)))
        self.emit(
            ev.EffectScheduled(number, kind, effect, source, seat, due, turn, whose, targets, x),
            *cites,
        )
        return number

    def come_due(self, when: str, *cites: str) -> list[Scheduled]:
        """The effects due now, oldest first: they no longer wait, and the game carries them out."""
        due = dict(self.pos.due(when))
        if due:
            self.emit(ev.ScheduleEnded(tuple(due), "resolved"), *cites)
        return list(due.values())

    def lift(self, ids: Iterable[int], *cites: str) -> None:
        """Cancel scheduled effects."""
        ids = tuple(number for number in ids if number in self.pos.scheduled)
        if ids:
            self.emit(ev.ScheduleEnded(ids, "void"), *cites)

    def not_done(
        self, what: str, ref: Ref, why: str, *cites: str, asked: int = 0, done: int = 0
    ) -> None:
        """Record that something asked for did not happen, or not wholly."""
        self.emit(ev.NotDone(what, ref, why, asked, done), *cites)


_ASK = Ask()
