"""Forgeries of files of matches, by somebody who has the file and makes all checksums right.

He can't make the hashes right without reading the secret that is in the file as well: what he who
does can do is in `rebuilt` and `rolled_back`, and is noticed by a head or a checkpoint from before.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from zlib import crc32

from msgspec.structs import asdict, replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.anchors.leaves import Leaf
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import WRONG
from replay_cli.auditing.evidence import of_file
from replay_cli.auditing.trust import Trust
from replay_cli.checking import verifying
from replay_cli.output import Failed
from service.store import chains
from service.store.derived import checks, listing
from service.store.history import History
from service.store.layout import packing
from service.store.records import Records, StoreError, Work
from tests.golden import DIRECTORIES, logs
from tests.unit.record.proof.test_chain import altered

#: Changes the file of that name.
Forgery = Callable[[Path], object]

GOLDEN = next(one for one in DIRECTORIES if one.name == "gundam-1.0")
#: The matches of the file: one with officials, one with a rewind, one of a real table.
MATCHES, GAME = ("gbbbb", "gffff", "ggggg"), "gundam"
FIRST = MATCHES[0]
#: What a file keeps of a match beside its entries; a seed, and what servers count, is in no record.
TABLES = ("matches", "rewinds", "snapshots", "chains")
APART = {"id", "seed", "lefts"}
#: In how many commands each match is written.
COMMANDS = 12


def written(path: Path, last: int = COMMANDS, like: Path | None = None) -> None:
    """A file with these matches, as it is after so many commands of each.

    `like`: the newer state of the file, which has the same secrets.
    """
    if like is not None:
        shutil.copy(like, path)
    with closing(Records(path)) as records:
        records.use_dictionary(GAME)
        history = History(records)
        if like is not None:
            _empty(records)
        for match in MATCHES:
            log = logs(GOLDEN)[match]
            opened = log[0].event
            assert isinstance(opened, MatchOpened)
            step = -(-len(log) // COMMANDS)
            for at in range(0, min(len(log), step * last), step):
                some = log[at : at + step]
                also = listing.derive(match, some, at=opened.at)
                if like is not None and not at:
                    records.write(Work(match, some, also, since=0))
                    continue
                work = Work(match, some, also, game=opened.game)
                records.write(work)
                records.write(Work(match, (), history.advance(match)))
        for match in MATCHES:
            for statements in checks.rebuild_statements(records, match):
                records.write(Work(match, (), statements))


def _empty(records: Records) -> None:
    tables = ("stored_events", "snapshots", "rewinds", "lists", "matches")
    records.write(Work("", (), [(f"DELETE FROM {table}", ()) for table in tables]))


def checked(path: Path, trust: Trust | None = None) -> dict[str, bool]:
    """Which checks notice that a file was forged."""
    found = {"verify": _verify(path), "audit": _audit(path, Trust())}
    return found | ({"with a head": _audit(path, trust)} if trust is not None else {})


def _verify(path: Path) -> bool:
    try:
        return any(
            one.verdict.kind == verifying.DIVERGED or one.derived or one.chain
            for one in verifying.check_all(path, verifying.matches(path))
        )
    except (StoreError, sqlite3.Error):
        return True


def audited(path: Path, match: str, trust: Trust) -> bool:
    """Whether an audit of one match of a file finds something wrong."""
    return _audit(path, trust, match)


def _audit(path: Path, trust: Trust, match: str = "") -> bool:
    try:
        found = [audit(one, trust) for one in of_file(path, match)]
    except (StoreError, Failed, sqlite3.Error):
        return True
    return any(claim.verdict == WRONG for report in found for claim in report.claims)


def heads(path: Path) -> dict[str, str]:
    """The head of each match, as hex."""
    with closing(Records(path, reading=True)) as records:
        return {match: head.hash.hex() for match, head in chains.heads(records)}


def leaves(path: Path) -> list[bytes]:
    """The leaves of the matches of a file."""
    with closing(Records(path, reading=True)) as records:
        return [Leaf(match, head).encoded() for match, head in chains.heads(records)]


# -- entries -------------------------------------------------------------------------------------


def with_entries(match: str, entries: Sequence[Entry], anew: bool = False) -> Forgery:
    """A file with other entries; `anew`: their chain is computed again as well."""

    def forge(path: Path) -> None:
        with closing(Records(path)) as records:
            compression = records.row_mapper.compression
            records.use_dictionary(GAME)
            number = records.row_mapper.in_use[GAME]
            rows = [packing.pack(match, run, compression, number) for run in packing.runs(entries)]
            records.write(Work("", (), [
                ("DELETE FROM stored_events WHERE originator_id=?", (match,)),
                *(("INSERT INTO stored_events VALUES (?,?,?,?)", (match, *row)) for row in rows),
            ]))  # fmt: skip
            with suppress(StoreError):  # what no entry can be, can't be listed either
                for statements in checks.rebuild_statements(records, match):
                    records.write(Work(match, (), statements))
            if anew:
                chain = chains.find(records, match)
                assert chain is not None
                records.write(Work(match, (), since=0))

    return forge


def fields(log: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """A record with each field of each type of event changed, one at a time."""
    seen = set[type]()
    for at, entry in enumerate(log):
        if type(entry.event) not in seen:
            seen.add(type(entry.event))
            for other in altered(entry):
                yield f"{type(entry.event).__name__} {other}", [*log[:at], other, *log[at + 1 :]]


def named(log: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """A record with other names, labels, texts and persons, which the rules don't look at."""
    for at, entry in enumerate(log):
        event = entry.event
        if isinstance(event, MatchOpened):
            for other in (
                replace(event, seats=("Eve", *event.seats[1:])),
                replace(event, seats=event.seats[::-1]),
                replace(event, labels={**event.labels, "round": "final"}),
                replace(event, at=event.at + 1),
            ):
                yield "who plays, and where", [replace(entry, event=other), *log[1:]]
            continue
        for name, value in asdict(event).items():
            other = _person(value) if name in ("note", "text", "who", "why", "facts") else value
            if other != value:
                forged = replace(entry, event=replace(event, **{name: other}))
                yield "a text, or an official's name", [*log[:at], forged, *log[at + 1 :]]


def _person(value: object) -> object:
    match value:
        case str():
            return value + "!"
        case {"who": str(who), **facts}:
            return {**facts, "who": who + "!"}
        case _:
            return value


def rows(match: str, rng: Random, other: str) -> Iterator[tuple[str, Forgery]]:
    """Rows of a match removed, exchanged, doubled, or taken from another match."""
    where = "originator_id=? AND originator_version=?"

    def listed(path: Path) -> list[tuple[int, bytes, bytes]]:
        with closing(sqlite3.connect(path)) as file:
            sql = "SELECT originator_version, topic, state FROM stored_events WHERE originator_id=?"
            return file.execute(sql + " ORDER BY 1", (match,)).fetchall()

    def remove(path: Path) -> None:
        _run(path, f"DELETE FROM stored_events WHERE {where}", match, rng.choice(listed(path))[0])

    def cut(path: Path) -> None:
        _run(path, f"DELETE FROM stored_events WHERE {where}", match, listed(path)[-1][0])

    def swap(path: Path) -> None:
        one, two = rng.sample(listed(path), 2)
        for here, there in ((one, two), (two, one)):
            _resum(path, match, here[0], there[1], there[2][4:])

    def double(path: Path) -> None:
        one, two = rng.sample(listed(path), 2)
        _resum(path, match, one[0], two[1], two[2][4:])

    def exchange(path: Path) -> None:
        for table, column in (("stored_events", "originator_id"), ("chains", "id")):
            for old, new in ((match, "tmp"), (other, match), ("tmp", other)):
                _run(path, f"UPDATE {table} SET {column}=? WHERE {column}=?", new, old)
        for name in (match, other):
            for version, topic, state in listed(path) if name == match else ():
                _resum(path, name, version, topic, state[4:])

    def lose(path: Path) -> None:
        _run(path, "DELETE FROM stored_events WHERE originator_id=?", match)

    yield "a row removed", remove
    yield "the last row removed", cut
    yield "two rows exchanged", swap
    yield "a row doubled in the place of another", double
    yield "two matches exchanged", exchange
    yield "all entries of a match removed", lose


def _run(path: Path, sql: str, *parameters: object) -> int:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        return file.execute(sql, parameters).rowcount


def _resum(path: Path, match: str, version: int, topic: bytes, body: bytes) -> None:
    """A row with other contents and the checksum that goes with them."""
    found = topic.encode() if isinstance(topic, str) else topic
    made = crc32(body, crc32(b"%b\n%d\n%b\n" % (match.encode(), version, found))).to_bytes(4)
    sql = "UPDATE stored_events SET topic=?, state=? WHERE originator_id=? AND originator_version=?"
    _run(path, sql, found.decode(), made + body, match, version)


def bits(rng: Random) -> Iterator[tuple[str, Forgery]]:
    """Single bits of rows, of dictionaries and of snapshots flipped."""
    for table, column in (
        ("stored_events", "state"), ("dictionaries", "data"), ("snapshots", "views"),
    ):  # fmt: skip
        yield f"a bit of {table}", _flip(table, column, rng)
    yield "a bit of a dictionary, with its digest made right", _dictionary(rng)


def _flip(table: str, column: str, rng: Random) -> Forgery:
    def forge(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            rows = file.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
            row, data = rng.choice(rows)
            at = rng.randrange(8 * len(data))
            new = bytearray(data)
            new[at // 8] ^= 1 << at % 8
            file.execute(f"UPDATE {table} SET {column}=? WHERE rowid=?", (bytes(new), row))

    return forge


def _dictionary(rng: Random) -> Forgery:
    """Nothing is forged where the bit is one by which no row was compressed."""

    def forge(path: Path) -> bool:
        _flip("dictionaries", "data", rng)(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            for number, name, data in file.execute("SELECT * FROM dictionaries").fetchall():
                right = f"{name.split(' ')[0]} {sha256(data).hexdigest()}"
                file.execute("UPDATE dictionaries SET name=? WHERE id=?", (right, number))
        try:
            with closing(Records(path, reading=True)) as records:
                return any(records.entries(match) != logs(GOLDEN)[match] for match in MATCHES)
        except StoreError:
            return True

    return forge


def derived(path: Path) -> Iterator[tuple[str, Forgery]]:
    """Each column changed of what is kept beside the entries."""
    with closing(sqlite3.connect(path)) as file:
        for table in TABLES:
            for _, column, *_ in file.execute(f"PRAGMA table_info({table})").fetchall():
                if column not in APART:
                    yield f"column {column} of {table}", _column(table, column)


def _column(table: str, column: str) -> Forgery:
    def forge(path: Path) -> int:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            found = file.execute(f"SELECT id, {column} FROM {table} ORDER BY 2 DESC, 1").fetchone()
            if found is None:
                return 0
            match, value = found
            if isinstance(value, int):
                new: object = value + 1
            elif isinstance(value, bytes):
                new = value[:-1] + bytes([value[-1] ^ 7])  # always another value, for any ending
            else:
                new = (value or "")[:-1] + "~"
            sql = f"UPDATE {table} SET {column}=? WHERE id=? AND {column} IS ?"
            return file.execute(sql, (new, match, value)).rowcount

    return forge


def copied(path: Path, name: str) -> Path:
    """A copy of a file, and of nothing beside it."""
    return Path(shutil.copy(path, path.with_name(name)))
