"""Matches that wait to begin, and matches of events: their round, calls of judges.

A match of an event waits until its round starts, any other for an official's word. Then the
scorekeeper has it begin, and enters the outcome of chance before the first decision. The screen
(`screen`) asks for that, as for everything the service needs before it records something.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from domain.engine.opening import terms
from domain.record.decisions import Act
from domain.record.position import NOBODY, Position
from domain.scorekeeping.command import Command
from domain.scorekeeping.session import Session
from domain.telling import notices
from domain.tournament.record import RoundStarted
from domain.tournament.state import place_of
from domain.words.phrases import phrase
from replay_cli import cells
from replay_cli.output import say
from service.client.client import CallError, Client

#: Has the match begin; how chance fell is asked for by the service.
BEGIN = Command(NOBODY, Act("begin"), phrase("the match begins"))
#: How much of an event's name is shown, and seconds until its service is asked again.
NAME, RETRY = 24, 1.0
NO_EVENT = phrase("this match is of no event: no judge can be called")
CALLED = phrase("a judge is called to this table")


class Waiting:
    """Whether a match waits, for what, and whether it may begin."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.place = place_of(session.match)
        self.started = self.place is None  # the round
        self._closed = threading.Event()

    def close(self) -> None:
        """Wait no longer."""
        self._closed.set()

    @property
    def waits(self) -> bool:
        """Whether the match has not begun."""
        return bool(self.session.pos.heading.waits)

    @property
    def may_begin(self) -> bool:
        """Whether somebody who sits here may have it begin."""
        return self.session.pos.heading.waits == terms.OFFICIAL and self.started

    @property
    def text(self) -> str:
        """For what the match waits; empty once it has begun."""
        if not self.waits:
            return ""
        if self.may_begin:
            return say(phrase("not begun: Enter has it begin"))
        if self.place is None:
            heading = self.session.pos.heading
            why = notices.waiting(heading.waits, heading.labels)
            return say(phrase("not begun: {why}", why=why))
        return say(phrase("not begun: waits until round {n} starts", n=self.place[1]))

    def follow(self, events: Client, tell: Callable[[], None]) -> None:
        """Wait until the round has started, and tell it; blocks, for a thread of its own.

        Without an answer it is left to the service: the match may begin as far as is known here.
        """
        while self.place is not None and self.waits and not self._closed.is_set():
            event, number, _ = self.place
            try:
                for entry in events.watch_tournament(event):
                    if self._closed.is_set():
                        return None
                    if isinstance(entry.event, RoundStarted) and entry.event.round == number:
                        self.started = True
                        return tell()
            except CallError as error:
                if error.code not in ("UNAVAILABLE", "DEADLINE_EXCEEDED"):
                    self.started = True
                    return tell()
            except ValueError:  # the channel was closed beneath it
                return None
            self._closed.wait(RETRY)
        return None


def title(pos: Position) -> str:
    """The event, round and table of a match, as its labels say; empty: it is of none."""
    labels = pos.heading.labels
    if not notices.EVENT.issubset(labels):
        return ""
    found = phrase(
        "{event} · round {round} · table {table}", event=cells.cut(labels["event"], NAME),
        round=labels["round"], table=labels["table"],
    )  # fmt: skip
    return say(found)


def called(table: int, text: str) -> str:
    """The question before a judge is called."""
    if text.strip():
        found = phrase("call a judge to table {n}: {text}? – y", n=table, text=text.strip())
        return say(found)
    return say(phrase("call a judge to table {n}? (with the typed text) – y", n=table))
