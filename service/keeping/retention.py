"""Retention: removes archived records from a store, and restores them unchanged.

What stays in the store is a match's chain, its leaves in the log, and a row that says that it was
archived (`service.store.tables.archived`). Nothing is taken out that the archive does not hold with
the same head; nothing is brought back over something else. Either happens match by match, or not at
all for one; what was broken off is gone on with when it is done again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from domain.record.views import OFFICIAL
from domain.words.phrases import phrase
from service.keeping import archives, rows
from service.keeping.rows import Dictionaries
from service.store import chains
from service.store.derived import listing
from service.store.history import History
from service.store.records import Must, Records, Statement, StoreError, Work
from service.store.schema import DERIVED, KEPT
from service.store.tables import archived, lists
from service.store.tables.archived import EVENT, MATCH, Archived
from service.store.tables.tournaments import LIST, NoSuchTournament, Tournaments

Done = Callable[[int, int], None]


class OtherRecord(StoreError):
    """The store has something else under an id of the archive."""


def whole(path: Path) -> list[Archived]:
    """The content of an official's archive, completely checked; raises `StoreError`."""
    found = archives.held(path)
    if any(one.viewer != OFFICIAL for one in found):
        raise StoreError(
            phrase("{path} is the public's archive, which has not all there was", path=path)
        )
    return found


# -- out of the store ------------------------------------------------------------------------------


def take_out(records: Records, path: Path, done: Done = lambda n, of: None) -> int:
    """Take out of a store what an archive holds, once that was checked; how much that was.

    Raises `OtherRecord` if the store has more of something, or something else; then all stays.
    """
    found = [one for one in whole(path) if not _is_out(records, one)]
    for one in found:
        _same(records, one)
    for n, one in enumerate(sorted(found, key=lambda one: one.kind == EVENT), 1):
        gone = _match_gone(records, one) if one.kind == MATCH else _event_gone(records, one)
        records.write(Work(one.id if one.kind == MATCH else "", (), gone))
        done(n, len(found))
    return len(found)


def _is_out(records: Records, one: Archived) -> bool:
    known = archived.find(records, one.id)
    return known is not None and known.head == one.head


def _same(records: Records, one: Archived) -> None:
    """Whether a store has what is archived, and no more of it; raises `OtherRecord`."""
    if one.kind == MATCH:
        head = chains.head(records, one.id)
        same = head == one.head and records.last(one.id) == one.head.seq
    else:
        try:
            same = Tournaments(records).log(one.id)[1].head == one.head
        except NoSuchTournament:
            same = False
    if not same:
        raise OtherRecord(f"{one.kind} {one.id} is not as the archive has it: nothing was removed")


def _match_gone(records: Records, one: Archived) -> list[Statement]:
    """The statements that remove a match, unless it has gone on meanwhile."""
    match, head = one.id, one.head
    return [
        Must(_UNCHANGED, (match, head.seq, head.hash)),
        *unlisted(records, match),
        *((f"DELETE FROM {table.name} WHERE {table.match}=?", (match,)) for table in KEPT
          if table.match and table.name != "chains"),
        archived.saved(one),
    ]  # fmt: skip


_UNCHANGED = "UPDATE chains SET seq=seq WHERE id=? AND seq=? AND hash=?"


def unlisted(records: Records, match: str) -> list[Statement]:
    """The statements that remove a match from all lists, and its snapshots.

    Off the lists first: what servers do to a match by themselves is done while it stands there.
    """
    heading = listing.find(records, match).heading
    names = [*listing.names_of(match, heading), *sorted(listing.STATES | listing.PENDING)]
    gone = [name for name in DERIVED if name not in ("lists", "tiles")]
    return [
        *(lists.removed(name, heading.at, match) for name in names),
        *((f"DELETE FROM {name} WHERE id=?", (match,)) for name in gone),
    ]


def _event_gone(records: Records, one: Archived) -> list[Statement]:
    at, head = Tournaments(records).opened_at(one.id), one.head
    return [
        Must(_UNCHANGED, (one.key, head.seq, head.hash)),
        ("DELETE FROM tournament_entries WHERE originator_id=?", (one.id,)),
        lists.removed(LIST, at, one.id),
        archived.saved(one),
    ]


# -- and back --------------------------------------------------------------------------------------


def bring_back(records: Records, path: Path, done: Done = lambda n, of: None) -> int:
    """Bring all that an archive holds back into a store; how much was not there.

    Raises `OtherRecord` if there is something else under one of the ids; then nothing is written.
    """
    found = whole(path)
    with closing(Records(path, reading=True)) as source:
        missing = [one for one in found if not _is_there(records, source, one)]
        dictionaries = Dictionaries(source, records)
        for n, one in enumerate(missing, 1):
            if one.kind == MATCH:
                _bring_match(records, source, dictionaries, one.id)
            else:
                back = rows.of_event(source, one.id)
                records.write(Work("", (), [*back, archived.removed(one.id)]))
            done(n, len(missing))
    return len(missing)


def _is_there(records: Records, source: Records, one: Archived) -> bool:
    """Whether a store has it; raises `OtherRecord` if it has something else."""
    if one.kind == EVENT:
        try:
            same = Tournaments(records).log(one.id)[1].head == one.head
            there = True
        except NoSuchTournament:
            kept, own = (chains.stored(at, one.key) for at in (records, source))
            same, there = kept is None or kept == own, False
        if not same:
            raise OtherRecord(f"the store has another event {one.id}")
        return there
    kept, own = chains.find(records, one.id), chains.find(source, one.id)
    last = records.last(one.id)
    if (kept is not None and kept != own) or (kept is None and last):
        raise OtherRecord(f"the store has another match {one.id}, or more of it")
    if last and last != one.head.seq:
        raise OtherRecord(f"match {one.id} is not whole in the store")
    return bool(last)


def _bring_match(records: Records, source: Records, dictionaries: Dictionaries, match: str) -> None:
    """The rows of a match with its listing, in one transaction; its snapshots after that."""
    back = [*rows.of_match(source, dictionaries, match), *listing.rows_of(source, match)]
    records.write(Work(match, (), [*back, archived.removed(match)]))
    records.write(Work(match, (), History(records).advance(match)))
