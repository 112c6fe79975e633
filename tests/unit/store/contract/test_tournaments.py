"""Records of events in each kind of database: chained, and never written over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.tournament import proof
from domain.tournament.acts import players
from domain.tournament.record import Entry
from domain.tournament.tournament import Tournament
from service.anchors.keys import new_key
from service.anchors.ledger import Ledger
from service.store import chains
from service.store.errors import StoreError
from service.store.records import Conflict, Records, Work
from service.store.tables.tournaments import (
    BEFORE,
    TABLE,
    NoSuchTournament,
    Tournaments,
    key_of,
    linked,
)
from tests.support.databases import Place
from tests.support.tournaments import by, opened, playing
from tests.unit.store.test_tournaments import ID, kept

Rows = list[tuple[int, Any]]


@pytest.fixture
def records(place: Place) -> Records:
    return place.records()


def test_what_is_read_is_what_was_written(records: Records) -> None:
    t = opened()
    head = kept(records, t)
    playing(t, (1, 2), (3, 4))
    head = kept(records, t, head)
    log, found = Tournaments(records).log(ID)
    assert found == head
    assert Tournament.resume(log).state == t.state
    assert Tournaments(records).opened() == [(0, ID)]
    assert Tournaments(records).has(ID)
    assert not Tournaments(records).has("other")
    with pytest.raises(NoSuchTournament):
        Tournaments(records).log("other")
    assert records.ids() == []  # no match is among them


def test_a_second_writer_of_an_entry_fails_cleanly(records: Records) -> None:
    t = opened(people=1)
    head = kept(records, t)
    log, _ = Tournaments(records).log(ID)
    rival = Tournament.resume(log)
    players.enter(t, by(), [("Ann", "")])
    players.enter(rival, by(), [("Bea", ""), ("Cleo", "")])
    kept(records, t, head)
    with pytest.raises(Conflict):
        kept(records, rival, head)
    log, _ = Tournaments(records).log(ID)
    assert Tournament.resume(log).state == t.state


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


#: What somebody does to the rows, and what is said of it then.
HARMS: list[tuple[Callable[[Rows], Rows], str]] = [
    (lambda rows: rows[3:4] and rows[:3] + rows[4:], "entry 4 is missing"),
    (lambda rows: rows[1:], "entry 1 is missing"),
    (lambda rows: [(1, rows[0][1][:32] + rows[1][1][32:]), *rows[1:]], "entry 1 is damaged"),
    (lambda rows: [*rows[:4], (5, flipped(rows[4][1], 40)), *rows[5:]], "entry 5 is damaged"),
    (lambda rows: [*rows[:4], (5, flipped(rows[4][1], 0)), *rows[5:]], "entry 5 is damaged"),
    (lambda rows: [*rows[:4], (5, b""), *rows[5:]], "entry 5 is damaged"),
    (lambda rows: [*rows[:4], (5, "text"), *rows[5:]], "entry 5 is damaged"),
    (lambda rows: [*rows[:4], (5, rows[5][1]), (6, rows[4][1]), *rows[6:]], "entry 5"),
]


def test_damage_is_named(place: Place, records: Records) -> None:
    kept(records, opened())
    rows: Rows = place.look(f"SELECT originator_version, state FROM {TABLE} ORDER BY 1")  # type: ignore[assignment]
    for harm, what in HARMS:
        harmed = harm(rows)
        if place.shared and any(isinstance(state, str) for _, state in harmed):
            continue  # columns have types there
        insert = f"INSERT INTO {TABLE} VALUES (?,?,?,?)"
        anew = [(insert, (ID, seq, "1", state)) for seq, state in harmed]
        records.write(Work("", (), [(f"DELETE FROM {TABLE}", ()), *anew]))
        with pytest.raises(StoreError, match=f"event {ID}: {what}"):
            Tournaments(records).log(ID)
        assert Tournaments(records).fault(ID).startswith(f"event {ID}: {what}")


def test_a_record_is_not_passed_off_as_another(place: Place, records: Records) -> None:
    kept(records, opened(people=0))
    place.change(f"UPDATE {TABLE} SET originator_id='fake'")
    with pytest.raises(StoreError, match="the record of another"):
        Tournaments(records).log("fake")


def rehashed(log: Sequence[Entry]) -> Rows:
    """Rows of these entries, with hashes that fit."""
    found, before = Rows(), BEFORE
    for entry in log:
        data = msgspec.msgpack.encode(entry)
        before = linked(before, data)
        found.append((entry.seq, before + data))
    return found


def write(records: Records, rows: Rows, chain: tuple[int, bytes] | None = None) -> None:
    """Put rows in the place of those of the record, and another head into its chain."""
    sql = f"INSERT INTO {TABLE} (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
    also: list[Any] = [(f"DELETE FROM {TABLE} WHERE originator_id=?", (ID,))]
    also += [(sql, (ID, seq, "1", state)) for seq, state in rows]
    if chain is not None:
        also.append(("UPDATE chains SET seq=?, hash=? WHERE id=?", (*chain, key_of(ID))))
    records.write(Work("", (), also))


def anchored(records: Records) -> None:
    """Have the log take up what is chained."""
    ledger = Ledger(records, new_key("example.org/log"))
    ledger.load()
    grown = ledger.grow(ledger.unanchored(chains.heads(records)))
    records.write(Work("", (), grown.statements))


def test_a_record_that_was_hashed_anew_is_found(records: Records) -> None:
    kept(records, opened())
    log, tail = Tournaments(records).log(ID)
    assert tail.chain is not None
    anchored(records)
    forged = [replace(one, by="Eve") if one.seq == len(log) else one for one in log]
    write(records, rehashed(forged))
    with pytest.raises(StoreError, match="what the log has"):
        Tournaments(records).log(ID)
    for some in (forged, log[:-1]):  # the chain as well
        hashes = proof.links(proof.genesis(ID), some, tail.chain.secret)
        write(records, rehashed(some), (len(some), hashes[-1]))
        with pytest.raises(StoreError, match="the log has"):
            Tournaments(records).log(ID)
    write(records, rehashed(log), (len(log), tail.chain.head.hash))
    assert Tournaments(records).log(ID) == (log, tail)
    records.write(Work("", (), [("DELETE FROM chains WHERE id=?", (key_of(ID),))]))
    with pytest.raises(StoreError, match="its chain is missing"):
        Tournaments(records).log(ID)


def test_what_goes_on_from_another_head_is_refused(records: Records) -> None:
    t = opened()
    tail = kept(records, t)
    rows = [("UPDATE chains SET hash=? WHERE id=?", (bytes(32), key_of(ID)))]
    records.write(Work("", (), rows))
    players.enter(t, by(), [("Zoe", "")])
    with pytest.raises(Conflict):
        kept(records, t, tail)
