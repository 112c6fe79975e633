"""Menus: what a seat may do at a decision, as numbered actions of a space of fixed size.

An option of the offer is chosen first, then the picks of its parts one after the other, for as long
as there is a choice (`domain.record.fitting.steps`); the last of these actions completes the act.
A list that is longer than the space comes in pages, and the last action turns to the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from domain.record.decisions import NUMBER, SECRET, TEXT, Act, Misfit, Offer, Option
from domain.record.fitting.steps import Picks, Step, step
from domain.record.fitting.usual import paid, payment
from domain.record.values import Ref

#: How many actions there are; no ready-made deck has needed a second page yet.
ACTIONS = 64
#: The sorts of lines: an option, a pick, a number that is picked, no more picks, the next page.
OPTION, PICK, AMOUNT, DONE, PAGE = 1, 2, 3, 4, 5


class IllegalAction(ValueError):
    """An action that the mask rules out."""


class Line(NamedTuple):
    """A line of a menu: its sort, the option or what is picked."""

    sort: int
    option: Option | None = None
    ref: Ref = 0


class Menu:
    """The actions of one seat at one decision, and how far its act is built."""

    def __init__(self, offer: Offer, *, payments: bool = False) -> None:
        """`payments`: what pays is picked as well, and not as it usually is.

        Raises `ValueError` where nothing can be done without writing a text.
        """
        self.offer, self.payments = offer, payments
        self.option: Option | None = None
        self.now = Step(0, ())
        self.page = 0
        options = [one for one in offer.options if all(part.pool != TEXT for part in one.parts)]
        if not options:
            raise ValueError("this decision asks for a text, which no action can write")
        self._all: Sequence[Line] = [Line(OPTION, one) for one in options]
        #: What each action means now, up to the last that means anything; None: nothing.
        self.lines: Sequence[Line | None] = self._shown()

    def _shown(self) -> Sequence[Line | None]:
        """The lines of this page."""
        room = ACTIONS - 1
        if len(self._all) <= room:
            return self._all
        found: list[Line | None] = [
            line if self._possible(line) else None
            for line in self._all[self.page * room : (self.page + 1) * room]
        ]
        return [*found, *[None] * (room - len(found)), Line(PAGE)]

    @property
    def part(self) -> str:
        """The name of the part that is being picked; empty: an option is chosen."""
        return self.option.parts[self.now.at].name if self.option is not None else ""

    def take(self, action: int) -> Act | None:
        """Carry out an action: the act, if that completes it. Raises `IllegalAction`."""
        line = self.lines[action] if 0 <= action < len(self.lines) else None
        if line is None:
            raise IllegalAction(f"action {action} is not legal here: see the mask")
        if line.sort == PAGE:
            self.page = (self.page + 1) % -(-len(self._all) // (ACTIONS - 1))
            self.lines = self._shown()
            return None
        if line.option is not None:
            self.option = line.option
            if not self.option.parts or self._is_settled(self.option, Step(0, ())):
                return self.option.act()
            return self._go_on(step(self.offer, self.option))
        assert self.option is not None
        return self._go_on(self._after(self.option, line))

    def _after(self, option: Option, line: Line) -> Step:
        """How far the act is once that is picked; raises `Misfit`."""
        at, picks = self.now.at, self.now.picks
        before, picked = picks[:at], picks[at] if len(picks) > at else ()
        if line.sort == DONE:
            return step(self.offer, option, (*before, picked), at + 1)
        closed = at + (option.parts[at].pool == NUMBER)
        return step(self.offer, option, (*before, (*picked, line.ref)), closed)

    def _go_on(self, now: Step) -> Act | None:
        option = self.option
        assert option is not None
        while now.at < len(option.parts):
            if self._is_settled(option, now):
                return option.act(now.picks[: now.at])
            now = now if self.payments else paid(self.offer, option, now)
            if now.at == len(option.parts) or option.parts[now.at].pool != SECRET:
                break
            secret: Picks = (*now.picks[: now.at], ("",))  # of any kind, it stands as it is
            now = step(self.offer, option, secret, now.at + 1)
        if now.at == len(option.parts):
            return option.act(now.picks)
        self.now, self.page = now, 0
        self._all = self._choices(option, now)
        self.lines = self._shown()
        return None

    def _is_settled(self, option: Option, now: Step) -> bool:
        """Whether all that is left of an act is payment, which need not be said."""
        if self.payments or (len(now.picks) > now.at and now.picks[now.at]):
            return False
        return payment(option).issuperset(range(now.at, len(option.parts)))

    def _choices(self, option: Option, now: Step) -> Sequence[Line]:
        part = option.parts[now.at]
        if part.pool == NUMBER:
            numbers = now.can or range(part.low, part.high + 1)
            return [Line(AMOUNT, ref=n) for n in numbers]
        done = [Line(DONE)] if now.enough else []
        return [*(Line(PICK, ref=ref) for ref in now.can), *done]

    def _possible(self, line: Line) -> bool:
        """Whether a number of a long range can be picked: only those of a page are tried."""
        if line.sort != AMOUNT or self.now.can or self.option is None:
            return True
        with suppress(Misfit):
            self._after(self.option, line)
            return True
        return False
