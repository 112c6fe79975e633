"""The alternating window: players act or pass in turn, until enough of them in a row have passed.

An action step, an interruption, a chain and a Flash timing are settings of one `Window`. What may
be done in it is the game's to say (`offer`), and so is what is done then (`do`). Acts are carried
out at once; if the window has a step `resolve` they are declared instead and wait: the player who
did not declare the latest is asked, and once the window has closed all are carried out from the
latest down (`carry_out`).

Whose right to act it is lies in the record, and `priority` reads it there: in marks, and in the
acts that wait. A window with a `step` lies in a frame and asks once each time the step comes round,
so that a game can be gone on with at every asking. One without a step asks to the end within the
step that calls it, and something that comes in between has to `hold` whose right it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import negation
from domain.record.decisions import Act, Offer
from domain.record.position import Frame, Pending, Position

#: The act that does nothing in a window.
PASS = "pass"
#: The marks of a window, on its frame or on the match: the seat to act, how many have passed.
PRIORITY, PASSES = "priority", "passes"

Cites = tuple[str, ...]
#: What a seat may do in a window.
Offers = Callable[[Table, int], Offer]
#: Carries an act out, or declares it where acts wait.
Does = Callable[[Table, int, Act], Play | None]
#: Carries out an act that waited.
Carries = Callable[[Table, Pending], Play | None]


class Priority(NamedTuple):
    """Whose right to act it is, and how many have passed in a row."""

    seat: int
    passes: int = 0


def turn_player(p: Position) -> int:
    """The player whose turn it is, as who is asked first."""
    return p.turn_seat


def turn_rival(p: Position) -> int:
    """The player whose turn it is not, as who is asked first."""
    return p.rival(p.turn_seat)


class Rules(Struct, frozen=True, kw_only=True):
    """The citations of a window, by what happens in it."""

    #: why this seat is asked now, beside what is always cited
    cause: Callable[[Position, Priority], Cites]
    asks: Cites = ()
    #: its step is entered
    opens: Cites = ()
    #: the right to act goes to the other player
    hands: Cites = ()
    #: somebody acted: passes are counted again
    reopens: Cites = ()
    #: somebody passed, and the window stays open
    passes: Cites = ()
    #: enough have passed, and what waits is carried out
    closes: Cites = ()
    #: the window is over, and so is all that waited
    ends: Cites = ()


class Window(Struct, frozen=True, kw_only=True):
    """The settings of a window.

    `kind` is the decision that is asked, `closes` how many passes in a row close it. In a fresh
    window `first` is asked; where acts wait, the player who did not declare the latest. `follow` is
    done after each act, before anybody else may act. Acts in the window have speed `least` or more,
    and no less than that of the act they answer. With `between`, the window opens again after each
    act that waited, else all are carried out without one. `negation` is what the book says about
    negated acts, if any can be.
    """

    kind: str
    rules: Rules
    follow: Callable[[Table], Play]
    first: Callable[[Position], int] = turn_player
    closes: int = 2
    least: int = 0
    frame: str = ""
    step: str = ""
    resolve: str = ""
    between: bool = False
    negation: negation.Book | None = None

    # -- questions -------------------------------------------------------------------------------

    def priority(self, p: Position) -> Priority:
        """Whose right to act it is by the record."""
        subject = self._subject(p)
        passes, seat = p.mark(subject, PASSES), p.mark(subject, PRIORITY)
        n = passes if isinstance(passes, int) else 0
        return Priority(seat if isinstance(seat, int) else self._alternate(p, n), n)

    def latest(self, p: Position) -> Pending | None:
        """The act that was declared last and waits; None if none does."""
        acts = list(p.declared()) if self.resolve else []
        return acts[-1] if acts else None

    def frame_of(self, p: Position) -> Frame:
        """The frame in which the window lies."""
        return next(frame for frame in reversed(p.frames) if frame.kind == self.frame)

    def _subject(self, p: Position) -> str:
        return f"frame/{self.frame_of(p).id}" if self.frame else "match"

    def _alternate(self, p: Position, passes: int) -> int:
        """The seat to ask, if that depends only on the latest act and the passes since."""
        latest = self.latest(p)
        seat = self.first(p) if latest is None else p.rival(latest.seat)
        return p.rival(seat) if passes % 2 else seat

    # -- asking ----------------------------------------------------------------------------------

    def begin(self, t: Table, *cites: str, by: int = 0) -> None:
        """Open the frame of a window and its results; `by` is the card that acts."""
        t.open_frame(self.frame, *cites, **({"card": by} if by else {}))

    def open(self, t: Table, passed: int = 0) -> Play:
        """Let players act, and answer what was just declared, if anything was.

        Who opens it by announcing that something ends may have `passed` with that.
        """
        yield from self.follow(t)
        self._enter(t, Priority(self._alternate(t.pos, passed), passed))

    def ask_once(self, t: Table, offer: Offers, do: Does) -> Play:
        """Ask once; whether the window is over. If not, its step or that of `resolve` follows."""
        p, holds = t.pos, self.priority(t.pos)
        acted = yield from self._ask(t, holds, offer, do)
        passes = 0 if acted else holds.passes + 1
        if passes < self.closes:
            self._enter(t, Priority(p.rival(holds.seat), passes))
        elif self.latest(p) is not None:
            go(t, self.resolve, *self.rules.closes)
        else:
            t.close_frame(self.frame_of(p).id, *self.rules.ends)
            return True
        return False

    def ask_until_closed(self, t: Table, offer: Offers, do: Does) -> Play:
        """Ask until enough have passed, in the step that calls; whether they have.

        An act that enters another step leaves the window.
        """
        holds, step = self.priority(t.pos), t.pos.step
        while holds.passes < self.closes:
            acted = yield from self._ask(t, holds, offer, do)
            if t.pos.step != step:
                return False
            holds = Priority(t.pos.rival(holds.seat), 0 if acted else holds.passes + 1)
        return True

    def hold(self, t: Table) -> None:
        """Note whose right it is in a window without a step: something comes in between."""
        decision = t.pos.decision
        if decision is not None and decision.kind == self.kind:
            t.mark(self._subject(t.pos), PRIORITY, decision.seats[0], *self.rules.hands)

    def _ask(self, t: Table, holds: Priority, offer: Offers, do: Does) -> Play:
        """Ask a seat, and let it be done; whether anything was."""
        p, seat = t.pos, holds.seat
        latest, cites = self.latest(p), (*self.rules.cause(p, holds), *self.rules.asks)
        about = latest.source if latest is not None else 0

        def offers(now: Table) -> Offer:
            return offer(now, seat)

        act = yield from t.ask(seat, self.kind, offers, *cites, about=about)
        if not self.step:
            t.mark(self._subject(p), PRIORITY, None, *self.rules.hands)
        if act.kind == PASS:
            return False
        yield from _done(do(t, seat, act))
        yield from self.follow(t)
        return True

    def _enter(self, t: Table, holds: Priority) -> None:
        """Note whose right it is, where it does not follow from what waits, and enter the step."""
        p, rules = t.pos, self.rules
        subject = self._subject(p)
        why = rules.passes if holds.passes else rules.reopens
        t.mark(subject, PASSES, holds.passes or None, *why)
        if self.between or not self.resolve:
            t.mark(subject, PRIORITY, holds.seat, *rules.hands)
        if p.step != self.step:
            go(t, self.step, *rules.cause(p, holds), *rules.opens)

    # -- what waits ------------------------------------------------------------------------------

    def carry_out(
        self,
        t: Table,
        carriers: Mapping[str, Carries],
        after: Mapping[str, Callable[[Table, Pending], None]],
    ) -> Play:
        """Carry out the latest act that waits; the step comes round until none does.

        `carriers` and `after` are by kind of act: what carries it out, and where the game goes on
        once everything is done, if that act was the one at the bottom, or the lowest that was left.
        """
        p, act = t.pos, self.latest(t.pos)
        assert act is not None
        frame, waiting = self.frame_of(p).id, list(p.declared())
        if self.negation is None or not negation.ended(t, act, self.negation):
            yield from _done(carriers[act.kind](t, act))
        yield from self.follow(t)
        if len(waiting) == 1 or not any(p.declared()):  # it may have negated all the others
            t.close_frame(frame, *self.rules.ends)
            after[waiting[0].kind](t, waiting[0])
        elif self.between:
            self._enter(t, Priority(self.first(p)))


def _done(doing: Play | None) -> Play:
    """Wait for what may ask somebody; what can't is done already."""
    if doing is not None:
        yield from doing
