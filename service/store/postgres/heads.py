"""The latest rows of `chains` that this process wrote, in memory.

What follows such a head is hashed in advance, and is one statement: it moves the match's row on if
that is still the one that is remembered, with no entry beyond it, and adds the row of entries. If
others were quicker there is no number for that row, which it must have: so the statement fails, and
with it all that was sent along. Then, and of matches that are not remembered, the works are judged
by what there is (`recorder`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

from eventsourcing.persistence import StoredEvent

from service.store.layout import chaining
from service.store.layout.chaining import Links
from service.store.postgres.texts import translated
from service.store.statements import Must, Statement, Version, Work

#: Of how many matches the heads are remembered; one takes some 400 bytes.
MOST = 4096
_APPEND = (
    "WITH head AS (UPDATE chains SET seq=$2, hash=$5, lefts=$6 WHERE id=$1 AND secret=$7"
    " AND since=$8 AND seq=$9 AND hash=$10 AND lefts=$11"
    " AND seq=(SELECT max(originator_version) FROM stored_events WHERE originator_id=$1)"
    " RETURNING seq) INSERT INTO stored_events (originator_id, originator_version, topic, state)"
    " SELECT $1, max(seq), $3, $4 FROM head"
)


class Head(NamedTuple):
    """A row of `chains`, without the match's id."""

    secret: bytes
    since: int
    seq: int
    hash: bytes
    lefts: int


class Appended(NamedTuple):
    """The statements of appends, how each is chained, and the heads of their matches afterwards."""

    statements: Sequence[Statement]
    links: Sequence[Links | None]
    heads: Mapping[str, Head]


class Heads:
    """The heads that are remembered, those that were used last."""

    def __init__(self) -> None:
        self._kept: dict[str, Head] = {}
        self._lock = Lock()

    def keep(self, heads: Mapping[str, Head]) -> None:
        """Remember where matches stand."""
        with self._lock:
            for match, head in heads.items():
                self._kept.pop(match, None)
                self._kept[match] = head
            while len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]

    def forget(self, matches: Iterable[str]) -> None:
        """Something else may be true of matches."""
        with self._lock:
            for match in matches:
                self._kept.pop(match, None)

    def appended(self, works: Sequence[Work], rows: Sequence[StoredEvent]) -> Appended | None:
        """The statements that append works; None: that needs a question to the database first.

        Statements that move heads come first, in the order of the matches' ids, so that no two
        transactions wait for each other.
        """
        heads, links, left = dict[str, Head](), list[Links | None](), iter(rows)
        moves, others = list[tuple[str, Statement]](), list[Statement]()
        for work in works:
            if any(isinstance(statement, Must) for statement in work.also):
                return None
            others += [(translated(sql), values) for sql, values in work.also]
            if not work.entries and work.version is None:
                links.append(None)
                continue
            head, row = heads.get(work.match) or self._kept.get(work.match), next(left, None)
            if head is None or row is None or not _follows(work, head, row):
                return None
            made = chaining.extended(work, head[:4], lambda n: ())
            now = Head(*made.row, head.lefts + work.left)
            values = (work.match, now.seq, row.topic, row.state, now.hash, now.lefts, *head)
            moves.append((work.match, (_APPEND, values)))
            heads[work.match] = now
            links.append(made.links)
        moves.sort(key=lambda move: move[0])
        return Appended([*(one for _, one in moves), *others], links, heads)


def _follows(work: Work, head: Head, row: StoredEvent) -> bool:
    """Whether a work follows a head, in one row."""
    return (
        work.since is None
        and bool(work.entries)
        and work.entries[0].seq == head.seq + 1
        and row.originator_version == work.entries[-1].seq
        and work.version in (None, Version(head.seq, head.lefts))
    )
