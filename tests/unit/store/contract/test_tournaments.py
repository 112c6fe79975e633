"""Records of events in each kind of database: chained, and never written over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.tournament.acts import players
from domain.tournament.tournament import Tournament
from service.store.beside.tournaments import TABLE, NoSuchTournament, Tournaments
from service.store.errors import StoreError
from service.store.records import Conflict, Records, Work
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
