"""Health: alive, ready, and what is told of the parts; asking costs nothing."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Mapping
from urllib.error import HTTPError

import pytest
from prometheus_client import CollectorRegistry

from service.deploy import health as probe
from service.telemetry import health as telemetry_health
from service.telemetry.answering import Answering
from service.telemetry.health import Health, Part


class Parts:
    """A store and news that work or don't, how often they were asked, and what was told."""

    def __init__(self) -> None:
        self.store = self.news = ""
        self.asked, self.hangs = 0, False
        self.reports: list[Mapping[str, bool]] = []
        parts = {"store": Part(self._store), "news": Part(self._news, needed=False)}
        self.health = Health(parts, self._turned)

    async def _store(self) -> str:
        self.asked += 1
        if self.hangs:
            await asyncio.sleep(60)
        if self.store:
            raise OSError(self.store)
        return ""

    async def _news(self) -> str:
        return self.news

    async def _turned(self, works: Mapping[str, bool]) -> None:
        self.reports.append(works)


async def test_ready_goes_with_the_store_and_comes_back_with_it() -> None:
    parts = Parts()
    health = parts.health
    await health.look()
    assert health.states_by_name() == {"ready": "ok", "store": "ok", "news": "ok"}
    parts.store = "postgresql://somewhere is gone"
    await health.look()
    assert (health.alive, health.ready) == (True, False)
    assert health.states_by_name() == {"ready": "failing", "store": "failing", "news": "ok"}
    parts.store = ""
    await health.look()
    assert health.ready
    await health.leave()
    await health.look()
    assert (health.alive, health.ready, health.states_by_name()["ready"]) == (
        True,
        False,
        "leaving",
    )
    assert [found["ready"] for found in parts.reports] == [True, False, True, False]


async def test_it_is_ready_without_news_and_says_that_they_are_away() -> None:
    parts = Parts()
    parts.news = "away since noon"
    await parts.health.look()
    assert parts.health.ready
    assert parts.reports == [{"store": True, "news": False, "ready": True}]
    alone = Health({"news": Part(None)}, parts._turned)
    await alone.look()
    assert (alone.ready, alone.states_by_name()) == (
        True,
        {"ready": "ok", "news": "not needed"},
    )


def test_what_is_about_to_work_is_logged_once_it_takes_too_long(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        parts = Parts()
        health = Health({"news": Part(parts._news, needed=False, settling=5)}, parts._turned)
        parts.news = "not connected yet"
        await health.look()
        assert (health.works("news"), caplog.messages) == (False, [])
        now = time.monotonic()
        with monkeypatch.context() as later:
            later.setattr(time, "monotonic", lambda: now + 6)
            await health.look()
        assert caplog.messages == ["news fails"]
        parts.news = ""
        await health.look()
        parts.news = "away since noon"
        await health.look()  # it has worked before
        assert caplog.messages == ["news fails", "news works again", "news fails"]

    with caplog.at_level("INFO", logger="kifu"):
        asyncio.run(go())


async def test_a_store_that_does_not_answer_is_one_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry_health, "PATIENCE", 0.02)
    parts = Parts()
    parts.hangs = True
    await parts.health.look()
    assert not parts.health.ready


def status(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_a_flood_of_probes_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts()
    asyncio.run(parts.health.look())
    answering = Answering(CollectorRegistry(), parts.health, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{answering.port}"
    for _ in range(50):
        assert status(f"{address}/readyz") == (200, "ready: ok\nstore: ok\nnews: ok\n")
    assert parts.asked == 1
    parts.store, parts.news = "gone", "away"
    asyncio.run(parts.health.look())
    assert status(f"{address}/readyz") == (503, "ready: failing\nstore: failing\nnews: failing\n")
    assert status(f"{address}/healthz") == status(f"{address}/livez") == (200, "ok\n")
    assert status(f"{address}/metrics")[0] == 200
    assert probe.fault(address) == ""
    assert probe.fault(address, part="ready") == f"{address}: ready failing"
    assert probe.fault(address, part="news") == f"{address}: news failing"
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + telemetry_health.STUCK + 1)
    assert status(f"{address}/healthz") == (503, "stuck\n")
    answering.stop()
