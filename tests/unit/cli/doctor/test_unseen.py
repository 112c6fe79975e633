"""What could not be looked at is never called well: each thing taken away, under each check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast
from unittest.mock import Mock

import psycopg
import pytest
from click.testing import CliRunner
from google.rpc import code_pb2, status_pb2

from replay_cli.commands.keeping import doctor
from replay_cli.doctor.checks.unseen import listened
from replay_cli.doctor.findings import GOOD, MEND, UNSEEN, WRONG, examine, worst
from replay_cli.doctor.looking import pages, readers, stores
from replay_cli.doctor.seen import Certificate, Reader, Seen, Store
from replay_cli.doctor.table import CHECKS
from service.client.connection import CallError
from service.store import facts
from service.store.errors import Gone
from tests.support.ports import free_port
from tests.unit.cli.doctor.test_checks import BROKEN, sound

#: How many questions a database answers before it is gone, of those that `facts` asks.
ANSWERED = (0, 3, 5, 10, 11)
Away = Callable[[Seen], object]


class Going:
    """A database that is as these facts say, and gone after so many answers."""

    shared = True

    def __init__(self, answers: int, known: Mapping[str, str]) -> None:
        self._left, self._known = answers, known
        self.writable = known["writable"] == "yes"

    def facts(self) -> Mapping[str, str]:
        """What `facts` finds; it takes as long as it took."""
        found = dict(facts.of(cast(Any, self), lambda: 0.0))
        if "latency_ms" in found:
            found["latency_ms"] = self._known["latency_ms"]
        return found

    def last(self, match: str) -> int:
        self._ask()
        return 0

    def row(self, sql: str, *parameters: str) -> dict[str, Any]:
        self._ask()
        return {
            "value": self._known.get(parameters[0], "") if parameters else "",
            "now": float(self._known["clock_ms"]) / 1000,
            "replica": self._known["recovery"] == "yes",
        }

    def _ask(self) -> None:
        if not self._left:
            raise Gone("it does not answer")
        self._left -= 1


def front(**fields: object) -> Away:
    """All addresses where somebody answered are otherwise, and no server is known."""

    def away(seen: Seen) -> None:
        for place in seen.endpoints:
            others = {} if place.unreachable else fields
            for name, value in {"processes": [], "asked": {}, **others}.items():
                setattr(place, name, value)

    return away


def half(seen: Seen) -> None:
    """A server was gone before all that are behind an address had answered."""
    for place in seen.endpoints:
        place.refused = "UNAVAILABLE"
    del seen.endpoints[0].processes[1:]


def going(answers: int) -> Away:
    """The database of all is gone while they ask it."""

    def away(seen: Seen) -> None:
        for process in seen.processes():
            if process.store["kind"] == "postgresql" and "wrong" not in process.store:
                process.store = Going(answers, process.store).facts()
        seen.stores[0].facts = Going(answers, seen.stores[0].facts).facts()

    return away


def stored(n: int, found: Store, *names: str) -> Away:
    """A store that was looked at is as this one in some things."""

    def away(seen: Seen) -> None:
        for name in names:
            setattr(seen.stores[n], name, getattr(found, name))

    return away


def page(**fields: object) -> Away:
    """No stream was asked for, and why."""

    def away(seen: Seen) -> None:
        for name, value in {"first": -1.0, "stream": "", **fields}.items():
            setattr(seen.pages[0], name, value)

    return away


def untried(seen: Seen) -> None:
    """No server answered while a reader's token was to be tried."""
    seen.reader = Reader(untried="UNAVAILABLE")


NO_DATABASE = stores.look(f"postgresql://u@127.0.0.1:{free_port()}/x")
NO_FILE = stores.look("nowhere.kifu")
NO_TABLES = Store(name="x", facts={"kind": "postgresql"}, missing=("1 x",))
#: What is taken away, and a check that can't look then.
AWAY: dict[str, tuple[Away, str]] = {
    "servers": (front(unreachable="refused", certificate=None, health=""), "health"),
    "calls": (front(unreachable="unavailable", http1=True, health=""), "describe"),
    "trust": (front(certificate=Certificate(wrong="expired"), health=""), "versions"),
    "token": (front(refused="TOKEN_MISSING"), "log"),
    "a server meanwhile": (half, "versions"),
    **{f"database after {n}": (going(n), "writable") for n in ANSWERED},
    "database": (stored(0, NO_DATABASE, "facts", "wrong", "heard", "missing"), "durability"),
    "file": (stored(1, NO_FILE, "facts", "wrong"), "place"),
    "tables": (stored(0, NO_TABLES, "facts", "missing"), "latency"),
    "pages": (page(unreachable="timed out", health=0), "streams"),
    "gateway": (page(unfollowed="HTTP 503"), "streams"),
    "a match": (page(), "streams"),
    "reader": (untried, "reader"),
}


def test_a_replica_is_not_called_silent(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers, and refuses LISTEN."""
    refused = Mock(side_effect=psycopg.errors.ReadOnlySqlTransaction("during recovery"))
    monkeypatch.setattr(stores, "hears", refused)
    found = stores.look(postgres_url)
    assert (found.wrong, found.heard, found.facts["recovery"]) == ("", None, "no")
    found.facts = {**found.facts, "recovery": "yes"}
    (unseen,) = listened(Seen(now=0.0, stores=[found]))
    assert "replica" in unseen.why


@pytest.mark.parametrize("what", AWAY)
def test_what_is_hidden_by_something_that_is_away_is_not_called_well(what: str) -> None:
    """For all that can be broken: it is named still, or its check says that it could not look."""
    away, blind = AWAY[what]
    for breaking, name, _, _ in BROKEN:
        seen = sound()
        breaking(seen)
        away(seen)
        found = {one.check.name: one for one in examine(CHECKS, seen)}
        assert found[blind].unseen
        assert not found[blind].well
        assert found[name].problems or found[name].unseen, (name, what)


def test_every_check_is_hidden_by_something_but_the_first() -> None:
    hidden = set[str]()
    for away, _ in AWAY.values():
        away(seen := sound())
        hidden |= {one.check.name for one in examine(CHECKS, seen) if one.unseen}
    assert {one.name for one in CHECKS} - hidden == {"reach"}


def test_the_worst_is_what_does_not_work_and_then_what_was_not_seen() -> None:
    assert worst([]) == GOOD
    assert worst([GOOD, MEND]) == MEND
    assert worst([UNSEEN, MEND, GOOD]) == UNSEEN
    assert worst([UNSEEN, WRONG, MEND]) == WRONG


def test_it_is_reported_with_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner(env={"COLUMNS": "400"}).invoke(doctor.doctor_command, [*words])
        return done.exit_code, done.stdout

    monkeypatch.setattr(pages, "_health", lambda *_: 200)
    code, out = run("--web", "http://pages.example")
    assert code == 3
    assert "unseen streams: not checked: http://pages.example (no match is known" in out
    code, out = run("--web", "http://pages.example", "--reader", "x", "--json")
    assert code == 3
    assert '"result": "unseen"' in out
    code, out = run("--store", f"postgresql://u@127.0.0.1:{free_port()}/x")
    assert code == 2
    assert "unseen clocks, writable, migrations, durability, latency, listen: not checked" in out
    assert "well" not in out


@pytest.mark.parametrize("calls", range(6))
def test_a_server_that_goes_while_a_token_is_tried(calls: int) -> None:
    """It refuses nothing then; that it does not answer is no refusal."""

    class Client:
        def __init__(self) -> None:
            self.left = calls

        def _next(self, *_: Any, **__: Any) -> Any:
            if not self.left:
                raise CallError(status_pb2.Status(code=code_pb2.UNAVAILABLE))
            self.left -= 1
            return _Anybody()

        who_am_i = describe = position = _next

        def list_matches(self) -> Iterator[Any]:
            return iter([self._next()])

        list_tokens = list_matches

    found = readers.look(Client())  # type: ignore[arg-type]
    assert found.refused == ""
    assert bool(found.untried) == (calls < 5)


class _Anybody:
    role, match_id, id = "public", "", "m1"
