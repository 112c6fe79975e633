"""Records of tournaments in the file of matches: chained, checked, and never written over."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.tournament.acts import players
from domain.tournament.folding import fold
from domain.tournament.record import TYPES, Entry
from domain.tournament.tournament import Tournament
from service import wire
from service.store.file import UNCHAINED, StoreError
from service.store.records import Conflict, Records, Work
from service.store.tournaments import BEFORE, TABLE, NoSuchTournament, Tournaments
from tests.support.tournaments import by, opened, playing

ID = "ev3t"


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with closing(Records(tmp_path / "m.kifu")) as found:
        yield found


def kept(records: Records, t: Tournament, before: bytes = BEFORE) -> bytes:
    """Save what was added; the head after it."""
    statements, head = Tournaments(records).saved(ID, t.collect(), before)
    records.write(Work("", (), statements))
    return head


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


def test_the_layout_is_as_it_is_described(records: Records) -> None:
    kept(records, opened())
    before = bytes(32)
    with closing(sqlite3.connect(records.path)) as file:
        rows = file.execute("SELECT * FROM tournament_entries ORDER BY 1, 2").fetchall()
    for n, (event, seq, topic, state) in enumerate(rows, 1):
        number, _, who, happened, named = msgspec.msgpack.decode(state[32:])
        assert (event, seq, number, who, named) == (ID, n, n, "Ida", "")
        assert topic == str(happened[0])
        before = sha256(before + state[32:]).digest()
        assert state[:32] == before


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


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (lambda rows: rows[3:4] and rows[:3] + rows[4:], "entry 4 is missing"),
        (lambda rows: rows[1:], "entry 1 is missing"),
        (lambda rows: [(1, rows[0][1][:32] + rows[1][1][32:]), *rows[1:]], "entry 1 is damaged"),
        (lambda rows: [*rows[:4], (5, flipped(rows[4][1], 40)), *rows[5:]], "entry 5 is damaged"),
        (lambda rows: [*rows[:4], (5, flipped(rows[4][1], 0)), *rows[5:]], "entry 5 is damaged"),
        (lambda rows: [*rows[:4], (5, b""), *rows[5:]], "entry 5 is damaged"),
        (lambda rows: [*rows[:4], (5, "text"), *rows[5:]], "entry 5 is damaged"),
        (lambda rows: [*rows[:4], (5, rows[5][1]), (6, rows[4][1]), *rows[6:]], "entry 5"),
    ],
)
def test_damage_is_named(
    records: Records, harm: Callable[[list[tuple[int, bytes]]], list[tuple[int, bytes]]], what: str
) -> None:
    kept(records, opened())
    with records.rows(f"SELECT originator_version, state FROM {TABLE} ORDER BY 1") as found:
        rows = [tuple(row) for row in found]
    anew = [(f"DELETE FROM {TABLE}", ())]
    anew += [
        (f"INSERT INTO {TABLE} VALUES (?,?,?,?)", (ID, seq, "1", state))  # type: ignore[list-item]
        for seq, state in harm(rows)  # type: ignore[arg-type]
    ]
    records.write(Work("", (), anew))
    with pytest.raises(StoreError, match=f"event {ID}: {what}"):
        Tournaments(records).log(ID)
    assert Tournaments(records).fault(ID).startswith(f"event {ID}: {what}")


def test_a_record_is_not_passed_off_as_another(records: Records) -> None:
    kept(records, opened(people=0))
    records.write(Work("", (), [(f"UPDATE {TABLE} SET originator_id='fake'", ())]))
    with pytest.raises(StoreError, match="the record of another"):
        Tournaments(records).log("fake")


GOLDEN = Path(__file__).parents[2] / "golden"


def fits(found: Any, kept: Any) -> bool:
    """Whether all that was kept is found: fields may have been added since."""
    if isinstance(kept, dict):
        return all(key in found and fits(found[key], value) for key, value in kept.items())
    if isinstance(kept, list):
        return len(kept) == len(found) and all(map(fits, found, kept))
    return bool(found == kept)


def test_what_an_earlier_version_wrote_is_read_in_the_same_sense(records: Records) -> None:
    rows = [bytes.fromhex(row) for row in (GOLDEN / "tournament-1.hex").read_text().split()]
    values = [(ID, seq, "0", row) for seq, row in enumerate(rows, 1)]
    insert = f"INSERT INTO {TABLE} VALUES (?,?,?,?)"
    records.write(Work("", (), [(insert, value) for value in values]))
    log, head = Tournaments(records).log(ID)
    assert {type(entry.event) for entry in log} == {*TYPES.values()}
    state = fold(log)
    kept = msgspec.json.decode((GOLDEN / "tournament-1.json").read_bytes())
    assert fits(msgspec.json.decode(msgspec.json.encode(state)), kept)
    new = [*wire_and_back(log)]
    assert new == [replace(entry, ticket="") for entry in log]
    assert wire.tournament_of(wire.tournament(state)) == state
    t = Tournament.resume(log)
    players.correct(t, by(), 1, "Anna", "")  # and it goes on
    kept_so, _ = Tournaments(records).saved(ID, t.collect(), head)
    records.write(Work("", (), kept_so))
    assert len(Tournaments(records).log(ID)[0]) == len(log) + 1


def wire_and_back(log: list[Entry]) -> Iterator[Entry]:
    for entry in log:
        yield wire.tournament_entry_of(wire.tournament_entry(entry))


def test_a_file_of_before_has_none_until_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "old.kifu"
    Records(path).close()
    with closing(sqlite3.connect(path)) as old:
        old.execute(f"DROP TABLE {TABLE}")
        old.execute(f"PRAGMA user_version={UNCHAINED}")
    with closing(Records(path, reading=True)) as records:
        found = Tournaments(records)
        assert (found.opened(), found.has(ID)) == ([], False)
        with pytest.raises(NoSuchTournament):
            found.log(ID)
    with closing(Records(path)) as records:
        kept(records, opened())
        assert Tournaments(records).fault(ID) == ""
    with closing(Records(path, reading=True)) as records:
        assert len(Tournaments(records).log(ID)[0]) == 13
