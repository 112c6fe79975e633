"""Stepping through a match by keys, on terminals of the usual sizes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from textual.app import App

from replay_cli.commands.viewing.replay import Replay
from tests.support.marks import each
from tests.unit.cli.clis import BOOK, log
from tests.unit.cli.test_rewinds import REWINDS, played

#: Presses keys, and returns what the screen shows then.
Press = Callable[..., Awaitable[str]]
SMALL, USUAL = (80, 24), (100, 30)


def shown(app: App[None]) -> str:
    """What a screen shows."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(piece.text for piece in strip) for strip in strips)


@asynccontextmanager
async def keys(app: Replay, size: tuple[int, int]) -> AsyncIterator[Press]:
    """What presses keys in an app on a terminal of a size."""
    async with app.run_test(size=size) as pilot:

        async def some(*names: str) -> str:
            await pilot.press(*names)
            await pilot.pause()
            return shown(app)

        yield some


def transcript(text: str) -> list[str]:
    """The lines of the transcript on a screen."""
    rows = [row.strip() for row in text.split("\n")]
    rule = next(at for at, row in enumerate(rows) if len(row) > 60 and set(row) == {"─"})
    return [row for row in rows[rule + 1 : -2] if row[:1].isdigit()]


@pytest.mark.parametrize("size", [SMALL, USUAL])
async def test_five_lines_of_the_transcript_are_always_there(size: tuple[int, int]) -> None:
    async with keys(Replay(log(2), BOOK), size) as some:
        for key in ("end", "pageup", "left", "home", "d"):
            text = await some(key)
            assert len(transcript(text)) == 5, text
            assert "Battle Area" in text or key == "home"


async def test_numbers_lead_to_decisions_turns_and_entries() -> None:
    app = Replay(log(2), BOOK)
    async with keys(app, SMALL) as some:
        assert "dte go to" in await some("home")
        assert "decision 12: player" in await some("d", "1", "2", "enter")
        for turn in "35":
            text = await some("t", turn, "enter")
            assert f"turn {turn}, player" in text
            (now,) = [row for row in transcript(text) if row.startswith(str(app.entry.seq))]
            assert f" T{turn} " in now, "the line that is told is of that turn"
        await some("e", "2", "0", "0", "enter")
        assert app.entry.seq == 200
        assert "there is no decision 9999" in await some("d", *"9999", "enter")
        await some("d", "1", "escape", "pagedown")
        assert app.position.turn > 1
        assert "turn " in await some("pageup", "pageup")


async def test_escape_leaves_nothing_but_what_was_asked_for() -> None:
    app = Replay(log(2), BOOK)
    async with keys(app, SMALL) as some:
        await some("home")
        assert "nothing else led to it" in await some("w")
        assert "nothing else led to it" not in await some("escape")
        assert "q quits" in await some("escape", "escape")
        assert "the options of player" in await some("right", "o")
        assert app.is_running


async def test_what_was_undone_is_marked_in_the_lines() -> None:
    app = Replay(played(), BOOK)
    async with keys(app, SMALL) as some:
        lines = transcript(await some("e", *str(REWINDS[0] - 1), "enter"))
        assert any(" undone " in line for line in lines)
        assert " undone " not in "".join(transcript(await some("end")))


@pytest.mark.parametrize("n", each(2, [25, 1]))
async def test_a_record_that_has_hardly_begun_is_stepped_through(n: int) -> None:
    async with keys(Replay(log(2)[:n], BOOK), (60, 12)) as some:
        for key in ("pagedown", "pageup", "left", "right", "end", "w", "o", "escape", "v", "b"):
            await some(key)
        assert "there is no turn 9" in await some("t", "9", "enter")
