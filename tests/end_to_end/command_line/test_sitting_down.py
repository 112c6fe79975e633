"""The scorekeeper's screen of a match that waits: what for, who won the roll, an event's round."""

from __future__ import annotations

import asyncio

from domain.tournament.record import Format, Table
from domain.tournament.state import match_id
from replay_cli.scorekeeper import start
from service.client.client import Client
from tests.end_to_end.command_line.test_scorekeeper import Keyboard

ROLL = "who chooses who begins: who won the roll, A Ann or B Ben?"


async def test_a_waiting_match_begins_once_the_winner_of_the_roll_is_entered(
    organiser: Client,
) -> None:
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", wait=True
    )
    app = start.screen(organiser.with_token(opened.scorekeeper), opened.id)
    async with app.run_test(size=(100, 30)) as pilot:
        keyboard = Keyboard(app, pilot)
        await keyboard.comes(lambda: keyboard.shown(ROLL))
        await keyboard.comes(lambda: keyboard.shown("not begun: Enter has it begin"))
        await keyboard.press("escape")
        assert not keyboard.asked
        await keyboard.press("⏎")
        assert keyboard.asked == ROLL
        await keyboard.type("b⏎")
        assert keyboard.kind == "turn-order"
        assert app.session.seat == 1
        await keyboard.press("f2")
        assert keyboard.shown("this match is of no event")


def test_a_table_of_an_event_waits_for_its_round_and_calls_a_judge(organiser: Client) -> None:
    event = organiser.open_tournament("Autumn Open", Format("gundam", seconds=3000))
    organiser.enter_players(event.id, ["Ann", "Ben"])
    for player, deck in ((1, "ST01"), (2, "ST03")):
        assert not organiser.hand_in_list(event.id, player, deck)
    organiser.accept_lists(event.id)
    organiser.pair_round(event.id, [Table(1, 1, 2)])
    organiser.open_round(event.id)
    match = match_id(event.id, 1, 1)

    async def keys() -> None:
        app = start.screen(organiser.with_token(event.scorekeeper), match)
        async with app.run_test(size=(110, 30)) as pilot:
            keyboard = Keyboard(app, pilot)
            await keyboard.comes(lambda: keyboard.shown("Autumn Open · round 1 · table 1"))
            assert keyboard.shown("not begun: waits until round 1 starts")
            assert keyboard.shown("it begins once round 1 has started")
            await keyboard.press("⏎")
            assert (keyboard.asked, keyboard.refused) == ("", ())
            organiser.start_round(event.id)
            await keyboard.comes(lambda: keyboard.asked == ROLL)
            await keyboard.type("ann⏎")
            assert app.session.seat == 0
            assert keyboard.shown("round 49:")
            await keyboard.press(*"how late may he be", "f2")
            assert keyboard.shown("call a judge to table 1: how late may he be?")
            await keyboard.press("x")
            assert not organiser.get_tournament(event.id).calls
            await keyboard.press("f2", "y")
            assert keyboard.shown("a judge is called to this table")

    asyncio.run(keys())
    (call,) = organiser.get_tournament(event.id).calls.values()
    assert (call.table, call.text) == (1, "how late may he be")
