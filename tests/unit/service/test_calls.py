"""A rulebook that raises: the caller gets INTERNAL, the log says where, and the match goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.engine.checks.verify import verify
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.events import NotDone
from service.client.client import CallError, Client, connect
from service.server import Server
from service.settings import Settings
from tests.toy import Toy


def broken(t: Table) -> Play:
    raise AssertionError("a defect of the rulebook")
    yield


def beyond(t: Table) -> Play:
    t.emit(NotDone("draw", 0, "impossible", 3_000_000_000), "toy:3")
    yield from Toy().draw(t)


def served(path: Path, rules: Toy, test: Callable[[Client], None]) -> None:
    """A test that talks to a server in this process, where its logs can be read."""

    async def go() -> None:
        settings = Settings(data=path / "matches.kifu", port=0, rulebooks={"toy": rules})
        server = Server(settings)
        serving = await server.start()
        try:
            with connect(serving.address, serving.token) as client:
                await asyncio.to_thread(test, client)
        finally:
            await server.stop()

    asyncio.run(asyncio.wait_for(go(), 30))


@pytest.mark.parametrize("defect", [broken, beyond])
def test_an_engine_that_fails_is_logged_with_the_match_and_the_decision(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, defect: Callable[[Table], Play]
) -> None:
    rules = Toy()
    rules.steps = steps = dict(rules.steps)

    def test(client: Client) -> None:
        opened = client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        ann = client.with_token(opened.seats[0])

        def pass_() -> None:
            decision = ann.position(opened.id).decision
            assert decision is not None
            offer = decision.offers[0]
            assert offer is not None
            ann.choose(opened.id, decision.n, offer.options[-1].act())

        before = list(client.events(opened.id))
        steps["draw"] = defect
        with pytest.raises(CallError) as found:
            pass_()
        assert found.value.code == "INTERNAL"
        (line,) = (facts(r) for r in caplog.records if r.getMessage() == "call failed")
        assert line["incident"] in found.value.text
        expected = {"method": "Choose", "match": opened.id, "decision": 1, "entry": len(before)}
        assert expected.items() <= line.items()
        assert list(client.events(opened.id)) == before
        steps["draw"] = rules.draw
        pass_()
        assert verify(list(client.events(opened.id)), rules).kind == "exact"

    with caplog.at_level(logging.ERROR, "kifu"):
        served(tmp_path, rules, test)


def facts(record: logging.LogRecord) -> dict[str, Any]:
    """What a line of the log says beside its event."""
    found: dict[str, Any] = record.__dict__["with_"]
    return found
