"""`kifu list`: what it tells of matches, in which order, and to whom how early."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from domain.record.schema.policy import Clocks, Policy
from service.client.client import Opened
from tests.support.serving import Running, play, running
from tests.unit.cli.clis import answer, run


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, list[Opened]]]:
    """Four matches: two that were played a little, one not at all, one that waits."""
    with running(tmp_path_factory.mktemp("list") / "list.kifu") as server:
        organiser, opened = server.client(), []
        policy = Policy(clocks=Clocks(round=3_000_000, seat=900_000), delay="5 decisions")
        for table, name in enumerate(("Ann", "Cleo", "Eve", "Gus")):
            opened.append(
                organiser.open_match(
                    "gundam", [name, "Ben"], ["ST01", "ST03"], seed=table, policy=policy,
                    labels={"round": "2", "table": str(10 - table)}, wait=name == "Gus",
                )
            )  # fmt: skip
        for one, most in ((opened[0], 40), (opened[1], 8)):
            seats = tuple(server.client(token) for token in one.seats)
            play(seats, one, Random(1), most)
        yield server, opened


def where(server: Running, token: str = "") -> tuple[str, ...]:
    return "--server", server.address, "--token", token or server.token


def names(server: Running, *args: object) -> list[str]:
    return [one["seats"][0] for one in answer("list", *args, *where(server))]


def test_the_row_of_a_match(event: tuple[Running, list[Opened]]) -> None:
    server, opened = event
    client = server.client()
    pos = client.position(opened[0].id)
    by_id = {one.id: one for one in client.list_matches(progress=True)}
    found = by_id[opened[0].id].progress
    assert (found.turn, found.turn_seat, found.step) == (pos.turn, pos.turn_seat, pos.step)
    assert [*found.deciding] == [*pos.decision.seats]
    assert {one.clock for one in found.clocks} == {"round", "seat/0", "seat/1"}
    assert sum(one.running for one in found.clocks) == 2, "the round's, and his who is asked"
    assert all(0 < one.left <= 3_000_000 for one in found.clocks)
    assert not by_id[opened[3].id].progress.turn
    assert not next(iter(client.list_matches())).HasField("progress"), "only if it is asked for"
    text = run("list", *where(server)).stdout
    head, *rows = text.splitlines()
    assert head.split()[:4] == ["match", "game", "labels", "seats"]
    row = next(row for row in rows if opened[0].id in row)
    assert re.search(rf"\b{pos.turn} [AB] \*[AB]", row)
    assert re.search(r"\d\d:\d\d +\d\d:\d\d", row), "when it was opened, and its last act"
    assert "waiting" in text


def test_orders_and_filters(event: tuple[Running, list[Opened]]) -> None:
    server, _ = event
    assert names(server) == ["Gus", "Eve", "Cleo", "Ann"], "the newest first"
    assert names(server, "--sort", "opened") == ["Ann", "Cleo", "Eve", "Gus"]
    assert names(server, "--sort", "table") == ["Gus", "Eve", "Cleo", "Ann"], "7, 8, 9, 10"
    assert names(server, "--sort", "turn")[0] == "Ann"
    assert names(server, "--sort", "turn", "-n", 1) == ["Ann"]
    left = answer("list", "--sort", "left", *where(server))
    least = [min((int(c["left"]) for c in one["progress"]["clocks"]), default=1e9) for one in left]
    assert least == sorted(least)
    assert names(server, "--text", "CLEO") == ["Cleo"]
    assert names(server, "--text", "eve ben") == ["Eve"]
    assert names(server, "--text", "nobody") == []
    assert names(server, "--state", "waiting") == ["Gus"]
    assert names(server, "--game", "yugioh") == []
    assert "there are no events" in run("list", "--event", "x", *where(server), code=3).stderr


def test_who_sees_it_late_learns_nothing_early(event: tuple[Running, list[Opened]]) -> None:
    server, opened = event
    late, now = server.client(opened[0].public), server.client()
    pos = late.position(opened[0].id)
    (found,) = late.list_matches(progress=True)
    whole = {one.id: one for one in now.list_matches(progress=True)}[opened[0].id]
    assert found.entries == pos.seq < whole.entries
    how = found.progress
    assert (how.turn, how.turn_seat, how.step) == (pos.turn, pos.turn_seat, pos.step)
    assert [*how.deciding] == [*pos.decision.seats]
    assert how.last_time.ToMilliseconds() == found.open_time.ToMilliseconds() + pos.time
    for one in how.clocks:
        assert one.left == pos.left(one.clock, pos.time), "as of what he sees, not of now"
    (repeated,) = late.list_matches(progress=True)
    assert repeated.progress == how, "time alone tells him nothing"


def test_it_is_redrawn_in_place_until_interrupted(
    event: tuple[Running, list[Opened]], tmp_path: Path
) -> None:
    server, _ = event
    leader, follower = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "replay_cli", "list", "--watch", "0.3", *where(server)],
        stdin=follower, stdout=follower, stderr=subprocess.PIPE, cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
    )  # fmt: skip
    os.close(follower)
    seen, end = b"", time.monotonic() + 30
    with suppress(OSError):  # it has ended
        while seen.count(b"Cleo") < 3 and time.monotonic() < end:
            seen += os.read(leader, 65536)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    os.close(leader)
    assert seen.count(b"Cleo") >= 3
    assert b"\x1b[" in seen, "the rows are written over"
    assert child.returncode == 0
    assert b"Traceback" not in err
