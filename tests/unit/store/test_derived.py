"""What is derived from the entries is a cache: damaged, it is bypassed, told of, and made again."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from kifu.v1 import match_service_pb2 as pb
from msgspec.structs import replace

from domain.record.entries import active
from domain.record.events import CardsTurned, DecisionOpened
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.views import OFFICIAL
from service.api.calls.pages import Pages
from service.api.reading import Reading
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store.derived import checks, listing, rewinds
from service.store.derived.searching import Wanted, search
from service.store.history import History
from service.store.records import Records, StoreError, Work
from tests.support.marks import each
from tests.toy import RULEBOOKS
from tests.unit.cli.clis import run
from tests.unit.store.records import AT, toy_log
from tests.unit.store.test_rewinds import COMMANDS, LOG

ID, OTHER = "k7f3q", "other"
HEAD = Identity(Role.ORGANISER, "organiser")

#: What may become of what is derived, in SQL.
DAMAGE = {
    "listing": "UPDATE matches SET heading=x'ff' WHERE id='k7f3q'",
    "words": "UPDATE matches SET heading=CAST(replace(heading, 'toy', x'746f85') AS BLOB)"
    " WHERE id='k7f3q'",
    "outcome": "UPDATE matches SET outcome=NULL WHERE id='k7f3q'",
    "ended": "UPDATE matches SET ended='no' WHERE id='k7f3q'",
    "no listing": "DELETE FROM matches WHERE id='k7f3q'",
    "list": "DELETE FROM lists WHERE list='matches game toy' AND id='k7f3q'",
    "state": "INSERT INTO lists SELECT 'matches state 2', at, id FROM lists WHERE list='matches'"
    " AND id='k7f3q'",
    "rewind": "UPDATE rewinds SET back='x' WHERE id='k7f3q'",
    "no rewind": "DELETE FROM rewinds WHERE id='k7f3q'",
    "snapshots": "UPDATE snapshots SET views=x'00' || views WHERE id='k7f3q'",
    "views": "UPDATE snapshots SET views=(SELECT views FROM snapshots ORDER BY seq LIMIT 1)",
    "decisions": "UPDATE snapshots SET decisions=decisions+3 WHERE id='k7f3q'",
    "numbers": "UPDATE snapshots SET seq=NULL WHERE id='k7f3q'",
    "stray": "INSERT INTO snapshots VALUES ('k7f3q', 99999, 0, 0, x'00')",
}
#: What nobody can notice who reads: only a comparison finds it.
QUIET = {"list", "state", "no rewind", "numbers"}
#: The decisions of the record, and where they were opened.
OPENED = {e.event.n: e.seq for e in LOG if isinstance(e.event, DecisionOpened)}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a match of some rewinds and snapshots, and another."""
    monkeypatch.setattr("service.store.history.EVERY", 60)
    path = tmp_path / "matches.kifu"
    records = Records(path)
    for command in COMMANDS:
        records.write(Work(ID, command, listing.derive(ID, command, 7, at=AT)))
    other = toy_log()
    records.write(Work(OTHER, other, listing.derive(OTHER, other)))
    records.write(Work(ID, (), History(records).advance(ID)))
    assert records.row("SELECT count(*) FROM snapshots WHERE id=?", ID)[0] > 2
    assert checks.faults(records, ID) == []
    records.close()
    return path


def damaged(path: Path, what: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(DAMAGE[what])
        connection.commit()


def same(records: Records) -> None:
    """Everything reads as the entries have it."""
    history = History(records)
    for seq in (len(LOG), len(LOG) // 2, 50):
        assert history.position(ID, OFFICIAL, Point(seq=seq)) == fold_all(active(LOG[:seq]))
    for n in (1, len(OPENED) // 2, len(OPENED)):
        assert history.first(ID, Point(decision=n)) == OPENED[n]
    found = listing.find(records, ID)
    assert (found.heading, found.ended) == (LOG[0].event, True)
    assert {one.id for one in search(records, Wanted(forks=True)).matches} >= {OTHER}


@pytest.mark.parametrize("what", each(4, DAMAGE))
def test_what_is_damaged_is_found_and_made_anew(data: Path, what: str) -> None:
    damaged(data, what)
    found = run("verify", "--offline", "-d", str(data), code=1).stdout
    assert "but its" in found
    assert f"match {OTHER}" in found
    run("store", "rebuild", str(data))
    assert "but its" not in run("verify", "--offline", "-d", str(data)).stdout
    records = Records(data)
    same(records)
    assert records.row("SELECT count(*) FROM snapshots WHERE id=?", ID)[0] > 2
    records.close()


@pytest.mark.parametrize("what", each(2, [what for what in DAMAGE if what not in QUIET]))
async def test_a_server_bypasses_what_is_damaged_and_makes_it_anew(data: Path, what: str) -> None:
    damaged(data, what)
    records = Records(data)
    matches = Matches(records, RULEBOOKS)
    same(records)
    while checks.faults(records, ID):
        await asyncio.sleep(0.01)
    same(records)
    await matches.close()
    records.close()


@pytest.mark.parametrize("what", sorted(QUIET))
def test_undetected_damage_changes_no_answer(data: Path, what: str) -> None:
    damaged(data, what)
    with closing(Records(data, reading=True)) as records:
        if what != "no rewind":  # without which nobody can know that there was one
            same(records)


def test_an_entry_that_can_not_follow_from_the_others_is_damage(data: Path) -> None:
    last = LOG[-1]
    wrong = replace(last, seq=last.seq + 1, event=CardsTurned((77_777,), True, None))
    with closing(Records(data)) as records:
        records.write(Work(ID, [wrong]))
        history = History(records)
        for read in (lambda: history.position(ID, OFFICIAL), lambda: history.audit(ID)):
            with pytest.raises(StoreError, match=f"match {ID}: entry {wrong.seq} is damaged"):
                read()


async def test_who_verifies_hears_of_it(data: Path) -> None:
    damaged(data, "list")
    records = Records(data)
    matches = Matches(records, RULEBOOKS)
    request = pb.VerifyMatchRequest(match_id=ID)
    reading = Reading(matches, Pages(b"k" * 32))
    answer = await reading.verify_match(request, HEAD)
    assert (answer.verdict, *answer.derived) == (
        pb.VERDICT_EXACT, "its lists are not what its entries say"
    )  # fmt: skip
    while checks.faults(records, ID):
        await asyncio.sleep(0.01)
    await matches.close()
    records.close()


def test_a_match_whose_entries_are_damaged_too_is_left_out(data: Path) -> None:
    damaged(data, "listing")
    with closing(sqlite3.connect(data)) as connection:
        connection.execute("UPDATE stored_events SET state=x'' WHERE originator_id='k7f3q'")
        connection.commit()
    records = Records(data, reading=True)
    assert [one.id for one in search(records).matches] == [OTHER]
    records.close()
    output = run("store", "rebuild", str(data), code=1).stdout
    assert "1 of 2 matches" in output
    assert "entries 1 to 24 are damaged" in output


def test_a_seed_outlives_a_rebuild_where_it_can_be_read(data: Path) -> None:
    run("store", "rebuild", str(data))
    records = Records(data)
    assert listing.find(records, ID).seed == 7
    assert rewinds.find(records, ID) == [
        (seq, back) for seq, back in rewinds.find(records, ID) if back < seq
    ]
    records.close()
