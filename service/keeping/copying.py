"""A whole store copied to another, from and to any database; an interrupted copy can be continued.

What is kept (`tables`) is copied row by row as it is, a match in one transaction; what is derived
is made again. The source is read as it is at one time and not written; a server may have it. Before
anything is written the target is looked at: what it has under an id of the source must be the
source's, or an earlier state of it, else nothing is copied. At the end the heads are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

from domain.record.proof.anchors.leaves import EVENT
from domain.words.phrases import phrase
from service.anchors.ledger import Ledger
from service.keeping import rows
from service.keeping.listed import SOURCES
from service.keeping.retention import unlisted
from service.keeping.rows import Dictionaries
from service.store import chains
from service.store.derived import listing
from service.store.history import History
from service.store.layout.chaining import Chain
from service.store.records import NoSuchMatch, Records, Statement, StoreError, Work
from service.store.schema import CHANGING, KEPT, TABLES
from service.store.tables.tournaments import TABLE as EVENTS
from service.store.tables.tournaments import Tournaments, key_of

#: What is numbered in a row, and only ever added to: a target has some of the source's, or none.
GROWING = ("log_keys", "leaves", "checkpoints")
#: Lists of what is no match: tokens, codes, events. What is missing there is added, and those of
#: matches are made again.
_LISTS = TABLES["lists"]
_OF_OTHERS = "list<'matches' OR list>='matchet'"
#: How many of those that are others are named.
_NAMED = 5


class OtherStore(StoreError):
    """The target has something else than the source under the same ids."""


class Copied(NamedTuple):
    """How many matches were copied, and how many were there; how many rows of everything else."""

    copied: int
    there: int
    rows: int


def copy(
    source: Records, target: Records, done: Callable[[int, int], None] = lambda n, of: None
) -> Copied:
    """Copy a store; `done` is called with the number of matches copied.

    The target must be nobody else's meanwhile. Raises `StoreError`; `OtherStore` before anything is
    written. What was written until then stays, and the next copy goes on from there.
    """
    if source.closed:
        raise StoreError(
            phrase(
                "{where} is an archive, which is not copied: it is brought back (`kifu "
                "event restore`)",
                where=source.where,
            )
        )
    with source.reading():
        chained = _ids(source, "chains", "id")
        events = [key for key in chained if key.startswith(EVENT)]
        ids = sorted({*_ids(source, "stored_events", "originator_id"), *chained} - {*events})
        due = _judged(source, target, ids)
        dictionaries = Dictionaries(source, target)
        for (number,) in _numbers(source):
            dictionaries.number(number)
        for n, match in enumerate(ids, 1):
            _copy_changing(source, target, match)
            if match in due:
                _copy_match(source, target, dictionaries, match)
            done(n, len(ids))
        count = sum(_copy_rows(source, target, table.name) for table in KEPT
                    if not table.match and table.name != "dictionaries")  # fmt: skip
        for key in events:
            kept = rows.read(source, TABLES["chains"], "id=?", key)
            target.write(Work("", (), rows.replaced(TABLES["chains"], kept)))
        made = chain.from_iterable(listed(source) for listed in SOURCES)
        for some in rows.lots(chain(rows.read(source, _LISTS, _OF_OTHERS), made)):
            target.write(Work("", (), rows.added(_LISTS, some, new=True)))
        _make_tiles(target)
        _compare(source, target, [*ids, *events])
    return Copied(len(due), len(ids) - len(due), count)


def _ids(records: Records, table: str, column: str) -> list[str]:
    with records.rows(f"SELECT {column} FROM {table} GROUP BY {column}") as found:
        return [row[0] for row in found]


def _numbers(records: Records) -> list[tuple[int]]:
    with records.rows("SELECT id FROM dictionaries ORDER BY id") as found:
        return [tuple(row) for row in found]


# -- before anything is written --------------------------------------------------------------------


def _judged(source: Records, target: Records, ids: list[str]) -> set[str]:
    """The matches that are to be copied; raises `OtherStore`."""
    due, others = set[str](), list[str]()
    for match in ids:
        state = _state(source, target, match)
        if state is None:
            others.append(f"match {match}")
        elif not state:
            due.add(match)
    others += [f"event {event}" for event in _ids(target, EVENTS, "originator_id")
               if not (_begins(source, target, EVENTS, "originator_id", event)
                       and _same_chain(source, target, event))]  # fmt: skip
    others += [name for name in GROWING if not _is_part(source, target, name)]
    others += [f"the log of access {log!r}" for log in _ids(target, "access", "log")
               if not _begins(source, target, "access", "log", log)]  # fmt: skip
    if others:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        text = ", ".join(others[:_NAMED])
        raise OtherStore(f"{target.where} has something else: {text}{more}; nothing was copied")
    return due


def _state(source: Records, target: Records, match: str) -> bool | None:
    """Whether a match is in the target as it is; None if that has something else, or more."""
    own, kept = chains.stored(source, match), chains.stored(target, match)
    has, had = source.last(match), target.last(match)
    if kept is None and not had:
        return False
    if own is None or kept is None:  # not chained: nothing tells an earlier state from another
        return True if own == kept and source.stored(match) == target.stored(match) else None
    if own == kept:
        return True if has == had else None  # archived in one of them
    return False if _leads_on(source, match, own, kept) and kept.head.seq == had else None


def _leads_on(source: Records, match: str, own: Chain, kept: Chain) -> bool:
    """Whether a chain is an earlier state of the source's."""
    if kept.secret != own.secret or kept.head.seq > own.head.seq:
        return False
    try:
        return chains.head(source, match, kept.head.seq) == kept.head
    except (StoreError, NoSuchMatch):
        return False


def _begins(source: Records, target: Records, name: str, column: str, id_: str) -> bool:
    """Whether the target's rows in a table are the beginning of the source's."""
    table = TABLES[name]
    mine = [*rows.read(source, table, f"{column}=?", id_)]
    theirs = [*rows.read(target, table, f"{column}=?", id_)]
    return not mine or mine[: len(theirs)] == theirs


def _same_chain(source: Records, target: Records, event: str) -> bool:
    """Whether the chain that the target has of an event, if any, is the source's."""
    own, kept = (chains.stored(one, key_of(event)) for one in (source, target))
    if kept is None or not Tournaments(source).has(event):
        return True
    return own is not None and own.secret == kept.secret


def _is_part(source: Records, target: Records, name: str) -> bool:
    """Whether numbered rows of the target are the first of the source's."""
    table = TABLES[name]
    mine = rows.read(source, table)
    return all(row == next(mine, None) for row in rows.read(target, table))


# -- copying ---------------------------------------------------------------------------------------


def _copy_match(source: Records, target: Records, dictionaries: Dictionaries, match: str) -> None:
    """All rows of a match and its listing, in one transaction; its snapshots after that."""
    found = list[Statement]()
    if target.last(match):  # an earlier state of it
        found += [("DELETE FROM stored_events WHERE originator_id=?", (match,)),
                  *unlisted(target, match)]  # fmt: skip
    kept = [TABLES["stored_events"], TABLES["chains"]]
    found += rows.of_match(source, dictionaries, match, kept)
    if not source.last(match):  # it was archived, and its chain is left
        target.write(Work(match, (), found))
        return
    target.write(Work(match, (), [*found, *listing.rows_of(source, match)]))
    chains.check(target, match, accepting=True)
    target.write(Work(match, (), History(target).advance(match)))


def _copy_changing(source: Records, target: Records, match: str) -> None:
    """Copy the rows that change without an entry, if there are any."""
    found = list[Statement]()
    for name in CHANGING:
        table = TABLES[name]
        mine = [*rows.read(source, table, "id=?", match)]
        if mine != [*rows.read(target, table, "id=?", match)]:
            found += [(f"DELETE FROM {name} WHERE id=?", (match,)), *rows.added(table, mine)]
    if found:
        target.write(Work("", (), found))


def _copy_rows(source: Records, target: Records, name: str) -> int:
    """The rows of a table that are of no match alone, in the place of those with their keys."""
    count = 0
    for some in rows.lots(rows.read(source, TABLES[name])):
        target.write(Work("", (), rows.replaced(TABLES[name], some)))
        count += len(some)
    return count


def _make_tiles(target: Records) -> None:
    """The full tiles of the log, from its leaves."""
    ledger = Ledger(target)
    ledger.load()
    if ledger.repairs:
        target.write(Work("", (), ledger.repairs))


def _compare(source: Records, target: Records, ids: list[str]) -> None:
    """Whether every match of the source has its head in the target; raises `StoreError`."""
    for match in ids:
        same = chains.stored(source, match) == chains.stored(target, match)
        if not same or source.last(match) != target.last(match):
            what = match if match.startswith(EVENT) else f"match {match}"
            raise StoreError(
                phrase(
                    "{what} is not in {where} as it is in {where2}",
                    what=what,
                    where=target.where,
                    where2=source.where,
                )
            )
