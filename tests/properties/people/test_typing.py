"""Any text typed at the scorekeeper's line, at any decision, is explained or sent."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.match import Match
from domain.record.entries import Entry
from domain.scorekeeping.command import Command, NamesMissing
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.session import Session
from domain.scorekeeping.understanding.reading import addressed
from domain.telling.book import Book
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table
from replay_cli.scorekeeper import panes
from tests.playouts import Setup, answer, begin, cuts, opening

SETUPS = [Setup(3, ("ST01", "ST03")), Setup(5, ("HX-A", "HX-B"))]
WORDS = (
    "attack", "deploy", "pair", "play", "a", "d", "end", "pass", "gm", "zaku", "player", "->",
    "with", ",", "none", "...", "????", "#2", "@57", "@0", "A:", "B:", "C:", "hand.", "text", "[",
    '"', "reorder", "trash", "concede", "no-block", "char's", "unknown", "choose", "seat/1", "pay",
)  # fmt: skip
LINES = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=6).map(" ".join)


@cache
def record(setup: Setup) -> list[Entry]:
    """The first half of a match, as it was entered at a real table."""
    match = begin(setup)
    dealt = match.collect()
    keeper = Scorekeeper(at_table(setup.rules, opening(setup), dealt))
    for _ in range(60):
        decision = match.pos.decision
        if decision is None:
            break
        n, seat = decision.n, decision.seats[0]
        act, now = answer(setup, n, decision.offers[seat]), match.pos.time + 1  # type: ignore[arg-type]
        match.choose(seat, n, act, now)

        def retried(real: Match, inputs: object, at: tuple = (seat, n, act, now)) -> None:
            real.choose(*at, inputs=inputs)  # type: ignore[arg-type]

        keeper.enter(retried, match.collect(), lambda need: match.pos.card(need.number).id)
    return keeper.log


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SETUPS), st.floats(0, 1), st.lists(LINES, min_size=1, max_size=4))
def test_any_line_is_explained_or_sent(setup: Setup, where: float, lines: list[str]) -> None:
    log = record(setup)
    places = cuts(log)
    session = Session("m", Book.of(setup.rules))
    session.feed(log[: places[int(where * (len(places) - 1))]])
    input_line = InputLine(session)
    for line in lines:
        input_line.escape()
        input_line.type(line)
        for way in (0, 1, -1):
            input_line.move(way)
            shown = (
                panes.prompt(session, input_line.understood()),
                panes.choices(input_line, input_line.understood(), 5),
                panes.note(input_line, True),
            )
            assert input_line.preview() in shown[0].plain
            assert len(input_line.rows) <= max(9, len(input_line.on_offer(input_line.table())))
        input_line.type(line + " ")
        command = input_line.enter(input_line.understood())
        assert command is None or isinstance(command, Command)
        found = addressed(line, 0)[1]
        assert command is not None or input_line.refused is not None or not found
        if command is not None and session.pos.cards:
            number = next(iter(session.pos.cards))
            input_line.outcome(command, NamesMissing(((number, session.pos.card(number).place),)))
            input_line.type(line)
            input_line.preview()
            input_line.enter(input_line.understood())
            input_line.escape()
