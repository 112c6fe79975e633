"""Whole matches added to a store that no server has: those of `kifu simulate` and of `service.env`.

A server saves a match command by command (`live`), and records that are imported go through one.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.words.phrases import phrase
from service import wire
from service.identity import LETTERS
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, StoreError, Work

#: Letters of an id: among a million matches two alike are found once in 10^8 times (30^14).
_ID = 14


def id_of(what: str) -> str:
    """The id of a match that can be played again: always the same for the same description."""
    number, found = int.from_bytes(sha256(what.encode()).digest()), ""
    for _ in range(_ID):
        number, at = divmod(number, len(LETTERS))
        found += LETTERS[at]
    return found


def add(records: Records, match: str, log: Sequence[Entry]) -> bool:
    """Save a whole record under this id; False if it is there already.

    Raises `StoreError` if there is another match of that id, or the store can't be written.
    """
    heading = log[0].event
    assert isinstance(heading, MatchOpened)
    if records.last(match):
        if records.entries(match) != list(log):
            text = phrase("{where} has another match {match}", where=records.where, match=match)
            raise StoreError(text)
        return False
    for entry in log:
        wire.check(entry)
    if heading.game not in records.row_mapper.in_use:
        records.use_dictionary(heading.game)
    records.write(Work(match, log, listing.derive(match, log), heading.game))
    if due := History(records).advance(match):
        records.write(Work(match, (), due))
    return True
