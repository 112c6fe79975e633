"""What may take long runs in a thread, not on the loop that all matches share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.engine.match import Match
from service.api import matches, officials, reading
from tests.support.in_process import COMMANDS, HEAD, choosing, open_servicers


@pytest.fixture
def on_loop(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], list[bool]]:
    """Notes of each call of a function whether it was on the loop; the notes."""

    def noting(of: object, name: str) -> list[bool]:
        found, real = list[bool](), getattr(of, name)

        def call(*args: Any, **more: Any) -> Any:
            found.append(current_thread() is main_thread())
            return real(*args, **more)

        monkeypatch.setattr(of, name, call)
        return found

    return noting


@pytest.mark.parametrize(
    ("kind", "of", "name"),
    [
        ("leave", Match, "set_auto_pass"),
        ("leave for later", Match, "set_auto_pass"),
        ("import", matches, "read"),
        ("rewind", officials, "carry_out"),
    ],
)
def test_a_command_that_may_take_long_runs_in_a_thread(
    tmp_path: Path, on_loop: Any, kind: str, of: object, name: str
) -> None:
    async def run() -> list[bool]:
        async with open_servicers(tmp_path / "matches.kifu") as servicers:
            ready = await COMMANDS[kind](servicers)
            found: list[bool] = on_loop(of, name)
            await ready.send()
            return found

    found = asyncio.run(run())
    assert found
    assert not any(found)


def test_a_match_is_verified_in_a_thread(tmp_path: Path, on_loop: Any) -> None:
    async def run() -> list[bool]:
        async with open_servicers(tmp_path / "matches.kifu") as servicers:
            match, found = await servicers.open(), on_loop(reading, "verify")
            await servicers.match.verify_match(pb.VerifyMatchRequest(match_id=match), HEAD)
            return found  # type: ignore[no-any-return]

    assert asyncio.run(run()) == [False]


def test_an_answer_that_an_auto_pass_may_follow_runs_in_a_thread(
    tmp_path: Path, on_loop: Any
) -> None:
    async def run() -> list[bool]:
        async with open_servicers(tmp_path / "matches.kifu") as servicers:
            found: list[bool] = on_loop(Match, "choose")
            ready = await COMMANDS["leave for later"](servicers)
            await ready.send()
            await choosing(servicers, ready.match)
            return found

    *before, last = asyncio.run(run())
    assert (all(before), last) == (True, False)  # before it was set they ran on the loop
