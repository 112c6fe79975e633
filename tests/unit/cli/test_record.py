"""Records at hand: any point, files, causes."""

from __future__ import annotations

import pytest

from domain.record import events as ev
from domain.record import views
from domain.record.entries import Entry, encode
from domain.record.folding.fold import fold_all
from domain.record.points import NoSuchPoint, Point
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.causes import causes, describe
from domain.telling.record import Record
from domain.text.transcript.write import write
from replay_cli import record
from replay_cli.commands.viewing.replay import Replay
from replay_cli.playing.playout import view
from tests.unit.cli.clis import BOOK, RULES, answer, log, run


def test_any_position_is_the_fold() -> None:
    entries = log(1)
    held = Record(entries)
    for count in (len(entries), 0, 700, 3, 701, 150, 149, 300):
        assert held.position(count) == fold_all(entries[:count])


def test_points() -> None:
    held = Record(log(1))
    for taken in held.decisions[::17]:
        pos = held.after(held.find(Point(decision=taken.n)))
        assert pos.decision is not None
        assert (pos.decision.n, pos.decision.offers[taken.seat]) == (taken.n, taken.offer)
    assert held.after(held.find(Point(seq=77))).seq == 77
    assert held.after(held.find(Point(time=20_000))).time <= 20_000
    for wrong in (Point(seq=10**6), Point(decision=10**6)):
        with pytest.raises(NoSuchPoint):
            held.find(wrong)


def test_decisions_are_all_answered() -> None:
    held = Record(log(2))
    assert all(taken.made and taken.act and taken.ms >= 0 for taken in held.decisions)
    hidden = Record(view(log(2), PUBLIC))
    assert any(taken.act is None for taken in hidden.decisions)
    assert [taken.made for taken in hidden.decisions] == [taken.made for taken in held.decisions]


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 1])
def test_a_file_holds_the_very_record(tmp_path, viewer: int) -> None:
    entries = view(log(1), viewer)
    path = tmp_path / "match.jsonl"
    path.write_text("".join(record.write(entries)), encoding="utf-8")
    assert [encode(e) for e in record.read(path)] == [encode(e) for e in entries]
    (found,) = answer("verify", path)
    assert (
        found["verdict"]["kind"]
        if "verdict" in found
        else found["kind"] == ("exact" if viewer == OFFICIAL else "unverified")
    )


def test_a_transcript_is_a_record_too(tmp_path) -> None:
    path = tmp_path / "match.txt"
    path.write_text(write(log(1), RULES), encoding="utf-8")
    repeated = record.read(path)
    assert len(repeated) == len(log(1))
    (found,) = answer("verify", path)
    assert found["kind"] == "exact"
    path.write_text("[Game 5]\n", encoding="utf-8")
    assert f"{path}, line 1" in run("verify", path, code=1).stderr


def test_a_file_that_is_none(tmp_path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("{}\nnonsense\n")
    assert f"{path}, line 1" in run("verify", path, code=1).stderr
    path.write_bytes(b"\xff\xfe")
    assert "no exported record" in run("verify", path, code=1).stderr
    path.write_text("")
    assert "empty" in run("verify", path, code=1).stderr


def test_an_altered_record_fails(tmp_path) -> None:
    entries = list(log(1))
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, ev.DamageDealt))
    at = next(i for i in range(at, len(entries)) if isinstance(entries[i].event, ev.CountersMoved))
    moved = entries[at].event
    assert isinstance(moved, ev.CountersMoved)
    wrong = ev.CountersMoved(moved.kind, moved.n + 1, moved.src, moved.dst)
    altered = entries[at]
    entries[at] = Entry(
        altered.seq, altered.time, altered.moment, altered.frame, altered.by, altered.cites, wrong
    )
    path = tmp_path / "match.jsonl"
    path.write_text("".join(record.write(entries)), encoding="utf-8")
    result = run("verify", path, code=1)
    assert "diverged at entry" in result.stdout


def test_causes_end_at_a_choice() -> None:
    held = Record(log(2))
    lost = next(e.seq for e in held.line if isinstance(e.event, ev.SeatLost))
    chain = causes(held, BOOK, lost)
    assert [cause.link for cause in chain][:2] == ["", "because of"]
    assert isinstance(chain[-1].entry.event, ev.DecisionMade)
    assert "attacks" in chain[-1].text
    assert all(cause.entry.cites for cause in chain)


def test_every_entry_has_words_and_causes() -> None:
    for viewer in (OFFICIAL, PUBLIC):
        held = Record(view(log(4), viewer))
        for at in range(0, len(held.line), 11):
            assert describe(held, BOOK, held.line[at].seq)
            chain = causes(held, BOOK, held.line[at].seq)
            assert [c.entry.seq for c in chain] == sorted({c.entry.seq for c in chain})[::-1]


async def test_replay_steps_with_the_keyboard() -> None:
    app = Replay(log(2), BOOK)
    async with app.run_test(size=(110, 50)) as pilot:
        start = app.index
        await pilot.press("right", "right", "left")
        there = app.position
        assert there.decision is not None
        assert there.decision.n == 2
        await pilot.press("down")
        assert app.position.seq == there.seq + 1
        await pilot.press("up", "left")
        assert app.index == start
        await pilot.press("pagedown", "pagedown", "pagedown")
        assert app.position.turn == 3
        await pilot.press("pageup")
        assert app.position.turn == 2
        before = app.position
        await pilot.press("v")
        assert app.viewer == 0
        assert app.position == views.position(log(2)[: app.index], 0) != before
        await pilot.press("w", "end")
        assert app.position.over
        await pilot.press("home", "q")


async def test_a_view_can_be_replayed_as_itself_only() -> None:
    app = Replay(view(log(2), 1), BOOK)
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press("v", "pagedown", "right")
        assert app.viewer == OFFICIAL
        await pilot.press("q")
