"""Fair chance at the command line: opened, joined, begun, verified; shuffles of a real table."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.interventions import Penalty, ShuffleWitnessed
from domain.record.values import BY_OFFICIAL
from domain.telling.narration import Narrator
from replay_cli.__main__ import main
from replay_cli.scorekeeper import start
from service.client.client import CallError, Client, Opened
from tests.end_to_end.command_line.test_scorekeeper import Keyboard
from tests.support.forking import Forked
from tests.support.serving import Running, play
from tests.unit.cli.clis import BOOK, answer, run

PAIR = ("--game", "gundam", "--seats", "Ann,Ben", "--deck", "ST01", "--deck", "ST03")


def _joined(*words: str) -> str:
    """The output of joining, in a process of its own: two players do it at once."""
    with Forked(main, ["join", *words]) as process:
        text = process.stdout.read()
    assert process.poll() == 0
    return text


def test_two_players_join_and_every_draw_is_derived(server: Running, organiser: Client) -> None:
    where = ("-s", server.address)
    printed = run("open", *PAIR, *where, "-t", server.token).output
    assert "waits to begin" in printed
    assert "kifu join" in printed
    found = answer("open", *PAIR, "--tokens", *where, "-t", server.token)
    match, seats = found["id"], found["seats"]
    run("join", match, *where, "-t", server.token, code=2)
    with ThreadPoolExecutor(2) as pool:
        joined = pool.map(lambda token: _joined(match, *where, "-t", token), seats)
        assert all("it has begun" in text for text in joined)
    assert "chance: unproven – the seeds are opened" in _verified(match, server)
    clients = tuple(organiser.with_token(token) for token in seats)
    play(clients, Opened(match, found["official"], tuple(seats), found["public"]), Random(1), 40)
    clients[0].interject(match, Act("concede"))
    assert "chance: proven – all " in _verified(match, server)
    printed = run("watch", match, *where, "-t", server.token).output
    assert "all seeds are opened" in printed


def _verified(match: str, server: Running) -> str:
    return run("verify", match, "-s", server.address, "-t", server.token).output


def chance_text(client: Client, match: str) -> str:
    """The sentences about a match."""
    narrator = Narrator(BOOK)
    lines = [line for entry in client.events(match) for line in narrator.feed(entry)]
    return " ".join(" ".join(str(line.text) for line in (*lines, *narrator.close())).split())


def test_who_gave_no_seed_is_named(server: Running, organiser: Client) -> None:
    where = ("-s", server.address, "-t", server.token)
    match = answer("open", *PAIR, *where)["id"]
    assert "has begun" in run("desk", "begin", match, *where).output
    assert "player B gave no seed to chance" in chance_text(organiser, match)
    assert "waiting" not in run("list", *where, "--state", "live").output


def test_a_seed_in_clear_is_marked_wherever_the_match_is_shown(
    server: Running, organiser: Client
) -> None:
    where = ("-s", server.address, "-t", server.token)
    match = answer("open", *PAIR, "--seed", 4, *where)["id"]
    for command in (["show", match], ["list"], ["verify", match]):
        assert "SEEDED" in run(*command, *where).output
    assert "SEEDED" in chance_text(organiser, match)


def test_it_waits_for_an_official_where_that_is_asked(server: Running) -> None:
    where = ("-s", server.address, "-t", server.token)
    match = answer("open", *PAIR, "--wait", "--chance", "system", *where)["id"]
    assert "not begun" in run("show", match, *where).output
    assert match in run("list", "--state", "waiting", *where).output
    assert "decision 1 is open" in run("desk", "begin", match, *where).output


@pytest.fixture
def table(organiser: Client) -> Opened:
    """A real table."""
    return organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
    )


def shuffles(client: Client, match: str) -> list[ShuffleWitnessed]:
    found: list[Entry] = list(client.events(match))
    return [e.event for e in found if isinstance(e.event, ShuffleWitnessed)]


def test_shuffles_of_a_real_table_are_written_down(
    server: Running, organiser: Client, table: Opened, tmp_path: Path
) -> None:
    where = (table.id, "-s", server.address, "-t", table.scorekeeper)
    run("desk", "shuffle", *where, "A")
    run("desk", "shuffle", *where, "B", "--by", "official", "--cut", "nobody",
        "--checked", "50 cards, sleeves alike")  # fmt: skip
    assert shuffles(organiser, table.id) == [
        ShuffleWitnessed(0, 0, 1),
        ShuffleWitnessed(1, BY_OFFICIAL, -1, "50 cards, sleeves alike"),
    ]
    printed = chance_text(organiser, table.id)
    assert "player A shuffled the cards of player A, player B cut" in printed
    assert "an official shuffled the cards of player B: 50 cards, sleeves alike" in printed
    assert "chance: unproven – at a real table" in _verified(table.id, server)
    path = tmp_path / "table.txt"
    run("export", table.id, "-s", server.address, "-t", server.token, "-o", path)
    repeated = answer("import", path, "-s", server.address, "-t", server.token)["id"]
    assert shuffles(organiser, repeated) == shuffles(organiser, table.id)
    dealt = organiser.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"])
    with pytest.raises(CallError) as refused:
        organiser.shuffle(dealt.id, 0, 0)
    assert refused.value.reason == "NOT_A_TABLE"
    with pytest.raises(CallError) as refused:
        organiser.shuffle(table.id, 0, 7)
    assert refused.value.reason == "NO_SUCH_SEAT"


def test_a_few_keys_of_an_official_call_time_and_penalise(organiser: Client, table: Opened) -> None:
    async def keys(role: str, *typed: str) -> None:
        token = table.official if role == "official" else table.scorekeeper
        app = start.screen(organiser.with_token(token), table.id, role)
        async with app.run_test(size=(110, 50)) as pilot:
            keyboard = Keyboard(app, pilot)
            for key in typed:
                await keyboard.press(key)

    def recorded() -> list[tuple[int, str]]:
        events = (entry.event for entry in organiser.events(table.id))
        return [(e.seat, e.kind) for e in events if isinstance(e, Penalty)]

    asyncio.run(keys("official", "f3", "b", "1", "y"))
    asyncio.run(keys("official", "f3", "a", "1", "n"))
    asyncio.run(keys("scorekeeper", "f3", "a", "1", "y"))
    assert recorded() == [(1, "caution")]
    asyncio.run(keys("official", "f3", "t", "n"))
    assert not organiser.position(table.id).called
    asyncio.run(keys("official", "f3", "t", "y"))
    assert organiser.position(table.id).called


def test_two_keys_write_a_shuffle_down(organiser: Client, table: Opened) -> None:
    async def keys() -> int:
        app = start.screen(organiser.with_token(table.scorekeeper), table.id)
        async with app.run_test(size=(110, 50)) as pilot:
            keyboard = Keyboard(app, pilot)
            await keyboard.press("ctrl+s")
            assert keyboard.shown("who has shuffled his cards")
            await keyboard.press("b")
            pressed = keyboard.pressed
            await keyboard.press("ctrl+s", "x")  # nobody has
            assert not keyboard.shown("who has shuffled his cards")
            await keyboard.type("1⏎" if keyboard.asked else "")
            return pressed

    assert asyncio.run(keys()) == 2
    assert shuffles(organiser, table.id) == [ShuffleWitnessed(1, 1, 0)]
