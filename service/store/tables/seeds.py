"""The service's seeds of matches with shared chance.

They are in no entry as long as the match goes on: with the seats' seeds they predict every draw. A
table of their own keeps them, written in the transaction that opens the match; with the entry that
opens a seed its row goes. One that is lost, or is not the one that the service has bound itself to,
can't be made again: the match goes on with other chance, and its record says so at the end
(`domain.engine.opening.seeding`).
"""

from __future__ import annotations

from domain.record.entries import TYPES
from domain.record.events import ChanceDrawn
from domain.record.interventions import SeedsOpened
from domain.record.proof import draws
from service.dice import Dice
from service.store.derived.listing import Listed
from service.store.records import Records, Statement, StoreError
from service.store.statements import upsert

_SAVE = upsert("seeds", "id", "id, seed")
_CHANCE = next(tag for tag, cls in TYPES.items() if cls is ChanceDrawn)
_OPENED = next(tag for tag, cls in TYPES.items() if cls is SeedsOpened)


def saved(match: str, seed: bytes) -> Statement:
    """Keep the seed of a match."""
    return _SAVE, (match, seed)


def dropped(match: str) -> Statement:
    """Keep it no longer: it stands in the record."""
    return "DELETE FROM seeds WHERE id=?", (match,)


def find(records: Records, match: str) -> bytes | None:
    """The seed of a match; None if there is none that can be read."""
    try:
        row = records.row("SELECT CAST(seed AS BLOB) AS seed FROM seeds WHERE id=?", match)
    except StoreError:
        return None
    return bytes(row["seed"]) if row is not None and row["seed"] is not None else None


def dice(records: Records, listed: Listed) -> draws.Shared | draws.Lost | Dice:
    """The dice with which a match goes on. O(entries) where it can be derived again."""
    match, heading = listed.id, listed.heading
    if heading.chance != draws.SHARED or not heading.commitment:
        drawn = 0 if listed.seed is None else records.count(match, _CHANCE)
        return Dice(listed.seed, drawn)
    if records.find(match, _OPENED):  # all can derive the draws
        return Dice()
    seed = find(records, match)
    if seed is None or draws.of_service(heading.id, seed) != heading.commitment:
        return draws.Lost(Dice())
    return draws.Shared(seed, records.count(match, _CHANCE))
