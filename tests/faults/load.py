"""The load under which faults are made: people at tables, each command to a server of its own.

A table is a match of the toy game with players (several of them for both seats, so that commands
meet), an official who rules and rewinds, and followers who resume at their last entry, each at
another server whenever his fails. Whoever has no answer sends the same request id again, elsewhere.
Everything goes into the `journal`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from threading import Event, Lock, Thread
from typing import Any

import grpc
from kifu.v1 import match_service_pb2 as pb

from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened, connect
from service.client.playing import Commands, Playing
from tests.faults.journal import (
    UNSTATED,
    Journal,
    Outcome,
    Page,
    Stands,
    Took,
    Unknown,
    opens,
)

#: How long a command may take until its sender asks elsewhere, in seconds.
TIMEOUT = 1.5
#: How long people think, in seconds; what lies between two looks of an official.
THINKS, LOOKS_UP = (0.0, 0.06), (0.1, 0.7)
#: How long they wait before they ask again, in seconds.
RETRY = (0.02, 0.3)
PLAYERS, FOLLOWERS = 3, 3
#: After how long without faults all must be well, in seconds.
CALM = 60.0
#: How often a player answers out of turn, answers a decision of before, or goes away unanswered.
HASTY, LATE, LEAVES = 0.1, 0.04, 0.1
#: How often a player orders his trash, which he may do at any time.
TIDIES = 0.06


class Patient(Client):
    """Asks again for what may be asked twice: a busy database may be away for moments."""

    def call(self, method: Callable[..., Any], request: Any, timeout: float | None = None) -> Any:
        """A call, and for a while the same again if it is `UNAVAILABLE`."""
        until = time.monotonic() + CALM
        while True:
            try:
                return super().call(method, request, timeout)
            except CallError as error:
                if error.code != "UNAVAILABLE" or time.monotonic() > until:
                    raise
                time.sleep(error.after or RETRY[1])


class Desk:
    """Where people send what they do: every server, through its link."""

    def __init__(self, addresses: Sequence[str], token: str, journal: Journal) -> None:
        channels = [connect(address)._channel for address in addresses]
        self.organisers = [Client(channel, token, TIMEOUT) for channel in channels]
        self.patient = [Patient(channel, token) for channel in channels]
        self.journal = journal
        self._names, self._lock = count(1), Lock()

    def name(self) -> str:
        """A request id that nobody else has."""
        with self._lock:
            return f"r{next(self._names)}"

    def close(self) -> None:
        for client in self.organisers:
            client.close()


class Table(Thread):
    """Somebody who does something over and over, until he is told to stop or has done with it."""

    def __init__(self, desk: Desk, opened: Opened, rng: Random, stopping: Event) -> None:
        super().__init__(daemon=True)
        self.desk, self.opened, self.rng, self.stopping = desk, opened, rng, stopping
        self.wrong: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.stopping.is_set() and self.act():
                pass
        except BaseException as error:
            self.wrong = error

    def act(self) -> bool:
        """Do it once; whether there is more to do."""
        raise NotImplementedError

    def at(self, server: int, token: str) -> Client:
        """A client at a server."""
        return self.desk.organisers[server].with_token(token)

    def by(self, server: int, token: str) -> Any:
        """What commands are sent by to a server."""
        return self.at(server, token)

    def server(self, but: int = -1) -> int:
        """Any server, or any other one."""
        others = [n for n in range(len(self.desk.organisers)) if n != but]
        return self.rng.choice(others or [0])

    def look(self, token: str) -> tuple[Stands, Any] | None:
        """How the match stands, and its position; None if nobody says."""
        server, seen = self.server(), list[Any]()

        def call() -> Stands:
            pos = self.at(server, token).position(self.opened.id)
            seen.append(pos)
            return Stands(pos.seq, pos.decision.n if pos.decision is not None else 0)

        found = self.desk.journal.note(self.opened.id, "", 0, server, call)
        if isinstance(found, Stands):
            return found, seen[0]
        time.sleep(self.rng.uniform(*RETRY))
        return None

    def send(self, token: str, asked: int, command: Callable[[Any, str], Any]) -> Outcome:
        """Send a command until somebody says what became of it, or its sender goes away."""
        name, server, found = self.desk.name(), self.server(), Unknown("", "")
        while True:

            def call(server: int = server) -> Took:
                done = command(self.by(server, token), name)
                return Took(done.first_seq, done.last_seq, opens(done) if asked else UNSTATED)

            outcome = self.desk.journal.note(self.opened.id, name, asked, server, call)
            if not isinstance(outcome, Unknown):
                return outcome
            if self.stopping.is_set() or self.rng.random() < LEAVES:
                return found
            server = self.server(server)
            time.sleep(self.rng.uniform(*RETRY))


class Player(Table):
    """A player who answers for both seats; so do others at the same table.

    Every other one sends his commands on streams, which he opens again when they break.
    """

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self._streams = dict[tuple[int, str], Playing]()
        self._streaming = self.rng.random() < 0.5

    def run(self) -> None:
        super().run()
        for stream in self._streams.values():
            stream.close()

    def by(self, server: int, token: str) -> Commands:
        client = self.at(server, token)
        if not self._streaming:
            return client
        if (server, token) not in self._streams:
            self._streams[server, token] = client.playing()
        return self._streams[server, token]

    def act(self) -> bool:
        rng = self.rng
        time.sleep(rng.uniform(*THINKS))
        seat = rng.randrange(2)
        token = self.opened.seats[seat]
        found = self.look(token)
        if found is None:
            return True
        stands, pos = found
        if pos.over:
            return False
        if pos.decision is None:
            return True
        trash = tuple(pos.zone("trash", seat))
        if trash and rng.random() < TIDIES:
            act = Act("reorder", f"trash/{seat}", (tuple(rng.sample(trash, len(trash))),))
            self.send(token, 0, lambda client, name: client.interject(self.opened.id, act, name))
            return True
        offer = pos.decision.offers.get(seat)
        n, act = stands.decision, Act("pass")
        if offer is not None:
            act = rng.choice(offer.options).act()
        elif rng.random() > HASTY:
            return True
        if n > 1 and rng.random() < LATE:
            n -= 1
        self.send(token, n, lambda client, name: client.choose(self.opened.id, n, act, name))
        return True


class Official(Table):
    """An official, who rules and takes the match back."""

    def act(self) -> bool:
        rng, match, token = self.rng, self.opened.id, self.opened.official
        if self.stopping.wait(rng.uniform(*LOOKS_UP)):
            return False
        found = self.look(token)
        if found is None:
            return True
        (_, n), pos = found
        if pos.over:
            return False
        if n < 3 or rng.random() < 0.4:
            self.send(token, 0, lambda c, name: c.rule(match, "so it stands", request_id=name))
            return True
        to = rng.randrange(max(1, n - 3), n)
        self.send(
            token,
            n,
            lambda c, name: c.rewind(match, to, "a slip", open_decision=n, request_id=name),
        )
        return True


class Follower(Table):
    """Somebody who follows, and goes on where he was whenever his server fails."""

    def __init__(self, number: int, token: str, *rest: Any) -> None:
        super().__init__(*rest)
        self.number, self.token, self.after = number, token, 0
        self.place = number
        self.call: Any = None

    def act(self) -> bool:
        client = self.at(self.place % len(self.desk.organisers), self.token)
        request = pb.WatchEventsRequest(match_id=self.opened.id, after_seq=self.after)
        try:
            self.call = client.matches.WatchEvents(request, metadata=client._metadata)
            for message in self.call:
                self._take(message)
                if message.HasField("ended"):
                    return False
            return False
        except grpc.RpcError:
            self.place += self.rng.randrange(1, 3)
            time.sleep(0.1)
            return True

    def _take(self, message: Any) -> None:
        if not message.entries:
            return
        shown = tuple(one.SerializeToString(deterministic=True) for one in message.entries)
        page = Page(message.entries[0].seq, shown, time.monotonic())
        self.desk.journal.saw(self.opened.id, self.token, str(self.number), page)
        self.after = message.entries[-1].seq

    def cancel(self) -> None:
        """End it, wherever it is."""
        with suppress(Exception):
            self.call.cancel()


class Load:
    """Tables, as many at a time as were asked for; a new match is opened where one is over."""

    def __init__(self, desk: Desk, tables: int, seed: int) -> None:
        self.desk, self.rng = desk, Random(seed)
        self.stopping, self.leaving = Event(), Event()
        self.opened: list[Opened] = []
        self.people: list[Table] = []
        self.followers: list[Follower] = []
        self._organisers = [
            Thread(target=self._organise, args=(Random(self.rng.random()),), daemon=True)
            for _ in range(tables)
        ]
        self.wrong: list[BaseException] = []
        for thread in self._organisers:
            thread.start()

    def stop(self) -> None:
        """Have everybody but the followers stop."""
        self.stopping.set()
        for thread in (*self._organisers, *self.people):
            thread.join(120)
        self.wrong += [one.wrong for one in self.people if one.wrong is not None]

    def leave(self) -> None:
        """Have the followers go as well."""
        self.leaving.set()
        for follower in self.followers:
            follower.cancel()
        for follower in self.followers:
            follower.join(20)
        self.wrong += [one.wrong for one in self.followers if one.wrong is not None]

    def _organise(self, rng: Random) -> None:
        try:
            while not self.stopping.is_set():
                if (opened := self._open(rng)) is not None:
                    for person in self._seat(opened, rng):
                        person.join()
        except BaseException as error:
            self.wrong.append(error)

    def _open(self, rng: Random) -> Opened | None:
        """A new match; None if everybody left before anybody said that there is one."""
        name, turns, found = self.desk.name(), rng.randrange(10, 60), list[Opened]()

        while not self.stopping.is_set():
            server = rng.randrange(len(self.desk.organisers))

            def call(server: int = server) -> Outcome:
                found.append(
                    self.desk.organisers[server].open_match(
                        "toy",
                        ["Ann", "Ben"],
                        ["ones", "tens"],
                        options={"turns": turns},
                        request_id=name,
                    )
                )
                return Took(1, UNSTATED, UNSTATED)

            self.desk.journal.note("", name, 0, server, call)
            if found:
                return found[0]
            time.sleep(0.1)
        return None

    def _seat(self, opened: Opened, rng: Random) -> list[Table]:
        """Seat people at a match; those who end with it."""
        people: list[Table] = [
            kind(self.desk, opened, Random(rng.random()), self.stopping)
            for kind in (*(Player,) * PLAYERS, Official)
        ]
        tokens = (opened.public, opened.official, opened.seats[0])
        following = [
            Follower(n, tokens[n], self.desk, opened, Random(rng.random()), self.leaving)
            for n in range(FOLLOWERS)
        ]
        self.opened.append(opened)
        self.people += people
        self.followers += following
        for one in (*people, *following):
            one.start()
        return people
