"""Organisers under the load: they run events of two rounds, whose matches people play and concede.

Whatever an organiser does he asks for again at another server, under the same request id, until he
is answered. What comes of a match is put on the event's record by whichever server finds it.
`wrong` says what is not as it should be once all faults are mended.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from threading import Event as Flag
from threading import Thread
from typing import Any

from domain.record.decisions import Act
from domain.tournament.record import Format, RoundPaired, Table
from service.client.client import CallError, Client
from service.store.records import Records
from service.store.tables import tournaments
from tests.faults.journal import Unknown, outcome_of
from tests.faults.load import RETRY, Desk

TABLES, ROUNDS = 2, 2
#: How long the result of a match may take to be its table's once nothing fails, in seconds.
RESULTS = 60.0


class GoneAway(Exception):
    """The organiser left before he was answered."""


class Organiser(Thread):
    """Runs one event after the other."""

    def __init__(self, desk: Desk, rng: Random, stopping: Flag) -> None:
        super().__init__(daemon=True)
        self._desk, self._rng, self._stopping = desk, rng, stopping
        self.events: dict[str, int] = {}  # with how many rounds were paired
        self.conceded: list[str] = []  # the matches in which that was acknowledged
        self.wrong: BaseException | None = None

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._event()
        except GoneAway:
            pass
        except BaseException as error:
            self.wrong = error

    def _ask(self, call: Callable[[Client, str], Any], token: str = "") -> Any:
        """Ask for something until there is an answer; raises what is refused."""
        name = self._desk.name()
        while not self._stopping.is_set():
            client = self._rng.choice(self._desk.patient)
            try:
                return call(client.with_token(token) if token else client, name)
            except CallError as error:
                if not isinstance(outcome_of(error), Unknown):
                    raise
            time.sleep(self._rng.uniform(*RETRY))
        raise GoneAway

    def _event(self) -> None:
        form = Format("toy", mode="dealer", seconds=3000, rounds=ROUNDS)
        event = self._ask(lambda c, name: c.open_tournament("Cup", form, name)).id
        self.events[event] = 0
        people = [f"Player {n}" for n in range(1, 2 * TABLES + 1)]
        numbers = self._ask(lambda c, name: c.enter_players(event, people, name))
        for n in numbers:
            deck = ("ones", "tens")[n % 2]
            self._ask(lambda c, name, n=n, deck=deck: c.hand_in_list(event, n, deck, name))
        self._ask(lambda c, name: c.accept_lists(event, request_id=name))
        for number in range(1, ROUNDS + 1):
            self._round(event, number)
        self._ask(lambda c, name: c.end_tournament(event, request_id=name))

    def _round(self, event: str, number: int) -> None:
        pairs = [(1, 2), (3, 4)] if number == 1 else [(1, 3), (2, 4)]
        tables = [Table(n, *pair) for n, pair in enumerate(pairs, 1)]
        self._ask(lambda c, name: c.pair_round(event, tables, request_id=name))
        self.events[event] = number
        self._ask(lambda c, name: c.open_round(event, request_id=name))
        self._ask(lambda c, name: c.start_round(event, request_id=name))
        matches = [f"{event}.r{number}.t{n}" for n in range(1, TABLES + 1)]
        for match in matches:
            self._play(match)
        while self._ask(lambda c, name: c.end_round(event, preview=True)).missing:
            time.sleep(0.3)
        self._ask(lambda c, name: c.end_round(event, request_id=name))

    def _play(self, match: str) -> None:
        """Somebody plays a little, and concedes."""
        seats = self._ask(lambda c, name: c.issue_tokens(match)).seats
        while self._ask(lambda c, name: c.match(match)).waits:
            time.sleep(0.2)
        for n in range(1, self._rng.randrange(2, 5)):
            self._ask(
                lambda c, name, n=n: c.choose(match, n, Act("pass"), name), seats[(n - 1) % 2]
            )
        self._ask(lambda c, name: c.interject(match, Act("concede"), name), seats[0])
        self.conceded.append(match)


def wrong(where: Any, servers: Sequence[Client], organisers: Sequence[Organiser]) -> Iterator[str]:
    """What is not as it should be of the events, once nothing fails any more."""
    for one in organisers:
        if one.wrong is not None:
            yield f"an organiser was told {one.wrong!r}"
    conceded = {match for one in organisers for match in one.conceded}
    yield from _without_result(servers[0], conceded)
    records = Records(where, reading=True)
    try:
        store = tournaments.Tournaments(records)
        for one in organisers:
            for event, rounds in one.events.items():
                log, _ = store.log(event)
                yield from (f"{event}: {text}" for text in _recorded(log, rounds))
                shown = [client.list_tournament_entries(event) for client in servers]
                if len(shown[0]) != len(log) or any(found != shown[0] for found in shown):
                    yield f"{event}: servers show other records than the store has"
    finally:
        records.close()


def _without_result(client: Client, conceded: set[str]) -> Iterator[str]:
    """Matches that were conceded, and whose tables have no result, however long one waits."""
    until, left = time.monotonic() + RESULTS, sorted(conceded)
    while left and time.monotonic() < until:
        left = [match for match in left if not _has_result(client, match)]
        time.sleep(0.3)
    yield from (f"{match} was conceded, and its table has no result" for match in left)


def _has_result(client: Client, match: str) -> bool:
    event, number, table = match.split(".")
    state = client.get_tournament(event)
    found = state.rounds[int(number[1:]) - 1].tables[int(table[1:])]
    return found.result is not None


def _recorded(log: Sequence[Any], rounds: int) -> Iterator[str]:
    """What is wrong with the record of an event."""
    if [entry.seq for entry in log] != list(range(1, len(log) + 1)):
        yield "its record has gaps"
    paired = Counter(type(entry.event) for entry in log)[RoundPaired]
    if not rounds <= paired <= rounds + 1:
        yield f"{paired} rounds were paired, and {rounds} were asked for"
