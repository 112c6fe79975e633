"""Limits on codes that are tried and are none: for each address that they come from, and for all.

Each has so many attempts that it may use at once, and gets new ones over time. A client without
attempts left is refused without looking at the code, even if it would be right; so nothing can be
learned by trying more. What a right code has used is given back; of tokens for one there is a limit
as well, so that nobody fills the file. What this leaves to guessing is computed in CREDENTIALS.md.

If several servers share a store the attempts are counted there (`SharedAttempts`), so that asking
one after the other gives no more of them.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import unquote

from service.store.records import Conflict, Must, Records, Work

#: Wrong codes from one address: so many at once, and so many an hour.
EACH, EACH_HOUR = 10, 60
#: The same from all together.
ALL, ALL_HOUR = 60, 200
#: Tokens for one code that is right: so many at once, and so many an hour.
TOKENS, TOKENS_HOUR = 30, 60
#: Addresses that are remembered, and codes.
REMEMBERED = 10_000


#: Gives attempts back that were used.
GiveBack = Callable[[], Awaitable[None]]


class TooMany(Exception):
    """There are no attempts left; there is one again `after` so many seconds."""

    def __init__(self, after: float) -> None:
        super().__init__(f"try again after {after:.0f} s")
        self.after = after


class Bucket:
    """Attempts that are left, and come back over time."""

    def __init__(self, most: int, hourly: int, now: float) -> None:
        self._most, self._rate = most, hourly / 3600
        self._left, self._since = float(most), now

    def wait(self, now: float) -> float:
        """How long until there is one, in seconds; 0: there is."""
        self._left = min(self._left + (now - self._since) * self._rate, self._most)
        self._since = now
        return 0.0 if self._left >= 1 else (1 - self._left) / self._rate

    def take(self, n: int = 1) -> None:
        """Use some, or give them back (-1)."""
        self._left -= n


class Attempts:
    """The attempts of a service that is alone. The clock is one that nobody sets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Bucket(ALL, ALL_HOUR, clock())
        self._each: OrderedDict[str, Bucket] = OrderedDict()
        self._codes: OrderedDict[str, Bucket] = OrderedDict()

    async def use(self, peer: str) -> GiveBack:
        """Use an attempt of somebody at an address, as gRPC writes it; raises `TooMany`.

        What is returned gives it back, if he was right.
        """
        now = self._clock()
        own = _bucket(self._each, address_of(peer), EACH, EACH_HOUR, now)
        buckets = (own, self._all)
        _take(buckets, now)

        async def give_back() -> None:
            for bucket in buckets:
                bucket.take(-1)

        return give_back

    async def use_token(self, code: str) -> None:
        """Use one of the tokens that there are for the code with an id; raises `TooMany`."""
        now = self._clock()
        _take([_bucket(self._codes, code, TOKENS, TOKENS_HOUR, now)], now)


class SharedAttempts(Attempts):
    """The attempts of all servers of a store, by their clocks: a row for each address and code."""

    def __init__(
        self,
        records: Records,
        run: Callable[..., Awaitable[Any]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`run` runs something in a thread."""
        super().__init__(clock)
        self._records, self._run = records, partial(run, unlimited=True)

    async def use(self, peer: str) -> GiveBack:
        """Use an attempt of an address."""
        kept = {f"from {address_of(peer)}": (EACH, EACH_HOUR), "all": (ALL, ALL_HOUR)}
        await self._run(self._take, kept)

        async def give_back() -> None:
            back = [(_GIVE, (float(most), key)) for key, (most, _) in kept.items()]
            await self._run(self._records.write, Work("", (), back))

        return give_back

    async def use_token(self, code: str) -> None:
        """Use one of the tokens of a code."""
        await self._run(self._take, {f"code {code}": (TOKENS, TOKENS_HOUR)})

    def _take(self, kept: Mapping[str, tuple[int, int]]) -> None:
        """Use one of each, or none; raises `TooMany`."""
        now = self._clock()
        taken = [
            Must(_TAKE, (key, float(most), hourly / 3600, now))
            for key, (most, hourly) in sorted(kept.items())
        ]
        try:
            self._records.write(Work("", (), taken))
        except Conflict:
            raise TooMany(max(3600 / hourly for _, hourly in kept.values())) from None


#: `?2`: how many there are at most, `?3`: how many come back in a second, `?4`: now.
_NOW = (
    "least(?2, attempts.remaining"
    " + greatest(CAST(?4 AS DOUBLE PRECISION) - attempts.since, 0) * ?3)"
)
_TAKE = (
    "INSERT INTO attempts (key, remaining, since)"
    " VALUES (?1, CAST(?2 AS DOUBLE PRECISION) - 1, CAST(?4 AS DOUBLE PRECISION))"
    f" ON CONFLICT (key) DO UPDATE SET remaining={_NOW} - 1,"
    f" since=greatest(attempts.since, excluded.since) WHERE {_NOW} >= 1"
)
_GIVE = (
    "UPDATE attempts SET remaining=least(CAST(?1 AS DOUBLE PRECISION), remaining + 1) WHERE key=?2"
)


def _bucket(kept: OrderedDict[str, Bucket], key: str, most: int, hourly: int, now: float) -> Bucket:
    """The bucket of a key, which is remembered as the last that was used."""
    found = kept.get(key) or Bucket(most, hourly, now)
    kept[key] = found
    kept.move_to_end(key)
    if len(kept) > REMEMBERED:
        kept.popitem(last=False)
    return found


def _take(buckets: Sequence[Bucket], now: float) -> None:
    after = max(bucket.wait(now) for bucket in buckets)
    if after:
        raise TooMany(after)
    for bucket in buckets:
        bucket.take()


def address_of(peer: str) -> str:
    """Whose attempts they are: an address without its port; of IPv6 its network."""
    host = re.sub(r"^(ipv4|ipv6):|:\d+$", "", unquote(peer)).strip("[]").partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return host
