"""Clocks on the board and in the transcript."""

from __future__ import annotations

from domain.engine.match import Match
from domain.officials import clocks
from domain.record.entries import Entry
from domain.record.schema.policy import Clocks, EndOfTime
from domain.telling.book import Book
from domain.telling.names import countdown, time_left
from domain.telling.narration import narrate
from replay_cli.drawing import board
from replay_cli.drawing.lines import Columns
from tests.unit.officials.test_clocks import SETUP, begin, by, play_to

HANDS = Clocks(round=2_100_000, seat=600_000, increment=1_000)
BOOK = Book.of(SETUP.rules)


def called() -> tuple[Match, list[Entry]]:
    match = begin(clocks=HANDS, end=EndOfTime(1, 300_000, ("shield",)))
    play_to(match, 3)
    clocks.call_time(match, by(match))
    return match, match.collect()


def test_the_board_shows_the_clocks_and_what_is_left() -> None:
    match, _ = called()
    drawn = board.draw(BOOK, match.pos).plain.splitlines()
    left = countdown(match.pos.left("round", match.pos.time))
    assert drawn[1] == f"round {left} · time was called, 1 turn left after this one, 5:00 left"
    for seat, name in enumerate(("Ann", "Ben")):
        shown = countdown(match.pos.left(f"seat/{seat}", match.pos.time))
        assert any(f"{name} · {SETUP.decks[seat]} {shown} " in row for row in drawn)
    clocks.pause(match, by(match))
    assert "the match is paused" in board.draw(BOOK, match.pos).plain


def test_the_transcript_tells_of_clocks_and_how_long_answers_took() -> None:
    match, log = called()
    clocks.set_clock(match, by(match), "seat/1", 60_000, False)
    log += match.collect()
    lines = narrate(BOOK, log)
    texts = [line.text for line in lines]
    assert "the round's clock shows 35:00" in texts
    assert "player B's clock shows 1:00, and stands still" in texts
    assert "time was called, 1 turn left after this one, 5:00 left" in texts
    answer = next(line for line in lines if line.ms)
    steps = {word.name: word.label for word in BOOK.manifest.steps}
    assert f"{answer.ms / 1000:.1f}s" in Columns(100, steps, timed=True).render(answer).plain
    assert f"{answer.ms / 1000:.1f}s" not in Columns(100, steps).render(answer).plain


def test_a_clock_that_has_run_out_shows_by_how_much() -> None:
    assert [countdown(ms) for ms in (60_000, 59_999, 0, -3_000, 3_600_000)] == [
        "1:00", "0:59", "0:00", "-0:03", "60:00",
    ]  # fmt: skip
    assert time_left(begin().pos, 5) == ""
