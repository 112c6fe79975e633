"""The emitter: a position and the entries that were added to it, one event at a time.

`emit` adds an event and folds it at once. While a match is being resumed, it holds the
rest of the record (`tail`) and every event must be the one that stands there: the first difference
raises `Diverged`. So the same rulebook code plays a match, resumes it and verifies it. The verbs
that rulebooks play with are in `table` and `cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from domain.engine.signals import Diverged, Unending
from domain.engine.verbs.progress import Asked, Due, Running
from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry
from domain.record.folding.digests import Digester, touches_zones
from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.record.values import BY_OFFICIAL, EVERYONE, RULES, TABLE, Fact, Ref

#: Events after which no derived number and no rule process can be due; after all others one may,
#: and a match that goes on looks, as one that was resumed does. A game takes some of them out
#: (`Game.touching`): after those constant texts may begin or end, and numbers change with them.
_QUIET = frozenset(
    {
        ev.StepBegan, ev.FrameOpened, ev.FrameClosed, ev.DecisionOpened, ev.OptionsOffered,
        ev.DecisionMade, ev.Interjected, ev.StatsSet, ev.EffectTriggered, ev.ActDeclared,
        ev.ActResolving, ev.ActEnded, ev.NotDone, ev.EffectScheduled, ev.ScheduleEnded,
        ev.DamageDealt, ev.ChanceDrawn,
    }
)  # fmt: skip


class Emitter:
    """A position, the entries that were added to it, and what adds them."""

    def __init__(
        self, pos: Position, manifest: Manifest, tail: Sequence[Entry] = (), last: int = 0
    ) -> None:
        self.pos = pos
        self.digester = Digester(pos)
        self.manifest = manifest
        self._numbers = manifest.numbers
        self.tail = tail
        self.last = last or pos.seq  # of the whole log, abandoned lines included
        self.at = 0  # how much of the tail has been run
        self.now = pos.time
        self.out: list[Entry] = []
        self.most = 0  # so many of them at once are one too many; 0: any number may be
        self.at_rest = False
        self.rolls: list[tuple[int, ...]] = []  # how chance fell at a real table, as was stated
        self.game: Any = None  # what carries its rules out: the rulebook of the driver
        self.due, self.running, self.asked = Due(), Running(), Asked()
        self._quiet: Collection[type] = _QUIET
        self._numbered: Collection[str] = ()  # the zones whose cards have numbers; none: any may
        self._watched: frozenset[type[AnyEvent]] = frozenset()  # events that set texts off
        self.objects: Callable[[Entry], bool] | None = None  # to inputs of the tail, if asked
        self._batch = 0  # the moment that open batches share; 0 outside one
        self._speaker = RULES  # by whom the verbs emit

    # -- emitting --------------------------------------------------------------------------------

    def emit(self, event: AnyEvent, *cites: str, by: int | None = None) -> Entry:
        """Add an event to the record, cited, and fold it; the author is the present one."""
        p = self.pos
        if self._numbers is not None:
            cites = self._numbers.cited(cites)
        frames = p.frames
        resuming = self.at < len(self.tail)
        entry = Entry(
            self.tail[self.at].seq if resuming else self.last + 1,
            self.now,
            self._batch or p.moment + 1,
            frames[-1].id if frames else 0,
            self._speaker if by is None else by,
            cites,
            event,
        )
        if resuming:
            recorded = self.tail[self.at]
            if entry != recorded:
                raise Diverged(recorded.seq, recorded, entry)
            self.at += 1
        else:
            self.out.append(entry)
            self.last = entry.seq
            if len(self.out) == self.most:
                raise Unending(self.most)
        self.at_rest = False
        kind = type(event)
        if kind not in self._quiet:
            self._touch(event)
        self.digester.fold(entry)
        if kind in self._watched:
            self._occurred(entry)
        return entry

    def play_by(self, game: Any) -> None:
        """From here on a game's rules are carried out; what it says occurs sets off its texts."""
        self.game = game
        self._quiet = _QUIET.difference(game.touching)
        self._numbered = game.numbered
        self._watched = game.occurrences.events if game.occurrences is not None else frozenset()

    def _touch(self, event: AnyEvent) -> None:
        due = self.due
        due.touched = True
        if type(event) not in _QUIET:
            due.changed = True
            due.numbers = due.numbers or touches_zones(self.pos, event, self._numbered)

    def _occurred(self, entry: Entry) -> None:
        self.game.occurrences.note(self, entry)
        if self.running.noted and not self._batch:  # it was a moment of its own
            self._batch = entry.moment
            try:
                self.set_off()
            finally:
                self._batch = 0

    def set_off(self, order: Sequence[int] = ()) -> None:
        """Set off the texts that wait for an occurrence: now, not when the batch ends.

        `order`: that of the cards that it befell, where it is not that in which it was recorded.
        """
        if self.running.noted:
            self.game.occurrences.set_off(self, order)

    def input(self, event: AnyEvent, *cites: str, by: int) -> AnyEvent:
        """Take what comes from outside: from the record while resuming, else this event."""
        if self.at < len(self.tail):
            entry = self.tail[self.at]
            moment = self._batch or self.pos.moment + 1
            timely = entry.moment == moment or entry.by in (BY_OFFICIAL, TABLE)  # several at once
            placed = entry.input and timely and entry.frame == self.pos.frame
            if not placed or (cites and entry.cites != self.manifest.cited(cites)):
                raise Diverged(entry.seq, entry, None)
            if self.objects is not None and self.objects(entry):
                raise Diverged(entry.seq, entry, None)
            self.at += 1
            self.now = entry.time
            self.at_rest = False
            if type(entry.event) not in self._quiet:
                self._touch(entry.event)
            self.digester.fold(entry)
            return entry.event
        self.emit(event, *cites, by=by)
        return event

    @property
    def moment(self) -> int:
        """The moment of the open batch, or else of the last entry."""
        return self._batch or self.pos.moment

    @property
    def unsettled(self) -> bool:
        """Whether anything was touched, or damaged, since the rules settled."""
        return self.due.touched or bool(self.due.damage)

    @property
    def resuming(self) -> bool:
        """Whether part of the record is still to be run again."""
        return self.at < len(self.tail)

    def at_once(self) -> AbstractContextManager[None]:
        """Everything emitted within happens at one moment, and what it sets off triggers then."""
        return _WITHIN if self._batch else _Batch(self)

    def begin_batch(self) -> None:
        """From here on everything happens at one moment (`at_once`)."""
        self._batch = self.pos.moment + 1

    def end_batch(self, failed: bool) -> None:
        """Complete a moment, and set off the texts that wait for it, if nothing failed."""
        try:
            if not failed:
                self.set_off()
        finally:
            self._batch = 0
            self.running.noted.clear()

    @contextmanager
    def speaking(self, by: int) -> Iterator[None]:
        """Everything that is emitted within is by somebody else than the rules."""
        was, self._speaker = self._speaker, by
        try:
            yield
        finally:
            self._speaker = was

    def open_frame(self, kind: str, *cites: str, cause: int = 0, **facts: Fact) -> int:
        """Open a frame that outlasts this step; its id, to close it with."""
        p = self.pos
        number = p.next_frame
        self.emit(ev.FrameOpened(number, kind, p.frame, cause or p.seq, facts), *cites)
        return number

    def close_frame(self, number: int, *cites: str, outcome: str = "") -> None:
        """Close a frame."""
        self.emit(ev.FrameClosed(number, outcome), *cites)

    # -- what may be told ------------------------------------------------------------------------

    def in_sight(self, ref: Ref) -> bool:
        """Whether all can tell what this is from others: no card that lies hidden among some."""
        card = self.pos.cards.get(ref) if isinstance(ref, int) else None
        return card is None or card.follow == EVERYONE

    def _in_sight(self, *refs: Ref) -> None:
        for ref in refs:
            if not self.in_sight(ref):
                raise ValueError(f"@{ref} lies hidden: it can't be named before all")


class _Batch:
    """The outermost `at_once`; a class, since generators cost more than what is done within."""

    __slots__ = ("t",)

    def __init__(self, t: Emitter) -> None:
        self.t = t

    def __enter__(self) -> None:
        self.t.begin_batch()

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        self.t.end_batch(kind is not None)


_WITHIN = nullcontext()
