"""Records of tournaments in the file of matches: chained, checked, and never written over."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
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
from service.store.records import Records, Work
from service.store.tables.tournaments import NEW, TABLE, Tail, Tournaments
from tests.support.tournaments import by, opened

ID = "ev3t"


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with closing(Records(tmp_path / "m.kifu")) as found:
        yield found


def kept(records: Records, t: Tournament, tail: Tail = NEW) -> Tail:
    """Save what was added; where the record stands then."""
    statements, tail = Tournaments(records).saved(ID, t.collect(), tail)
    records.write(Work("", (), statements))
    return tail


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


GOLDEN = Path(__file__).parents[2] / "golden"


def fits(found: Any, kept: Any) -> bool:
    """Whether all that was kept is found: fields may have been added since, at the end."""
    if isinstance(kept, dict):
        return all(key in found and fits(found[key], value) for key, value in kept.items())
    if isinstance(kept, list):
        return len(kept) <= len(found) and all(map(fits, found, kept))
    return bool(found == kept)


#: What versions have written: each has what the ones before could not say.
WRITTEN = sorted(GOLDEN.glob("tournament-*.hex"))


def rows_of(file: Path) -> list[bytes]:
    return [bytes.fromhex(row) for row in file.read_text().split()]


def test_every_type_was_written_by_an_earlier_version() -> None:
    every = [row for file in WRITTEN for row in rows_of(file)]
    found = {type(msgspec.msgpack.decode(row[32:], type=Entry).event) for row in every}
    assert found == {*TYPES.values()}


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.stem)
def test_what_an_earlier_version_wrote_is_read_in_the_same_sense(
    records: Records, file: Path
) -> None:
    rows = rows_of(file)
    written = [msgspec.msgpack.decode(row[32:], type=Entry) for row in rows]
    chained, _ = Tournaments(records).saved(ID, written)
    values = [(ID, seq, "0", row) for seq, row in enumerate(rows, 1)]
    insert = f"INSERT INTO {TABLE} VALUES (?,?,?,?)"
    records.write(Work("", (), [chained[0], *((insert, value) for value in values)]))
    log, head = Tournaments(records).log(ID)
    state = fold(log)
    kept = msgspec.json.decode(file.with_suffix(".json").read_bytes())
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
