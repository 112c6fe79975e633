"""A key lets one browser in, and is used up by a token that somebody has, not by a failure."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.credentials.entrance import SECONDS, Entrance
from service.identity import Identity, Role
from service.store.records import StoreError
from tests.unit.credentials.test_exchange import Desk, fails, tried

WHO = Identity(Role.ORGANISER, "organiser", id="abc", expires=9)


def test_a_key_is_good_once_and_for_an_hour(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        now = 0.0
        entrance = Entrance(desk.tokens, lambda: now)
        one, late, cleared = [await entrance.key(WHO) for _ in range(3)]
        found = await asyncio.gather(*(entrance.enter(text) for text in (one.lower(), one, "x")))
        (token, who), *none = sorted(found, key=lambda each: each is None)
        assert none == [None, None]
        assert desk.keys.check(token).id == who.id
        now = SECONDS
        assert await entrance.enter(late) is None
        now = 0.0
        await entrance.clear()
        assert await entrance.enter(cleared) is None

    tried(tmp_path, test)


@pytest.mark.parametrize("cleared", [False, True])
def test_a_failure_uses_no_key_up(
    tmp_path: Path, cleared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk) -> None:
        entrance = Entrance(desk.tokens)
        key = await entrance.key(WHO)

        async def fail(*_: object, **__: object) -> None:
            if cleared:
                await entrance.clear()
            raise StoreError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(desk.tokens, "issue", fail)
            await fails(entrance.enter(key), StoreError)
        assert (await entrance.enter(key) is None) == cleared

    tried(tmp_path, test)
