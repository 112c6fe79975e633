"""Many matches of few: the records of played matches, copied under other ids.

Playing ten thousand matches takes half an hour; copying them takes less than a minute, and what is
stored is what would be: each copy has its own checksums and a chain of its own, since both bind the
id of the match. `kifu verify` and `kifu store check` say of a copy what they say of its original.
The secret, by which entries are salted, stays: so what is hashed of an entry is made once for all.

`into_sqlite` and `into_postgres` write them past the service, as fast as the database takes rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from domain import games
from domain.engine.match import Deck, Match, Opening, Refused
from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import LINK, genesis, leaf
from service.dice import Dice
from service.store import chains
from service.store.derived import listing
from service.store.derived.snapshots import Snapshots
from service.store.history import History
from service.store.layout.repacking import repack_statements
from service.store.records import Records, Work

GAME, DECKS, AT = "gundam", ("ST01", "ST03"), 1_800_000_000_000
#: How many different matches there are, and every how manieth of them is still being played.
SOURCES, LIVE_EACH = 20, 10
#: Copies that are written at once.
AT_ONCE = 250
#: The tables in which a match has rows, each with the column that names it.
TABLES = {
    "stored_events": "originator_id", "chains": "id", "matches": "id", "lists": "id",
    "rewinds": "id", "superseded": "id", "snapshots": "id",
}  # fmt: skip
_SUM = 4

Row = tuple[Any, ...]


class Source(NamedTuple):
    """A match to be copied: its rows by table, and what its sums and hashes are made of."""

    rows: dict[str, tuple[tuple[str, ...], list[Row]]]
    opened: MatchOpened
    leaves: list[bytes]
    plains: list[bytes]  # what its snapshots are compressed from, in the order of their rows

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return len(self.leaves)


def play(records: Records, n: int = SOURCES) -> list[str]:
    """Play so many matches and write them; their ids. All but a few are over, and repacked."""
    history, found = History(records), list[str]()
    for number in range(n):
        match, over = f"source{number:03}", number % LIVE_EACH != LIVE_EACH - 1
        commands = played(number)
        if not over:
            del commands[len(commands) * 2 // 3 :]
        derived = [listing.derive(match, some, at=AT + number) for some in commands]
        records.write(*(Work(match, *both, GAME) for both in zip(commands, derived, strict=True)))
        records.write(Work(match, (), history.advance(match)))
        if over:
            records.write(Work(match, (), repack_statements(records, match)))
        found.append(match)
    return found


def played(number: int) -> list[list[Entry]]:
    """A match played at random, command by command, with labels like those of an event."""
    rules, rng = games.rulebook(GAME), Random(number)
    opening = Opening(
        ("A", "B"), tuple(Deck(name, rules.decks[name]) for name in DECKS), AT + number,
        labels={"round": str(number % 5 + 1), "table": str(number + 1)},
    )  # fmt: skip
    match = Match.open(rules, opening, Dice(number))
    found = [match.collect()]
    while (decision := match.pos.decision) is not None:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        option = rng.choice(offer.options)
        act = option.act()
        with suppress(Refused):
            match.choose(seat, decision.n, act, match.pos.time + rng.randrange(5_000, 20_000))
            found.append(match.collect())
    return found


def source(records: Records, match: str) -> Source:
    """A match to be copied, read from wherever it was written."""
    rows = {}
    for table, key in TABLES.items():
        with records.rows(f"SELECT * FROM {table} WHERE {key}=? ORDER BY 1, 2", match) as found:
            columns = tuple(column[0] for column in found.description)
            rows[table] = columns, [tuple(row) for row in found.fetchall()]
    chain, entries = chains.find(records, match), records.entries(match)
    assert chain is not None
    opened = entries[0].event
    assert isinstance(opened, MatchOpened)
    snapshots = Snapshots(records)
    loaded = [snapshots.load(match, place) for place in snapshots.every(match, entries[-1].seq)]
    plains = [one.plain for one in loaded if one is not None]
    return Source(rows, opened, [leaf(entry, chain.secret) for entry in entries], plains)


def copied(one: Source, match: str) -> Iterator[tuple[str, list[Row]]]:
    """The rows of a copy under another id, table by table."""
    for table, (columns, rows) in one.rows.items():
        key = columns.index(TABLES[table])
        made = [[*row[:key], match, *row[key + 1 :]] for row in rows]
        if table == "stored_events":
            for row in made:
                _seal(row, columns)
        elif table == "snapshots":
            for row, plain in zip(made, one.plains, strict=True):
                _seal_snapshot(row, columns, plain)
        elif table == "chains":
            made[0][columns.index("hash")] = _head(one, match)
        yield table, [tuple(row) for row in made]


def _seal(row: list[Any], columns: Sequence[str]) -> None:
    """Give a row of entries the checksum that it has under its new id (LAYOUT.md)."""
    named = dict(zip(columns, row, strict=True))
    topic, body = named["topic"], bytes(named["state"][_SUM:])
    head = f"{named['originator_id']}\n{named['originator_version']}\n{topic}\n".encode()
    row[columns.index("state")] = crc32(body, crc32(head)).to_bytes(_SUM) + body


def _seal_snapshot(row: list[Any], columns: Sequence[str], plain: bytes) -> None:
    """The same for a snapshot, of which the sum is over what it was compressed from."""
    named = dict(zip(columns, row, strict=True))
    head = f"{named['id']}\n{named['seq']}\n{named['decisions']}\n{named['head']}\n"
    found = crc32(plain, crc32(head.encode())).to_bytes(_SUM)
    row[columns.index("views")] = found + bytes(named["views"][_SUM:])


def _head(one: Source, match: str) -> bytes:
    """The last hash of the chain of a copy."""
    found = genesis(match, one.opened).hash
    for made in one.leaves:
        found = sha256(LINK + found + made).digest()
    return found


class Copies:
    """So many copies of some matches: `ids` of them, `entries` in all."""

    def __init__(self, sources: Sequence[Source], n: int) -> None:
        self._sources, self.n = sources, n
        self.ids = [f"{sha256(b'%d' % at).hexdigest()[:12]}" for at in range(n)]
        self.entries = sum(self.of(at).entries for at in range(n))

    def of(self, at: int) -> Source:
        """What copy number `at` is made of."""
        return self._sources[at % len(self._sources)]

    def columns(self, table: str) -> tuple[str, ...]:
        """Those of a table."""
        return self._sources[0].rows[table][0]

    def batches(self) -> Iterator[dict[str, list[Row]]]:
        """The rows of some copies after the other, by table."""
        numbers = iter(range(self.n))
        while some := [*islice(numbers, AT_ONCE)]:
            batch: dict[str, list[Row]] = {table: [] for table in TABLES}
            for at in some:
                for table, rows in copied(self.of(at), self.ids[at]):
                    batch[table] += rows
            yield batch


def into_sqlite(path: Path, copies: Copies) -> None:
    """Write copies into a file that nobody has open; not durable until it is closed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        for batch in copies.batches():
            connection.execute("BEGIN")
            for table, rows in batch.items():
                marks = ",".join("?" * len(copies.columns(table)))
                connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
            connection.execute("COMMIT")


def into_postgres(url: str, copies: Copies) -> None:
    """Write copies into a database by COPY."""
    import psycopg

    with psycopg.connect(url) as connection:
        for batch in copies.batches():
            with connection.cursor() as cursor:
                for table, rows in batch.items():
                    _copy(cursor, table, copies.columns(table), rows)
            connection.commit()
        connection.autocommit = True
        connection.execute("ANALYZE")


def _copy(cursor: Any, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    with cursor.copy(f"COPY {table} ({','.join(columns)}) FROM STDIN") as into:
        for row in rows:
            into.write_row(row)
