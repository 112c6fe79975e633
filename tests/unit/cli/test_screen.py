"""The scorekeeper's screen by keys, with a service in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from domain.engine.match import Match
from domain.record.decisions import Act
from domain.scorekeeping.command import Command, Recorded, Rejected, Trial
from domain.scorekeeping.session import Session
from domain.telling.book import Book
from replay_cli.playing.fuzz.tables import no_dice
from replay_cli.scorekeeper import confirming, panes, screen
from replay_cli.scorekeeper.link import Link
from replay_cli.scorekeeper.screen import Screen
from tests.playouts import PAIRS, Setup, opening
from tests.support.marks import each
from tests.support.scorekeepers import LocalService
from tests.unit.cli.test_replay import shown

#: Presses keys, waits for what they set off, and returns what the screen shows then.
Press = Callable[..., Awaitable[str]]


@asynccontextmanager
async def keyed(
    service: LocalService, *, size: tuple[int, int] = (80, 24), may_rule: bool = False,
    link: type[Link] = Link,
) -> AsyncIterator[tuple[Screen, Press]]:  # fmt: skip
    """The screen of a match, and what presses keys on it."""
    session = Session("m", Book.of(service.match.rules))
    session.feed(service.log)
    app = Screen(session, link(cast(Any, service), "m"), may_rule)
    async with app.run_test(size=size) as pilot:
        yield app, _press(app, pilot)


def _press(app: Screen, pilot: Pilot[None]) -> Press:
    async def some(*names: str) -> str:
        await pilot.press(*("space" if name == " " else name for name in names))
        for _ in range(200):
            await pilot.pause()
            if not app.sending:
                break
        await pilot.pause()
        return shown(app)

    return some


def at(game: str, decision: int) -> LocalService:
    """A match at a real table, at one of its first decisions: nobody has done anything."""
    one, other = PAIRS[game][0]
    setup = Setup(2, (one, other))
    opened = replace(opening(setup), mode="table", rolls=((0,),))
    match = Match.open(setup.rules, opened, no_dice)
    service = LocalService(match)
    while (open_ := service.match.pos.decision) is not None and open_.n < decision:
        offer = open_.offers[open_.seats[0]]
        assert offer is not None
        kinds = [option.kind for option in offer.options]
        kind = next(kind for kind in ("first", "keep", "end", "pass", *kinds) if kind in kinds)
        service.choose("m", open_.n, Act(kind), f"{open_.n}", seat=open_.seats[0])
    return service


async def test_enter_held_down_stops_where_a_turn_begins() -> None:
    async with keyed(at("gundam", 4)) as (app, some):
        text, app.enter.within = "", 60.0
        for _ in range(20):
            text = await some("enter")
        assert app.session.pos.turn == 2
        assert "another turn has begun: let Enter go" in text
        app.enter.within = 0.0
        await some("enter")
        assert app.session.pos.decision is not None
        assert app.session.pos.decision.kind == "action", "let go, and pressed once more"


async def test_enter_after_a_digit_confirms_it_and_does_no_second_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confirming, "AFTER_DIGIT", 60.0)  # however busy the machine is
    async with keyed(at("gundam", 1)) as (app, some):
        await some("1")
        assert app.session.pos.decision is not None
        assert app.session.pos.decision.n == 2
        text = await some("enter")
        assert "Enter is not needed after it" in text
        assert app.session.pos.decision.n == 2


class Later(Link):
    """A link to a service that allows an act only after a pass."""

    def trial(self, command: Command) -> Trial | None:
        return Trial(None if command.passes else Rejected("ILLEGAL", "no"))


async def test_enter_right_after_the_last_letter_counts_once_the_meaning_was_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "SEEN", 1.0)
    async with keyed(at("gundam", 5), link=Later) as (app, some):
        app.line.value = "c thor"
        while not (app.shown.command and app.shown.command.passes):
            await asyncio.sleep(0.01)
        await some("enter")
        assert app.input_line.typed == "c thor", "what was shown only just now is not done unseen"
        while app.input_line.refused is None:  # by the service, of which nobody else is asked
            await asyncio.sleep(0.01)


async def test_a_judge_is_called_with_the_line_which_is_gone_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[str, int, str]] = []
    monkeypatch.setattr(Link, "call_judge", lambda _, *given: calls.append(given) or Recorded(0))
    async with keyed(at("gundam", 4)) as (app, some):
        app.waiting.place = ("e", 1, 7)
        text = await some(*"late", "f2", "y")
        assert calls == [("e", 7, "late")]
        assert app.line.value == "" == app.input_line.typed
        assert "a judge" in text


async def test_the_only_act_has_a_digit_and_enter_takes_nothing_where_nothing_must_be() -> None:
    async with keyed(at("hollow_flux", 2)) as (app, some):
        text = await some()
        assert "  1 face up" in text
        assert "⏎ face up none" in text
        await some("enter")
        assert app.session.pos.decision is not None
        assert app.session.pos.decision.n == 3


@pytest.mark.parametrize("may_rule", [False, True])
async def test_what_is_not_a_scorekeepers_says_whose_it_is(may_rule: bool) -> None:
    async with keyed(at("gundam", 4), may_rule=may_rule) as (_, some):
        assert "nothing was refused here" in await some("ctrl+r")
        assert "nothing was refused here" not in await some("d")
        assert "gcg:2-8-1" in await some(*" guntank", "enter")
        if may_rule:
            assert "Ctrl+R records it all the same" in await some()
        else:
            found = "an official may record it all the same: Ctrl+R there"
            assert found in await some("ctrl+r")


@pytest.mark.parametrize("game", each(2, ["gundam", "hollow_flux", "yugioh", "battle_spirits"]))
async def test_both_sides_are_in_sight_on_small_screens(game: str) -> None:
    async with keyed(at(game, 4)) as (app, some):
        for keys in ((), ("x", "q", "q", "enter"), ("escape",)):
            text = await some(*keys)
            for seat, name in enumerate(app.session.pos.heading.seats):
                assert f"── {'AB'[seat]} {name}" in text, text
            assert "⏎" in text or "?" in text
            assert "f1 help" in text


async def test_all_of_the_help_can_be_read_on_a_small_screen() -> None:
    async with keyed(at("gundam", 4)) as (_, some):
        first = await some("f1")
        assert "does what stands after" in first
        read = first + await some("pagedown")
        for row in panes.helping().split("\n"):
            assert row in read, row
        assert "── A Ann" in await some("escape")


async def test_a_wide_screen_has_the_transcript_next_to_the_board_unbroken() -> None:
    async with keyed(at("gundam", 4), size=(180, 45)) as (app, some):
        app.enter.within, text = 0.0, ""
        for _ in range(12):
            text = await some("enter")
        aside = [row.partition("│")[2].strip() for row in text.split("\n")]
        assert sum(row.count("gcg:") > 1 for row in aside) > 2
        assert not any(row.startswith("gcg:") for row in aside), aside
