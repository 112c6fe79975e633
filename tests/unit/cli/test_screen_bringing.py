"""A card that no catalogue has, typed and brought in the scorekeeper's screen."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings

import pytest
from textual.widgets import Input

from domain.officials.acts import RecordShuffle
from replay_cli.scorekeeper.bringing import Form
from replay_cli.scorekeeper.screen import Screen
from tests.unit.cli.test_replay import shown
from tests.unit.cli.test_screen import Press, at, keyed

WATCH = {"card_number": "PR-01", "name": "Harbour Watch", "card_type": "unit", "color": "blue",
         "level": "1", "cost": "1", "ap_raw": "2", "hp_raw": "2"}  # fmt: skip


def fill(app: Screen, **fields: str) -> None:
    """Type into fields of the form."""
    for name, text in fields.items():
        app.screen.query_one(f"#field-{name}", Input).value = text


async def opened(app: Screen, some: Press) -> str:
    text = await some("f4")
    assert isinstance(app.screen, Form)
    return text


async def test_a_card_is_typed_in_place_and_played_by_the_line_that_waited_for_it() -> None:
    async with keyed(at("gundam", 5), size=(80, 30)) as (app, some):
        app.line.value = "deploy harbour"
        assert "F4: bring a card" in await some("space")
        text = await opened(app, some)
        assert "A card that no catalogue has" in text
        assert "number *" in text
        fill(app, **{**WATCH, "card_type": "dragon"})
        assert "type: " in await some("f4")
        assert app.screen.focused is app.screen.query_one("#field-card_type")
        fill(app, card_type="unit")
        text = await some("f4")
        assert "Bring Harbour Watch to this match?" in text
        assert "go on" not in text
        assert "Bring Harbour Watch to this match?" in await some("f4", "enter")
        assert not app.session.pos.heading.prints, "it is confirmed first"
        assert "number *" in await some("escape"), "and can be changed"
        await some("f4")
        await some("y")
        assert "The match has that card from now on." in shown(app)
        assert len(app.session.pos.heading.prints) == 1
        assert app.input_line.typed == "deploy harbour "
        assert app.shown.text.endswith("deploy Harbour Watch")


async def test_a_card_that_the_match_has_is_not_brought_and_a_left_form_changes_nothing() -> None:
    async with keyed(at("gundam", 5), size=(100, 30)) as (app, some):
        await opened(app, some)
        fill(app, **{**WATCH, "card_number": "ST01-001"})
        assert "already" in await some("f4")
        await some("escape")
        assert not isinstance(app.screen, Form)
        assert app.line.has_focus
        await some("y")
        assert app.line.value == "y"
        assert not app.session.pos.heading.prints


async def test_enter_and_arrows_lead_through_the_fields_and_what_comes_meanwhile_is_taken_in() -> (
    None
):
    service = at("gundam", 5)
    async with keyed(service) as (app, some):
        await opened(app, some)
        seq = app.session.seq
        await some("P", "R", "enter", "H", "up", "minus", "1")
        assert app.screen.query_one("#field-card_number", Input).value == "PR-1"
        assert app.screen.query_one("#field-name", Input).value == "H"

        service.record("m", RecordShuffle(0, 0, 1))
        app._poll()
        for _ in range(200):
            await asyncio.sleep(0.01)
            if app.session.seq > seq:
                break
        assert app.session.seq > seq


@pytest.mark.parametrize("game", ["gundam", "yugioh", "battle_spirits", "hollow_flux"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_the_form_of_each_game_fits(game: str, size: tuple[int, int]) -> None:
    async with keyed(at(game, 1), size=size) as (app, some):
        text = await opened(app, some)
        assert "name" in text
        assert "go on" in text
        assert max(map(len, text.splitlines())) <= size[0]
        last = app.screen.query(Input).last()
        last.focus()
        await some()
        assert last.region.height == 1
        assert app.screen.region.contains_region(last.region)


async def test_a_thread_that_ends_after_the_screen_leaves_nothing_behind() -> None:
    async with keyed(at("gundam", 1)) as (app, _):
        pass

    def late() -> None:
        app._on_screen_thread(app.redraw)

    thread = threading.Thread(target=late)
    app._loop = asyncio.new_event_loop()
    app._loop.close()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        thread.start()
        thread.join()
        gc.collect()
    assert [one for one in seen if "never awaited" in str(one.message)] == []
