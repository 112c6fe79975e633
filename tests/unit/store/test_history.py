"""A match read at any point is what its entries add up to, with snapshots and without."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.engine.match import Match
from domain.record.entries import Entry
from domain.record.events import DecisionMade, DecisionOpened, OptionsOffered
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from service.dice import Dice
from service.store import history
from service.store.derived import snapshots
from service.store.history import History
from service.store.records import Work
from tests.toy import TOY
from tests.unit.store.records import remembered, toy_log

ID = "k7f3q"
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
LOG = toy_log(turns=30)


@pytest.fixture(params=[40, 10_000], ids=["snapshots", "none"])
def past(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[History]:
    monkeypatch.setattr(history, "EVERY", request.param)
    commands = [LOG[at : at + 50] for at in range(0, len(LOG), 50)]
    with remembered(tmp_path / "matches.kifu", ID, commands, often=2) as found:
        kept = found.records.row("SELECT count(*) FROM snapshots")[0]
        assert (kept > 8) == (request.param == 40)
        yield found


DECISIONS = sum(isinstance(entry.event, DecisionOpened) for entry in LOG)


def test_decisions_say_what_was_offered_chosen_and_how_long_it_took(past: History) -> None:
    found = past.decisions(ID, OFFICIAL, 1, DECISIONS + 5)
    made = [entry for entry in LOG if isinstance(entry.event, DecisionMade)]
    assert [one.n for one in found] == list(range(1, DECISIONS + 1))
    for one, entry in zip(found, made, strict=True):
        event = entry.event
        assert isinstance(event, DecisionMade)
        side = one.sides[event.seat]
        assert (side.seq, side.ms, side.origin) == (entry.seq, event.ms, "seat")
        assert side.offer is not None
        assert side.act is not None
        assert event.answer.value is not None
        assert side.act.kind == side.offer.options[event.answer.value.option].kind
        before = fold_all(LOG[: one.seq - 1])
        assert (one.game, one.turn, one.step) == (before.game, before.turn, before.step)


def test_the_rivals_options_and_answers_are_hidden(past: History) -> None:
    for one in past.decisions(ID, 0, 1, DECISIONS):
        for seat, side in one.sides.items():
            assert (side.offer is not None) == (side.act is not None) == (seat == 0)


def test_a_match_goes_on_from_a_snapshot(past: History) -> None:
    for end in range(30, len(LOG), 41):
        if not isinstance(LOG[end - 1].event, OptionsOffered):
            continue
        base = past._snapshot(ID, OFFICIAL, past.line(ID, end))
        start = base.seq if base is not None else 0
        match = Match.resume(TOY, LOG[start:end], Dice(1), base)
        assert match.pos == fold_all(LOG[:end])
        assert match.collect() == []


def test_the_audit_finds_a_snapshot_that_was_tampered_with(past: History) -> None:
    assert past.audit(ID) == 0
    path = past.records.path
    with sqlite3.connect(path) as connection:
        row = connection.execute("SELECT seq, views FROM snapshots LIMIT 1 OFFSET 2").fetchone()
        if row is None:
            return
        other = connection.execute("SELECT views FROM snapshots LIMIT 1").fetchone()[0]
        connection.execute("UPDATE snapshots SET views=? WHERE seq=?", (other, row[0]))
    assert past.audit(ID) == row[0]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE snapshots SET views=? WHERE seq=?", (b"torn", row[0]))
    assert past.audit(ID) == row[0]
    assert past.position(ID, OFFICIAL, Point(seq=row[0])) == fold_all(LOG[: row[0]])


def test_no_flipped_bit_of_a_snapshot_changes_a_position(past: History) -> None:
    """One that is damaged spoils those after it in its chain: they are bypassed and reported."""
    places = past._snapshots.every(ID, len(LOG))[1:3]
    with closing(sqlite3.connect(past.records.path, isolation_level=None)) as connection:
        for place in places:
            select, update = "SELECT views", "UPDATE snapshots SET views=?"
            kept = connection.execute(f"{select} FROM snapshots WHERE seq=?", place[:1]).fetchone()
            for bit in range(0, len(kept[0]) * 8, 61):
                flipped = bytearray(kept[0])
                flipped[bit // 8] ^= 1 << bit % 8
                connection.execute(f"{update} WHERE seq=?", (bytes(flipped), place.seq))
                past.records.damaged.clear()
                for seq in (place.seq, place.seq + 30):
                    assert past.position(ID, 1, Point(seq=seq)) == position(LOG[:seq], 1)
                right = past._snapshots.read(ID, place)
                assert right or past.records.damaged == {ID}
            connection.execute(f"{update} WHERE seq=?", (*kept, place.seq))
        connection.execute("DELETE FROM snapshots WHERE seq=?", (places[0].seq if places else 0,))
    for seq in range(5, len(LOG), 41):
        assert past.position(ID, 0, Point(seq=seq)) == position(LOG[:seq], 0)


def test_no_snapshot_is_more_steps_away_than_a_chain_is_long(
    past: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "CHAIN", 3)
    past.records.write(Work(ID, (), [("DELETE FROM snapshots", ())]))
    past.records.write(Work(ID, (), past.advance(ID)))
    found = [past._snapshots.load(ID, place) for place in past._snapshots.every(ID, len(LOG))]
    assert [one.steps for one in found if one] == [at % 3 for at in range(len(found))]
    assert past.audit(ID) == 0


def test_two_indistinguishable_matches_give_a_viewer_the_same_entries() -> None:
    hidden: list[Entry] = [redact(entry, PUBLIC) for entry in LOG]
    assert fold_all(hidden) == position(LOG, PUBLIC)
