"""A match read at any point is what its entries add up to, with snapshots and without."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.engine.match import Match
from domain.record.entries import Entry
from domain.record.events import DecisionMade, DecisionOpened, OptionsOffered
from domain.record.folding.fold import fold_all
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from service.dice import Dice
from service.store import history
from service.store.history import History, Point
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


def test_the_rivals_options_and_answers_are_not_told(past: History) -> None:
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


def test_two_indistinguishable_matches_give_a_viewer_the_same_entries() -> None:
    hidden: list[Entry] = [redact(entry, PUBLIC) for entry in LOG]
    assert fold_all(hidden) == position(LOG, PUBLIC)
