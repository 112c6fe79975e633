"""The connection to the service: sends commands, receives entries, survives interruptions.

One command is under way at a time. Its `request_id` lets it be sent again until it is known to be
recorded, and it is recorded once. Entries are requested after the last known one. Both calls block
and run in threads of their own; `on_change` is called from them when the service is lost or back.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.officials import acts
from domain.officials.acts import OfficialAct
from domain.record.entries import Entry
from domain.record.points import Point
from domain.record.proof.chain import Head
from domain.scorekeeping.command import Command, Outcome, Recorded, Rejected, Trial
from domain.scorekeeping.sending import by_official, refused
from service import wire
from service.client.client import CallError, Client

#: Seconds between two tries, and between two looks at whether the stream has missed something.
RETRY, POLL = 0.3, 5.0
#: What may have been recorded or not: sent again under the same name until that is known.
UNCERTAIN = ("UNAVAILABLE", "DEADLINE_EXCEEDED")


class Link:
    """A match at a service."""

    def __init__(
        self, service: Client, match: str, on_change: Callable[[bool], None] = lambda online: None
    ) -> None:
        self.service, self.match = service, match
        self.online = True
        self.on_change = on_change
        self.head: Head | None = None  # after the last entries that came, once that was shown
        self.on_head: Callable[[], None] = lambda: None
        self._closed = threading.Event()

    def close(self) -> None:
        """Give up waiting."""
        self._closed.set()

    # -- commands --------------------------------------------------------------------------------

    def send(self, command: Command, decision: int) -> Outcome | None:
        """Have a command recorded, as the answer to a decision; returns the outcome.

        Tries until it is known. None: closed before it was.
        """
        if command.auto_pass is not None:
            return self.retried(lambda name: self._leave(command, decision, name))
        act = by_official(command, decision)
        if act is not None:
            return self.record(act)
        if command.withdraws:
            return self.retried(
                lambda _: self.service.withdraw_auto_pass(self.match, seat=command.seat)
            )
        if command.interjected:
            return self.retried(lambda name: self._interject(command, name))
        return self.retried(lambda name: self._choose(command, decision, name))

    def retried(self, call: Callable[[str], Any]) -> Outcome | None:
        """Make a call, under a name that repeats share, until its outcome is known."""
        name = uuid.uuid4().hex
        while not self._closed.is_set():
            try:
                done = call(name)
            except CallError as error:
                if error.code not in UNCERTAIN:
                    self._reached(True)
                    return refused(error.reason, error.text, error.metadata)
                self._reached(False)
                self._closed.wait(RETRY)
            else:
                self._reached(True)
                return Recorded(getattr(done, "last_seq", 0))
        return None

    def record(self, act: OfficialAct) -> Outcome | None:
        """Have an act recorded, as an official does."""
        return self.retried(
            lambda name: self.service.record(self.match, replace(act, request_id=name))
        )

    def undo(self, decision: int) -> Outcome | None:
        """Take back one's last entry; `decision` is the one that is open now."""
        return self.record(acts.UndoEntry(open_decision=decision))

    def begin(self, command: Command) -> Outcome | None:
        """Have a match begin that waits; the command says how chance fell."""
        return self.record(acts.BeginMatch(rolls=command.rolls))

    def call_judge(self, event: str, table: int, text: str) -> Outcome | None:
        """Call a judge to a table of an event."""
        return self.retried(
            lambda name: self.service.raise_call(event, table, text, request_id=name)
        )

    def _choose(self, command: Command, decision: int, name: str) -> Any:
        return self.service.choose(
            self.match, decision, command.act, name,
            seat=command.seat, names=command.names, rolls=command.rolls, implied=command.implied,
            passes=command.passes, ends=bool(command.ends),
        )  # fmt: skip

    def _leave(self, command: Command, decision: int, name: str) -> Any:
        left = command.auto_pass
        assert left is not None
        return self.service.set_auto_pass(
            self.match, decision, until_turn_ends=left.turn, until_rival_acts=left.rival,
            steps=left.steps, seat=command.seat, request_id=name, names=command.names,
            rolls=command.rolls,
        )  # fmt: skip

    def _interject(self, command: Command, name: str) -> Any:
        return self.service.interject(
            self.match, command.act, name,
            seat=command.seat, names=command.names, rolls=command.rolls,
        )  # fmt: skip

    # -- entries ---------------------------------------------------------------------------------

    def fetch(self, after: int) -> list[Entry]:
        """The entries after number `after`, now; raises `CallError`."""
        return list(self.service.events(self.match, Point(seq=after + 1)))

    def foresee(self) -> tuple[int, list[Entry], bool] | None:
        """Where passes lead from the open decision; None if the service can't say so now."""
        try:
            return self.service.foresee(self.match, ends=True)
        except (CallError, ValueError):
            return None

    def trial(self, command: Command) -> Trial | None:
        """The trial of a command, without recording it; None if unknown."""
        try:
            found = self.service.why_not(
                self.match, command.act, command.seat,
                names=command.names, passes=command.passes, ends=bool(command.ends),
            )  # fmt: skip
        except (CallError, ValueError):
            return None
        offer = wire.offer_of(found.offer) if found.HasField("offer") else None
        if found.allowed:
            return Trial(None, offer)
        return Trial(Rejected(found.reason, found.text, tuple(found.rules)), offer)

    def catch_up(self, after: int, upto: int) -> list[Entry]:
        """The entries after number `after`, entry `upto` among them; fewer if closed before."""
        while not self._closed.is_set():
            try:
                entries = self.fetch(after)
            except CallError as error:
                self._reached(error.code not in UNCERTAIN)
                if not upto:
                    break
            else:
                self._reached(True)
                if (entries[-1].seq if entries else after) >= upto:
                    return entries
            self._closed.wait(RETRY)
        return []

    def follow(self, after: int, deliver: Callable[[list[Entry]], None]) -> None:
        """Deliver the entries after number `after` and those to come, until closed.

        A match that is over may be corrected, or go on after all.
        """
        while not self._closed.is_set():
            try:
                following = self.service.watch(
                    self.match, after, patience=0.0, stay=True, on_head=self._head_came
                )
                for entry in following:
                    self._reached(True)
                    deliver([entry])
                    after = entry.seq
                    if self._closed.is_set():
                        return
                return
            except CallError as error:
                lost = error.code in UNCERTAIN
                self._reached(not lost)
                self._closed.wait(RETRY if lost else POLL)
            except ValueError:  # the channel was closed beneath it
                return

    def poll(self, after: int, deliver: Callable[[list[Entry]], None]) -> None:
        """Look once whether the stream has missed anything, and whether there is a service."""
        try:
            entries = self.fetch(after)
        except CallError as error:
            self._reached(error.code not in UNCERTAIN)
            return
        except ValueError:
            return
        self._reached(True)
        if entries:
            deliver(entries)

    def _head_came(self, head: Head) -> None:
        self.head = head
        self.on_head()

    def _reached(self, online: bool) -> None:
        if online != self.online and not self._closed.is_set():
            self.online = online
            self.on_change(online)


def in_thread(call: Callable[..., None], *args: Any) -> None:
    """Call something in a daemon thread: the program ends without waiting for it."""
    threading.Thread(target=call, args=args, daemon=True).start()
