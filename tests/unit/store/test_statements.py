"""Every statement that a server sends names one key: one match, one list, one credential, one log.

So the tables can be divided by the first column of their keys (store/postgres/SHARDING.md). The
databases themselves tell what was sent, while everything is done that a server is asked for.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from kifu.v1 import match_service_pb2 as pb

from service.api.calls.pages import Pages
from service.api.reading import Reading
from service.credentials import codes, tokens
from service.credentials.attempts import SharedAttempts
from service.credentials.exchange import Codes
from service.credentials.holders import Holder
from service.credentials.issuing import Tokens
from service.identity import Identity, Keys, Role
from service.live.upkeep import Upkeep
from service.store import schema
from service.store.derived import listing
from service.store.derived.searching import Wanted, search
from service.store.records import Records, StoreError, Work
from service.store.tables import access, card_photos, lists
from service.store.tables.tournaments import Tournaments
from service.telemetry.metrics import Metrics
from tests.support.in_process import COMMANDS, HEAD, Servicers, choosing, open_servicers
from tests.support.tournaments import opened

#: The tables that grow with what is played, and the column by which each is divided.
KEYS = {
    table: key
    for step in schema.known()
    for table, key in re.findall(
        r"CREATE TABLE (\w+) \([^;]*?\)\s*PARTITIONED BY \((\w+)\)", step.sql
    )
}
_NAMES = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)(?:\s+(?:AS\s+)?(?!WHERE|SET|ON|ORDER)(\w+))?"
)


def unkeyed(sql: str) -> list[str]:
    """The tables that a statement reads or writes otherwise than by their key."""
    found = []
    for table, alias in _NAMES.findall(sql):
        if (key := KEYS.get(table)) is None:
            continue
        written = re.search(rf"INTO {table} \(([^)]*)\)", sql)
        if written and key in [name.strip() for name in written[1].split(",")]:
            continue
        owner = rf"(?:{alias}\.)?" if alias else ""
        if not re.search(rf"(?<![\w.]){owner}{key}\s*(?:=|IN \((?!SELECT))", sql):
            found.append(table)
    return found


@pytest.mark.parametrize(
    ("sql", "wrong"),
    [
        ("SELECT id FROM matches", ["matches"]),
        ("SELECT id FROM matches WHERE opened>5 AND id=$1", []),
        ("SELECT id FROM matches m WHERE m.game='a'", ["matches"]),
        ("SELECT 1 FROM lists WHERE id=?", ["lists"]),
        ("DELETE FROM snapshots WHERE seq>1", ["snapshots"]),
        ("SELECT 1 FROM matches WHERE id IN (SELECT id FROM seeds)", ["matches", "seeds"]),
        ("INSERT INTO tokens (match) VALUES ('a')", ["tokens"]),
        ("INSERT INTO tokens (id, match) VALUES ('a', 'b')", []),
        ("SELECT m.id, (SELECT count(*) FROM rewinds WHERE id=m.id) FROM matches m WHERE m.id=?",
         []),
    ],
)  # fmt: skip
def test_the_test_sees_what_names_no_key(sql: str, wrong: list[str]) -> None:
    assert unkeyed(sql) == wrong


@contextmanager
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements that both databases are sent within, by every connection."""
    found: list[str] = []
    connect = sqlite3.connect

    def traced(*args: Any, **options: Any) -> sqlite3.Connection:
        made = connect(*args, **options)
        if args[0] != ":memory:":
            made.set_trace_callback(found.append)
        return made

    def noting(name: str) -> Callable[..., Any]:
        real = getattr(psycopg.Cursor, name)

        def call(self: Any, query: Any, *args: Any, **more: Any) -> Any:
            found.append(query.decode() if isinstance(query, bytes) else str(query))
            return real(self, query, *args, **more)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        for name in ("execute", "executemany"):
            patch.setattr(psycopg.Cursor, name, noting(name))
        yield found


async def everything(servicers: Servicers) -> None:
    """All kinds of what a server is asked for."""
    records, matches = servicers.records, servicers.matches
    for command in COMMANDS.values():
        ready = await command(servicers)
        await ready.send()
    match = ready.match
    for _ in range(400):
        if await matches.query(match, lambda m: m.pos.over):
            break
        await choosing(servicers, match)
    await matches.access.add(HEAD, match, "entries", "official")
    assert len(access.lines(records, match=match)) == 1
    _read(servicers, match)
    await _credentials(servicers, match)
    t = opened()
    statements, _ = Tournaments(records).saved("ev3t", t.collect())
    await matches.committer.submit(Work("", (), statements))
    assert [id_ for _, id_ in Tournaments(records).opened()] == ["ev3t"]
    assert Tournaments(records).log("ev3t")
    while lists.page(records, listing.UNPACKED):
        await asyncio.sleep(0.05)
    reading = Reading(matches, Pages(b"k" * 32))
    request = pb.VerifyMatchRequest(match_id=match)
    assert (await reading.verify_match(request, HEAD)).verdict == pb.VERDICT_EXACT


def _read(servicers: Servicers, match: str) -> None:
    records = servicers.records
    for wanted in (
        Wanted(), Wanted(forks=True), Wanted(game="toy"), Wanted(state=listing.LIVE),
        Wanted({"round": "7"}), Wanted({"a": "b"}, "toy", listing.ENDED, "ev3t"),
    ):  # fmt: skip
        found = search(records, wanted, limit=2)
        search(records, wanted, found.after)
    assert match in [one.id for one in search(records, Wanted(state=listing.ENDED)).matches]
    records.write(Work("", (), [card_photos.saved(match, "X-1", b"x")]))
    assert card_photos.cards(records, match) == {"X-1"}
    assert card_photos.find(records, match, "X-1") == b"x"
    records.write(Work("", (), [card_photos.removed(match, "X-1")]))
    assert not listing.superseded(records, match)


async def _credentials(servicers: Servicers, match: str) -> None:
    records, matches, keys = servicers.records, servicers.matches, Keys(b"k" * 32)
    issued = Tokens(matches, keys, 30.0)

    async def events(event: str) -> Any:
        raise StoreError(event)

    limits = SharedAttempts(records, matches.lanes.run) if records.shared else None
    made = Codes(matches, issued, keys.of("codes"), 30.0, Metrics(), events, limits)
    seat = Holder("official", match)
    [(text, code)] = await made.issue([seat], "Ida")
    await made.issue([seat], "Ida", replace=True)
    [(text, code)] = await made.issue([Holder("public", match)], "Ida", once=True)
    await made.exchange(text, "ipv4:10.0.0.1:1")
    await made.revoke([code.id], "Ida", with_tokens=True)
    await issued.issue([Identity(Role.OFFICIAL, "Ada", match), Identity(Role.ORGANISER, "o")], "o")
    assert codes.lines(records, codes.Filter(match=match, live=1.0))
    for chosen in (tokens.Filter(role=Role.ORGANISER), tokens.Filter(match=match)):
        assert await issued.revoke(chosen, "Ida")
    assert len(tokens.revoked(records)) >= 3
    assert tokens.lines(records, tokens.Filter(event="ev3t")) == []


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_each_statement_names_a_key(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    where: Any = tmp_path / "matches.kifu"
    if store == "postgres":
        where = request.getfixturevalue("postgres_url")

    looked, look = asyncio.Event(), Upkeep.queue_damaged

    async def noted(upkeep: Upkeep) -> None:
        await look(upkeep)
        looked.set()

    monkeypatch.setattr(Upkeep, "queue_damaged", noted)

    async def run() -> list[str]:
        Records(where).close()  # what is done when it is made is asked once
        with sent(monkeypatch) as found:
            async with open_servicers(where) as servicers:
                await looked.wait()
                if store == "sqlite":  # an earlier version may have written a file: all is read
                    found.clear()
                await everything(servicers)
                return list(found)

    found = asyncio.run(asyncio.wait_for(run(), 120))
    rest = {"seeds", "archived"} | ({"attempts"} if store == "sqlite" else set())
    assert {table for sql in found for table, _ in _NAMES.findall(sql)} >= KEYS.keys() - rest
    assert {sql for sql in found if unkeyed(sql)} == set()
