"""Each check of `kifu doctor`: it says nothing of what is well, and names what is broken."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest

from replay_cli.doctor.findings import MEND, WRONG, examine
from replay_cli.doctor.seen import Certificate, Endpoint, Pages, Process, Reader, Seen, Store
from replay_cli.doctor.table import CHECKS

NOW = 1_800_000_000.0
POSTGRES = {
    "kind": "postgresql", "shared": "yes", "writable": "yes", "latency_ms": "0.4", "clock_ms": "3",
    "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on",
    "recovery": "no",
}  # fmt: skip
FILE = {
    "kind": "sqlite", "shared": "no", "writable": "yes", "latency_ms": "0.1", "filesystem": "ext4",
    "free_mb": "50000", "mode": "600",
}  # fmt: skip


def process(n: int) -> Process:
    return Process(
        server=f"id{n}",
        name=f"kifu-{n}:7777",
        version="1.0",
        engines={"toy": "1"},
        newest_event=90,
        key="k",
        log_key="l",
        keeps_log=n == 1,
        open_files=16384,
        store=dict(POSTGRES),
        news="ok",
        ahead=0.02,
        give=0.01,
    )


def sound() -> Seen:
    """A deployment in which nothing is wrong, and of which everything was seen."""
    three = [process(n) for n in (1, 2, 3)]
    asked = {f"doctor-{n}": {f"id{n % 3 + 1}"} for n in range(16)}
    return Seen(
        now=NOW,
        endpoints=[
            Endpoint(address="front:7777", tls=True, health="SERVING", processes=three, asked=asked,
                     certificate=Certificate(expires=NOW + 80 * 86_400)),
            Endpoint(address="127.0.0.1:7777", loopback=True, health="SERVING",
                     processes=[three[0]], asked={"doctor-1": {"id1"}}),
        ],
        pages=[Pages(address="https://front", health=200, first=0.05)],
        stores=[Store(name="postgresql://db/kifu", facts=dict(POSTGRES), heard=True),
                Store(name="m.kifu", facts=dict(FILE))],
        reader=Reader(role="public", sees=3),
    )  # fmt: skip


def store(name: str, value: str) -> Callable[[Seen], object]:
    """The database of all has another setting."""

    def broken(seen: Seen) -> None:
        seen.stores[0].facts = {**seen.stores[0].facts, name: value}

    return broken


def file(name: str, value: str) -> Callable[[Seen], object]:
    def broken(seen: Seen) -> None:
        seen.stores[1].facts = {**seen.stores[1].facts, name: value}

    return broken


def second(**fields: object) -> Callable[[Seen], object]:
    """The second server is otherwise."""

    def broken(seen: Seen) -> None:
        for name, value in fields.items():
            setattr(seen.endpoints[0].processes[1], name, value)

    return broken


def first(**fields: object) -> Callable[[Seen], object]:
    """The address of the front is otherwise."""

    def broken(seen: Seen) -> None:
        for name, value in fields.items():
            setattr(seen.endpoints[0], name, value)

    return broken


def page(**fields: object) -> Callable[[Seen], object]:
    def broken(seen: Seen) -> None:
        for name, value in fields.items():
            setattr(seen.pages[0], name, value)

    return broken


def read(**fields: object) -> Callable[[Seen], object]:
    def broken(seen: Seen) -> None:
        for name, value in fields.items():
            setattr(seen.reader, name, value)

    return broken


ALONE = {f"doctor-{n}": {"id1"} for n in range(16)}
TURNS = {f"doctor-{n}": {"id1", "id2"} for n in range(16)}
#: What is broken, the only check that says so, how bad it is, and a word of what is said.
BROKEN = [
    (first(unreachable="connection refused", certificate=None), "reach", WRONG, "refused"),
    (page(unreachable="timed out"), "reach", WRONG, "timed out"),
    (first(unreachable="unavailable", http1=True), "http2", WRONG, "HTTP/1"),
    (first(health="NOT_SERVING"), "health", WRONG, "NOT_SERVING"),
    (page(health=503), "health", WRONG, "503"),
    (first(refused="TOKEN_MISSING"), "describe", MEND, "TOKEN_MISSING"),
    (first(tls=False, certificate=None), "tls", MEND, "network can read"),
    (first(certificate=Certificate(wrong="hostname mismatch")), "certificate", WRONG, "hostname"),
    (first(certificate=Certificate(expires=NOW + 5 * 86_400)), "certificate", MEND, "in 5 days"),
    (first(certificate=Certificate(expires=NOW - 86_400)), "certificate", WRONG, "in -1 days"),
    (second(ahead=-4.0), "clocks", MEND, "4.0 s behind"),
    (second(ahead=120.0), "clocks", WRONG, "120.0 s ahead of"),
    (store("clock_ms", "2500"), "clocks", MEND, "database is 2.5 s off"),
    (second(version="1.1"), "versions", MEND, "1.1, events up to 90: kifu-2"),
    (second(newest_event=91), "versions", MEND, "events up to 91"),
    (second(engines={"toy": "2"}), "versions", MEND, "toy 2: kifu-2"),
    (second(key="another"), "keys", WRONG, "take none of each other's"),
    (first(refused="TOKEN_INVALID"), "keys", WRONG, "another key"),
    (second(log_key="another"), "keys", MEND, "log of heads"),
    (second(store=FILE), "one-store", WRONG, "its own file"),
    (second(store={**POSTGRES, "wrong": "it does not answer"}), "store", WRONG, "does not answer"),
    (lambda s: setattr(s.stores[0], "wrong", "no password"), "store", WRONG, "no password"),
    (second(store={**POSTGRES, "writable": "no"}), "writable", WRONG, "only be read"),
    (file("writable", "no"), "writable", WRONG, "only be read"),
    (store("recovery", "yes"), "writable", WRONG, "replica"),
    (lambda s: setattr(s.stores[0], "missing", ("0003 x",)), "migrations", WRONG, "0003 x"),
    (store("fsync", "off"), "durability", WRONG, "fsync is off"),
    (store("synchronous_commit", "off"), "durability", WRONG, "acknowledged may be lost"),
    (store("full_page_writes", "off"), "durability", WRONG, "full_page_writes"),
    (store("data_checksums", "off"), "durability", MEND, "noticed late"),
    (store("latency_ms", "55.0"), "latency", MEND, "55 ms"),
    (file("filesystem", "nfs4"), "place", WRONG, "on a network file system (nfs4)"),
    (file("filesystem", "tmpfs"), "place", MEND, "lost at a restart"),
    (file("free_mb", "900"), "place", MEND, "900 MB left"),
    (file("free_mb", "90"), "place", WRONG, "90 MB left"),
    (file("mode", "644"), "place", MEND, "read by others"),
    (second(news="away since 12:00"), "news", MEND, "away since 12:00"),
    (lambda s: setattr(s.stores[0], "heard", False), "listen", MEND, "PgBouncer"),
    (second(keeps_log=True), "log", WRONG, "2 servers keep up"),
    (lambda s: setattr(s.endpoints[0].processes[0], "keeps_log", False), "log", MEND, "None of"),
    (second(open_files=1024), "limits", MEND, "1024 files"),
    (first(asked=TURNS), "sticky", MEND, "16 of 16"),
    (first(asked=ALONE), "sticky", MEND, "same one of 3"),
    (page(stream="nothing came for 10 s"), "streams", WRONG, "nothing came"),
    (page(first=6.0), "streams", MEND, "held back for 6 s"),
    (read(refused="TOKEN_EXPIRED"), "reader", WRONG, "TOKEN_EXPIRED"),
    (read(got=("list tokens",)), "reader", WRONG, "may list tokens"),
    (read(sees=0), "reader", MEND, "sees no match"),
]  # fmt: skip


def test_nothing_is_reported_of_sound_parts() -> None:
    found = examine(CHECKS, sound())
    assert [one.check.name for one in found if one.problems is None] == []
    assert [one.check.name for one in found if not one.well] == []


@pytest.mark.parametrize(("breaking", "name", "level", "expected"), BROKEN)
def test_what_is_broken_is_named_by_one_check(
    breaking: Callable[[Seen], object], name: str, level: int, expected: str
) -> None:
    seen = deepcopy(sound())
    breaking(seen)
    found = [one for one in examine(CHECKS, seen) if one.problems]
    assert [one.check.name for one in found] == [name]
    assert found[0].level == level
    assert any(expected in str(problem.text) for problem in found[0].problems or ())
    assert all(str(problem.remedy) for problem in found[0].problems or ())


def test_every_check_is_tried() -> None:
    assert {name for _, name, _, _ in BROKEN} == {one.name for one in CHECKS}


def test_nothing_is_judged_that_was_not_seen() -> None:
    found = examine(CHECKS, Seen(now=NOW, stores=[Store(name="m.kifu", facts=FILE)]))
    judged = {one.check.name for one in found if one.problems is not None}
    assert judged == {"store", "writable", "latency", "place"}
