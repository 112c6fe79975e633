"""Keys and limits hold over all servers of a store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service import opening
from service.credentials.attempts import ALL, EACH, SharedAttempts, TooMany
from service.credentials.sharing import require_same_key
from service.identity import BadKey, Keys
from service.live.lanes import Lanes
from service.store.records import Records


def test_servers_with_different_keys_do_not_share_a_store(
    postgres_url: str, tmp_path: Path
) -> None:
    records, keys = Records(postgres_url), Keys.at(tmp_path / "a-key")
    require_same_key(records, keys)
    require_same_key(records, Keys.at(tmp_path / "a-key"))
    with pytest.raises(BadKey, match="another key"):
        require_same_key(records, Keys.at(tmp_path / "b-key"))
    records.close()


def test_a_new_key_that_the_others_do_not_have_is_not_kept(
    postgres_url: str, tmp_path: Path
) -> None:
    records = Records(postgres_url)
    first = opening.keys(records, tmp_path / "a-key", False)
    with pytest.raises(BadKey, match="another key"):
        opening.keys(records, tmp_path / "b-key", False)
    assert not (tmp_path / "b-key").exists()
    (tmp_path / "a-key").rename(tmp_path / "b-key")
    assert opening.keys(records, tmp_path / "b-key", False).of("x") == first.of("x")
    records.close()


async def test_attempts_are_those_of_all_servers(postgres_url: str) -> None:
    async def tried(attempts: SharedAttempts, peer: str) -> bool:
        try:
            await attempts.use(peer)
        except TooMany:
            return False
        return True

    both, now, lanes = [Records(postgres_url) for _ in "ab"], [1000.0], Lanes()
    servers = [SharedAttempts(one, lanes.run, lambda: now[0]) for one in both]
    got = [await tried(servers[n % 2], "ipv4:10.0.0.1:1") for n in range(2 * EACH)]
    assert sum(got) == EACH
    at_once = [tried(servers[n % 2], f"ipv4:10.0.{n}.1:1") for n in range(2 * ALL)]
    assert sum(await asyncio.gather(*at_once)) == ALL - EACH
    now[0] += 3600
    give_back = await servers[0].use("ipv4:10.0.0.1:1")
    await give_back()
    got = [await tried(servers[n % 2], "ipv4:10.0.0.1:1") for n in range(2 * EACH)]
    assert sum(got) == EACH
    now[0] -= 7200  # a server whose clock is behind gives nobody more
    assert not await tried(servers[1], "ipv4:10.0.0.1:1")
    lanes.close()
    for one in both:
        one.close()
