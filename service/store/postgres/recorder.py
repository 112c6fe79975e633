"""Writing to PostgreSQL: the `eventsourcing` library's recorder without a lock on the table.

Who may append to a match is judged by its row in `chains`, which is locked for the transaction: it
says how far the match is. So commands of one match wait for each other and those of others do not,
on all servers. All that is known in advance goes to the database in one go: one round trip for a
batch of works that go on from where this process remembers their matches to stand (`heads`), two
for others.

Where a connection breaks while it commits, its outcome is unknown. Then the same rows are
written once more: either that is done, or they are there already.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import compress
from secrets import token_bytes
from typing import Any

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg import Pipeline
from psycopg.rows import tuple_row

from domain.record.proof.chain import SECRET
from domain.words.phrases import phrase
from service.store.driver import Recorder, RowReader, Stored
from service.store.errors import Conflict
from service.store.layout import chaining
from service.store.layout.chaining import ChainBroken, Links
from service.store.postgres.availability import NotSaved, is_broken
from service.store.postgres.connections import PATIENCE, Connection, Datastore
from service.store.postgres.heads import Head, Heads
from service.store.postgres.texts import translated
from service.store.statements import Must, Statement, Version, Work

#: For how long to find out the outcome of an unanswered commit, and how often, in seconds.
SETTLE, PAUSE = 8.0, 0.2
#: Two transactions were in each other's way, and one of them was ended: how that is called.
GIVEN_UP = {"40001": "serialization", "40P01": "deadlock"}
_INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
    " VALUES ($1, $2, $3, $4)"
)
_ROW = "SELECT secret, since, seq, hash, lefts FROM chains WHERE id=$1 FOR UPDATE"
_LAST = "SELECT max(originator_version) FROM stored_events WHERE originator_id=$1"
_BEGIN = "INSERT INTO chains (id, secret, since, seq, hash, lefts) VALUES ($1, $2, $3, $4, $5, $6)"
_GO_ON = "UPDATE chains SET secret=$2, since=$3, seq=$4, hash=$5, lefts=$6 WHERE id=$1"
#: Transactions begin and end with statements of ours, which go along with others: those of
#: libraries are waited for.
_START = "BEGIN ISOLATION LEVEL READ COMMITTED"
_STATE = "SELECT state FROM stored_events WHERE originator_id=$1 AND originator_version=$2"


class PostgresRecorder(Recorder):
    """The recorder of a database, which locks no table and keeps no global order."""

    def __init__(self, rows: RowReader, datastore: Datastore) -> None:
        super().__init__(rows)
        self.datastore = datastore
        self.on_retry: Callable[[str], None] = lambda why: None
        self._heads = Heads()

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        works: Sequence[Work] = (),
        links: list[Links | None] | None = None,
        stored: Stored = lambda match, n: (),
        **kwargs: Any,
    ) -> None:
        """Write rows, chains and statements; all is durable on return.

        Raises `Conflict` or `ChainBroken`, else an error of psycopg's.
        """
        made: list[Links | None] = []
        secrets = defaultdict[str, bytes](lambda: token_bytes(SECRET))
        begun, repeated = time.monotonic(), False
        until = begun + SETTLE
        while True:
            patience = begun + PATIENCE - time.monotonic()
            try:
                with self.datastore.get_connection(patience, writing=True) as connection:
                    self._write(connection, stored_events, works, stored, secrets, made)
                break
            except (psycopg.InterfaceError, psycopg.OperationalError) as error:
                why = GIVEN_UP.get(error.sqlstate or "")
                if why and time.monotonic() < until:
                    self.on_retry(why)
                    continue  # nothing was saved, and who was in the way has gone on
                unanswered = bool(stored_events) and (repeated or is_broken(error))
                if not unanswered or time.monotonic() > until:
                    raise
                self.on_retry("connection")
                repeated = True
                time.sleep(PAUSE)
            except (Conflict, psycopg.IntegrityError):
                if not (repeated and self._are_stored(stored_events)):
                    raise
                break
        if links is not None:
            links += made

    def commit(self) -> None:
        """All is durable as soon as it is written."""

    def _write(
        self,
        connection: Connection,
        rows: Sequence[StoredEvent],
        works: Sequence[Work],
        stored: Stored,
        secrets: dict[str, bytes],
        made: list[Links | None],
    ) -> None:
        """One transaction; `made` is how its works are chained, before that is durable."""
        appended = self._heads.appended(works, rows)
        if appended is not None:
            made[:] = appended.links
            try:
                _carry_out(connection, appended.statements)
            except psycopg.IntegrityError:
                connection.rollback()  # not all is as it is remembered: nothing was saved
            else:
                self._heads.keep(appended.heads)
                return
        self._heads.forget(work.match for work in works)
        self._heads.keep(self._judge(connection, rows, works, stored, secrets, made))

    def _judge(
        self,
        connection: Connection,
        rows: Sequence[StoredEvent],
        works: Sequence[Work],
        stored: Stored,
        secrets: dict[str, bytes],
        made: list[Links | None],
    ) -> Mapping[str, Head]:
        """Make the conditional writes; where the matches stand then."""
        judged = [bool(work.entries) or work.version is not None for work in works]
        with connection.pipeline() as pipeline:
            run(connection, _START, ())
            chains = _Chains(connection, pipeline, [*compress(works, judged)], stored, secrets)
            each = zip(works, judged, strict=True)
            made[:] = [chains.extended(work) if due else None for work, due in each]
            for row in rows:
                values = (row.originator_id, row.originator_version, row.topic, row.state)
                run(connection, _INSERT, values)
            chains.save()
            must = []
            for statement in (one for work in works for one in work.also):
                cursor = run(connection, translated(statement[0]), statement[1])
                if isinstance(statement, Must):
                    must.append(cursor)
            if must:
                pipeline.sync()
            if any(cursor.rowcount != 1 for cursor in must):
                raise Conflict(phrase("a row that was to be changed is not there, or another"))
            done = run(connection, "COMMIT", ())
        _see_whether_committed(done)
        return chains.heads

    def _are_stored(self, rows: Sequence[StoredEvent]) -> bool:
        """Whether all these rows are there: a batch is, or none of it."""
        with self.datastore.get_connection() as connection:
            for row in rows:
                cursor = run(connection, _STATE, (row.originator_id, row.originator_version))
                kept = cursor.fetchone()
                if kept is None or bytes(kept[0]) != row.state:
                    return False
        return True


class _Chains:
    """The rows of some matches in `chains`, which are nobody else's until the commit."""

    def __init__(
        self,
        connection: Connection,
        pipeline: Pipeline,
        works: Sequence[Work],
        stored: Stored,
        secrets: dict[str, bytes],
    ) -> None:
        """Lock them: in the order of their ids, so that no two transactions wait for each other."""
        self._connection, self._stored, self._secrets = connection, stored, secrets
        ids = sorted({work.match for work in works})
        asked = [(run(connection, _ROW, (id_,)), run(connection, _LAST, (id_,))) for id_ in ids]
        if asked:
            pipeline.sync()
        found = [(row.fetchone(), (last.fetchone() or (0,))[0] or 0) for row, last in asked]
        self._rows: dict[str, tuple[Any, ...] | None] = {
            id_: row for id_, (row, _) in zip(ids, found, strict=True)
        }
        self._last = {id_: last for id_, (_, last) in zip(ids, found, strict=True)}
        self._new = {id_ for id_, row in self._rows.items() if row is None}
        self._changed = set[str]()

    def extended(self, work: Work) -> Links | None:
        """How a work goes on with its chain; raises `Conflict` if others were quicker."""
        match, row = work.match, self._rows[work.match]
        self._judge(work, row)
        lefts = (row[4] if row is not None else 0) + work.left
        kept, links = row[:4] if row is not None else None, None
        if work.entries:
            stored = partial(self._stored, match)
            kept, links = chaining.extended(work, kept, stored, lambda: self._secrets[match])
        if kept is not None:
            self._rows[match] = (*kept, lefts)
            self._changed.add(match)
        if work.entries:
            self._last[match] = work.entries[-1].seq
        return links

    def _judge(self, work: Work, row: Any) -> None:
        """Raise `Conflict` unless a work follows what there is; `ChainBroken` if that is cut."""
        match, last = work.match, self._last[work.match]
        if row is not None and work.since is None and row[2] != last:
            if work.version is not None and not last:  # its reader is told
                raise Conflict(phrase("match {match} was taken out", match=match))
            raise ChainBroken(
                match, phrase("it has {n} of them, {chained} were chained", n=last, chained=row[2])
            )
        if work.version is not None and (row is None or Version(row[2], row[4]) != work.version):
            raise Conflict(
                phrase(
                    "match {match} is not at entry {seq} any more",
                    match=match,
                    seq=work.version.seq,
                )
            )
        if work.entries and work.entries[0].seq != last + 1:
            raise Conflict(
                phrase(
                    "match {match}: entry {seq} is not the next",
                    match=match,
                    seq=work.entries[0].seq,
                )
            )

    @property
    def heads(self) -> Mapping[str, Head]:
        """Where the matches that were changed stand."""
        return {match: Head(*row) for match in self._changed if (row := self._rows[match])}

    def save(self) -> None:
        """Write those that have changed."""
        for match in sorted(self._changed):
            sql = _BEGIN if match in self._new else _GO_ON
            row = self._rows[match]
            assert row is not None
            run(self._connection, sql, (match, *row))


def _carry_out(connection: Connection, statements: Sequence[Statement]) -> None:
    """All of these, or none: one is a transaction by itself."""
    if len(statements) == 1:
        run(connection, *statements[0])
    elif statements:
        with connection.pipeline():
            run(connection, _START, ())
            for statement in statements:
                run(connection, *statement)
            done = run(connection, "COMMIT", ())
        _see_whether_committed(done)


def _see_whether_committed(done: psycopg.RawCursor[Any]) -> None:
    if done.statusmessage != "COMMIT":
        raise NotSaved(f"it was not committed ({done.statusmessage})")


def run(connection: Connection, sql: str, parameters: Sequence[Any]) -> psycopg.RawCursor[Any]:
    """Carry out a statement of PostgreSQL's own."""
    return psycopg.RawCursor(connection, row_factory=tuple_row).execute(sql, parameters)
