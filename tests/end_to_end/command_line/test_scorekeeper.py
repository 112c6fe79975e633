"""The scorekeeper's screen, by keys, against a real server: what is recorded is what was meant."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from kifu.v1.match_service_pb2 import VERDICT_EXACT
from textual.pilot import Pilot

from domain.record import events as ev
from domain.record.decisions import act_of
from domain.record.entries import Entry, active
from domain.record.interventions import Irregularity, Rewound
from domain.record.values import EVERYONE
from replay_cli.scorekeeper import start
from replay_cli.scorekeeper.screen import Screen
from service.client.client import Client
from tests.support import serving
from tests.support.serving import Running
from tests.support.waiting import PATIENCE

KEYS = {" ": "space", "?": "question_mark", "⏎": "enter", "#": "number_sign"}


class Keyboard:
    """Presses keys, and waits until what they set off is there."""

    def __init__(self, app: Screen, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot
        self.pressed = 0
        app.enter.within = 0.0  # however quickly Enter is pressed again, it is meant

    async def press(self, *keys: str) -> None:
        self.pressed += len(keys)
        await self.pilot.press(*(KEYS.get(key, key) for key in keys))
        await self.settle()

    async def type(self, line: str) -> None:
        """Letters, and what each ⏎ sets off."""
        for words in line.split("⏎")[:-1]:
            await self.press(*words, "⏎")

    async def comes(self, there: Callable[[], bool]) -> None:
        """Wait for what somebody else has done, and has been drawn."""
        end = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < end, "it has not come"
            await self.pilot.pause(0.02)
        await self.pilot.pause()

    def shown(self, text: str) -> bool:
        """Whether the screen says so."""
        return text in self.text

    @property
    def text(self) -> str:
        """The text of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(piece.text for piece in strip) for strip in strips)

    async def settle(self) -> None:
        """Wait until what was sent is recorded, drawn and laid out."""
        drawn = False
        while not drawn:
            await self.comes(lambda: not self.app.sending and not self.app._dirty)
            drawn = not self.app.sending and not self.app._dirty

    async def passes(self) -> None:
        """Nobody does anything about an attack, or at the end of a turn."""
        while self.kind in ("block", "action") and not self.asked:
            await self.press("⏎")

    async def ends(self) -> None:
        assert self.kind == "main"
        await self.press("⏎")
        await self.passes()

    @property
    def kind(self) -> str:
        return self.app.session.decision.kind if self.app.session.decision else ""

    @property
    def asked(self) -> str:
        return self.app.input_line.question.text if self.app.input_line.question is not None else ""

    @property
    def refused(self) -> tuple[str, ...]:
        return self.app.input_line.refused.rules if self.app.input_line.refused is not None else ()


#: Who did what, passes and what was undone aside.
MEANT = [
    (0, "first"), (0, "keep"), (1, "keep"), (0, "end"), (1, "deploy"), (1, "end"),
    (0, "deploy"), (0, "end"), (1, "attack"), (1, "deploy"), (1, "end"),
    (0, "end"), (1, "attack"), (1, "attack"),
]  # fmt: skip


def answers(log: list[Entry]) -> list[ev.DecisionMade]:
    return [entry.event for entry in active(log) if isinstance(entry.event, ev.DecisionMade)]


def acts(log: list[Entry]) -> list[tuple[int, str]]:
    """Seats and acts on the active line, except passes."""
    offer, found = None, []
    for entry in active(log):
        match entry.event:
            case ev.OptionsOffered(offer=sealed):
                offer = sealed.value
            case ev.DecisionMade(seat=seat, answer=answer, stated=stated):
                renewed = stated.value.offer if stated.value is not None else None
                kind = act_of(renewed or offer, answer.value).kind  # type: ignore[arg-type]
                found += [(seat, kind)] if kind not in ("pass", "no-block") else []
    return found


def shown(log: list[Entry]) -> list[str]:
    """The cards of the decks that all got to know, in order."""
    known = (entry.event for entry in active(log) if isinstance(entry.event, ev.CardsKnown))
    cards = (one.cards.value or () for one in known if one.cards.to == EVERYONE)
    return [card for some in cards for _, card in some if card.startswith("ST0")]


@pytest.mark.long
def test_some_turns_by_keys_only_with_an_undo_and_a_restart(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu")
    try:
        asyncio.run(_play(running, tmp_path / "matches.kifu"))
    finally:
        running.process.kill()


async def _play(running: Running, data: Path) -> None:
    organiser = running.client()
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
    )
    app = start.screen(organiser.with_token(opened.scorekeeper), opened.id)
    async with app.run_test(size=(110, 50)) as pilot:
        keyboard = Keyboard(app, pilot)
        await keyboard.press("1")
        await keyboard.type("k⏎k⏎")  # Ann goes first, both keep their hands
        await keyboard.ends()
        await keyboard.type("d gaz⏎")  # Ben plays a card that nobody has seen
        await keyboard.ends()
        await keyboard.type("d gunt⏎")  # Ann has too few resources for that
        assert keyboard.refused == ("gcg:2-8-1",)
        assert keyboard.app.input_line.typed == "d gunt"
        assert keyboard.shown("gcg:2-8-1"), "the rule is told"
        await keyboard.press("ctrl+r")
        assert keyboard.shown("an official may record it all the same")
        await keyboard.press("escape")
        head = organiser.head(opened.id)
        assert head is not None
        await keyboard.comes(lambda: keyboard.shown(f"head {head.seq}: {head.short}"))
        await keyboard.type("d zow⏎")
        await keyboard.press("ctrl+z")  # it was another card
        await keyboard.type("d gm⏎")
        await keyboard.ends()
        running = await _restart(keyboard, running, data)  # Ben attacks meanwhile
        await keyboard.passes()
        await keyboard.type("d z⏎")
        await keyboard.ends()
        await keyboard.ends()
        await keyboard.press("1")  # Ben, with both of his
        await keyboard.type("att za⏎⏎")  # what must be passed first is passed, then it is meant
        await keyboard.passes()
        assert keyboard.asked.startswith("A's Shields, the topmost: which card?")
        await keyboard.type("gm⏎")
        await keyboard.type("A: conc⏎")
        assert keyboard.shown("and the match is over: player B won, 0–1 – y: so it is")
        await keyboard.press("y")
        assert keyboard.app.session.pos.over
        await keyboard.press("ctrl+z")
        assert keyboard.shown("an official may take that back")
        assert keyboard.pressed < 80
    with running.client() as client:
        log = list(client.events(opened.id))
        assert client.verify(opened.id).verdict == VERDICT_EXACT
    assert acts(log) == MEANT
    assert shown(log) == ["ST03-004", "ST01-005", "ST03-007", "ST01-005"]
    assert sum(isinstance(entry.event, Rewound) for entry in log) == 1
    assert log[-1].event == ev.MatchEnded(1, (0, 1))
    assert any(made.origin == "implied" for made in answers(log))
    organiser.close()


async def _restart(keyboard: Keyboard, running: Running, data: Path) -> Running:
    """The server is killed, an attack is entered meanwhile, the server comes back."""
    port = int(running.address.rpartition(":")[2])
    running.kill()
    await keyboard.pilot.press("1")
    await keyboard.comes(lambda: keyboard.shown("OFFLINE"))
    assert keyboard.app.sending
    assert not keyboard.app.link.online
    running = serving.start(data, port=port)
    await keyboard.settle()
    assert keyboard.kind == "block"
    assert keyboard.app.link.online
    return running


def test_an_official_records_a_misplay_and_others_changes_arrive(organiser: Client) -> None:
    asyncio.run(_judge(organiser))


async def _judge(organiser: Client) -> None:
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
    )
    judge = organiser.with_token(opened.official)
    app = start.screen(judge, opened.id, "official")
    async with app.run_test(size=(160, 40)) as pilot:
        keyboard = Keyboard(app, pilot)
        await keyboard.press("1")
        await keyboard.type("k⏎k⏎")
        await keyboard.press(*"deploy guntank")
        await keyboard.comes(lambda: keyboard.shown("✗ gcg:2-8-1 deploy Guntank"))
        await keyboard.type("⏎")
        assert keyboard.refused == ("gcg:2-8-1",)
        assert keyboard.shown("Ctrl+R")
        await keyboard.press("ctrl+r")
        assert (keyboard.refused, keyboard.app.input_line.typed, keyboard.kind) == ((), "", "main")
        judge.pause(opened.id, why="a question")
        await keyboard.comes(lambda: keyboard.shown("paused"))
        judge.resume(opened.id)
        n = app.session.pos.decisions
        judge.rewind(opened.id, 2, "they were not ready")
        await keyboard.comes(lambda: keyboard.kind == "redraw")
        assert any(app.session.abandoned(line.seq) for line in app.session.lines)
        await keyboard.type("keep⏎B: concede⏎")
        await keyboard.press("n")
        assert (app.input_line.typed, app.session.pos.over) == ("B: concede", False)
        await keyboard.press("⏎", "y")
        assert app.session.pos.over
        await keyboard.press("ctrl+z")
        assert keyboard.shown("undo the end (player A won, 1–0)? the match goes on at decision")
        await keyboard.press("y")
        await keyboard.comes(lambda: not app.session.pos.over)
        assert app.session.seat == 1
        assert app.session.pos.decisions > n, "no number is given twice"
    events = [entry.event for entry in judge.events(opened.id)]
    (flag,) = (event for event in events if isinstance(event, Irregularity))
    assert (flag.rule, flag.seat) == ("gcg:2-8-1", 0)
